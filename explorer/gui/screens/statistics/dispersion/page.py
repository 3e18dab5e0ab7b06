"""The widgets of the tab of dispersion: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from PySide6.QtCore import Qt

from explorer.analyses.dispersion.chart import strip_chart
from explorer.chart import Chart
from explorer.gui.asking.page import AskingPage
from explorer.gui.asking.table_panel import TableLook, TablePanel
from explorer.gui.charts.view import ChartView
from explorer.gui.found_lines.panel import LinesPanel
from explorer.gui.screens.screen import label
from explorer.gui.screens.statistics.dispersion.presenter import SpreadPresenter
from explorer.gui.screens.statistics.dispersion.rule_bar import SpreadBar
from explorer.gui.screens.statistics.dispersion.state import SpreadState
from explorer.gui.screens.statistics.dispersion.work import SpreadAnswer
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import TallArea, at_least
from explorer.gui.widgets.layouts.splitter import split
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, word_dispersion_recipe

_NARROW = 70
"""Width in em below which the strips are above the lines."""


class DispersionPage(AskingPage):
    """The parts on top, what is measured in a sentence, the words, and below them the strips and the lines of a row."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = SpreadPresenter(self.lanes, self.requested.emit, self.requested.emit)
        self._make_widgets()
        self._lay_out()
        self.begin(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.bar, self.lines = SpreadBar(presenter), LinesPanel(presenter.lines)
        self.plot = ChartView(tr("Where the words are in each part"))
        self.facts, self.about = label("", "muted"), label("", "muted")
        for sentence in (self.facts, self.about):
            sentence.setWordWrap(True)
        self.list = TablePanel(presenter, TableLook(tr("Dispersion of words")))
        self.table = self.list.table

    def _lay_out(self) -> None:
        plotted = Panel(tr("Where the words are"))
        self.about.setContentsMargins(16, 8, 16, 4)
        plotted.body.addWidget(self.about)
        plotted.body.addWidget(TallArea(self.plot), 1)
        at_least(plotted, 22, 14)
        self.below = split(Qt.Orientation.Horizontal, (550, 450), plotted, self.lines)
        halves = split(Qt.Orientation.Vertical, (400, 600), self.list, self.below)
        self.turning.append((self.below, _NARROW))
        self.frame(self.presenter, "dispersion", self.bar, halves, (self.facts,))
        self.bar.text.returnPressed.connect(self.enter)
        self.stale = Dimmer(self.headline, self.facts, self.list, plotted, self.lines, parent=self)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: SpreadState, before: SpreadState | None) -> None:
        self.bar.draw_state(state, before)
        self.draw_frame(state, before)
        if before is None or state.answer.value is not before.answer.value:
            found = state.found
            self.plot.show_chart(_chart(found) if found and found.strips else None)
            self.about.setText(state.told_strips)
            self.facts.setText(state.told_rows)
            self.facts.setVisible(bool(state.told_rows))
        self.list.draw(state, before)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def recipe(self, source: Source) -> Recipe | None:
        """The measures that are shown."""
        # Only current ones: what is dimmed belongs to other settings than these.
        found = self.presenter.state.answer.current
        if found is None or found.found is None:
            return None
        return word_dispersion_recipe(source, found.rule.question, found.rule.forms)

    def focus_input(self) -> None:
        """The words that are typed."""
        self.bar.text.setFocus()


def _chart(found: SpreadAnswer) -> Chart:
    return strip_chart("", found.rule.forms, found.strips, found.met)
