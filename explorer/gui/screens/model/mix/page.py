"""The widgets of the Mix tab: they draw the presenter's state and hand on what a person does."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.figures.button import ExportButton
from explorer.gui.lanes import Lanes
from explorer.gui.screen import Notice
from explorer.gui.screens.model.mix.curve import MixCurve
from explorer.gui.screens.model.mix.neural_row import NeuralRow
from explorer.gui.screens.model.mix.presenter import MixPresenter, restore, session_of
from explorer.gui.screens.model.mix.state import ADDRESS, OPEN, TEXT, WORDS, MixState
from explorer.gui.screens.model.mix.tables import MixTables
from explorer.gui.screens.model.mix.text_panel import MixTextPanel
from explorer.gui.screens.model.mix.work import ScoreFile
from explorer.gui.screens.model.page import ModelPage
from explorer.gui.sources.invitation import Invitation
from explorer.gui.sources.sources_bar import SourcesBar
from explorer.gui.theme import em
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.headline import Headline
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.notice import Kind
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.scroll_areas import TallArea, at_least
from explorer.gui.widgets.splitter import Splitter
from explorer.gui.widgets.stack import LowStack
from explorer.i18n import tr
from explorer.neural.address import ServerError, address_of
from explorer.recipes import Recipe, Source, mix_recipe

_NARROW = 58
"""Width in em below which curve and table are one below the other."""


class MixPage(ModelPage):
    """Texts and the model on top, the answer in a sentence, curve and table, and the text below them."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = MixPresenter(lanes)
        self._make_widgets()
        self._lay_out()
        self._connect()
        # Drawn once by hand: `watch` reports changes only.
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.export = ExportButton(self.lanes.slot("mix charts"), presenter.charts, presenter.fail_beside)
        self.sources, self.row = SourcesBar(presenter), NeuralRow()
        self.headline, self.facts = Headline(), ElidedLabel()
        self.facts.setProperty("role", "muted")
        self.notice = Notice()
        # A bar each: what is scored is mixed while sizes are computed.
        self.bars = {name: JobBar() for name in ("mix asking", "mix", "mix sizes")}
        self.curve = MixCurve()
        self.curve_panel = Panel()
        self.curve_panel.hold(self.curve)
        self.tables = MixTables(presenter)
        self.text = MixTextPanel(presenter, self.tables)
        self.invitation = Invitation(
            "model", self.sources.paste.open, self.sources.ask_files, lambda paths: presenter.add_files(*paths)
        )
        self.setAcceptDrops(True)

    def _lay_out(self) -> None:
        self.figures = Splitter(Qt.Orientation.Horizontal)
        for part in (self.curve_panel, self.tables):
            self.figures.addWidget(part)
        self.figures.setSizes([480, 520])
        halves = Splitter(Qt.Orientation.Vertical)
        for half in (self.figures, self.text):
            halves.addWidget(half)
        # Proportions, not pixels.
        halves.setSizes([360, 300])
        at_least(self.tables, 24, 17)
        at_least(self.text, 20, 14)
        self.stack = LowStack()
        self.stack.addWidget(self.invitation)
        self.stack.addWidget(halves)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for widget in (self.sources, self.row, self.headline, self.facts, self.notice, *self.bars.values()):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(TallArea(page))
        self.stale = Dimmer(self.headline, self.facts, self.curve_panel, self.tables, self.text, parent=self)

    def _connect(self) -> None:
        presenter, row = self.presenter, self.row
        row.taken_from.connect(presenter.take_from)
        row.pointed.connect(presenter.server.point_to)
        row.wanted.connect(presenter.server.ask)
        row.opened.connect(lambda name: presenter.open_file(Path(name)))
        row.method_chosen.connect(presenter.choose_method)
        row.left_out.connect(presenter.leave_one_out)
        row.sizes_wanted.connect(presenter.measure_sizes)
        for name, bar in self.bars.items():
            lane = self.lanes.named(name)
            lane.progressed.connect(bar.show_progress)
            lane.busy_changed.connect(bar.set_busy)
            bar.cancelled.connect(presenter.stop)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: MixState, before: MixState | None) -> None:
        # A file of log probabilities has its texts in it.
        self.sources.setVisible(not state.from_file)
        self.sources.draw(state)
        self.row.draw(state)
        self.export.setEnabled(state.shown is not None)
        self._draw_notice(state, before)
        self.headline.say(*state.headline)
        self.facts.setText(state.told_facts)
        self.facts.setVisible(bool(self.facts.text()))
        # Without an index, nothing could be mixed with what was scored.
        offered = state.corpus is not None and not state.from_file and state.inputs.empty
        self.invitation.say(*state.invitation, offered=offered)
        # Dimmed or not, an answer keeps its place: nothing jumps while a new one is awaited.
        self.stack.setCurrentIndex(0 if state.shown is None else 1)
        if before is None or state.shown is not before.shown:
            self.curve.show_mix(None if state.shown is None else state.shown.found)
        self.text.draw(state, before)
        self.tables.draw(state, before)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _draw_notice(self, state: MixState, before: MixState | None) -> None:
        # The kind as well: a question and an error may have the same words.
        shown = (state.notice, state.remedies, state.kind)
        # This replaces the buttons, so not while somebody may be about to press one.
        if before is not None and shown == (before.notice, before.remedies, before.kind):
            return
        remedies = [(tr(WORDS[name]), partial(self._remedy, name)) for name in state.remedies]
        self.notice.show_notice(state.notice, kind=cast(Kind, state.kind), remedies=remedies)

    def _remedy(self, name: str) -> None:
        if name == ADDRESS:
            self.row.focus_address()
        elif name == OPEN:
            self.row.ask_file()
        elif name == TEXT:
            self.sources.paste.open()
        else:
            self.presenter.remedy(name)

    # --- what the screen asks ------------------------------------------------------------------------

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Mix the new index with the same model."""
        self.presenter.use_corpus(corpus)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the open index."""
        self.presenter.fail_beside(error)

    def theme_changed(self) -> None:
        """Shade in the new colors."""
        self.text.shade()
        self.curve.update()

    def recipe(self, source: Source) -> Recipe | None:
        """The mixture that is shown; of texts that are scored in part, there is no program."""
        state = self.presenter.state
        found = state.answer.current
        if found is None or (not state.from_file and (state.kept is None or not state.kept.whole)):
            return None
        asked = found.question
        # What was asked, not what the fields have now.
        if isinstance(asked.scored, ScoreFile):
            file = str(asked.scored.path)
            return mix_recipe(source, asked.method, asked.leave_one_out, file=file, log_base=asked.scored.log_base)
        return mix_recipe(
            source, asked.method, asked.leave_one_out, url=state.asked.url, texts=state.inputs,
            remote=_is_remote(state),
        )  # fmt: skip

    def asks_files(self) -> QAbstractButton | None:
        """The button that opens log probabilities, or the chip that adds texts."""
        return self.row.file if self.presenter.state.from_file else self.sources.add

    def focus_input(self) -> None:
        """The first source, or the file."""
        if self.presenter.state.from_file:
            self.row.file.setFocus()
        else:
            self.sources.focus_first()

    def session(self) -> dict[str, Any]:
        """Texts, model and method."""
        return session_of(self.presenter.state)

    def restore_session(self, values: dict[str, Any]) -> None:
        """Restore what was chosen; a server is not asked."""
        restore(self.presenter, values)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the curve above the table where there is no room beside it."""
        super().resizeEvent(event)
        narrow = self.width() < em(_NARROW)
        self.figures.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        # A link from a browser is a URL as well, and is not taken.
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add files as texts, or open one of log probabilities."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.presenter.add_files(*paths)


def _is_remote(state: MixState) -> bool:
    try:
        return not address_of(state.asked.url, state.allowed.__contains__).is_local
    except ServerError:
        return False
