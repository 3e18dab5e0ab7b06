"""Texts to read, type and paste: copying and dragging give plain text; pasted text is shown from its beginning."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit

_LONG_WORD = 2_000
"""Words with this many characters break anywhere: Qt searches the whole word for a place to break, for each of its
lines, and a word of 200,000 characters would block the window for seconds."""


class PlainText(QPlainTextEdit):
    """A text without markup in either direction."""

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy only the text: Qt would add HTML with the window's marks."""
        data = QMimeData()
        # Qt separates the paragraphs of a selection by U+2029, which other programs do not show as a line break.
        data.setText(self.textCursor().selectedText().replace("\u2029", "\n"))
        return data

    def setPlainText(self, text: str) -> None:
        """Set the text."""
        self._change(text, True, super().setPlainText)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert text; one that replaces everything is shown from its beginning."""
        cursor = self.textCursor()
        # One less: Qt counts the end of the last paragraph as a character, which cannot be selected.
        replaces = len(cursor.selectedText()) >= self.document().characterCount() - 1
        if source.hasText():
            self._change(source.text(), replaces, self.insertPlainText)
        if replaces:
            self.moveCursor(QTextCursor.MoveOperation.Start)

    def _change(self, text: str, whole: bool, put: Callable[[str], None]) -> None:
        """Insert a text. Lines break between words, or anywhere while there is a very long word."""
        long = has_long_word(text)
        # Every intermediate layout has no long word, or breaks anywhere.
        if long:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        put(text)
        if whole and not long:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)


def has_long_word(text: str) -> bool:
    """Whether a text has a word that Qt would search too long for a place to break."""
    return len(text) >= _LONG_WORD and max(map(len, text.split()), default=0) >= _LONG_WORD
