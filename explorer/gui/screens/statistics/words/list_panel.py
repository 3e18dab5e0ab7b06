"""The list of words or n-grams."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel

from explorer.gui.screens.statistics.words.presenter import WordsPresenter
from explorer.gui.screens.statistics.words.state import WordsState
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.scroll_areas import at_least
from explorer.i18n import tr


class ListPanel(Panel):
    """A row per form; the chosen one is that whose lines are shown.

    presenter: Gets the row that a user chooses.
    """

    def __init__(self, presenter: WordsPresenter) -> None:
        super().__init__()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Words and n-grams"), wide=(1,), sortable=True)
        self._presenter = presenter
        self.table.horizontalHeader().sectionClicked.connect(self._sort)
        self.hold(self.table)
        at_least(self, 22, 12)
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(lambda at: presenter.choose(at.row()))

    def _sort(self, column: int) -> None:
        now, down = self._presenter.state.sort
        # Numbers from the greatest on, ranks and forms from the first on; the same column once more turns it around.
        self._presenter.sort(column, not down if column == now else column > 1)

    def draw(self, state: WordsState) -> None:
        """Show the rows of a list."""
        self.model.show(state.header if state.table else (), state.table, state.header_tips)

    def draw_row(self, state: WordsState) -> None:
        """Choose the row whose lines are shown."""
        if state.row in state.order:
            row = state.order.index(state.row)
            flags = QItemSelectionModel.SelectionFlag
            self.table.selectionModel().setCurrentIndex(self.model.index(row, 0), flags.ClearAndSelect | flags.Rows)
