"""The text of a part of a document, with its hits marked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from explorer.gui.document.state import HitMark
from explorer.gui.style.text_positions import Utf16Map
from explorer.gui.style.theme import qcolor
from explorer.gui.widgets.texts.marked_text import mark_runs
from explorer.gui.widgets.texts.plain_text import PlainText


class DocumentText(PlainText):
    """Draws a text. `edge_reached(int)`: the user scrolled to its end (1) or to its beginning (-1)."""

    edge_reached = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, readOnly=True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._text = ""
        self._shift = 0
        self._drawing = False
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    def _scrolled(self, value: int) -> None:
        bar = self.verticalScrollBar()
        # A new text moves the scroll bar as well, which must not read the next part. A text that fits into the view is
        # at both of its ends, without having been scrolled there.
        if self._drawing or bar.maximum() <= bar.minimum():
            return
        if value == bar.maximum():
            self.edge_reached.emit(1)
        elif value == bar.minimum():
            self.edge_reached.emit(-1)

    @contextmanager
    def _drawn(self) -> Iterator[None]:
        self._drawing = True
        try:
            yield
        finally:
            self._drawing = False

    def show_text(self, text: str, right_to_left: bool) -> None:
        """Show another text.

        right_to_left: Its direction; Qt would use that of the window.
        """
        # Before the text is set, so that it is laid out only once.
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight)
        option.setAlignment(Qt.AlignmentFlag.AlignRight if right_to_left else Qt.AlignmentFlag.AlignLeft)
        with self._drawn():
            self.document().setDefaultTextOption(option)
            # Some tokenizers begin every text with a blank, which would look like an indent.
            self._shift = int(text[:1] == " " and text[1:2] != " ")
            self._text = text[self._shift :]
            self.setPlainText(self._text)

    def show_marks(self, marks: tuple[HitMark, ...], centered: bool = False) -> None:
        """Mark hits.

        centered: Whether the one that is looked at is brought into view.
        """
        positions = Utf16Map(self._text)
        pale, bright = _format(False), _format(True)
        # Marks count characters of the text as it was read.
        places = [(max(0, mark.start - self._shift), max(0, mark.end - self._shift), mark.strong) for mark in marks]
        runs = [(positions.to_qt(start), positions.to_qt(end), bright if on else pale) for start, end, on in places]
        strong = [positions.to_qt(start) for start, _, on in places if on]
        with self._drawn():
            mark_runs(self, runs)
            if strong and centered:
                self._center_on(strong[-1])

    def center(self, share: float) -> None:
        """Bring a place into view, given as a share of the text."""
        with self._drawn():
            self._center_on(int(share * self.document().characterCount() * 0.999))

    def _center_on(self, position: int) -> None:
        cursor = self.textCursor()
        cursor.setPosition(position)
        self.setTextCursor(cursor)
        self.centerCursor()


def _format(strong: bool) -> QTextCharFormat:
    """The formats of the current hit and of the others."""
    form = QTextCharFormat()
    form.setBackground(qcolor("mark" if strong else "mark_soft"))
    if strong:
        form.setForeground(qcolor("on_mark"))
        form.setFontWeight(700)
    return form
