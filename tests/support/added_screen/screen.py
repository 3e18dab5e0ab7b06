"""Counts letters."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from added_screen import CountLetters
from explorer.gui.presenting.requests import Request, SearchText
from explorer.gui.screens.screen import Screen


class LettersScreen(Screen):
    """A field, and the number of letters in it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field, self.number, self.tokens = QLineEdit(), QLabel("0"), QLabel("")
        layout = QVBoxLayout(self)
        for widget in (self.field, self.number, self.tokens):
            layout.addWidget(widget)
        self.field.textChanged.connect(lambda text: self.number.setText(str(sum(map(str.isalpha, text)))))

    def corpus_changed(self) -> None:
        self.tokens.setText("" if self.corpus is None else str(self.corpus.token_count))

    def session(self) -> dict[str, Any]:
        return {"text": self.field.text()}

    def restore_session(self, values: dict[str, Any]) -> None:
        self.field.setText(str(values.get("text", "")))

    def focus_input(self) -> None:
        self.field.setFocus()

    def take(self, request: Request) -> None:
        if isinstance(request, CountLetters):
            self.field.setText(request.text)
        else:
            super().take(request)

    def clear(self) -> None:
        self.field.clear()

    def search(self) -> None:
        """Look for the text in Search."""
        self.requested.emit(SearchText(self.field.text()))
