"""The stop list of a tab: a button that asks for a file of words, and the chip of the file that is in force."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from explorer.gui.chrome.folders import begin_in
from explorer.gui.style.text_positions import cell_text
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.chip import Chip
from explorer.i18n import tr


class StopList(QWidget):
    """Words without a row, from a file. `chosen(path)`: another file was chosen; "" for none.

    A click on the chip chooses another file, its cross removes it.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.button = push_button(tr("Stop list …"))
        self.button.setToolTip(tr("A file with one word per line. These words get no row; no count changes."))
        self.chip = Chip("", "filter", removable=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for part in (self.button, self.chip):
            row.addWidget(part)
            part.clicked.connect(lambda *_: self.ask_path())
        self.chip.removed.connect(self._remove)
        self.show_path("")

    def show_path(self, path: str) -> None:
        """Show which file is in force; "" for none."""
        # The focus stays where it is if the other of the two takes its place.
        focus = self.button.hasFocus() or self.chip.hasFocus()
        name = cell_text(Path(path).name)
        self.chip.set_words(tr("Without {name}", name=name) if path else "")
        self.chip.setVisible(bool(path))
        self.button.setVisible(not path)
        if focus:
            (self.chip if path else self.button).setFocus()

    def ask_path(self) -> None:
        """Ask for the file."""
        # Apart from the filter: what is within an f-string is not collected for translators.
        lists, others = tr("Lists of words"), tr("All files")
        kinds = f"{lists} (*.txt *.csv *.tsv);;{others} (*)"
        path, _ = QFileDialog.getOpenFileName(self, tr("Words that get no row"), begin_in(""), kinds)
        if path:
            self.chosen.emit(path)

    def _remove(self) -> None:
        self.chosen.emit("")
