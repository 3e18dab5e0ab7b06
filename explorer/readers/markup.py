"""The text of HTML and XML: without tags, headers, comments, declarations, scripts and styles.

XML is read by Expat, and what is not well-formed by the parser of HTML, which accepts anything. No entity is loaded
from anywhere; entities that the document itself declares are replaced only by plain text, and only up to a limit.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from html.parser import HTMLParser
from xml.parsers import expat

from explorer.readers.markup_names import (
    BREAKS,
    HEAD_ONLY,
    KEPT_SPACE,
    UNSEEN_HTML,
    UNSEEN_XML,
    WORD_ELEMENTS,
    inline_elements,
)

_HTML_ENDINGS = (".html", ".htm", ".xhtml", ".xht", ".shtml")
_XML_ENDINGS = (".xml", ".tei", ".nxml", ".rss", ".atom", ".rdf", ".dbk", ".docbook", ".odd")
ENDINGS = (*_HTML_ENDINGS, *_XML_ENDINGS)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_AROUND_BREAKS = re.compile(r" *\n *")
_DOCTYPE = re.compile(r"<!DOCTYPE", re.IGNORECASE)
_IN_DOCTYPE = re.compile(r"""<!--|"[^"]*"|'[^']*'|[\[\]>]""")
_XML_DECLARED = re.compile(rb"""\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_META = re.compile(rb"""<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]{1,40})")
_META_WITHIN = 4_096
_ROOT = re.compile(r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)([^>]{0,2000})")
_MANY_OPEN = 1_000
_MOST_OF_ENTITIES = 1 << 20
"""Characters that entities of a document may add: more are left as references."""


def declared_set(head: bytes, name: str) -> str:
    """Find the character set that a file declares in its first bytes.

    Parameters
    ----------
    head
        The beginning of the file.
    name
        Its name without the endings of packing, in lower case.

    Returns
    -------
    str
        The name as it is written in an XML declaration, a `meta` element of HTML, or the cookie of Python source code;
        "" without one.

    Examples
    --------
    >>> declared_set(b'<html><meta charset="koi8-r">', "a.html")
    'koi8-r'
    """
    found = _XML_DECLARED.match(head.removeprefix(b"\xef\xbb\xbf"))
    if found is None and (name.endswith(_HTML_ENDINGS) or _looks_like_html(head)):
        found = _META.search(_COMMENT.sub(b"", head[:_META_WITHIN]))
    if found is None and name.endswith((".py", ".pyi", ".pyw")):
        lines = head.split(b"\n", 2)[:2]
        found = next((cookie for line in lines if (cookie := _COOKIE.match(line))), None)
    return found.group(1).decode("ascii", "replace") if found is not None else ""


def _looks_like_html(head: bytes) -> bool:
    return re.match(rb"\s*<(?:!doctype\s+html|html)[\s>]", head[:512], re.IGNORECASE) is not None


def is_markup(text: str, name: str) -> bool:
    """Whether a text is HTML or XML: by its name or, without an ending, by its beginning.

    Parameters
    ----------
    text
        The text.
    name
        Its file's name without the endings of packing, in lower case.
    """
    if name.endswith(ENDINGS):
        return True
    start = text[:512].lstrip("\ufeff \t\r\n")[:15].lower()
    return "." not in name.rpartition("/")[2] and start.startswith(("<?xml", "<!doctype html", "<html"))


def is_html(text: str, name: str) -> bool:
    """Whether markup follows the rules of HTML: by the name or, of XML, by the root element."""
    if name.endswith(_HTML_ENDINGS):
        return True
    return _root_of(text)[0] == "html" or (not name.endswith(_XML_ENDINGS) and "<?xml" not in text[:512])


def _root_of(text: str) -> tuple[str, str]:
    """The local name of the first element, in lower case, and its attributes as they are written."""
    found = _ROOT.search(_without_declarations(text[: 1 << 16]))
    return (found.group(2).lower(), f"{found.group(1) or ''} {found.group(3)}") if found else ("", "")


def strip_markup(text: str, is_html: bool) -> str:
    r"""Take the text between the tags.

    Parameters
    ----------
    text
        The source of a page or a document.
    is_html
        True for HTML: white space is collapsed, and blocks are on separate lines, as in browsers. False for XML: white
        space is preserved, and all elements separate words, except those inside a line of TEI, JATS and DocBook.

    Returns
    -------
    str
        The text without tags, headers, scripts and styles, and without white space at either end.

    Examples
    --------
    >>> strip_markup("<p>one</p> <p>two &amp; three</p>", is_html=True)
    'one\n\ntwo & three'
    >>> strip_markup("<lg><l>line one</l><l>line two</l></lg>", is_html=False)
    'line one\nline two'
    """
    if not is_html:
        return _xml_text(text)
    parser = _HtmlStripper()
    _feed(parser, _without(_without_doctype(text), "<!--", "-->"))
    # `close` has handed over what the parser held back, such as an unfinished tag at the end.
    found = "".join(parser.parts)
    # Blocks inside blocks would each leave an empty line.
    return re.sub(r"\n{3,}", "\n\n", _AROUND_BREAKS.sub("\n", found)).strip()


def _without_declarations(text: str) -> str:
    return _without(_without(_without_doctype(text), "<!--", "-->"), "<?", "?>")


def _without(text: str, begin: str, end: str) -> str:
    """A text without what is between two signs, in one pass; what is not closed reaches to the end, as in browsers."""
    parts = []
    at = 0
    while (start := text.find(begin, at)) >= 0:
        parts.append(text[at:start])
        # `<!-->` is a whole comment in browsers.
        close = text.find(end, start + 2)
        at = close + len(end) if close >= 0 else len(text)
    return "".join([*parts, text[at:]]) if parts else text


def _without_doctype(text: str) -> str:
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


def _feed(parser: HTMLParser, text: str) -> None:
    # Each of many signs that nothing closes would be searched to the end of the text.
    open_ended = text.count("<") > 2 * text.count(">") + _MANY_OPEN
    parser.feed(f"{text}<x>" if open_ended else text)
    parser.close()


class _Tolerant(HTMLParser):
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


class _HtmlStripper(_Tolerant):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._unseen: list[str] = []
        self._in_head = False
        self._kept = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line, or a part that is not shown."""
        tag = tag.rpartition(":")[2]
        if tag == "head":
            self._in_head = True
        elif tag not in HEAD_ONLY:
            # `</head>` may be missing: the first element of the body ends it.
            self._in_head = False
        if tag in UNSEEN_HTML:
            self._unseen.append(tag)
        if tag in KEPT_SPACE:
            self._kept += 1
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        tag = tag.rpartition(":")[2]
        if tag == "head":
            self._in_head = False
        if tag in self._unseen:
            # An end without a beginning is common and must not show the next script.
            del self._unseen[self._unseen.index(tag) :]
        if tag in KEPT_SPACE:
            self._kept = max(0, self._kept - 1)
        self._break(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content; `<p/>` and others are begun in HTML, and their end is not needed."""
        self._break(tag.rpartition(":")[2])

    def _break(self, tag: str) -> None:
        if tag in BREAKS and not self._unseen and not self._in_head:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Text between tags."""
        if self._unseen:
            return
        if self._in_head:
            if not data.strip():
                return
            # Text cannot be in a head: the body begins with it.
            self._in_head = False
        # Spaces are kept in `pre`, where they are part of the text.
        self.parts.append(data if self._kept else _SPACES.sub(" ", data))

    def unknown_decl(self, data: str) -> None:
        """A CDATA section of XHTML is text."""
        if data.startswith("CDATA["):
            self.handle_data(data.removeprefix("CDATA["))


class _XmlText:
    """The text of XML while its elements are met: words of different elements never touch."""

    def __init__(self, inline: frozenset[str]) -> None:
        self.parts: list[str] = []
        self._inline = inline
        self._unseen = ""
        self._depth = 0
        self._between = ""
        self._joined = ""

    def start(self, tag: str, joined: bool = False) -> None:
        """An element begins; `joined`: a break of line or page inside a word."""
        name = tag.rpartition(":")[2].lower()
        if self._unseen:
            self._depth += name == self._unseen
        elif name in UNSEEN_XML:
            self._unseen, self._depth = name, 1
        self._joined = name if joined else ""
        self._separate(name, joined)

    def end(self, tag: str) -> None:
        """An element ends."""
        name = tag.rpartition(":")[2].lower()
        if name == self._unseen:
            self._depth -= 1
            if not self._depth:
                self._unseen = ""
        # A break has no content: its end follows its beginning.
        self._separate(name, name == self._joined)
        self._joined = ""

    def _separate(self, name: str, joined: bool) -> None:
        if name not in self._inline and not joined:
            # A line, unless all that was met since the last text is words.
            self._between = " " if name in WORD_ELEMENTS and self._between != "\n" else "\n"

    def data(self, text: str) -> None:
        """Text between tags."""
        if self._unseen or not text:
            return
        if self._between and self.parts and not self.parts[-1][-1].isspace() and not text[0].isspace():
            self.parts.append(self._between)
        self._between = ""
        self.parts.append(text)


def _xml_text(text: str) -> str:
    root, attributes = _root_of(text)
    inline = inline_elements(root, attributes)
    found = _XmlText(inline)
    try:
        _by_expat(text, found)
    except expat.ExpatError:
        # Not well-formed, as XML on the web often is: what can be read is read.
        found = _XmlText(inline)
        _feed(_LooseXml(found), _without_declarations(text))
    return "".join(found.parts).strip()


def _by_expat(text: str, found: _XmlText) -> None:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    # As if the DTD were elsewhere: names such as &nbsp; are then no errors, and nothing is loaded.
    parser.UseForeignDTD(True)
    parser.ExternalEntityRefHandler = lambda *_: 1
    references = _References(found.data)
    parser.EntityDeclHandler = references.declare
    # A handler without "expand": entities of the document are handed over by name, so that none grows by itself.
    parser.DefaultHandler = references.refer
    parser.StartElementHandler = lambda tag, attributes: found.start(tag, attributes.get("break") == "no")
    parser.EndElementHandler = found.end
    parser.CharacterDataHandler = found.data
    parser.CommentHandler = lambda _: None
    parser.ProcessingInstructionHandler = lambda *_: None
    parser.StartDoctypeDeclHandler = lambda *_: references.inside(True)
    parser.EndDoctypeDeclHandler = lambda: references.inside(False)
    parser.Parse(text.removeprefix("\ufeff"), True)


class _References:
    """Entities: those of the document, as far as they are plain text, and those of HTML."""

    def __init__(self, data: Callable[[str], None]) -> None:
        self._data = data
        self._known: dict[str, str] = {}
        self._left = _MOST_OF_ENTITIES
        self._in_doctype = False

    def inside(self, doctype: bool) -> None:
        """Whether the declarations are being read, whose text is not part of the document."""
        self._in_doctype = doctype

    def declare(self, name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        """Remember an entity that is plain text; others may contain entities, and grow without end."""
        if not is_parameter and value is not None and "&" not in value and "<" not in value:
            self._known.setdefault(name, value)

    def refer(self, markup: str) -> None:
        """A reference is replaced if its text is known; other markup is not text."""
        if self._in_doctype or not (markup.startswith("&") and markup.endswith(";")):
            return
        text = self._known.get(markup[1:-1])
        if text is None:
            text = html.unescape(markup)
        elif len(text) > self._left:
            text = markup
        else:
            self._left -= len(text)
        self._data(text)


class _LooseXml(_Tolerant):
    """XML that is not well-formed."""

    def __init__(self, found: _XmlText) -> None:
        super().__init__()
        self._found = found

    def set_cdata_mode(self, elem: str, **wishes: bool) -> None:
        """XML has no elements whose content is not parsed."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self._found.start(tag, ("break", "no") in attrs)

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        self._found.end(tag)

    def handle_data(self, data: str) -> None:
        """Text between tags."""
        self._found.data(data)

    def unknown_decl(self, data: str) -> None:
        """A CDATA section is text."""
        if data.startswith("CDATA["):
            self._found.data(data.removeprefix("CDATA["))
