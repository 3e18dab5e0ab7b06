"""A panel with a small table: a click, or Enter, on a row picks it, and a line below explains the figures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable


class TablePanel(QWidget):
    """Rows under a choice of tables. `picked(int)`: a row.

    name: What the table has, for assistive technology.
    tables: The names of the tables between which the user chooses.
    choice: What is chosen between, for assistive technology.
    """

    picked = Signal(int)

    def __init__(self, name: str, tables: Sequence[str], choice: str) -> None:
        super().__init__()
        self.by = Segments(tables, choice)
        self.panel = Panel(actions=(self.by,), footer=())
        # The choice is at the end of the header, as actions of other panels are.
        self.panel.header_row.insertStretch(0, 1)
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, name, wide=(0,))
        self.panel.hold(self.table)
        self.how = label("", "small")
        self.how.setWordWrap(True)
        self.panel.footer_row.addWidget(self.how)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.panel)
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(self._tell_picked)

    def _tell_picked(self, at: QModelIndex) -> None:
        self.picked.emit(at.row())

    def explain(self, words: str) -> None:
        """Tell below the table what its figures are; "" for nothing."""
        self.how.setText(words)
        self.panel.show_footer(bool(words))

    def mark_row(self, row: int) -> bool:
        """Set a row off; whether there is such a row."""
        if not 0 <= row < self.model.rowCount():
            return False
        flags = QItemSelectionModel.SelectionFlag
        # Not `selectRow`, which would take the focus of the keys along.
        self.table.selectionModel().setCurrentIndex(self.model.index(row, 0), flags.ClearAndSelect | flags.Rows)
        return True
