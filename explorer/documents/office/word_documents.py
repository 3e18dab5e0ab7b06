"""Word documents (DOCX): paragraphs, tables, text boxes, and the notes after the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from explorer.core.files.signatures import WORD, is_format
from explorer.core.files.streams import BrokenStreamError
from explorer.documents.chapters import Headed
from explorer.documents.content import Content
from explorer.documents.office.blocks import BlockReader
from explorer.documents.office.open_xml import OpenXml, WithAlternatives
from explorer.documents.office.xml_parts import Attributes, Begin, End, PartReader, value_of
from explorer.documents.office.zip_package import ZipPackage
from explorer.documents.read_settings import CHAPTER
from explorer.documents.record import Document

ENDINGS = (".docx", ".docm", ".dotx", ".dotm")
is_docx = is_format(WORD, ENDINGS)
_MAIN = "word/document.xml"
_NOTES = ("footnotes", "endnotes")
_UNREAD = (
    *("moveFrom", "delText", "instrText", "delInstrText", "rt", "altChunk", "tabs", "pPrChange", "rPrChange", "sectPr"),
    *("tblPr", "tblGrid", "trPr", "tcPr", "sdtPr"),
)
"""Text that was moved or deleted, commands of fields, readings above the line, files within the document, settings."""
_SYMBOL = re.compile("0*(?:[0-9A-CEF][0-9A-F]{3}|D[0-7][0-9A-F]{2}|[2-9A-F][0-9A-F])", re.IGNORECASE)
_HEADING = re.compile(r"heading ?([1-9])")
_OUTLINE = tuple("012345678")
_OFF = ("0", "false", "off", "none")
_NO_BREAK_HYPHEN = "\N{NON-BREAKING HYPHEN}"


def read(content: Content) -> Iterator[Document]:
    """Read the text of a document."""
    with ZipPackage(content, "DOCX") as package:
        document = OpenXml(package)
        metadata = document.metadata()
        main = document.main_part(_MAIN)
        per = content.reading.per
        body = _Words(_levels(document, main) if per == CHAPTER else None)
        try:
            document.read(main, body)
        except BrokenStreamError:
            if content.skip_bad and body.flow.value():
                yield from Headed(body.flow.whole, body.headings, metadata=metadata).documents(per)
            raise
        notes = list(_notes(document, main, body.references))
        yield from Headed(body.flow.whole, body.headings, notes, metadata).documents(per)


def _levels(document: OpenXml, main: str) -> dict[str, int]:
    """The level of each style of headings, by its id; 0 for other styles."""
    part = next((each.part for each in document.relations(main) if each.type == "styles"), "")
    styles = _Styles()
    if part in document.package:
        document.read(part, styles)
    return {id: styles.level(id) for id in styles.based_on}


def _notes(document: OpenXml, main: str, references: dict[str, dict[str, int]]) -> Iterator[tuple[int, str]]:
    """The footnotes and endnotes to which the text refers, in its order, each with the place of the reference."""
    parts = {relation.type: relation.part for relation in document.relations(main)}
    for kind in _NOTES:
        if references[kind] and kind in parts:
            notes = _Words()
            document.read(parts[kind], notes)
            yield from ((place, notes.notes.get(id, "")) for id, place in references[kind].items())


class _Styles(PartReader):
    """The levels of headings that styles state by themselves or by the style on which they are based."""

    def __init__(self) -> None:
        super().__init__()
        self.based_on: dict[str, str] = {}
        self._stated: dict[str, int] = {}
        self._id = ""

    def level(self, id: str) -> int:
        """The level of a style; 0 if it is not one of headings."""
        met: set[str] = set()
        while id not in self._stated and id not in met:
            met.add(id)
            id = self.based_on.get(id, "")
        return self._stated.get(id, 0)

    def _begin(self, attributes: Attributes) -> None:
        self._id = value_of(attributes, "styleId")
        self.based_on[self._id] = ""

    def _name(self, attributes: Attributes) -> None:
        if found := _HEADING.fullmatch(value_of(attributes, "val").lower()):
            self._stated.setdefault(self._id, int(found[1]))

    def _base(self, attributes: Attributes) -> None:
        self.based_on[self._id] = value_of(attributes, "val")

    def _outline(self, attributes: Attributes) -> None:
        self._stated[self._id] = outline_level(attributes)

    begins: Mapping[str, Begin] = {
        "w:style": _begin,
        "w:name": _name,
        "w:basedOn": _base,
        "w:outlineLvl": _outline,
    }


def outline_level(attributes: Attributes) -> int:
    """The level of a heading that is stated from 0 on; 0 for 9, which is running text."""
    stated = value_of(attributes, "val")
    return int(stated) + 1 if stated in _OUTLINE else 0


class _Words(WithAlternatives):
    """The words of a document or of its notes. What is deleted, hidden or moved away is not read."""

    def __init__(self, levels: Mapping[str, int] | None = None) -> None:
        super().__init__()
        self.notes: dict[str, str] = {}
        self.references: dict[str, dict[str, int]] = {kind: {} for kind in _NOTES}
        self._levels = levels
        self._level = 0
        self._note = ""
        self._in_properties = self._is_joined = self._is_hidden = False

    def _take(self, _: Attributes) -> None:
        self.takes_text = not self._is_hidden

    def _add(self, text: str) -> None:
        if not self._is_hidden:
            self.flow.add(text)

    def _line(self, _: Attributes) -> None:
        if not self._is_hidden:
            self.flow.line()

    def _symbol(self, attributes: Attributes) -> None:
        """A character of a font of symbols, by its number."""
        code = value_of(attributes, "char")
        if _SYMBOL.fullmatch(code):
            self._add(chr(int(code, 16)))

    def _begin_properties(self, _: Attributes) -> None:
        self._in_properties = True

    def _end_properties(self) -> None:
        self._in_properties = False

    def _delete(self, _: Attributes) -> bool:
        """Deleted runs are not read; a deleted end of a paragraph joins it with the next one."""
        self._is_joined = self._is_joined or self._in_properties
        return True

    def _hide(self, attributes: Attributes) -> None:
        if not self._in_properties:
            self._is_hidden = value_of(attributes, "val", "1") not in _OFF

    def _show(self, *_: object) -> None:
        self._is_hidden = False

    def _refer(self, kind: str, attributes: Attributes) -> None:
        # A note to which the text refers twice is read once.
        self.references[kind].setdefault(value_of(attributes, "id"), self.place)

    def _style(self, attributes: Attributes) -> None:
        if self._levels is not None:
            id = value_of(attributes, "val")
            named = _HEADING.fullmatch(id.lower())
            # Every program has these styles, also if the document does not state them.
            self._level = self._levels.get(id, int(named[1]) if named else 0)

    def _outline(self, attributes: Attributes) -> None:
        if self._levels is not None:
            self._level = outline_level(attributes)

    def _begin_paragraph(self, _: Attributes) -> None:
        self._is_joined = False
        self._level = 0
        self.begin_heading()

    def _end_paragraph(self) -> None:
        self.end_heading(self._level)
        if not self._is_joined:
            self.paragraph()

    def _end_box(self) -> None:
        self.end_box()
        self._is_joined = self._is_hidden = False

    def _begin_note(self, attributes: Attributes) -> bool:
        self.begin_aside()
        self._note = value_of(attributes, "id")
        return False

    def _end_note(self) -> None:
        # Word separates the number of a note from its text by a space, LibreOffice by a tab.
        self.notes[self._note] = self.end_aside().strip()

    unread = frozenset(f"w:{name}" for name in _UNREAD)
    begins: Mapping[str, Begin] = {
        **WithAlternatives.begins,
        "w:t": _take,
        "m:t": _take,
        "w:tab": lambda self, _: self._add("\t"),
        "w:ptab": lambda self, _: self._add("\t"),
        "w:br": _line,
        "w:cr": _line,
        "w:noBreakHyphen": lambda self, _: self._add(_NO_BREAK_HYPHEN),
        "w:sym": _symbol,
        "w:r": _show,
        "w:del": _delete,
        "w:vanish": _hide,
        "w:footnoteReference": lambda self, found: self._refer("footnotes", found),
        "w:endnoteReference": lambda self, found: self._refer("endnotes", found),
        "w:pPr": _begin_properties,
        "w:pStyle": _style,
        "w:outlineLvl": _outline,
        "w:p": _begin_paragraph,
        "w:tr": BlockReader.row,
        "w:txbxContent": BlockReader.begin_box,
        "w:footnote": _begin_note,
        "w:endnote": _begin_note,
    }
    ends: Mapping[str, End] = {
        **WithAlternatives.ends,
        "w:t": BlockReader.leave,
        "m:t": BlockReader.leave,
        "w:r": _show,
        "w:pPr": _end_properties,
        "w:p": _end_paragraph,
        "w:tc": BlockReader.cell,
        "w:tr": BlockReader.row,
        "w:tbl": BlockReader.end_table,
        "w:txbxContent": _end_box,
        "w:footnote": _end_note,
        "w:endnote": _end_note,
    }
