"""The editor that is also the result: passages are marked in place while the text stays editable."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from explorer.gui.screens.trace.text.pieces import is_large
from explorer.gui.screens.trace.text.traced_text import TracedText
from explorer.i18n import tr


class TraceEditor(TracedText):
    """A text that can be typed, pasted and dropped.

    `large_pasted(str)`: a conversation or a very long text was pasted; it is not inserted. `replaced(str)`: a text was
    pasted over all of this one. `file_dropped(Path)`: a file with a text or a conversation.
    """

    large_pasted = Signal(str)
    replaced = Signal(str)
    file_dropped = Signal(Path)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Text to trace"))
        self.setPlaceholderText(tr("Paste a language model's answer, or drop a file with text here"))
        self.setTabChangesFocus(True)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste text; a conversation or a very long text is emitted instead."""
        text = source.text()
        # Not inserted first: a very long text would block the window, and a conversation has a tab of its own.
        if is_large(text):
            self.large_pasted.emit(text)
            return
        old, whole = self.text(), self.is_selected
        super().insertFromMimeData(source)
        if whole and source.hasText():
            self.replaced.emit(old)

    def paste_over(self, text: str) -> None:
        """Paste a text over this one, as a step that can be undone."""
        data = QMimeData()
        data.setText(text)
        self.selectAll()
        self.insertFromMimeData(data)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a file of text; Qt decides on everything else."""
        if dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()
            return
        super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Keep taking it."""
        if dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()
            return
        super().dragMoveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a file; Qt inserts a text."""
        path = dropped_file(event.mimeData())
        if path is None:
            super().dropEvent(event)
            return
        event.acceptProposedAction()
        self.file_dropped.emit(path)


def _endings() -> tuple[str, ...]:
    """Of files that can be dropped on the text: texts, and conversations in JSON."""
    from explorer.documents.kinds import endings, kinds_of_texts

    return (*endings(kinds_of_texts()), ".json")


def dropped_file(data: QMimeData) -> Path | None:
    """The file of text that is dragged.

    Returns: The file; None for several files, for other files, and for a text.
    """
    urls = data.urls() if data.hasUrls() else []
    # Several files would need an order, and a remote one would have to be loaded: both are left to Qt.
    path = Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
    return path if path is not None and path.name.lower().endswith(_endings()) else None
