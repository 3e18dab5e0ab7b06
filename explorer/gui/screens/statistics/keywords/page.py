"""The widgets of the tab of keywords: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from explorer.gui.asking.page import AskingPage
from explorer.gui.found_lines.panel import LinesPanel
from explorer.gui.screens.statistics.keywords.presenter import KeywordsPresenter
from explorer.gui.screens.statistics.keywords.reference_bar import ReferenceBar
from explorer.gui.screens.statistics.keywords.state import KeywordState
from explorer.gui.screens.statistics.keywords.tables import KeywordTables
from explorer.gui.screens.statistics.keywords.volcano import VolcanoPlot
from explorer.gui.screens.statistics.keywords.work import INDEX, MOST_ROWS
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.splitter import split
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, keywords_recipe

_NARROW = 64
"""Width in em below which the tables are above the plot and the lines."""


class KeywordsPage(AskingPage):
    """What is compared on top, the sizes in a sentence, the tables, and beside them the plot and the lines of a row."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = KeywordsPresenter(self.lanes, self.requested.emit, self.requested.emit)
        self._make_widgets()
        self._lay_out()
        self.begin(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.bar = ReferenceBar(presenter)
        self.tables, self.lines = KeywordTables(presenter), LinesPanel(presenter.lines)
        self.plot = VolcanoPlot(presenter.choose)

    def _lay_out(self) -> None:
        plotted = Panel(tr("Effect and evidence"))
        plotted.body.addWidget(self.plot)
        beside = split(Qt.Orientation.Vertical, (600, 400), plotted, self.lines)
        self.halves = split(Qt.Orientation.Horizontal, (500, 500), self.tables, beside)
        self.turning.append((self.halves, _NARROW))
        self.frame(self.presenter, "keywords", self.bar, self.halves)
        self.bar.value.returnPressed.connect(self.enter)
        self.stale = Dimmer(self.headline, self.tables, plotted, self.lines, parent=self)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: KeywordState, before: KeywordState | None) -> None:
        self.bar.draw_state(state, before)
        self.draw_frame(state, before)
        self.tables.draw(state, before)
        if before is None or state.answer.value is not before.answer.value:
            self.plot.show_dots(() if state.found is None else state.found.dots)
        self.plot.mark_row(state.row)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        self.plot.update()

    def recipe(self, source: Source) -> Recipe | None:
        """The keywords that are shown."""
        # Only current ones: what is dimmed belongs to other settings than these.
        found = self.presenter.state.answer.current
        if found is None or found.found is None:
            return None
        rule = found.rule
        question = replace(rule.question, top=MOST_ROWS)
        return keywords_recipe(source, question, rule.where, rule.against, rule.reference == INDEX)

    def focus_input(self) -> None:
        """The value of the field, or the reference."""
        (self.bar.value if self.bar.value.isVisible() else self.bar.path).setFocus()
