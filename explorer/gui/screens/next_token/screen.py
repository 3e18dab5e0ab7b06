"""The widgets of the Next token screen: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.analyses.next_tokens.question import SAMPLED
from explorer.gui.charts.export.button import ExportButton
from explorer.gui.chrome.undo_keys import follow_choices
from explorer.gui.index.beside_notice import BesideNotice
from explorer.gui.presenting.requests import ContinueText, Request, SearchText
from explorer.gui.screens.next_token.beside import BesideState
from explorer.gui.screens.next_token.panels import LadderPanel, NextPanel, TreePanel
from explorer.gui.screens.next_token.presenter import NextTokenPresenter
from explorer.gui.screens.next_token.prompt_bar import PromptBar
from explorer.gui.screens.next_token.state import NextTokenState
from explorer.gui.screens.next_token.tree_state import Side
from explorer.gui.screens.next_token.work import MOST_STEPS
from explorer.gui.screens.screen import KeyButtons, Notice, Screen
from explorer.gui.style.theme import em
from explorer.gui.widgets.layouts.page_tabs import PageTabs
from explorer.gui.widgets.layouts.splitter import Splitter
from explorer.gui.widgets.layouts.stack import Stack
from explorer.gui.widgets.notices.empty_state import EmptyState
from explorer.gui.widgets.notices.notice import show_with_retry
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, next_token_recipe, word_tree_recipe

_NARROW, _LOW = 66.0, 38.0
"""Room for three panels, as multiples of the text size."""
_TREE = 2


class NextTokenScreen(Screen):
    """The prompt on top; its endings and what comes next side by side; the word tree below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = NextTokenPresenter(
            self.lanes,
            lambda text: self.requested.emit(SearchText(text)),
            self.append,
            lambda text: self.requested.emit(SearchText(text, tokens=True)),
        )
        self.bar = PromptBar(self.presenter)
        self.notice = Notice()
        # A separate notice: an answer from the first index must not remove an error of the other.
        self.beside_notice = BesideNotice(self.presenter.beside)
        charts, presenter = self.lanes.slot("charts"), self.presenter
        self.figure_button = ExportButton(charts, presenter.charts, presenter.fail)
        self.tree_button = ExportButton(charts, presenter.tree_charts, presenter.fail, self.tree_recipe)
        self.ladder = LadderPanel(self.presenter)
        self.next = NextPanel(self.presenter, self.figure_button)
        self.tree = TreePanel(self.presenter, self.tree_button)
        self.empty = EmptyState("next")
        self.tabs = PageTabs(tr("What comes next"), tr("Context"), tr("Word tree"), name=tr("Parts of the page"))
        self._lay_out()
        follow_choices(self, self.presenter.choices)
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)
        self._draw_beside(self.presenter.beside.state, None)
        self.presenter.beside.watch(self._draw_beside)

    def _lay_out(self) -> None:
        self.lists = Splitter(Qt.Orientation.Horizontal)
        self.halves = Splitter(Qt.Orientation.Vertical)
        for splitter, parts in ((self.lists, (self.ladder, self.next)), (self.halves, (self.lists, self.tree))):
            for number, part in enumerate(parts):
                splitter.addWidget(part)
                splitter.setStretchFactor(number, 1)
            # Proportions, not pixels: without them, the panel with the longer words would take most of the room.
            splitter.setSizes([1_000, 1_000])
        self.stack = Stack()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.halves)
        self.tabs.currentChanged.connect(lambda _: self._fold())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(8)
        for part in (self.bar, self.notice, self.beside_notice, self.tabs):
            layout.addWidget(part)
        layout.addWidget(self.stack, 1)
        # Before the first layout: three panels would make the window larger than it has to be.
        self._fold()

    def append(self, text: str) -> None:
        """Append a text to the prompt."""
        self.bar.append(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room for all three panels, show one at a time."""
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        # Called at every change of size; setting what is set already costs nothing.
        folded = self.width() < em(_NARROW) or self.height() < em(_LOW)
        shown = self.tabs.currentIndex()
        self.tabs.setVisible(folded)
        for number, panel in enumerate((self.next, self.ladder, self.tree)):
            panel.setVisible(not folded or number == shown)
        # A splitter without a visible panel would still take its share.
        self.lists.setVisible(not folded or shown < _TREE)

    def recipe(self, source: Source) -> Recipe | None:
        """What follows the prompt."""
        answer = self.presenter.state.answer.current
        if answer is None:
            return None
        asked = answer.request
        question = replace(asked.question, limit=SAMPLED if answer.sample else None)
        return next_token_recipe(source, asked.prompt, question, MOST_STEPS)

    def pressed_by_keys(self) -> KeyButtons:
        """What comes next, and the word tree."""
        return KeyButtons(exports=(self.figure_button, self.tree_button))

    def tree_recipe(self, source: Source) -> Recipe | None:
        """The branches of the word tree."""
        answer, tree = self.presenter.state.answer.current, self.presenter.tree.state.answer.current
        if answer is None or tree is None:
            return None
        asked = tree.request
        sides = {"after": (Side.AFTER, Side.BOTH), "before": (Side.BEFORE, Side.BOTH)}
        opened = {
            name: [spot.path for spot in asked.opened if spot.before == (name == "before")]
            for name, shown in sides.items()
            if asked.side in shown
        }
        return word_tree_recipe(source, answer.request.prompt, asked.root, asked.widths, opened)

    def focus_input(self) -> None:
        """The prompt."""
        self.bar.prompt.setFocus()

    def take(self, request: Request) -> None:
        """Ask what follows a text."""
        if not isinstance(request, ContinueText):
            super().take(request)
            return
        self.presenter.typed(request.text)

    def session(self) -> dict[str, Any]:
        """The prompt and how it is shown."""
        return self.presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """Ask again."""
        self.presenter.restore(values)
        # The user did not type the empty prompt that was there.
        self.bar.prompt.document().clearUndoRedoStacks()

    def corpus_changed(self) -> None:
        """Ask the new index."""
        self.presenter.use_corpus(self.corpus)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: NextTokenState, before: NextTokenState | None) -> None:
        self.bar.draw(state, before)
        show_with_retry(self.notice, state.notice, state.answer.error or state.ladder.error, self.presenter.run)
        self.ladder.draw(state, before)
        self.next.draw(state, before)
        if not state.has_page:
            self.empty.say(*state.invitation)
        self.stack.setCurrentIndex(int(state.has_page))

    def _draw_beside(self, state: BesideState, before: BesideState | None) -> None:
        self.bar.draw_beside(state)
        self.beside_notice.draw(state.notice, state.entry, state.remedies)
        self.next.draw_beside(state, before)
