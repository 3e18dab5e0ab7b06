"""The markup of MediaWiki: the text that readers see, without templates, references and pictures.

Each step is one pass over the text, so that no page takes long, whatever its markup is.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Collection, Iterator

from explorer.documents.markup.markup import without

USUAL_NAMES = frozenset({"file", "image", "media", "category"})
"""Namespaces whose links have no text; wikis have further names for them in their language."""
_HIDDEN = (
    "ref", "references", "gallery", "math", "chem", "ce", "score", "timeline", "imagemap", "graph", "templatestyles",
    "mapframe", "maplink", "categorytree", "inputbox", "includeonly",
)  # fmt: skip
"""Elements whose content is not running text."""
_AS_WRITTEN = ("nowiki", "pre", "syntaxhighlight", "source")
_LINE_TAGS = {"br", "p", "div", "blockquote", "li", "ul", "ol", "dl", "dd", "dt", "tr", "table", "h1", "h2", "h3", "h4",
              "h5", "h6", "hr", "center", "poem"}  # fmt: skip
_TAGS = _LINE_TAGS | {
    "abbr", "b", "bdi", "bdo", "big", "caption", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "mark", "noinclude", "nowiki", "onlyinclude", "pre", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "section",
    "small", "source", "span", "strike", "strong", "sub", "sup", "syntaxhighlight", "td", "th", "time", "tt", "u",
    "var", "wbr", *_HIDDEN,
}  # fmt: skip
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?:[\s/][^<>]{0,2000})?>")
_BRACES = re.compile(r"\{{2,}|\}{2,}")
_LINK_SIGNS = re.compile(r"\[\[|\]\]")
_ADDRESS = re.compile(r"\[(?:(?:[a-z]{2,10}:)?//|mailto:)[^\s\[\]<>]{1,4000}(?: +([^\[\]\n]{0,4000}))?\]")
_QUOTES = re.compile(r"'{2,}")
_MAGIC = re.compile(r"__[A-Z]{3,20}__")
_OTHER_WIKI = re.compile(r"[a-z]{2,3}(?:-[a-z-]{1,12})?:")
_LIST = re.compile(r"[*#:;]+[ \t]*")
_DEEPEST_LINK = 8
_BOLD, _BOTH = 3, 5
# Signs of markup that are text where markup is switched off: they are replaced by characters of private use meanwhile.
_SIGNS = "[]{}|'<>=*#:;!-_&\n "
_PRIVATE = {ord(sign): 0xF8D0 + number for number, sign in enumerate(_SIGNS)}
_BACK = {private: sign for sign, private in _PRIVATE.items()}


def plain_text(text: str, without_text: Collection[str] = USUAL_NAMES) -> str:
    """Take the text of a page as readers see it.

    without_text: The names of the namespaces of files and categories, in lower case.
    Returns: The text: templates are not expanded, and tables have a line for each row, with tabs between its cells.

    Examples
    --------
    >>> plain_text("A '''mouse''' is a small [[Rodent|rodent]].<ref>A book</ref>{{stub}}")
    'A mouse is a small rodent.'
    """
    found = _kept_as_written(without(text, "<!--", "-->"))
    found = _without_hidden(found)
    found = _without_braces(found)
    found = _links(found, without_text)
    found = _ADDRESS.sub(lambda link: link[1] or "", found)
    found = _QUOTES.sub(_apostrophes, found)
    found = "\n".join(_lines(found))
    found = _MAGIC.sub("", _TAG.sub(_tag, found))
    found = html.unescape(found.translate(_BACK))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip(" \t") for line in found.split("\n"))).strip()


def _elements(text: str, names: Collection[str]) -> Iterator[tuple[int, int, int, int]]:
    """Elements that are closed: where each begins, where its content begins and ends, and where it ends."""
    ends: dict[str, list[tuple[int, int]]] = {name: [] for name in names}
    for each in _TAG.finditer(text):
        if each[0][1] == "/" and each[1].lower() in ends:
            ends[each[1].lower()].append(each.span())
    at = 0
    while tag := _TAG.search(text, at):
        name, at = tag[1].lower(), tag.end()
        if name not in ends or tag[0][1] == "/":
            continue
        if tag[0].endswith("/>"):
            yield tag.start(), at, at, at
            continue
        number = bisect_left(ends[name], (at, at))
        if number < len(ends[name]):
            end, close = ends[name][number]
            yield tag.start(), at, end, close
            at = close


def _kept_as_written(text: str) -> str:
    """The text with the signs of markup hidden where it is switched off."""
    parts, done = [], 0
    for start, inner, end, close in _elements(text, _AS_WRITTEN):
        parts += [text[done:start], text[inner:end].translate(_PRIVATE)]
        done = close
    return "".join([*parts, text[done:]])


def _without_hidden(text: str) -> str:
    parts, done = [], 0
    for start, _, _, close in _elements(text, _HIDDEN):
        parts.append(text[done:start])
        done = close
    return "".join([*parts, text[done:]])


def _without_braces(text: str) -> str:
    """The text without templates and their arguments; braces that nothing closes are text."""
    parts, done = [], 0
    for start, end in _outer(_brace_pairs(text)):
        parts.append(text[done:start])
        done = end
    return "".join([*parts, text[done:]])


def _brace_pairs(text: str) -> Iterator[tuple[int, int]]:
    """Pairs of two or three braces, as MediaWiki matches them; an outer pair follows those inside it."""
    open_ones: list[tuple[int, int]] = []
    for run in _BRACES.finditer(text):
        at, left = run.start(), len(run[0])
        if run[0][0] == "{":
            open_ones.append((at, left))
            continue
        while left >= 2 and open_ones:
            start, count = open_ones.pop()
            taken = min(count, left, 3)
            at, left, count = at + taken, left - taken, count - taken
            yield start + count, at
            if count >= 2:
                open_ones.append((start, count))


def _outer(pairs: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs that are in no other one."""
    outer: list[tuple[int, int]] = []
    for start, end in pairs:
        while outer and outer[-1][0] >= start:
            outer.pop()
        outer.append((start, end))
    return outer


def _links(text: str, without_text: Collection[str]) -> str:
    """The text with the labels of links in place of these; brackets that nothing closes are text."""
    levels: list[list[str]] = [[]]
    done = 0
    for sign in _LINK_SIGNS.finditer(text):
        levels[-1].append(text[done : sign.start()])
        done = sign.end()
        if sign[0] == "[[" and len(levels) <= _DEEPEST_LINK:
            levels.append([])
        elif sign[0] == "]]" and len(levels) > 1:
            inside = "".join(levels.pop())
            levels[-1].append(_label(inside, without_text))
        else:
            levels[-1].append(sign[0])
    levels[-1].append(text[done:])
    while len(levels) > 1:
        rest = levels.pop()
        levels[-1] += ["[[", *rest]
    return "".join(levels[0])


def _label(inside: str, without_text: Collection[str]) -> str:
    target, bar, label = inside.partition("|")
    target = target.strip()
    space = target.partition(":")[0].strip().lower()
    if space in without_text and ":" in target:
        return ""
    if not bar and _OTHER_WIKI.match(target):
        # A link to the same page in another language, which is shown beside the page.
        return ""
    # An empty label is the target without its namespace.
    return label.strip() or (target.rpartition(":")[2] if bar else target.removeprefix(":"))


def _apostrophes(found: re.Match[str]) -> str:
    """What is left of apostrophes: two, three and five are italics and bold."""
    count = len(found[0])
    return "'" * (count - _BOTH if count > _BOTH else int(count == _BOLD + 1))


def _lines(text: str) -> Iterator[str]:
    """The lines without signs of headings, lists and tables."""
    tables = 0
    row: list[str] = []
    for line in text.split("\n"):
        begin = line.lstrip(" \t:")
        if begin.startswith("{|"):
            tables += 1
        elif not tables:
            yield _plain_line(line)
            continue
        elif begin.startswith("|}"):
            tables -= 1
        elif not begin.startswith(("|", "!")):
            # The cell continues.
            row.append(_plain_line(line))
            continue
        elif not begin.startswith("|-"):
            row += _cells(begin)
            continue
        if any(row):
            yield "\t".join(filter(None, row))
        row = []
    if any(row):
        yield "\t".join(filter(None, row))


def _cells(line: str) -> list[str]:
    sign = line[0]
    cells = line[1:].removeprefix("+").replace("!!", "||" if sign == "!" else "!!").split("||")
    return [_plain_line(_without_attributes(cell).strip()) for cell in cells]


def _without_attributes(cell: str) -> str:
    attributes, bar, rest = cell.partition("|")
    return rest if bar and "=" in attributes else cell


def _plain_line(line: str) -> str:
    end = line.rstrip()
    if end.startswith("=") and end.endswith("=") and len(end) > 2:
        level = min(len(end) - len(end.lstrip("=")), len(end) - len(end.rstrip("=")), 6)
        return end[level:-level].strip()
    if line.startswith("----"):
        return line.lstrip("-").strip()
    found = _LIST.match(line)
    return line[found.end() :] if found is not None else line


def _tag(found: re.Match[str]) -> str:
    name = found[1].lower()
    if name not in _TAGS:
        return found[0]
    return "\n" if name in _LINE_TAGS else ""
