"""A traced text in its frame, with the minimap beside its scroll bar."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from explorer.analyses.trace.trace import Trace
from explorer.gui.screens.trace.text.traced_text import TracedText
from explorer.gui.style.text_positions import Utf16Map
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.texts.minimap import Minimap


class TextPane(Panel):
    """Shows a text and its minimap."""

    def __init__(self, text: TracedText, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.text = text
        self.minimap = Minimap(text)
        self.hold(text, self.minimap)

    def show_lengths(self, traces: tuple[tuple[int, Trace], ...]) -> None:
        """Show the longest matches.

        traces: Traced parts of the text, each with its first character, ascending; none hides the minimap.
        """
        self.minimap.setVisible(bool(traces))
        if not traces:
            self.minimap.show_lengths((), np.empty(0, np.int64))
            return
        if not self.text.is_complete:
            return
        # Of the text in the view, which has more than the traced parts in a conversation, as it was put there: Qt
        # changes line ends, which shifts everything after them.
        positions = Utf16Map(self.text.written)
        starts = np.concatenate([first + trace.token_starts for first, trace in traces])
        self.minimap.show_lengths(positions.all_to_qt(starts), np.concatenate([trace.covering for _, trace in traces]))

    def show_chosen(self) -> None:
        """Draw the chosen marks in the minimap."""
        self.minimap.show_chosen(tuple(self.text.marks.chosen()))


def copy_text(text: str) -> None:
    """Put a quotation on the clipboard."""
    QGuiApplication.clipboard().setText(text)
