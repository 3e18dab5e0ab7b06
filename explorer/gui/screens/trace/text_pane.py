"""A traced text in its frame, with the minimap beside its scroll bar."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QWidget

from explorer.gui.screens.trace.traced_text import TracedText
from explorer.gui.text_positions import Utf16Map
from explorer.gui.widgets.minimap import Minimap
from explorer.trace.trace import Trace


class TextPane(QFrame):
    """Shows a text and its minimap. `views`: the text as it is, and other ways to show it.

    Parameters
    ----------
    text
        The text.
    parent
        Qt's parent.
    """

    def __init__(self, text: TracedText, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.text = text
        self.text.setProperty("role", "reading")
        self.minimap = Minimap(text)
        self.views = QStackedWidget()
        self.views.addWidget(text)
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 1, 4, 1)
        row.setSpacing(4)
        row.addWidget(self.views, 1)
        row.addWidget(self.minimap)

    def show_lengths(self, traces: tuple[tuple[int, Trace], ...]) -> None:
        """Show the longest matches.

        Parameters
        ----------
        traces
            Traced parts of the text, each with its first character, ascending; none hides the minimap.
        """
        self.minimap.setVisible(bool(traces))
        if not traces:
            self.minimap.show_lengths((), np.empty(0, np.int64))
            return
        positions = Utf16Map(self.text.text())
        starts = np.concatenate([first + trace.token_starts for first, trace in traces])
        self.minimap.show_lengths(positions.all_to_qt(starts), np.concatenate([trace.covering for _, trace in traces]))

    def show_chosen(self) -> None:
        """Draw the chosen marks in the minimap."""
        places = self.text.painted().places.tolist()
        pairs = zip(places, self.text.marks(), strict=True)
        self.minimap.show_chosen(tuple((start, end) for (start, end), (_, mark) in pairs if mark.chosen))
