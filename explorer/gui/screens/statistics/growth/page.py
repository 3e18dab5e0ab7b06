"""The widgets of the tab of diversity and growth: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from explorer.gui.figures.table_export import TableExport
from explorer.gui.lanes import Lanes
from explorer.gui.screen import Notice, label, named
from explorer.gui.screens.statistics.growth.plot import GrowthPlot
from explorer.gui.screens.statistics.growth.presenter import GrowthPresenter, GrowthState
from explorer.gui.tab_page import TabPage
from explorer.gui.untrusted import caption
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.headline import Headline
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.scroll_areas import TallArea, at_least
from explorer.gui.widgets.splitter import Splitter
from explorer.gui.widgets.stack import LowStack
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, diversity_recipe

if TYPE_CHECKING:
    from explorer.api import Corpus
    from explorer.errors import CorpusError


class GrowthPage(TabPage):
    """The groups on top, the vocabulary in a sentence, the measures of the groups, and below them the growth.

    Parameters
    ----------
    lanes
        The lanes of the screen.
    """

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = GrowthPresenter(self.lanes, self.requested.emit)
        self._make_widgets()
        self._lay_out()
        self._connect()
        # Drawn once by hand: `watch` reports changes only.
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.export = TableExport(
            self.lanes.slot("growth charts"), presenter.charts, presenter.fail_beside, presenter.save, "diversity"
        )
        self.by = named(QComboBox(), tr("Group by"))
        self.headline, self.notice, self.job, self.saving = Headline(), Notice(), JobBar(), JobBar()
        self.groups, self.model = Panel(), PlainModel(self)
        self.table = PlainTable(self.model, tr("Diversity of groups"), wide=(0,))
        self.groups.hold(self.table)
        at_least(self.groups, 22, 9)
        self.law = label("", "muted")
        self.law.setWordWrap(True)
        self.law.setContentsMargins(16, 8, 16, 0)
        self.plot = GrowthPlot()
        self.empty = EmptyState("statistics")

    def _lay_out(self) -> None:
        self.plotted = Panel(tr("Growth of the vocabulary"))
        self.plotted.body.addWidget(self.law)
        self.plotted.body.addWidget(self.plot, 1)
        halves = Splitter(Qt.Orientation.Vertical)
        for half in (self.groups, self.plotted):
            halves.addWidget(half)
        # Proportions, not pixels.
        halves.setSizes([400, 600])
        self.stack = LowStack()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(halves)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        top = flowing(label(tr("Group by"), "muted"), self.by)
        for widget in (top, self.headline, self.notice, self.job, self.saving):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(TallArea(page))
        self.stale = Dimmer(self.headline, self.groups, self.plotted, parent=self)

    def _connect(self) -> None:
        presenter = self.presenter
        self.empty.chosen.connect(lambda _: presenter.make_words())
        self.by.activated.connect(lambda place: presenter.group_by(("", *presenter.state.fields)[place]))
        for name, bar, stop in (
            ("growth list", self.job, presenter.stop),
            ("growth file", self.saving, presenter.writing.cancel),
        ):
            lane = self.lanes.named(name)
            lane.progressed.connect(bar.show_progress)
            lane.busy_changed.connect(bar.set_busy)
            bar.cancelled.connect(stop)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: GrowthState, before: GrowthState | None) -> None:
        if before is None or state.corpus is not before.corpus:
            self.by.clear()
            self.by.addItems([tr("whole index"), *map(caption, state.fields)])
        self.by.setCurrentIndex(("", *state.fields).index(state.by) if state.by in ("", *state.fields) else 0)
        self.export.setEnabled(state.found is not None)
        self.headline.say(*state.headline)
        if before is None or state.notice != before.notice:
            again = [(tr("Try again"), self.presenter.run)] if state.answer.error is not None else []
            self.notice.show_notice(state.notice, kind="error", remedies=again)
        self.empty.say(*state.invitation, (tr("Make the word index"),) if state.missing else ())
        self.stack.setCurrentIndex(0 if state.found is None else 1)
        if before is None or state.answer.value is not before.answer.value:
            found = state.found
            self.model.show(state.header if found else (), found.table if found else (), state.header_tips)
            self.plot.show_growth(found.growth if found else None, found.heaps if found else None)
            self.law.setText(state.law)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Measure the new index."""
        self.presenter.use_corpus(corpus)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the index."""
        self.presenter.fail_beside(error)

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        self.plot.update()

    def recipe(self, source: Source) -> Recipe | None:
        """The measures that are shown."""
        # Only current ones: what is dimmed belongs to other settings than these.
        found = self.presenter.state.answer.current
        return None if found is None or found.found is None else diversity_recipe(source, found.by)

    def focus_input(self) -> None:
        """The field of the groups."""
        self.by.setFocus()

    def session(self) -> dict[str, Any]:
        """What is measured."""
        return self.presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """Measure the same again."""
        self.presenter.restore(values)

    def showEvent(self, event: QShowEvent) -> None:
        """Measure what was not seen before."""
        super().showEvent(event)
        self.presenter.appear(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Ask nothing while nobody looks."""
        super().hideEvent(event)
        self.presenter.appear(False)
