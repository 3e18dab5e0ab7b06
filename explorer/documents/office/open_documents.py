"""OpenDocument texts and presentations (ODT, ODP): paragraphs, tables, boxes and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from explorer.core.files.signatures import OPEN_SLIDES, OPEN_TEXT, is_format
from explorer.core.files.streams import BrokenStreamError
from explorer.documents.chapters import Headed
from explorer.documents.content import Content
from explorer.documents.office.blocks import BlockReader
from explorer.documents.office.properties import Properties
from explorer.documents.office.xml_parts import Attributes, Begin, End, PartError, PartReader, value_of
from explorer.documents.office.zip_package import ZipPackage
from explorer.documents.record import Document

TEXTS = (".odt", ".ott", ".odm")
PRESENTATIONS = (".odp", ".otp")
is_odt = is_format(OPEN_TEXT, TEXTS)
is_odp = is_format(OPEN_SLIDES, PRESENTATIONS)
_CONTENT, _META, _MANIFEST = "content.xml", "meta.xml", "META-INF/manifest.xml"
_ENCRYPTED = b"encryption-data"
_FIELDS = {
    "dc:title": "title",
    "meta:initial-creator": "author",
    "dc:creator": "author",
    "meta:creation-date": "date",
    "dc:date": "date",
    "dc:language": "language",
}
_SPACES = re.compile(r"[ \t\r\n]+")
_MOST_SPACES = 1_000
_DIGITS = 3
_BOXES = tuple(
    f"draw:{name}"
    for name in (
        "text-box",
        "custom-shape",
        "rect",
        "ellipse",
        "circle",
        "path",
        "polygon",
        "line",
        "connector",
        "caption",
    )
)
_REPEATED = ("header", "footer", "date-time", "page-number")
"""Frames of what every slide has."""


def read_text(content: Content) -> Iterator[Document]:
    """Read a text (ODT)."""
    yield from _read(content, "ODT")


def read_slides(content: Content) -> Iterator[Document]:
    """Read a presentation (ODP)."""
    yield from _read(content, "ODP")


def _read(content: Content, format: str) -> Iterator[Document]:
    with ZipPackage(content, format) as package:
        if _MANIFEST in package and _ENCRYPTED in package.read(_MANIFEST):
            raise package.protected()
        metadata = Properties(_FIELDS)
        if _META in package:
            _read_part(package, _META, metadata)
        body = _Body()
        try:
            _read_part(package, _CONTENT, body)
        except BrokenStreamError:
            if content.skip_bad and body.flow.value():
                yield from body.headed(metadata.stated()).documents(content.reading.per)
            raise
        yield from body.headed(metadata.stated()).documents(content.reading.per)


def _read_part(package: ZipPackage, name: str, reader: PartReader) -> None:
    try:
        reader.read(package.chunks(name))
    except PartError as error:
        raise package.broken(f"{name}: {error}") from error


class _Body(BlockReader):
    """The text of a document. White space is collapsed, as the format demands; `text:s` adds more of it."""

    def __init__(self) -> None:
        super().__init__()
        self._notes: list[tuple[int, str]] = []
        self._level = 0
        self._are_boxes: list[bool] = []
        self._paragraphs = 0
        self._after_space = True

    def headed(self, metadata: Mapping[str, str]) -> Headed:
        """The text with its headings and notes."""
        return Headed(self.flow.whole, self.headings, self._notes, metadata)

    def text(self, text: str) -> None:
        """Take text, in which all white space is a single space."""
        text = _SPACES.sub(" ", text)
        if self._after_space:
            text = text.removeprefix(" ")
        if text:
            self._after_space = text.endswith(" ")
            self.flow.add(text)

    def _begin_paragraph(self, _: Attributes) -> None:
        self._paragraphs += 1
        self.takes_text = self._after_space = True

    def _begin_title(self, attributes: Attributes) -> None:
        self._begin_paragraph(attributes)
        self.begin_heading()
        level = value_of(attributes, "outline-level", "1")
        self._level = int(level) if level.isascii() and level.isdigit() and len(level) < _DIGITS else 1

    def _end_title(self) -> None:
        self.end_heading(self._level)
        self._end_paragraph()

    def _end_paragraph(self) -> None:
        self._paragraphs -= 1
        # A paragraph in a box is inside the paragraph to which the box is anchored.
        self.takes_text = self._paragraphs > 0
        self.paragraph()

    def _space(self, attributes: Attributes) -> None:
        count = value_of(attributes, "c", "1")
        self.flow.add(" " * (min(int(count), _MOST_SPACES) if count.isascii() and count.isdigit() else 1))
        self._after_space = False

    def _tab(self, _: Attributes) -> None:
        self.flow.add("\t")
        self._after_space = False

    def _break(self, _: Attributes) -> None:
        self.flow.line()
        self._after_space = True

    def _begin_note(self, _: Attributes) -> None:
        self.begin_aside()

    def _end_note(self) -> None:
        self._after_space = False
        note = self.end_aside().strip()
        self._notes.append((self.place, note))

    def _begin_frame(self, attributes: Attributes) -> bool:
        return value_of(attributes, "class") in _REPEATED

    def _begin_box(self, found: Attributes) -> None:
        # The boxes of slides, and of pages, are not anchored to a paragraph.
        self._are_boxes.append(self._paragraphs > 0)
        if self._are_boxes[-1]:
            self.begin_box(found)

    def _end_box(self) -> None:
        if self._are_boxes.pop():
            self.end_box()
            self._after_space = False

    def _gap(self, *_: object) -> None:
        self.flow.gap()

    unread = frozenset(
        {
            *("text:tracked-changes", "text:note-citation", "text:ruby-text", "text:sequence-decls", "office:forms"),
            *("office:annotation", "office:scripts", "svg:title", "svg:desc", "draw:object", "draw:page-thumbnail"),
            *("office:styles", "office:automatic-styles", "office:font-face-decls", "presentation:footer-decl"),
            *("presentation:header-decl", "presentation:date-time-decl", "text:hidden-text", "draw:image"),
        }
    )
    begins: Mapping[str, Begin] = {
        "text:p": _begin_paragraph,
        "text:h": _begin_title,
        "text:s": _space,
        "text:tab": _tab,
        "text:line-break": _break,
        "text:note-body": _begin_note,
        "table:table-row": BlockReader.row,
        "draw:frame": _begin_frame,
        **dict.fromkeys(_BOXES, _begin_box),
        "draw:page": _gap,
        "presentation:notes": _gap,
    }
    ends: Mapping[str, End] = {
        "text:p": _end_paragraph,
        "text:h": _end_title,
        "text:note-body": _end_note,
        "table:table-cell": BlockReader.cell,
        "table:covered-table-cell": BlockReader.cell,
        "table:table-row": BlockReader.row,
        "table:table": BlockReader.end_table,
        **dict.fromkeys(_BOXES, _end_box),
        "draw:page": _gap,
    }
