"""The widgets of the tab of words and n-grams: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from explorer.analyses.wordlist.chart import rank_chart
from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.gui.asking.page import AskingPage
from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.asking.table_panel import TableLook, TablePanel
from explorer.gui.charts.view import ChartView
from explorer.gui.found_lines.panel import LinesPanel
from explorer.gui.screens.statistics.words.presenter import WordsPresenter
from explorer.gui.screens.statistics.words.state import WordsState
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.splitter import split
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, wordlist_recipe

_ASKED = ("unit", "contains", "begins_with", "max_n", "min_count", "min_documents", "stop")
"""The settings of the form, in its order."""
_NARROW = 58
"""Width in em below which the table is above the plot and the lines."""


class WordsPage(AskingPage):
    """What is listed on top, the figures in a sentence, the list, and beside it its plot and the lines of a row."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = WordsPresenter(self.lanes, self.requested.emit, self.requested.emit)
        self._make_widgets()
        self._lay_out()
        self.begin(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.rule = QuestionForm(WordlistQuestion, _ASKED, presenter.set)
        self.facts = ElidedLabel()
        self.facts.setProperty("role", "muted")
        self.list = TablePanel(presenter, TableLook(tr("Words and n-grams")))
        self.lines = LinesPanel(presenter.lines)
        self.plot = ChartView(tr("Rank and frequency"))
        self.plot.chosen.connect(self._choose_point)

    def _lay_out(self) -> None:
        plotted = Panel(tr("Rank and frequency"))
        plotted.body.addWidget(self.plot)
        beside = split(Qt.Orientation.Vertical, (450, 550), plotted, self.lines)
        self.halves = split(Qt.Orientation.Horizontal, (500, 500), self.list, beside)
        self.turning.append((self.halves, _NARROW))
        self.frame(self.presenter, "words", self.rule, self.halves, (self.facts,))
        self.stale = Dimmer(self.headline, self.facts, self.list, plotted, self.lines, parent=self)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: WordsState, before: WordsState | None) -> None:
        self.rule.draw(state.rule)
        self.draw_frame(state, before)
        self.facts.setText(state.told_rows)
        self.facts.setVisible(bool(state.told_rows))
        self.list.draw(state, before)
        if before is None or state.answer.value is not before.answer.value:
            found = state.found
            self.plot.show_chart(rank_chart("", found.points, (), found.slope) if found and found.points else None)
        # Where rows were left out, they have other ranks than those of the list.
        self.plot.show_row(state.row if (state.found or state).rule.all_ranks else -1)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _choose_point(self, place: int) -> None:
        """Choose the row of a rank; ranks below the last row have none."""
        state = self.presenter.state
        if state.found is not None and state.found.rule.all_ranks and place in state.order:
            self.presenter.choose(place)

    def recipe(self, source: Source) -> Recipe | None:
        """The list that is shown."""
        # Only a current one: a dimmed list belongs to other settings than these.
        found = self.presenter.state.answer.current
        return None if found is None or found.found is None else wordlist_recipe(source, found.rule)

    def focus_input(self) -> None:
        """The field of the phrase that rows contain."""
        if (field := self.rule.row("contains").findChild(QLineEdit)) is not None:
            field.setFocus()
