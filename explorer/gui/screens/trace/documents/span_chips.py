"""A chip for each of several spans of a passage, and one for all of them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from explorer.gui.screens.trace.documents.choice_state import MORE, Chip
from explorer.gui.widgets.fields import chip as kit
from explorer.gui.widgets.layouts.flow_layout import FlowLayout


class SpanChips(QWidget):
    """Hidden while there are none. `chosen(int)`: the number of a chip."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = FlowLayout(self, gap=6)
        self._shown: list[tuple[int, str]] = []
        self.buttons: list[kit.Chip] = []
        self.hide()

    def show_chips(self, chips: tuple[Chip, ...]) -> None:
        """Show other chips, or others of them as chosen."""
        # The same chips stay: the one that was clicked keeps the focus.
        shown = [(chip.number, chip.text) for chip in chips]
        if shown != self._shown:
            self._shown = shown
            self._fill(chips)
        for button, chip in zip(self.buttons, chips, strict=True):
            button.setChecked(chip.chosen)

    def _fill(self, chips: tuple[Chip, ...]) -> None:
        self.buttons = []
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for chip in chips:
            self._add(chip)
        self.setVisible(bool(chips))

    def _add(self, chip: Chip) -> None:
        button = kit.Chip(chip.text, "add" if chip.number == MORE else "plain", parent=self)
        button.setCheckable(chip.number != MORE)
        button.set_hint(chip.hint)
        button.clicked.connect(lambda: self._choose(button, chip.number))
        self._row.addWidget(button)
        self.buttons.append(button)

    def _choose(self, button: kit.Chip, number: int) -> None:
        # A click on the chosen chip leaves it chosen.
        button.setChecked(button.isCheckable())
        self.chosen.emit(number)
