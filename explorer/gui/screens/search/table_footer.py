"""The footer of the lines: which line is chosen, and what can be done with it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.gui.screen import label
from explorer.gui.theme import em


class TableFooter(QWidget):
    """A bar below a table: facts on the left, actions on the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place = label("", "muted")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(em(0.6))
        self._row.addWidget(self.place)
        self._row.addStretch(1)

    def add_fact(self, widget: QWidget) -> None:
        """Put a fact on the left, before the place of the line."""
        self._row.insertWidget(self._row.indexOf(self.place), widget)

    def add_action(self, widget: QWidget) -> None:
        """Put an action on the right, after the others."""
        self._row.addWidget(widget)
