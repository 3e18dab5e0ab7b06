"""Names and values below each other, each a label of its own that can be copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.style.untrusted import Label


class FactRows(QWidget):
    """Shows facts; another index writes other texts into the same labels, since creating them takes far longer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Not a form, which gives a value of three lines the height of two.
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._rows: list[tuple[Label, Label]] = []

    def show_rows(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show these names and values.

        facts: The rows in their order.
        """
        while len(self._rows) < len(facts):
            self._add()
        for number, (name, value) in enumerate(self._rows):
            used = number < len(facts)
            if used:
                name.setText(facts[number][0])
                value.setText(facts[number][1])
            name.setVisible(used)
            value.setVisible(used)

    def texts(self) -> tuple[tuple[str, str], ...]:
        """The names and values that are shown."""
        return tuple((name.text(), value.text()) for name, value in self._rows if not name.isHidden())

    def _add(self) -> None:
        name, value = label("", "muted"), label("")
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        value.setWordWrap(True)
        row = len(self._rows)
        # In the layout before they are shown: a label without a parent would open as a window.
        self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, row, 1)
        self._rows.append((name, value))
