"""The widgets of the tab of an analysis: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from explorer.analyses.registry import AnalysisRow, derived
from explorer.derive.question import settings_of
from explorer.gui.analysis.presenter import AnalysisPresenter, AnalysisState
from explorer.gui.asking.page import AskingPage
from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.asking.table_panel import TableLook, TablePanel
from explorer.gui.charts.view import ChartView
from explorer.gui.found_lines.panel import LinesPanel
from explorer.gui.help.guide import section_of
from explorer.gui.screens.tabbed_screen import Tab
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.splitter import split
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, analysis_recipe

_NARROW = 64
"""Width in em below which the table is above the chart and the lines."""


def tabs_of(screen: str) -> tuple[Tab, ...]:
    """The tabs of the analyses whose rows name a screen; the topic of each is a section of the screen's guide."""
    return tuple(
        Tab(row.name, row.title, partial(AnalysisPage, row), f"{screen}#{section_of(row)}")
        for row in derived()
        if row.screen == screen
    )


class AnalysisPage(AskingPage):
    """The settings on top, what describes all rows in a sentence, the rows, and beside them the chart and the lines."""

    def __init__(self, row: AnalysisRow, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = AnalysisPresenter(row, self.lanes, self.requested.emit, self.requested.emit)
        analysis = row.analysis
        self.form = QuestionForm(analysis.question, tuple(settings_of(analysis.question)), self.presenter.set)
        wide = len(self.presenter.state.columns) - 1
        self.list, self.lines = (
            TablePanel(self.presenter, TableLook(tr(row.title), wide)),
            LinesPanel(self.presenter.lines),
        )
        self.plot, self.plotted = ChartView(tr(row.title)), Panel()
        self.plotted.body.addWidget(self.plot, 1)
        self._lay_out(row)
        self.begin(self._draw)

    def _lay_out(self, row: AnalysisRow) -> None:
        analysis = row.analysis
        parts = ((self.plotted, analysis.chart), (self.lines, analysis.lines))
        beside = [part for part, there in parts if there is not None]
        answer: QWidget = self.list
        if beside:
            halves = split(
                Qt.Orientation.Horizontal, (500, 500), self.list, split(Qt.Orientation.Vertical, (), *beside)
            )
            self.turning.append((halves, _NARROW))
            answer = halves
        self.frame(self.presenter, row.name, self.form, answer)
        self.stale = Dimmer(self.headline, self.list, *beside, parent=self)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: AnalysisState, before: AnalysisState | None) -> None:
        self.form.draw(state.rule)
        self.draw_frame(state, before)
        self.list.draw(state, before)
        if before is None or state.answer.value is not before.answer.value:
            self.plot.show_chart(state.found.chart if state.found else None)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def recipe(self, source: Source) -> Recipe | None:
        """The rows that are shown."""
        # Only current ones: what is dimmed belongs to other settings than these.
        found = self.presenter.state.answer.current
        return None if found is None or found.found is None else analysis_recipe(source, self.presenter.id, found.rule)

    def focus_input(self) -> None:
        """The first setting."""
        self.form.focus_first()
