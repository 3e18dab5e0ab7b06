"""What the pages of tabs that ask about texts have in common: sources on top, the answer in a sentence, its parts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from explorer.chart import Chart
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.charts.export.button import ExportButton
from explorer.gui.screens.model.presenter import ModelPresenter
from explorer.gui.screens.model.state import REMEDY_WORDS, TextsState
from explorer.gui.screens.screen import Notice
from explorer.gui.screens.tab_page import TabPage
from explorer.gui.sources.invitation import Invitation
from explorer.gui.sources.sources_bar import SourcesBar
from explorer.gui.style.theme import em
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.layouts.scroll_areas import TallArea
from explorer.gui.widgets.layouts.splitter import Splitter
from explorer.gui.widgets.layouts.stack import LowStack
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.notices.headline import Headline
from explorer.gui.widgets.notices.job_bar import JobBar
from explorer.gui.widgets.notices.notice import Kind
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr

NARROW = 58
"""Width in em below which what is side by side is one below the other."""
P = TypeVar("P", bound=ModelPresenter[Any])


class _Exporting(Protocol):
    """A presenter whose answer can be saved as charts."""

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes charts of the answer; None if there is none."""


class TextsPage(TabPage, Generic[P]):
    """Sources and settings on top, the answer in a sentence, and its parts below, which the subclass makes.

    name: The id of the tab, with which the names of its lanes begin.
    examples: What can be tried where there is no text yet.
    """

    def __init__(self, lanes: Lanes, presenter: P, name: str, examples: Sequence[str] = ()) -> None:
        super().__init__(lanes)
        self.presenter = presenter
        charts = cast(_Exporting, presenter).charts
        self.export = ExportButton(lanes.slot(f"{name} charts"), charts, presenter.fail_beside)
        self.sources = SourcesBar(presenter)
        self.headline = Headline()
        # One line: with large text, more would leave no room for the figures.
        self.facts = ElidedLabel()
        self.facts.setProperty("role", "muted")
        self.notice = Notice()
        self.bars: dict[str, JobBar] = {}
        self.invitation = Invitation(
            "model",
            self.sources.paste.open,
            self.sources.ask_files,
            lambda paths: presenter.add_files(*paths),
            examples,
        )
        self.stack = LowStack()
        self._turned: list[Splitter] = []
        self.setAcceptDrops(True)

    def bar_for(self, lane: str, stop: Callable[[], None]) -> None:
        """Make a bar with the progress of a lane."""
        # The presenter knows its slot only as something that runs work; signals for a bar come from the lane itself.
        self.bars[lane] = bar = JobBar()
        found = self.lanes.named(lane)
        found.progressed.connect(bar.show_progress)
        found.busy_changed.connect(bar.set_busy)
        bar.cancelled.connect(stop)

    def beside(self, parts: Sequence[QWidget], sizes: Sequence[int]) -> Splitter:
        """Put parts side by side, or one below the other where there is no room.

        sizes: Their proportions, not pixels.
        """
        row = _splitter(Qt.Orientation.Horizontal, parts, sizes)
        self._turned.append(row)
        return row

    def begin(self, tops: Sequence[QWidget], body: QWidget, dimmed: Sequence[QWidget]) -> None:
        """Lay the page out, and draw the first state.

        tops: Settings below the sources.
        dimmed: What is dimmed while it belongs to an earlier question, besides the sentence.
        """
        for widget in (self.invitation, body):
            self.stack.addWidget(widget)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for widget in (self.sources, *tops, self.headline, self.facts, self.notice, *self.bars.values()):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        # All of it scrolls, not only the answer, of which large text and a notice would leave a strip.
        whole.addWidget(TallArea(page))
        self.stale = Dimmer(self.headline, self.facts, *dimmed, parent=self)
        # Drawn once by hand: `watch` reports changes only.
        self._draw_all(self.presenter.state, None)
        self.presenter.watch(self._draw_all)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put what is side by side one below the other where there is no room."""
        super().resizeEvent(event)
        narrow = self.width() < em(NARROW)
        for row in self._turned:
            row.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

    # --- drawing ---------------------------------------------------------------------------------------

    @abstractmethod
    def _draw(self, state: Any, before: Any) -> None:
        """Draw what the tab has of its own; `before` is None for the first state, of which everything is drawn."""

    def _draw_all(self, state: TextsState[Any, Any], before: TextsState[Any, Any] | None) -> None:
        self.sources.draw(state)
        self.export.setEnabled(state.answer.value is not None)
        self._draw_notice(state, before)
        self.headline.say(*state.headline)
        self.facts.setText(state.told_facts)
        self.facts.setVisible(bool(self.facts.text()))
        self.invitation.say(*state.invitation, offered=state.begins)
        # Dimmed or not, an answer keeps its place: nothing jumps while a new one is awaited.
        self.stack.setCurrentIndex(0 if state.answer.value is None else 1)
        self._draw(state, before)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _draw_notice(self, state: TextsState[Any, Any], before: TextsState[Any, Any] | None) -> None:
        # The kind as well: a question and an error may have the same words.
        shown = (state.notice, state.remedies, state.kind)
        # This replaces the buttons, so not while somebody may be about to press one.
        if before is not None and shown == (before.notice, before.remedies, before.kind):
            return
        remedies = [(tr(self.remedy_words[name]), partial(self.remedy, name)) for name in state.remedies]
        self.notice.show_notice(state.notice, kind=cast(Kind, state.kind), remedies=remedies)

    remedy_words = REMEDY_WORDS
    """The words of the buttons of notices, not yet translated."""

    def remedy(self, name: str) -> None:
        """Do what a button of the notice offers."""
        self.presenter.remedy(name)

    # --- what the screen asks --------------------------------------------------------------------------

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Ask the same of the new index."""
        self.presenter.use_corpus(corpus)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the open index."""
        self.presenter.fail_beside(error)

    def asks_files(self) -> QAbstractButton | None:
        """The chip that adds files."""
        return self.sources.add

    def focus_input(self) -> None:
        """The first source, or the pasted text."""
        self.sources.focus_first()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        # A link from a browser is a URL as well, and is not taken.
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add files as sources."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.presenter.add_files(*paths)


def halves(upper: QWidget, lower: QWidget) -> Splitter:
    """Put figures above a text, with a border between them that can be moved."""
    return _splitter(Qt.Orientation.Vertical, (upper, lower), (360, 300))


def _splitter(way: Qt.Orientation, parts: Sequence[QWidget], sizes: Sequence[int]) -> Splitter:
    made = Splitter(way)
    for part in parts:
        made.addWidget(part)
    made.setSizes(list(sizes))
    return made
