"""The widgets of the tab of words and n-grams: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.figures.table_export import TableExport
from explorer.gui.found_lines.panel import LinesPanel
from explorer.gui.lanes import Lanes
from explorer.gui.screen import Notice
from explorer.gui.screens.statistics.words.list_panel import ListPanel
from explorer.gui.screens.statistics.words.plot import RankPlot
from explorer.gui.screens.statistics.words.presenter import WordsPresenter
from explorer.gui.screens.statistics.words.rule_bar import RuleBar
from explorer.gui.screens.statistics.words.state import WordsState
from explorer.gui.tab_page import TabPage
from explorer.gui.theme import em
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.headline import Headline
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.scroll_areas import TallArea
from explorer.gui.widgets.splitter import Splitter
from explorer.gui.widgets.stack import LowStack
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, wordlist_recipe

if TYPE_CHECKING:
    from explorer.api import Corpus
    from explorer.errors import CorpusError

_NARROW = 58
"""Width in em below which the table is above the plot and the lines."""


class WordsPage(TabPage):
    """What is listed on top, the figures in a sentence, the list, and beside it its plot and the lines of a row."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = WordsPresenter(self.lanes, self.requested.emit, self.requested.emit)
        self._make_widgets()
        self._lay_out()
        self._connect()
        # Drawn once by hand: `watch` reports changes only.
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.export = TableExport(
            self.lanes.slot("words charts"), presenter.charts, presenter.fail_beside, presenter.save, "words"
        )
        self.rule = RuleBar(presenter)
        self.headline, self.facts, self.notice = Headline(), ElidedLabel(), Notice()
        self.job, self.saving = JobBar(), JobBar()
        self.facts.setProperty("role", "muted")
        self.list, self.lines, self.plot = ListPanel(presenter), LinesPanel(presenter.lines), RankPlot()
        self.empty = EmptyState("statistics")

    def _lay_out(self) -> None:
        plotted = Panel(tr("Rank and frequency"))
        plotted.body.addWidget(self.plot)
        beside, self.halves = Splitter(Qt.Orientation.Vertical), Splitter(Qt.Orientation.Horizontal)
        for splitter, parts, sizes in (
            (beside, (plotted, self.lines), [450, 550]),
            (self.halves, (self.list, beside), [500, 500]),
        ):
            for half in parts:
                splitter.addWidget(half)
            # Proportions, not pixels.
            splitter.setSizes(sizes)
        self.stack = LowStack()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.halves)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for widget in (self.rule, self.headline, self.facts, self.notice, self.job, self.saving):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(TallArea(page))
        self.stale = Dimmer(self.headline, self.facts, self.list, plotted, self.lines, parent=self)

    def _connect(self) -> None:
        self.empty.chosen.connect(lambda _: self.presenter.make_words())
        for name, bar, stop in (
            ("words list", self.job, self.presenter.stop),
            ("words file", self.saving, self.presenter.writing.cancel),
        ):
            lane = self.lanes.named(name)
            lane.progressed.connect(bar.show_progress)
            lane.busy_changed.connect(bar.set_busy)
            bar.cancelled.connect(stop)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: WordsState, before: WordsState | None) -> None:
        self.rule.draw(state)
        self.export.setEnabled(state.listed is not None)
        self.headline.say(*state.headline)
        self.facts.setText(state.told_rows)
        self.facts.setVisible(bool(state.told_rows))
        if before is None or state.notice != before.notice:
            again = [(tr("Try again"), self.presenter.run)] if state.answer.error is not None else []
            self.notice.show_notice(state.notice, kind="error", remedies=again)
        self.empty.say(*state.invitation, (tr("Make the word index"),) if state.missing else ())
        self.stack.setCurrentIndex(0 if state.listed is None else 1)
        other = before is None or state.answer.value is not before.answer.value
        other = other or before is None or state.sort != before.sort
        if other:
            self.list.draw(state)
        if other or before is None or state.row != before.row:
            self._draw_row(state)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _draw_row(self, state: WordsState) -> None:
        answer = state.listed
        left_out = state.rule.min_documents > 1 if answer is None else answer.rule.min_documents > 1
        points = () if answer is None else answer.points
        # Where rows were left out for their documents, they have other ranks than those of the list.
        self.plot.show_points(points, -1 if left_out else state.row, None if answer is None else answer.slope)
        self.list.draw_row(state)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """List the words of the new index."""
        self.presenter.use_corpus(corpus)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the index."""
        self.presenter.fail_beside(error)

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        self.plot.update()

    def recipe(self, source: Source) -> Recipe | None:
        """The list that is shown."""
        # Only a current one: a dimmed list belongs to other settings than these.
        found = self.presenter.state.answer.current
        return None if found is None or found.found is None else wordlist_recipe(source, found.rule)

    def focus_input(self) -> None:
        """The field of forms."""
        self.rule.text.setFocus()

    def session(self) -> dict[str, Any]:
        """What is listed."""
        return self.presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """List the same again."""
        self.presenter.restore(values)

    def showEvent(self, event: QShowEvent) -> None:
        """List what was not seen before."""
        super().showEvent(event)
        self.presenter.appear(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Ask nothing while nobody looks."""
        super().hideEvent(event)
        self.presenter.appear(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the table above the plot where there is no room beside it."""
        super().resizeEvent(event)
        narrow = self.width() < em(_NARROW)
        self.halves.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
