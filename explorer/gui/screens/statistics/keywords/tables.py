"""The two tables of keywords, one above the other, and the four cells of the chosen row."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.screens.statistics.keywords.presenter import KeywordsPresenter
from explorer.gui.screens.statistics.keywords.state import TITLES, KeywordState
from explorer.gui.style.theme import em
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.layouts.splitter import Splitter
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr

_FORM, _FORM_EMS = 1, 10
"""The column of the words, and the most room in em that it claims from the others."""
_LESS_IMPORTANT = (0, 4, 3, 6, 5, 7)
"""Columns to hide in a narrow table, the first one first.

The cells below have the counts of both sides, but not the documents, which warn of words of a single long one.
"""


class KeywordTable(Panel):
    """The words that are more frequent here, or those that are rarer. `resized()`.

    presenter: Gets the row that a user chooses.
    positive: Whether they are more frequent.
    """

    resized = Signal()

    def __init__(self, presenter: KeywordsPresenter, positive: bool) -> None:
        super().__init__()
        self._positive, self._first = positive, 0
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr(TITLES[0 if positive else 1]), wide=(1,))
        self.hold(self.table)
        at_least(self, 22, 8)
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(lambda at: presenter.choose(self._first + at.row()))

    def draw(self, state: KeywordState) -> None:
        """Show other keywords."""
        answer = state.found
        if answer is None:
            self.model.show((), ())
            return
        self._first = 0 if self._positive else answer.positive
        rows = answer.table[: answer.positive] if self._positive else answer.table[answer.positive :]
        self.model.show(state.side_header(self._positive), rows, state.header_tips)

    def missing_width(self) -> dict[int, int]:
        """How much each column takes; at -1, by how much all of them are wider than the table."""
        header = self.table.horizontalHeader()
        for column in range(self.model.columnCount()):
            self.table.setColumnHidden(column, False)
        widths = {
            column: max(header.sectionSizeHint(column), self.table.sizeHintForColumn(column) + 1)
            for column in range(self.model.columnCount())
        }
        # One long word does not take the room of a column of numbers; the title of the column has room.
        widths[_FORM] = max(header.sectionSizeHint(_FORM), min(widths.get(_FORM, 0), em(_FORM_EMS)))
        return {**widths, -1: sum(widths.values()) - self.table.room()}

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have the columns fitted."""
        super().resizeEvent(event)
        self.resized.emit()

    def draw_row(self, state: KeywordState) -> None:
        """Choose the row whose lines are shown, which may be in the other table."""
        place, chosen = state.row - self._first, self.table.selectionModel()
        if 0 <= place < self.model.rowCount():
            flags = QItemSelectionModel.SelectionFlag
            chosen.setCurrentIndex(self.model.index(place, 0), flags.ClearAndSelect | flags.Rows)
        else:
            chosen.clearSelection()


class KeywordTables(QWidget):
    """Both tables, and below them the cells of the chosen row.

    presenter: Gets the row that a user chooses.
    """

    def __init__(self, presenter: KeywordsPresenter) -> None:
        super().__init__()
        self.more, self.less = KeywordTable(presenter, True), KeywordTable(presenter, False)
        self.cells = label("", "muted")
        self.cells.setWordWrap(True)
        halves = Splitter(Qt.Orientation.Vertical)
        for table in (self.more, self.less):
            halves.addWidget(table)
            # Each by itself: if they are not visible, their sizes follow the size of this widget only later.
            table.resized.connect(self._leave_out)
        halves.setSizes([600, 400])
        at_least(self, 22, 26)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(halves, 1)
        column.addWidget(self.cells)

    def draw(self, state: KeywordState, before: KeywordState | None) -> None:
        """Show the keywords, and the chosen row.

        before: The one that was drawn before; None for the first.
        """
        other = before is None or state.answer.value is not before.answer.value
        for table in (self.more, self.less):
            if other:
                table.draw(state)
            if before is None or other or state.row != before.row:
                table.draw_row(state)
        self.cells.setText(state.cells)
        if other:
            self._leave_out()

    def _leave_out(self) -> None:
        """Show as many columns as fit into both tables, the most important ones first."""
        tables = (self.more, self.less)
        widths = [table.missing_width() for table in tables]
        for column in _LESS_IMPORTANT:
            if all(each[-1] <= 0 for each in widths) or any(column not in each for each in widths):
                return
            for table, each in zip(tables, widths, strict=True):
                table.table.setColumnHidden(column, True)
                each[-1] -= each[column]
