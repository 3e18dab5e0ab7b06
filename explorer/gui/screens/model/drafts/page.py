"""The widgets of the Draft bench: they draw the presenter's state and hand on what a person does."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QVBoxLayout, QWidget

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.figures.button import ExportButton
from explorer.gui.folders import begin_in
from explorer.gui.lanes import Lanes
from explorer.gui.requests import Saved
from explorer.gui.screen import Notice, label, named
from explorer.gui.screens.model.drafts.answers import DraftedAnswers
from explorer.gui.screens.model.drafts.presenter import LIMITS, DraftPresenter, restore, session_of
from explorer.gui.screens.model.drafts.state import AGAIN, HEADER, HEADER_TIPS, DraftState
from explorer.gui.screens.model.page import ModelPage
from explorer.gui.sources.invitation import Invitation
from explorer.gui.sources.sources_bar import SourcesBar
from explorer.gui.theme import em
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.headline import Headline
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.number_box import DecimalBox, NumberBox
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.scroll_areas import TallArea, at_least
from explorer.gui.widgets.splitter import Splitter
from explorer.gui.widgets.stack import LowStack
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, draft_recipe

_NARROW = 58
"""Width in em below which the table is above the answers."""


class DraftsPage(ModelPage):
    """Answers and how drafts are made on top, the result in a sentence, a table of sources, and the answers."""

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = DraftPresenter(lanes, self._tell_saved)
        self._make_widgets()
        self._lay_out()
        self._connect()
        # Drawn once by hand: `watch` reports changes only.
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.export = ExportButton(self.lanes.slot("drafts charts"), presenter.charts, presenter.fail_beside)
        self.sources = SourcesBar(presenter)
        self.most = named(NumberBox(minimum=LIMITS["most"][0], maximum=LIMITS["most"][1]), tr("Longest draft"))
        self.context = named(NumberBox(minimum=LIMITS["context"][0], maximum=LIMITS["context"][1]), tr("Context"))
        self.least = named(DecimalBox(minimum=0, maximum=1, decimals=2, singleStep=0.05), tr("Least probability"))
        self.cache = push_button(tr("Save lookup cache …"), "quiet", "download")
        self.cache.setToolTip(tr("Write the corpus as llama.cpp's static lookup cache (--lookup-cache-static)"))
        self.headline, self.facts = Headline(), ElidedLabel()
        self.facts.setProperty("role", "muted")
        self.notice, self.job, self.writing = Notice(), JobBar(), JobBar()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Drafts by source"), wide=(0,))
        self.answers = DraftedAnswers(presenter)
        self.invitation = Invitation(
            "model", self.sources.paste.open, self.sources.ask_files, lambda paths: presenter.add_files(*paths)
        )
        self.setAcceptDrops(True)

    def _lay_out(self) -> None:
        settings = QWidget()
        row = FlowLayout(settings, gap=8)
        for words, box in (
            (tr("Longest draft"), self.most),
            (tr("Context"), self.context),
            (tr("Least probability"), self.least),
        ):
            row.addWidget(label(words, "muted"))
            row.addWidget(box)
        row.addWidget(self.cache)
        panel = Panel()
        panel.hold(self.table)
        self.halves = Splitter(Qt.Orientation.Horizontal)
        for part in (panel, self.answers):
            # In points of the text size, which may change later.
            at_least(part, 24, 14)
            self.halves.addWidget(part)
        # A proportion, not pixels.
        self.halves.setSizes([420, 580])
        self.stack = LowStack()
        self.stack.addWidget(self.invitation)
        self.stack.addWidget(self.halves)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for widget in (self.sources, settings, self.headline, self.facts, self.notice, self.job, self.writing):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(TallArea(page))
        self.stale = Dimmer(self.headline, self.facts, panel, self.answers, parent=self)

    def _connect(self) -> None:
        presenter = self.presenter
        self.most.valueChanged.connect(lambda value: presenter.set(most=value))
        self.context.valueChanged.connect(lambda value: presenter.set(context=value))
        self.least.valueChanged.connect(lambda value: presenter.set(least=value))
        self.cache.clicked.connect(self._ask_cache)
        self.table.clicked.connect(lambda at: presenter.pick(at.row()))
        self.table.activated.connect(lambda at: presenter.pick(at.row()))
        # A bar each: the cache may be written while other answers are drafted.
        for name, bar, stop in (
            ("drafts", self.job, presenter.stop),
            ("drafts cache", self.writing, presenter.writer.cancel),
        ):
            lane = self.lanes.named(name)
            lane.progressed.connect(bar.show_progress)
            lane.busy_changed.connect(bar.set_busy)
            bar.cancelled.connect(stop)

    def _ask_cache(self) -> None:
        corpus = self.presenter.state.corpus
        # The button is off without an index, but a key may come in between.
        if corpus is not None:
            name, _ = QFileDialog.getSaveFileName(self, tr("Save lookup cache"), begin_in())
            if name:
                self.presenter.save_cache(Path(name))

    def _tell_saved(self, path: Path) -> None:
        self.requested.emit(Saved(path, tr("Saved {name}", name=path.name)))

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: DraftState, before: DraftState | None) -> None:
        self.sources.draw(state)
        for box, value in ((self.most, state.rule.most), (self.context, state.rule.context)):
            box.setValue(value)
        # Boxes keep what is being typed where it means the same.
        self.least.setValue(state.rule.least)
        self.cache.setEnabled(state.corpus is not None)
        self.export.setEnabled(state.answer.value is not None)
        self._draw_notice(state, before)
        self.headline.say(*state.headline)
        self.facts.setText(state.told_facts)
        self.facts.setVisible(bool(self.facts.text()))
        self.invitation.say(*state.invitation, offered=state.corpus is not None and state.inputs.empty)
        # Dimmed or not, an answer keeps its place: nothing jumps while a new one is awaited.
        self.stack.setCurrentIndex(0 if state.answer.value is None else 1)
        if before is None or state.answer.value is not before.answer.value:
            self.model.show(tuple(map(tr, HEADER)) if state.table else (), state.table, tuple(map(tr, HEADER_TIPS)))
        if 0 <= state.table_row < self.model.rowCount():
            flags = QItemSelectionModel.SelectionFlag
            index = self.model.index(state.table_row, 0)
            self.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.answers.draw(state)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _draw_notice(self, state: DraftState, before: DraftState | None) -> None:
        # This replaces the buttons, so not while somebody may be about to press one.
        if before is not None and (state.notice, state.remedies) == (before.notice, before.remedies):
            return
        words = {
            "field": tr("Use no fields"),
            "format": tr("Read as text"),
            "on_bad": tr("Skip bad lines"),
            AGAIN: tr("Try again"),
        }
        remedies = [(words[name], partial(self.presenter.remedy, name)) for name in state.remedies]
        self.notice.show_notice(state.notice, kind="error", remedies=remedies)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Draft the same answers from the new index."""
        self.presenter.use_corpus(corpus)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the open index."""
        self.presenter.fail_beside(error)

    def theme_changed(self) -> None:
        """Shade in the new colors."""
        self.answers.shade()

    def recipe(self, source: Source) -> Recipe | None:
        """The figures that are shown."""
        # Only a current answer: a dimmed one belongs to other inputs than these.
        found = self.presenter.state.answer.current
        return None if found is None else draft_recipe(source, found.question.inputs, found.question.rule)

    def asks_files(self) -> QAbstractButton | None:
        """The chip that adds files."""
        return self.sources.add

    def focus_input(self) -> None:
        """The first source, or the pasted text."""
        self.sources.focus_first()

    def session(self) -> dict[str, Any]:
        """Answers and rule."""
        return session_of(self.presenter.state)

    def restore_session(self, values: dict[str, Any]) -> None:
        """Draft the same answers again."""
        restore(self.presenter, values)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the table above the answers where there is no room beside them."""
        super().resizeEvent(event)
        narrow = self.width() < em(_NARROW)
        self.halves.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

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
