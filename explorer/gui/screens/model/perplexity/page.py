"""The widgets of the Perplexity tab: they draw the presenter's state and hand on what a person does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QVBoxLayout, QWidget

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.figures.button import ExportButton
from explorer.gui.lanes import Lanes
from explorer.gui.requests import SearchText
from explorer.gui.screen import Notice
from explorer.gui.screens.model.method_bar import MethodBar
from explorer.gui.screens.model.page import ModelPage
from explorer.gui.screens.model.perplexity.figures_panel import FiguresPanel
from explorer.gui.screens.model.perplexity.plot import PerplexityPlot
from explorer.gui.screens.model.perplexity.presenter import PerplexityPresenter, restore, session_of
from explorer.gui.screens.model.perplexity.state import AGAIN, PerplexityState
from explorer.gui.screens.model.perplexity.surprise_text import SurprisePanel, least_size
from explorer.gui.screens.model.perplexity.token_panel import TokenPanel
from explorer.gui.screens.model.perplexity.words import is_bytes
from explorer.gui.sources.inputs import pasted_name, source_key
from explorer.gui.sources.invitation import Invitation
from explorer.gui.sources.sources_bar import SourcesBar
from explorer.gui.surfaces import when_restyled
from explorer.gui.theme import em
from explorer.gui.topics import about
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.headline import Headline
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.scroll_areas import TallArea, at_least
from explorer.gui.widgets.splitter import Splitter
from explorer.gui.widgets.stack import LowStack
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, perplexity_recipe

_NARROW = 58
"""Width in em below which plot and table, text and token, are one below the other."""


class PerplexityPage(ModelPage):
    """Texts and method on top, the answer in a sentence, plot and table, and the text below them."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = PerplexityPresenter(lanes)
        self._make_top()
        self._make_answer()
        self._lay_out()
        self._connect()
        # Drawn once by hand: `watch` reports changes only.
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _make_top(self) -> None:
        presenter = self.presenter
        self.export = ExportButton(self.lanes.slot("perplexity charts"), presenter.charts, presenter.fail_beside)
        self.sources = SourcesBar(presenter)
        self.methods = about(MethodBar(), "model#methods")
        self.leave = QCheckBox(tr("Leave one out"))
        self.leave.setToolTip(
            tr("For texts of the corpus: score each token as if its own occurrence were not in the corpus")
        )
        self.headline = Headline()
        # One line: with large text, more would leave no room for the plot.
        self.facts = ElidedLabel()
        self.facts.setProperty("role", "muted")
        self.notice, self.job = Notice(), JobBar()
        self.setAcceptDrops(True)

    def _make_answer(self) -> None:
        self.plot = PerplexityPlot()
        self.plot_panel = Panel()
        self.plot_panel.hold(self.plot)
        self.table = FiguresPanel(self.presenter)
        self.text, self.token = SurprisePanel(self.presenter), TokenPanel()
        self.invitation = Invitation(
            "model", self.sources.paste.open, self.sources.ask_files, lambda paths: self.presenter.add_files(*paths)
        )

    def _lay_out(self) -> None:
        self.figure_row, self.text_row = Splitter(Qt.Orientation.Horizontal), Splitter(Qt.Orientation.Horizontal)
        for row, parts in ((self.figure_row, (self.plot_panel, self.table)), (self.text_row, (self.text, self.token))):
            for part in parts:
                row.addWidget(part)
            row.setSizes([540, 460])
        halves = Splitter(Qt.Orientation.Vertical)
        for half in (self.figure_row, self.text_row):
            halves.addWidget(half)
        # Proportions, not pixels: the splitter spreads the room that there is.
        halves.setSizes([360, 300])
        # Room for the explanation below the table.
        at_least(self.table, 20, 22)
        self._fit_text()
        when_restyled(self.text, self._fit_text)
        self.stack = LowStack()
        self.stack.addWidget(self.invitation)
        self.stack.addWidget(halves)
        self.methods.add(self.leave)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for widget in (self.sources, self.methods, self.headline, self.facts, self.notice, self.job):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        # All of it scrolls, not only the answer, of which large text and a notice would leave a strip.
        whole.addWidget(TallArea(page))
        self.stale = Dimmer(self.headline, self.facts, self.plot_panel, self.table, self.text, parent=self)

    def _fit_text(self) -> None:
        self.text.setMinimumSize(least_size())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put what is beside each other one below the other where there is no room."""
        super().resizeEvent(event)
        narrow = self.width() < em(_NARROW)
        for row in (self.figure_row, self.text_row):
            row.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

    def _connect(self) -> None:
        presenter = self.presenter
        self.methods.chosen.connect(presenter.choose_method)
        self.methods.entered.connect(presenter.set)
        self.leave.toggled.connect(presenter.leave_one_out)
        self.plot.chosen.connect(presenter.pick_method)
        self.token.search_wanted.connect(lambda text: self.requested.emit(SearchText(text)))
        # The presenter knows its slot only as something that runs work; signals for a bar come from the lane itself.
        scorer = self.lanes.named("perplexity")
        scorer.progressed.connect(self.job.show_progress)
        scorer.busy_changed.connect(self.job.set_busy)
        self.job.cancelled.connect(presenter.stop)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: PerplexityState, before: PerplexityState | None) -> None:
        self.sources.draw(state)
        self.methods.draw(state.method)
        self.leave.setChecked(state.leave_one_out)
        self.export.setEnabled(state.answer.value is not None)
        self._draw_notice(state, before)
        self.headline.say(*state.headline)
        self.facts.setText(state.told_facts)
        self.facts.setVisible(bool(self.facts.text()))
        self.invitation.say(*state.invitation, offered=state.corpus is not None and state.inputs.empty)
        # Dimmed or not, an answer keeps its place: nothing jumps while a new one is awaited.
        self.stack.setCurrentIndex(0 if state.answer.value is None else 1)
        # Measuring the plot takes longer than comparing what it shows.
        other = before is None or (state.answer.value, state.chosen) != (before.answer.value, before.chosen)
        if other and state.answer.value is not None and state.corpus is not None:
            bytes_ = is_bytes(state.corpus.index)
            axis = tr("Perplexity per byte (log)") if bytes_ else tr("Perplexity per token (log)")
            self.plot.show_lines(state.lines, state.answer.value.chosen, axis)
        self.table.draw(state, before)
        self.text.draw(state, before)
        self.token.draw(state, before)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _draw_notice(self, state: PerplexityState, before: PerplexityState | None) -> None:
        shown = (state.notice, state.remedies)
        # This replaces the buttons, so not while somebody may be about to press one.
        if before is not None and shown == (before.notice, before.remedies):
            return
        words = {
            "field": tr("Use no fields"),
            "format": tr("Read as text"),
            "on_bad": tr("Skip bad lines"),
            AGAIN: tr("Try again"),
        }
        remedies = [(words[name], lambda name=name: self.presenter.remedy(name)) for name in state.remedies]
        self.notice.show_notice(state.notice, kind="error" if state.failed else "warn", remedies=remedies)

    def score_text(self, text: str) -> None:
        """Make this the pasted text, and score and show it."""
        self.presenter.enter(text=text)
        # Not `choose_source`, which takes only sources of the answer: this one comes with the next.
        self.presenter.change(source=source_key(pasted_name()), place=0)
        self.presenter.run()

    # --- what the screen asks ------------------------------------------------------------------------

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Score the same texts in the new index."""
        self.presenter.use_corpus(corpus)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the open index."""
        self.presenter.fail_beside(error)

    def theme_changed(self) -> None:
        """Shade in the new colors."""
        self.text.reshade()
        self.plot.update()

    def recipe(self, source: Source) -> Recipe | None:
        """The perplexity that is shown."""
        # Only a current answer: a dimmed one belongs to other inputs than these.
        found = self.presenter.state.answer.current
        if found is None:
            return None
        asked = found.question
        return perplexity_recipe(
            source, asked.inputs, asked.method.name, dict(asked.method.settings), asked.leave_one_out
        )

    def asks_files(self) -> QAbstractButton | None:
        """The chip that adds files."""
        return self.sources.add

    def focus_input(self) -> None:
        """The first source, or the pasted text."""
        self.sources.focus_first()

    def session(self) -> dict[str, Any]:
        """Texts, files and method."""
        return session_of(self.presenter.state)

    def restore_session(self, values: dict[str, Any]) -> None:
        """Score the same texts again."""
        restore(self.presenter, values)

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
