"""The widgets of the tab of keywords: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.figures.table_export import TableExport
from explorer.gui.found_lines.panel import LinesPanel
from explorer.gui.lanes import Lanes
from explorer.gui.screen import Notice
from explorer.gui.screens.statistics.keywords.presenter import KeywordsPresenter
from explorer.gui.screens.statistics.keywords.reference_bar import ReferenceBar
from explorer.gui.screens.statistics.keywords.state import KeywordState
from explorer.gui.screens.statistics.keywords.tables import KeywordTables
from explorer.gui.screens.statistics.keywords.volcano import VolcanoPlot
from explorer.gui.tab_page import TabPage
from explorer.gui.theme import em
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.headline import Headline
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.scroll_areas import TallArea
from explorer.gui.widgets.splitter import Splitter
from explorer.gui.widgets.stack import LowStack
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, keywords_recipe

if TYPE_CHECKING:
    from explorer.api import Corpus
    from explorer.errors import CorpusError

_NARROW = 64
"""Width in em below which the tables are above the plot and the lines."""


class KeywordsPage(TabPage):
    """What is compared on top, the sizes in a sentence, the tables, and beside them the plot and the lines of a row.

    Parameters
    ----------
    lanes
        The lanes of the screen.
    """

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = KeywordsPresenter(self.lanes, self.requested.emit, self.requested.emit)
        self._make_widgets()
        self._lay_out()
        self._connect()
        # Drawn once by hand: `watch` reports changes only.
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.export = TableExport(
            self.lanes.slot("keywords charts"), presenter.charts, presenter.fail_beside, presenter.save, "keywords"
        )
        self.bar = ReferenceBar(presenter)
        self.headline, self.notice, self.job, self.saving = Headline(), Notice(), JobBar(), JobBar()
        self.tables, self.lines = KeywordTables(presenter), LinesPanel(presenter.lines)
        self.plot = VolcanoPlot(presenter.choose)
        self.empty = EmptyState("statistics")

    def _lay_out(self) -> None:
        plotted = Panel(tr("Effect and evidence"))
        plotted.body.addWidget(self.plot)
        beside, self.halves = Splitter(Qt.Orientation.Vertical), Splitter(Qt.Orientation.Horizontal)
        for splitter, parts, sizes in (
            (beside, (plotted, self.lines), [600, 400]),
            (self.halves, (self.tables, beside), [500, 500]),
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
        for widget in (self.bar, self.headline, self.notice, self.job, self.saving):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(TallArea(page))
        self.stale = Dimmer(self.headline, self.tables, plotted, self.lines, parent=self)

    def _connect(self) -> None:
        self.empty.chosen.connect(lambda _: self.presenter.make_words())
        for name, bar, stop in (
            ("keywords list", self.job, self.presenter.stop),
            ("keywords file", self.saving, self.presenter.writing.cancel),
        ):
            lane = self.lanes.named(name)
            lane.progressed.connect(bar.show_progress)
            lane.busy_changed.connect(bar.set_busy)
            bar.cancelled.connect(stop)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: KeywordState, before: KeywordState | None) -> None:
        self.bar.draw(state, before)
        self.export.setEnabled(state.found is not None)
        self.headline.say(*state.headline)
        if before is None or state.notice != before.notice:
            again = [(tr("Try again"), self.presenter.run)] if state.answer.error is not None else []
            self.notice.show_notice(state.notice, kind="error", remedies=again)
        self.empty.say(*state.invitation, (tr("Make the word index"),) if state.missing else ())
        self.stack.setCurrentIndex(0 if state.found is None else 1)
        self.tables.draw(state, before)
        if before is None or state.answer.value is not before.answer.value:
            self.plot.show_dots(() if state.found is None else state.found.dots)
        self.plot.mark_row(state.row)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Compare the words of the new index."""
        self.presenter.use_corpus(corpus)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the index."""
        self.presenter.fail_beside(error)

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        self.plot.update()

    def recipe(self, source: Source) -> Recipe | None:
        """The keywords that are shown."""
        # Only current ones: what is dimmed belongs to other settings than these.
        found = self.presenter.state.answer.current
        return None if found is None or found.found is None else keywords_recipe(source, found.rule)

    def focus_input(self) -> None:
        """The value of the field, or the reference."""
        (self.bar.value if self.bar.value.isVisible() else self.bar.reference).setFocus()

    def session(self) -> dict[str, Any]:
        """What is compared."""
        return self.presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """Compare the same again."""
        self.presenter.restore(values)

    def showEvent(self, event: QShowEvent) -> None:
        """Compare what was not seen before."""
        super().showEvent(event)
        self.presenter.appear(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Ask nothing while nobody looks."""
        super().hideEvent(event)
        self.presenter.appear(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the tables above the plot where there is no room beside them."""
        super().resizeEvent(event)
        narrow = self.width() < em(_NARROW)
        self.halves.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
