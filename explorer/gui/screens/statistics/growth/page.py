"""The widgets of the tab of diversity and growth: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from explorer.analyses.spectrum.chart import growth_chart
from explorer.chart import Chart
from explorer.gui.asking.page import AskingPage
from explorer.gui.asking.table_panel import TableLook, TablePanel
from explorer.gui.charts.view import ChartView
from explorer.gui.screens.screen import label
from explorer.gui.screens.statistics.growth.presenter import GrowthPresenter
from explorer.gui.screens.statistics.growth.rule_bar import GrowthBar
from explorer.gui.screens.statistics.growth.state import GrowthState
from explorer.gui.screens.statistics.growth.work import GrowthAnswer
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.splitter import split
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, diversity_recipe


class GrowthPage(AskingPage):
    """The groups on top, the vocabulary in a sentence, the measures of the groups, and below them the growth."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = GrowthPresenter(self.lanes, self.requested.emit)
        self._make_widgets()
        self._lay_out()
        self.begin(self._draw)

    def _make_widgets(self) -> None:
        self.bar = GrowthBar(self.presenter)
        self.groups = TablePanel(self.presenter, TableLook(tr("Diversity of groups"), wide=0))
        self.table = self.groups.table
        self._keep_title()
        when_restyled(self.table, self._keep_title)
        self.law = label("", "muted")
        self.law.setWordWrap(True)
        self.law.setContentsMargins(16, 8, 16, 0)
        self.plot = ChartView(tr("Growth of the vocabulary"))

    def _keep_title(self) -> None:
        """The first column has room for its title: the others, all figures, leave it none in a narrow window."""
        # Not by the header's own font, which is still the old one.
        title = QFontMetrics(QApplication.font()).horizontalAdvance(tr("Group"))
        self.table.horizontalHeader().setMinimumSectionSize(title + em(1.5))

    def _lay_out(self) -> None:
        self.plotted = Panel(tr("Growth of the vocabulary"))
        self.plotted.body.addWidget(self.law)
        self.plotted.body.addWidget(self.plot, 1)
        halves = split(Qt.Orientation.Vertical, (400, 600), self.groups, self.plotted)
        self.frame(self.presenter, "diversity", self.bar, halves)
        self.stale = Dimmer(self.headline, self.groups, self.plotted, parent=self)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: GrowthState, before: GrowthState | None) -> None:
        self.bar.draw_state(state, before)
        self.draw_frame(state, before)
        self.groups.draw(state, before)
        if before is None or state.answer.value is not before.answer.value:
            found = state.found
            self.plot.show_chart(_chart(found) if found else None)
            self.law.setText(state.law)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def recipe(self, source: Source) -> Recipe | None:
        """The measures that are shown."""
        # Only current ones: what is dimmed belongs to other settings than these.
        found = self.presenter.state.answer.current
        return None if found is None or found.found is None else diversity_recipe(source, found.rule.question)

    def focus_input(self) -> None:
        """The field of the groups."""
        self.bar.by.setFocus()


def _chart(answer: GrowthAnswer) -> Chart | None:
    # A text that is shorter than a step has no point.
    growth = answer.growth
    return growth_chart("", growth, answer.heaps) if growth is not None and len(growth.words) else None
