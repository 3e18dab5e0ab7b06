"""The table of a tab: its columns sort, and the chosen row is the one whose lines are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QItemSelectionModel
from PySide6.QtGui import QResizeEvent

from explorer.gui.asking.presenter import TablePresenter
from explorer.gui.asking.table import TableState
from explorer.gui.style.theme import em
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable

_FORM, _FORM_EMS, _WIDE_EMS = 1, 12, 8


@dataclass(frozen=True)
class TableLook:
    """What the tables of tabs differ in.

    name: Its name, for assistive technology.
    wide: The column that takes the room that is left.
    less_important: Columns to hide in a narrow table, the first one first: the tool tips have their numbers.
    """

    name: str
    wide: int = _FORM
    less_important: tuple[int, ...] = ()


class TablePanel(Panel):
    """A row per word, n-gram or group.

    presenter: Gets the row that a user chooses, and the column that sorts.
    """

    def __init__(self, presenter: TablePresenter[Any], look: TableLook) -> None:
        super().__init__()
        self._look = look
        self.model = PlainModel(self)
        yielding = (_FORM,) if look.wide > _FORM and look.less_important else ()
        self.table = PlainTable(self.model, look.name, wide=(look.wide,), yielding=yielding, sortable=True)
        self.hold(self.table)
        at_least(self, 20, 11)
        self.table.horizontalHeader().sectionClicked.connect(presenter.sort)
        self.table.clicked.connect(lambda at: presenter.choose_shown(at.row()))
        self.table.selectionModel().currentRowChanged.connect(lambda at, _: presenter.choose_shown(at.row()))
        self.table.activated.connect(lambda _: presenter.read())

    def draw(self, state: TableState[Any, Any], before: TableState[Any, Any] | None) -> None:
        """Show the rows in their order, and the chosen one.

        before: The state that was drawn before; None for the first.
        """
        other = before is None or state.answer.value is not before.answer.value or state.found is not before.found
        if other or before is None or state.sort != before.sort:
            rows = state.table
            self.model.show(state.header if rows else (), rows, state.header_tips)
            self._leave_out()
            self._draw_row(state)
        elif state.row != before.row:
            self._draw_row(state)

    def _draw_row(self, state: TableState[Any, Any]) -> None:
        chosen = self.table.selectionModel()
        if state.row not in state.order:
            chosen.clearSelection()
            return
        place = state.order.index(state.row)
        if chosen.currentIndex().row() != place or not chosen.isRowSelected(place):
            flags = QItemSelectionModel.SelectionFlag
            chosen.setCurrentIndex(self.model.index(place, 0), flags.ClearAndSelect | flags.Rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide columns that do not fit."""
        super().resizeEvent(event)
        self._leave_out()

    def _leave_out(self) -> None:
        header, columns = self.table.horizontalHeader(), range(self.model.columnCount())
        if not self._look.less_important:
            return
        for column in columns:
            self.table.leave_out(column, False)
        widths = {
            column: max(header.sectionSizeHint(column), self.table.sizeHintForColumn(column) + 1) for column in columns
        }
        # The wide column takes what is left, and one long form does not take the room of numbers.
        if widths:
            wide = self._look.wide
            widths[wide] = max(em(_WIDE_EMS), header.sectionSizeHint(wide))
            widths[_FORM] = min(max(widths[_FORM], self.table.sizeHintForColumn(_FORM)), em(_FORM_EMS))
        room = self.table.room()
        for column in (column for column in self._look.less_important if column in widths):
            if sum(widths.values()) <= room:
                return
            self.table.leave_out(column, True)
            del widths[column]
