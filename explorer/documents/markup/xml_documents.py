"""XML documents: their text without tags, headers, comments and declarations.

XML is read by Expat, and what is not well-formed by the parser of HTML, which accepts anything. No entity is loaded
from anywhere; entities that the document itself declares are replaced only by plain text, and only up to a limit.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from typing import TypeVar
from xml.parsers import expat

from explorer.documents.content import Content
from explorer.documents.markup.html_pages import WITHOUT_MARKUP, page_document
from explorer.documents.markup.markup import Tolerant, feed, root_of, without_declarations
from explorer.documents.markup.markup_names import WORD_ELEMENTS, inline_elements, unseen_elements
from explorer.documents.record import Document

ENDINGS = (".xml", ".tei", ".nxml", ".rss", ".atom", ".rdf", ".dbk", ".docbook", ".odd")
X = TypeVar("X", bound="XmlText")
_MOST_OF_ENTITIES = 1 << 20
"""Characters that entities of a document may add: more are left as references."""


def read(content: Content) -> Iterator[Document]:
    """Read the text of a document; a page of XHTML is read by the rules of HTML."""
    for text in content.texts():
        content.note(WITHOUT_MARKUP, "")
        yield page_document(text) if root_of(text)[0] == "html" else Document(xml_text(text))


def begins_as_xml(beginning: str) -> bool:
    """Whether a text begins with an XML declaration."""
    return beginning.lstrip()[:15].lower().startswith("<?xml")


def xml_text(text: str) -> str:
    r"""Take the text between the tags of XML: white space is preserved, and all elements separate words, except those
    inside a line of TEI, JATS and DocBook.

    Examples
    --------
    >>> xml_text("<lg><l>line one</l><l>line two</l></lg>")
    'line one\nline two'
    """
    return "".join(collected(text, XmlText).parts).strip()


def collected(text: str, make: Callable[[frozenset[str], frozenset[str]], X]) -> X:
    """Collect the text between the tags.

    make: Makes what collects it, of the elements inside a line and those that are not read.
    """
    root, attributes = root_of(text)
    inline, unseen = inline_elements(root, attributes), unseen_elements(root)
    found = make(inline, unseen)
    try:
        parse_xml(
            text, lambda tag, attributes: found.start(tag, attributes.get("break") == "no"), found.end, found.data
        )
    except expat.ExpatError:
        # Not well-formed, as XML on the web often is: what can be read is read.
        found = make(inline, unseen)
        feed(_LooseXml(found), without_declarations(text))
    return found


class XmlText:
    """The text of XML while its elements are met: words of different elements never touch."""

    def __init__(self, inline: frozenset[str], unseen: frozenset[str]) -> None:
        self.parts: list[str] = []
        self._inline = inline
        self._not_read = unseen
        self._unseen = ""
        self._depth = 0
        self._between = ""
        self._joined = ""

    def start(self, tag: str, joined: bool = False) -> None:
        """An element begins; `joined`: a break of line or page inside a word."""
        name = tag.rpartition(":")[2].lower()
        if self._unseen:
            self._depth += name == self._unseen
        elif name in self._not_read:
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


def parse_xml(
    text: str, start: Callable[[str, dict[str, str]], None], end: Callable[[str], None], data: Callable[[str], None]
) -> None:
    """Parse XML, without anything from outside and without entities that grow.

    start, end: Called with the name of an element, and with its attributes, at its beginning and at its end.
    Raises `xml.parsers.expat.ExpatError` if it is not well-formed.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    # As if the DTD were elsewhere: names such as &nbsp; are then no errors, and nothing is loaded.
    parser.UseForeignDTD(True)
    parser.ExternalEntityRefHandler = lambda *_: 1
    references = _References(data)
    parser.EntityDeclHandler = references.declare
    # A handler without "expand": entities of the document are handed over by name, so that none grows by itself.
    parser.DefaultHandler = references.refer
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = data
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


class _LooseXml(Tolerant):
    """XML that is not well-formed."""

    def __init__(self, found: XmlText) -> None:
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
