"""Texts to read, type and paste: what is copied or dragged out of them is plain text; pasting shows the beginning."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit


class PlainText(QPlainTextEdit):
    """A text without markup in either direction."""

    def createMimeDataFromSelection(self) -> QMimeData:
        """The letters only: Qt would add HTML with the marks of the window."""
        data = QMimeData()
        data.setText(self.textCursor().selectedText().replace("\u2029", "\n"))
        return data

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Take text; one that replaces everything is shown from its beginning."""
        cursor = self.textCursor()
        replaces = len(cursor.selectedText()) >= self.document().characterCount() - 1
        if source.hasText():
            self.insertPlainText(source.text())
        if replaces:
            self.moveCursor(QTextCursor.MoveOperation.Start)
