"""The traced text as a person reads it: headings, lists, tables and code without the marks of Markdown."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QShortcut, QTextCursor
from PySide6.QtWidgets import QApplication, QWidget

from explorer.gui.screens.trace.documents.choice import Mark
from explorer.gui.screens.trace.text.read_marks import reading_marks
from explorer.gui.screens.trace.text.reading_look import ReadingLook
from explorer.gui.screens.trace.text.traced_text import TracedText
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.widgets.texts.prose_edit import dress
from explorer.i18n import tr
from explorer.text.reading import ReadingText


class ReadingView(TracedText):
    """A reading text with its styles and marks; it cannot be edited.

    `pasted(str)`: a text was pasted in place of the one that is shown. `undo_key`,
    `redo_key`: the keys for this, off until the text that is read can be undone.
    """

    pasted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reading: ReadingText | None = None
        self._look = ReadingLook(self)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(self.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.setAccessibleName(tr("Text as it is read"))
        self.undo_key = self._key(QKeySequence.StandardKey.Undo)
        self.redo_key = self._key(QKeySequence.StandardKey.Redo)
        # Sizes of headings and of code are those of the text at that time.
        when_restyled(self, lambda: dress(self, self._decorate))

    def _key(self, key: QKeySequence.StandardKey) -> QShortcut:
        shortcut = QShortcut(key, self, context=Qt.ShortcutContext.WidgetShortcut)
        shortcut.setEnabled(False)
        return shortcut

    def show_reading(self, reading: ReadingText) -> None:
        """Show another text."""
        if reading is not self._reading:
            self._reading = reading
            self.put(reading.text, self._decorate)

    def show_marks(self, marks: tuple[Mark, ...], text: str) -> None:
        """Mark runs of the text as it is read.

        text: The source. If what is shown is the reading text of another one, nothing is marked.
        """
        reading = self._reading
        if reading is None or reading.source != text:
            super().show_marks((), self.written)
        else:
            super().show_marks(reading_marks(marks, reading), reading.text)

    def _decorate(self, cursor: QTextCursor) -> None:
        self._look.forget()
        if self._reading is not None:
            self._look.dress(cursor, self._reading)

    def paint_below(self, painter: QPainter) -> None:
        """Paint what is beneath the marks: grounds of code, lines of tables."""
        self._look.paint(painter)

    # The clipboard.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paste in place of the text that is shown."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.insertFromMimeData(QApplication.clipboard().mimeData())
            return
        super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Hand over a text."""
        if source.hasText() and source.text().strip():
            self.pasted.emit(source.text())
