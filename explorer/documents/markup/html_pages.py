"""Web pages: the text of HTML without tags, headers, comments, scripts and styles."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from explorer.documents.content import Content
from explorer.documents.markup.markup import Tolerant, feed, without, without_doctype
from explorer.documents.markup.markup_names import BREAKS, HEAD_ONLY, KEPT_SPACE, UNSEEN_HTML
from explorer.documents.record import Document

_SPACES = re.compile(r"[ \t\r\n\f]+")
_AROUND_BREAKS = re.compile(r" *\n *")
_STATING = ("html", "meta")
_DATES = frozenset(
    {
        "article:published_time", "citation_publication_date", "date", "datepublished", "dc.date", "dc.date.created",
        "dc.date.issued", "dcterms.created", "dcterms.date", "dcterms.issued",
    }
)  # fmt: skip
"""Names under which pages state the day of their publication."""
_MOST_STATED = 1_000
WITHOUT_MARKUP = "files read without their markup (HTML, XML)"


def read(content: Content) -> Iterator[Document]:
    """Read the text of a page."""
    for text in content.texts():
        content.note(WITHOUT_MARKUP, "")
        yield page_document(text)


def page_document(text: str) -> Document:
    """The text of a page, with the title, date and language that the page states."""
    parser = _parsed(text)
    return Document(parser.text, parser.metadata())


def begins_as_html(beginning: str) -> bool:
    """Whether a text begins as a page does."""
    return beginning.lstrip()[:15].lower().startswith(("<!doctype html", "<html"))


def html_text(text: str) -> str:
    r"""Take the text between the tags: white space is collapsed, and blocks are on separate lines, as in browsers.

    Examples
    --------
    >>> html_text("<p>one</p> <p>two &amp; three</p>")
    'one\n\ntwo & three'
    """
    return _parsed(text).text


def html_pieces(text: str, anchors: Collection[str]) -> list[tuple[str, str]]:
    """The text of a page in pieces, each with the anchor at which it begins; the first one has none."""
    parser = _parsed(text, anchors)
    bounds = [("", 0), *parser.anchors.items(), ("", len(parser.parts))]
    return [(anchor, shown_text(parser.parts[begin:end])) for (anchor, begin), (_, end) in pairwise(bounds)]


def shown_text(parts: Iterable[str]) -> str:
    """The text of parts of a page."""
    # Blocks inside blocks would each leave an empty line.
    return re.sub(r"\n{3,}", "\n\n", _AROUND_BREAKS.sub("\n", "".join(parts))).strip()


def _parsed(text: str, anchors: Collection[str] = ()) -> _HtmlStripper:
    parser = _HtmlStripper(anchors)
    # Feeding closes the parser, so that it hands over what it held back, such as an unfinished tag at the end.
    feed(parser, without(without_doctype(text), "<!--", "-->"))
    return parser


class _HtmlStripper(Tolerant):
    def __init__(self, anchors: Collection[str] = ()) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.anchors: dict[str, int] = {}
        self._wanted = anchors
        self._unseen: list[str] = []
        self._in_head = False
        self._in_body = False
        self._kept = 0
        self._title: list[str] = []
        self._stated: dict[str, str] = {}

    @property
    def text(self) -> str:
        """The text of the page."""
        return shown_text(self.parts)

    def metadata(self) -> dict[str, str]:
        """Title, date and language, as far as the page states them."""
        found = {"title": "".join(self._title), **self._stated}
        short = {name: " ".join(found.get(name, "")[:_MOST_STATED].split()) for name in ("title", "date", "language")}
        return {name: value for name, value in short.items() if value}

    def _state(self, tag: str, attributes: dict[str, str | None]) -> None:
        if tag == "html" and (language := attributes.get("lang") or attributes.get("xml:lang")):
            self._stated.setdefault("language", language)
        elif tag == "meta":
            names = (attributes.get(name) or "" for name in ("property", "name", "itemprop"))
            if any(name.lower() in _DATES for name in names):
                self._stated.setdefault("date", attributes.get("content") or "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line, or a part that is not shown."""
        tag = tag.rpartition(":")[2]
        self._meet(attrs)
        if tag in _STATING:
            self._state(tag, dict(attrs))
        if tag == "head":
            self._in_head = True
        elif tag not in HEAD_ONLY:
            # `</head>` may be missing: the first element of the body ends it.
            self._in_head = False
            self._in_body = True
        if tag in UNSEEN_HTML:
            self._unseen.append(tag)
        if tag in KEPT_SPACE:
            self._kept += 1
        self._break(tag)

    def _meet(self, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs if self._wanted else ():
            if name in ("id", "name") and value in self._wanted and value is not None:
                self.anchors.setdefault(value, len(self.parts))

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
        tag = tag.rpartition(":")[2]
        self._meet(attrs)
        if tag in _STATING:
            self._state(tag, dict(attrs))
        self._break(tag)

    def _break(self, tag: str) -> None:
        if tag in BREAKS and not self._unseen and not self._in_head:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Text between tags."""
        if self._unseen:
            # Pictures in the body have titles, too.
            if self._unseen == ["title"] and not self._in_body:
                self._title.append(data)
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
