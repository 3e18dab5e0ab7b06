"""A button for each of several overlapping spans, and one for all of them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from explorer.gui.screens.trace.choice_state import Chip
from explorer.gui.untrusted import caption, tip
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.i18n import tr


class SpanChips(QWidget):
    """Hidden while there are none. `chosen(int)`: the number of a chip."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = FlowLayout(self, gap=6)
        self._group = QButtonGroup(self)
        self._shown: list[tuple[int, str]] = []
        self.buttons: list[QPushButton] = []
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
        button = QPushButton(caption(chip.text))
        button.setProperty("role", "chip")
        button.setCheckable(True)
        button.setToolTip(tip(chip.hint))
        button.clicked.connect(lambda: self.chosen.emit(chip.number))
        self._group.addButton(button)
        self._row.addWidget(button)
        self.buttons.append(button)


class LongestButton(QPushButton):
    """Shows the longest passage of a trace; checked while it is chosen, hidden if there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "chip")
        self.setCheckable(True)
        self.setToolTip(tr("Mark the longest passage that occurs in the corpus and list its documents"))

    def show_passage(self, text: str, chosen: bool) -> None:
        """Show a passage; "" for none."""
        self.setVisible(bool(text))
        self.setText(text)
        self.setChecked(chosen)
