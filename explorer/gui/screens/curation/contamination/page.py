"""The widgets of the tab of contamination: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton

from explorer.gui.app.host import Host
from explorer.gui.asking.page import AskingPage
from explorer.gui.screens.curation.contamination.bars_panel import BarsPanel
from explorer.gui.screens.curation.contamination.bench_bar import BenchBar
from explorer.gui.screens.curation.contamination.board_panel import BoardPanel
from explorer.gui.screens.curation.contamination.items.item_panel import ItemPanel
from explorer.gui.screens.curation.contamination.items.items_panel import ItemsPanel
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.gui.screens.curation.contamination.state import BenchState
from explorer.gui.screens.curation.contamination.told_panel import ToldPanel
from explorer.gui.style.theme import em
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.layouts.splitter import Splitter
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.recipes import Recipe, Source, contamination_recipe

_NARROW, _NARROWEST = 80, 60
"""Width in em below which the bars are below the table of benchmarks, and below which each part is below another."""


class ContaminationPage(AskingPage):
    """The benchmarks on top, how many items are flagged in a sentence, a table of benchmarks, items with evidence."""

    PICTURE = "curation"

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        ask = self.requested.emit
        self.presenter = ContaminationPresenter(self.lanes, ask, ask, ask)
        self.setAcceptDrops(True)
        self._make_widgets()
        self._lay_out()
        self.begin(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.bar, self.board, self.items = BenchBar(presenter), BoardPanel(presenter), ItemsPanel(presenter)
        self.item, self.bars, self.told = ItemPanel(presenter), BarsPanel(presenter), ToldPanel(presenter, self.lanes)

    def _lay_out(self) -> None:
        above, below = Splitter(Qt.Orientation.Horizontal), Splitter(Qt.Orientation.Horizontal)
        self.halves = (above, below)
        halves = Splitter(Qt.Orientation.Vertical)
        for splitter, parts, sizes in (
            (above, (self.board, self.bars), [650, 350]),
            (below, (self.items, self.item), [460, 540]),
            (halves, (above, below), [250, 750]),
        ):
            for half in parts:
                splitter.addWidget(half)
            # Proportions, not pixels.
            splitter.setSizes(sizes)
        self.frame(self.presenter, "contamination", self.bar, halves, (self.told,))
        self.stale = Dimmer(self.headline, self.told.facts, self.board, self.items, self.bars, self.item, parent=self)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: BenchState, before: BenchState | None) -> None:
        self.bar.draw(state)
        self.draw_frame(state, before)
        self.told.draw(state, before)
        self.board.draw(state, before)
        self.items.draw(state, before)
        self.bars.draw(state, before)
        self.item.draw_verdict()
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def use_host(self, host: Host) -> None:
        """Offer the indexes that were opened before."""
        self.bar.indexes.recent = lambda: host.indexes.state.recent

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if _files_in(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Look for the items of the files."""
        if paths := _files_in(event):
            event.acceptProposedAction()
            self.presenter.add_files(paths)

    def asks_files(self) -> QAbstractButton | None:
        """The button that asks for benchmarks."""
        return self.bar.add

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        for plot in (self.bars.flagged, self.bars.suspicious, self.item.plot):
            plot.update()

    def recipe(self, source: Source) -> Recipe | None:
        """What was found."""
        # Only what is current: what is dimmed belongs to other settings than these.
        state = self.presenter.state
        found = state.answer.current
        return (
            None if found is None or found.found is None else contamination_recipe(source, found.rule, state.thresholds)
        )

    def focus_input(self) -> None:
        """The button that asks for benchmarks."""
        self.bar.add.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put parts one below another in a narrow window."""
        super().resizeEvent(event)
        width, (above, below) = self.width(), self.halves
        above.setOrientation(_side_by_side(width >= em(_NARROW)))
        below.setOrientation(_side_by_side(width >= em(_NARROWEST)))
        self.bars.lie(em(_NARROWEST) <= width < em(_NARROW))


def _side_by_side(wide: bool) -> Qt.Orientation:
    return Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical


def _files_in(event: QDropEvent) -> list[Path]:
    """The files that are dragged, without folders."""
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return [path for path in paths if path.is_file()]
