"""The items by the two shares that decide, with a threshold in each."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout

from explorer.analyses.contamination.item_matches import METRICS, Thresholds
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.gui.screens.curation.contamination.share_bars import ShareBars
from explorer.gui.screens.curation.contamination.state import BenchState
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.panel import Panel
from explorer.i18n import numeral, tr


class BarsPanel(Panel):
    """The shares of items in their longest match, and in long matches."""

    def __init__(self, presenter: ContaminationPresenter) -> None:
        super().__init__()
        usual = Thresholds()
        self.flagged = ShareBars(tr(METRICS[usual.flag_by]))
        self.suspicious = ShareBars(tr(METRICS[usual.suspect_by]))
        self.reset = push_button(tr("Usual thresholds"), "quiet", "undo")
        self._plots = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        for bars in (self.flagged, self.suspicious):
            self._plots.addWidget(bars, 1)
        self.body.addLayout(self._plots, 1)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.reset)
        self.body.addLayout(row)
        self.flagged.moved.connect(lambda percent: presenter.verdicts.move("flag_at", percent))
        self.suspicious.moved.connect(lambda percent: presenter.verdicts.move("suspect_at", percent))
        self.reset.clicked.connect(presenter.verdicts.reset)

    def lie(self, side_by_side: bool) -> None:
        """Put the bars side by side, where a window has more width than height for them.

        side_by_side: Whether they are; otherwise one is above the other.
        """
        direction = QBoxLayout.Direction.LeftToRight if side_by_side else QBoxLayout.Direction.TopToBottom
        self._plots.setDirection(direction)

    def draw(self, state: BenchState, before: BenchState | None) -> None:
        """Show the items of a benchmark, and the thresholds.

        before: The one that was drawn before; None for the first.
        """
        if before is None or state.answer.value is not before.answer.value or state.file != before.file:
            columns = None if state.items is None else state.items[0]
            self.flagged.show_counts(() if columns is None else columns.bars(columns.share))
            self.suspicious.show_counts(() if columns is None else columns.bars(columns.covered))
        judged = None if state.items is None else state.items[1]
        flag, suspect = (round(100 * share) for share in (state.thresholds.flag_at, state.thresholds.suspect_at))
        told = suspected = ""
        if judged is not None:
            told = tr("{n} flagged from {percent} %", n=numeral(judged.flagged), percent=numeral(flag))
            suspected = tr("{n} suspicious from {percent} %", n=numeral(judged.suspicious), percent=numeral(suspect))
        self.flagged.show_threshold(flag, told)
        self.suspicious.show_threshold(suspect, suspected)
        self.reset.setVisible(state.thresholds != Thresholds())
