"""What HTML and XML have in common: declarations, roots, and a parser that accepts anything."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_DOCTYPE = re.compile(r"<!DOCTYPE", re.IGNORECASE)
_IN_DOCTYPE = re.compile(r"""<!--|"[^"]*"|'[^']*'|[\[\]>]""")
_ROOT = re.compile(r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)([^>]{0,2000})")
_MANY_OPEN = 1_000


def root_of(text: str) -> tuple[str, str]:
    """The local name of the first element, in lower case, and its attributes as they are written."""
    found = _ROOT.search(without_declarations(text[: 1 << 16]))
    return (found.group(2).lower(), f"{found.group(1) or ''} {found.group(3)}") if found else ("", "")


def without_declarations(text: str) -> str:
    """A text without its document type, comments and processing instructions."""
    return without(without(without_doctype(text), "<!--", "-->"), "<?", "?>")


def without(text: str, begin: str, end: str) -> str:
    """A text without what is between two signs, in one pass; what is not closed reaches to the end, as in browsers."""
    parts = []
    at = 0
    while (start := text.find(begin, at)) >= 0:
        parts.append(text[at:start])
        # `<!-->` is a whole comment in browsers.
        close = text.find(end, start + 2)
        at = close + len(end) if close >= 0 else len(text)
    return "".join([*parts, text[at:]]) if parts else text


def without_doctype(text: str) -> str:
    """A text without its document type declaration, which may have a part in brackets, with quotes and comments."""
    start = _DOCTYPE.search(text)
    at, inside = start.end() if start is not None else 0, False
    while start is not None and (found := _IN_DOCTYPE.search(text, at)):
        at = found.end()
        sign = found.group()
        if sign == "<!--":
            close = text.find("-->", at)
            if close < 0:
                break
            at = close + 3
        elif sign in "[]":
            inside = sign == "["
        elif sign == ">" and not inside:
            return text[: start.start()] + text[at:]
    return text


def feed(parser: HTMLParser, text: str) -> None:
    """Parse a whole text."""
    # Each of many signs that nothing closes would be searched to the end of the text.
    open_ended = text.count("<") > 2 * text.count(">") + _MANY_OPEN
    parser.feed(f"{text}<x>" if open_ended else text)
    parser.close()


class Tolerant(HTMLParser):
    """The standard library's parser, which raises AssertionError for some sections in brackets."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """A CDATA section, or anything else in its place, which is not text."""
        if not self.rawdata.startswith("<![CDATA[", i):
            return self.parse_bogus_comment(i)
        close = self.rawdata.find("]]>", i)
        end = close if close >= 0 else len(self.rawdata)
        self.unknown_decl(self.rawdata[i + 3 : end])
        return min(end + 3, len(self.rawdata))
