"""Texts of corpora, files and errors where Qt would read more into them than words.

Labels show plain text, tool tips no markup, menus and buttons no shortcuts; characters that reorder or hide what
stands around them are shown as escapes, and nothing is longer than a person would read.
"""

from __future__ import annotations

import html

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from explorer.visible import visible

MOST_SHOWN = 5_000
"""Characters of a label or tool tip at most: laying out a million would hold the window for seconds."""


# Isolates keep a text's direction to itself and are ours: they stay, as do the ends of lines.
_KEPT = "\n\t\u2066\u2067\u2068\u2069"


def plain(text: str) -> str:
    """The text with its steering characters as signs, cut where it is very long."""
    return visible(text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + " …", keep=_KEPT)


def tip(text: str) -> str:
    """A text for a tool tip, which Qt takes for HTML when it looks like it."""
    shown = plain(text)
    return f"<span style='white-space: pre-wrap'>{html.escape(shown)}</span>" if "<" in shown else shown


def caption(text: str) -> str:
    """A text for a button, a tab or a menu, where & would underline the next letter and make it a shortcut."""
    return plain(text).replace("&", "&&")


class Label(QLabel):
    """A label of plain text, whoever wrote it; the only kind that the window has."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(plain(text))

    def setToolTip(self, text: str) -> None:
        """Tell another text where the mouse rests."""
        super().setToolTip(tip(text))
