"""The list of words or n-grams."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel

from explorer.gui.screens.statistics.presenter import StatisticsPresenter
from explorer.gui.screens.statistics.state import HEADER, HEADER_TIPS, StatisticsState
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.scroll_areas import at_least
from explorer.i18n import tr


class ListPanel(Panel):
    """A row per form; the chosen one is that whose lines are shown.

    Parameters
    ----------
    presenter
        Gets the row that a user chooses.
    """

    def __init__(self, presenter: StatisticsPresenter) -> None:
        super().__init__()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Words and n-grams"), wide=(1,))
        self.hold(self.table)
        at_least(self, 22, 12)
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(lambda at: presenter.choose(at.row()))

    def draw(self, state: StatisticsState) -> None:
        """Show the rows of a list.

        Parameters
        ----------
        state
            The state of the screen.
        """
        self.model.show(tuple(map(tr, HEADER)) if state.table else (), state.table, tuple(map(tr, HEADER_TIPS)))

    def draw_row(self, row: int) -> None:
        """Choose a row.

        Parameters
        ----------
        row
            Its place; -1 for none.
        """
        if 0 <= row < self.model.rowCount():
            flags = QItemSelectionModel.SelectionFlag
            self.table.selectionModel().setCurrentIndex(self.model.index(row, 0), flags.ClearAndSelect | flags.Rows)
