"""The table of benchmarks, by lengths of matches, by the rules of others, or by index."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel

from explorer.gui.screens.curation.contamination.board import board_of
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.gui.screens.curation.contamination.state import BOARDS, BenchState
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr


class BoardPanel(Panel):
    """A row per benchmark; the chosen one is that whose items are listed."""

    def __init__(self, presenter: ContaminationPresenter) -> None:
        self.columns = Segments((tr("By length"), tr("Rules of others"), tr("By index")), tr("Columns of the table"))
        super().__init__(tr("Benchmarks"), actions=(self.columns,))
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Benchmarks"), wide=(0,))
        self.hold(self.table)
        at_least(self, 22, 10)
        self.columns.chosen.connect(lambda place: presenter.change(by=BOARDS[place]))
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(lambda at: presenter.choose_file(at.row()))

    def draw(self, state: BenchState, before: BenchState | None) -> None:
        """Show the benchmarks.

        before: The one that was drawn before; None for the first.
        """
        self.columns.choose(BOARDS.index(state.by))
        other = before is None or state.answer.value is not before.answer.value
        if other or before is None or state.by != before.by or state.thresholds != before.thresholds:
            columns = board_of(state)
            rows = tuple(zip(*(each.cells for each in columns), strict=True))
            self.model.show([each.name for each in columns], rows, [each.about for each in columns])
        if state.file < self.model.rowCount():
            flags = QItemSelectionModel.SelectionFlag
            chosen = self.model.index(state.file, 0)
            self.table.selectionModel().setCurrentIndex(chosen, flags.ClearAndSelect | flags.Rows)
