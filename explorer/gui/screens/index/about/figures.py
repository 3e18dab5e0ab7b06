"""Names and figures in two columns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from explorer.gui.screens.screen import label


class Figures(QWidget):
    """Shows names, and the figures at the other side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(4)

    def show_figures(self, figures: Sequence[tuple[str, str]]) -> None:
        """Show these instead of those before."""
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                # Hide it at once: it is deleted only in the next turn of the event loop.
                old.hide()
                old.deleteLater()
        for number, (name, figure) in enumerate(figures):
            self._grid.addWidget(label(name, "muted"), number, 0)
            self._grid.addWidget(label(figure, "strong"), number, 1, Qt.AlignmentFlag.AlignRight)
