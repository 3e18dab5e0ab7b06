"""The widgets of the tab of an analysis: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt

from explorer.analyses.registry import AnalysisRow, derived
from explorer.derive.question import settings_of
from explorer.gui.analysis.presenter import AnalysisPresenter, AnalysisState
from explorer.gui.asking.page import AskingPage
from explorer.gui.guide import section_of
from explorer.gui.lanes import Lanes
from explorer.gui.question_form import QuestionForm
from explorer.gui.tabbed_screen import Tab
from explorer.gui.widgets.chart_view import ChartView
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.scroll_areas import at_least
from explorer.gui.widgets.splitter import Splitter
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, analysis_recipe


def tabs_of(screen: str) -> tuple[Tab, ...]:
    """The tabs of the analyses whose rows name a screen; the topic of each is a section of the screen's guide."""
    return tuple(
        Tab(row.name, row.title, partial(AnalysisPage, row), f"{screen}#{section_of(row)}")
        for row in derived()
        if row.screen == screen
    )


class AnalysisPage(AskingPage):
    """The settings on top, what describes all rows in a sentence, the rows, and beside them the chart."""

    def __init__(self, row: AnalysisRow, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = AnalysisPresenter(row, self.lanes, self.requested.emit)
        analysis = row.analysis
        self.form = QuestionForm(analysis.question, tuple(settings_of(analysis.question)), self.presenter.set)
        self.listed, self.model = Panel(), PlainModel(self)
        self.table = PlainTable(self.model, tr(row.title), wide=(len(self.presenter.state.header) - 1,))
        self.listed.hold(self.table)
        at_least(self.listed, 22, 9)
        self.plot = ChartView(tr(row.title))
        self._lay_out(row, analysis.chart is not None)
        # Drawn once by hand: `watch` reports changes only.
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _lay_out(self, row: AnalysisRow, drawn: bool) -> None:
        self.plotted = Panel()
        self.plotted.body.addWidget(self.plot, 1)
        halves = Splitter(Qt.Orientation.Horizontal)
        for half in (self.listed, self.plotted) if drawn else (self.listed,):
            halves.addWidget(half)
        # Proportions, not pixels.
        halves.setSizes([500] * halves.count())
        self.frame(self.presenter, row.name, self.form, halves)
        self.stale = Dimmer(self.headline, self.listed, self.plotted, parent=self)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: AnalysisState, before: AnalysisState | None) -> None:
        self.form.draw(state.rule)
        self.draw_frame(state, before)
        if before is None or state.answer.value is not before.answer.value:
            found = state.found
            self.model.show(state.header if found else (), found.table if found else (), state.tips)
            self.plot.show_chart(found.chart if found else None)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def recipe(self, source: Source) -> Recipe | None:
        """The rows that are shown."""
        # Only current ones: what is dimmed belongs to other settings than these.
        found = self.presenter.state.answer.current
        return None if found is None or found.found is None else analysis_recipe(source, self.presenter.id, found.rule)

    def focus_input(self) -> None:
        """The first setting."""
        self.form.focus_first()
