"""Presentations (PPTX): the text of the slides in their order, with tables and diagrams, and the notes of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from explorer.core.files.signatures import SLIDES, is_format
from explorer.core.files.streams import BrokenStreamError
from explorer.documents.content import Content
from explorer.documents.office.blocks import BlockReader
from explorer.documents.office.open_xml import OpenXml, WithAlternatives
from explorer.documents.office.running_text import RunningText
from explorer.documents.office.xml_parts import Attributes, Begin, End, PartReader, value_of
from explorer.documents.office.zip_package import ZipPackage
from explorer.documents.record import Document

ENDINGS = (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm")
is_pptx = is_format(SLIDES, ENDINGS)
_MAIN = "ppt/presentation.xml"
_REPEATED = ("sldNum", "ftr", "dt", "hdr", "sldImg")
"""Placeholders of what every slide has: its number, footer, date and header; on notes, the picture of the slide."""
_NOTES, _DIAGRAM = "notesSlide", "diagramData"


def read(content: Content) -> Iterator[Document]:
    """Read the text of a presentation."""
    with ZipPackage(content, "PPTX") as package:
        document = OpenXml(package)
        metadata = document.metadata()
        text = RunningText()
        try:
            for part in _slides(document):
                for shown in _texts(document, part):
                    text.add(shown)
                    text.gap()
        except BrokenStreamError:
            if content.skip_bad and text.value():
                yield Document(text.value(), metadata)
            raise
        yield Document(text.value(), metadata)


def _slides(document: OpenXml) -> Iterator[str]:
    """The parts of the slides, in the order in which they are shown."""
    main = document.main_part(_MAIN)
    order = _Order()
    document.read(main, order)
    parts = {relation.id: relation.part for relation in document.relations(main)}
    yield from (parts[id] for id in order.ids if id in parts)


def _texts(document: OpenXml, part: str) -> Iterator[str]:
    """The text of a slide, of its diagrams, and its notes."""
    slide = _Shapes()
    document.read(part, slide)
    yield slide.flow.value()
    relations = document.relations(part)
    for relation in sorted(relations, key=lambda relation: relation.type == _NOTES):
        if relation.type in (_DIAGRAM, _NOTES) and relation.part in document.package:
            more = _Shapes()
            document.read(relation.part, more)
            yield more.flow.value()


class _Order(PartReader):
    """The ids of the slides in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []

    def _add(self, attributes: Attributes) -> None:
        self.ids += [value for name, value in attributes.items() if name.endswith("relationships id")]

    begins: Mapping[str, Begin] = {"p:sldId": _add}


class _Shapes(WithAlternatives):
    """The text of the shapes of a slide; what every slide repeats is not read."""

    def __init__(self) -> None:
        super().__init__()
        self._is_repeated = False

    def _begin_shape(self, _: Attributes) -> None:
        self._is_repeated = False

    def _place(self, attributes: Attributes) -> None:
        self._is_repeated = value_of(attributes, "type") in _REPEATED

    def _begin_body(self, _: Attributes) -> bool:
        return self._is_repeated

    begins: Mapping[str, Begin] = {
        **WithAlternatives.begins,
        "p:sp": _begin_shape,
        "p:ph": _place,
        "p:txBody": _begin_body,
        "a:t": BlockReader.take,
        "m:t": BlockReader.take,
        "a:br": BlockReader.line,
        "a:tr": BlockReader.row,
    }
    ends: Mapping[str, End] = {
        **WithAlternatives.ends,
        "a:t": BlockReader.leave,
        "m:t": BlockReader.leave,
        "a:p": BlockReader.line,
        "a:tc": BlockReader.cell,
        "a:tr": BlockReader.row,
        "a:tbl": BlockReader.end_table,
    }
