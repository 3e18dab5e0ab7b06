"""Readers of documents with paragraphs, tables, boxes and notes."""

from __future__ import annotations

from explorer.documents.chapters import Heading
from explorer.documents.office.running_text import RunningText
from explorer.documents.office.xml_parts import Attributes, PartReader


class BlockReader(PartReader):
    """Collects the text of blocks. A box follows the paragraph to which it is anchored, which it would tear apart.

    flow: Receives the text: of the document, or of the box or note that is being read.
    headings: The headings that were met.
    """

    def __init__(self) -> None:
        super().__init__()
        self.flow = RunningText()
        self._outer: list[RunningText] = []
        self._depth = 0
        self._boxes: list[str] = []
        self.headings: list[Heading] = []
        self._heading_place = 0

    def text(self, text: str) -> None:
        """Take text."""
        self.flow.add(text)

    def take(self, *_: object) -> None:
        """Begin to take text."""
        self.takes_text = True

    def leave(self) -> None:
        """Take no more text."""
        self.takes_text = False

    def line(self, *_: object) -> None:
        """End a line, or a paragraph that has no boxes."""
        self.flow.line()

    def tab(self, *_: object) -> None:
        """Take a tab."""
        self.flow.add("\t")

    def cell(self) -> None:
        """End a cell of a table."""
        self.flow.cell()

    def row(self, *_: object) -> None:
        """Begin or end a row of a table."""
        self.flow.row()

    def end_table(self) -> None:
        """End a table."""
        self.flow.end_table()

    def paragraph(self) -> None:
        """End a paragraph. The boxes that are anchored to it follow."""
        self.flow.line()
        if self._boxes and not self._outer:
            for box in self._boxes:
                self.flow.add(box)
                self.flow.line()
            self._boxes.clear()

    @property
    def place(self) -> int:
        """The place in the text, also from a box or note."""
        return (self._outer[0] if self._outer else self.flow).place

    def begin_heading(self) -> None:
        """Begin a paragraph that may be a heading."""
        if not self._outer:
            self._heading_place = self.flow.place

    def end_heading(self, level: int) -> None:
        """End a heading, which counts if it has words and is not in a box or note; no level is 0."""
        if level and not self._outer and (title := self.flow.between(self._heading_place, self.flow.place)):
            self.headings.append(Heading(level, self._heading_place, title))

    def begin_box(self, _: Attributes) -> None:
        """Begin a box. Boxes in boxes are paragraphs, so that no text is copied for each."""
        if not self._depth:
            self.begin_aside()
        self._depth += 1

    def end_box(self) -> None:
        """End a box."""
        self._depth -= 1
        if not self._depth:
            self._boxes.append(self.end_aside())

    def begin_aside(self) -> None:
        """Collect what follows apart from the text."""
        self._outer.append(self.flow)
        self.flow = RunningText()

    def end_aside(self) -> str:
        """Return to the text."""
        text = self.flow.value()
        self.flow = self._outer.pop()
        return text
