"""Trace: a text, a conversation, a file of answers or what a model writes, and what of it occurs in the corpus."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.errors import CorpusError
from explorer.gui.app.host import Host, HostedScreen
from explorer.gui.presenting.requests import ProfileToken, Request, TraceText
from explorer.gui.screens.screen import KeyButtons
from explorer.gui.screens.trace.documents.choice_state import ChoiceState
from explorer.gui.screens.trace.figures import Jump
from explorer.gui.screens.trace.pages import Pages
from explorer.gui.screens.trace.presenter import TracePresenter, shown_answer
from explorer.gui.screens.trace.settings_sheet import SettingsSheet
from explorer.gui.screens.trace.state import TraceState, View
from explorer.gui.screens.trace.trace_head import TraceHead
from explorer.gui.screens.trace.words_line import WordsLine
from explorer.gui.widgets.layouts.page_tabs import PageTabs
from explorer.gui.widgets.notices.notice import show_with_retry
from explorer.recipes import Recipe, Source, trace_recipe


class TraceScreen(HostedScreen):
    """Four tabs: one text, a conversation, a file of answers, models. Their settings are in one side sheet."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = TracePresenter(self.lanes, self.requested.emit)
        charter = self.lanes.slot("charts")
        self.head = TraceHead(self.presenter)
        self.pages = Pages(self.presenter, charter, self.head, self.paste)
        self.text = self.pages.text
        self.settings = SettingsSheet(self.presenter, self.pages)
        self.words = WordsLine(self.presenter, self.lanes)
        self._lay_out()
        # Drawn once before they are watched: presenters report changes only.
        self._draw(self.presenter.state, None)
        self._draw_choice(self.presenter.choice.state, None)
        self.presenter.watch(self._draw)
        self.presenter.choice.watch(self._draw_choice)
        self.presenter.side.watch(self.text.draw_side)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(16, 8, 16, 0)
        row.addWidget(self.head)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        offered = QHBoxLayout()
        offered.setContentsMargins(16, 0, 16, 0)
        offered.addWidget(self.words)
        layout.addLayout(offered)
        layout.addWidget(self.pages, 1)

    @property
    def tabs(self) -> PageTabs:
        """One text, a conversation, a file of answers, models."""
        return self.head.tabs

    def paste(self) -> None:
        """Read the conversation on the clipboard."""
        self.presenter.conversation.take_text(QGuiApplication.clipboard().text())

    def recipe(self, source: Source) -> Recipe | None:
        """The spans and documents of the text, or of the answer of a model whose documents are listed."""
        answer = shown_answer(self.presenter)
        if answer is None:
            return None
        asked = answer.request
        return trace_recipe(source, asked.text, asked.prompt, asked.settings, asked.without_self)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: TraceState, before: TraceState | None) -> None:
        self.text.draw(state, before)
        self.head.draw(state)
        self.pages.setCurrentIndex(state.view)
        self.settings.draw(state, before)
        self.words.draw(state, before)
        # One line for two presenters: each shows the reason of the other if it has none itself.
        sentence = state.notice or self.presenter.choice.state.notice
        show_with_retry(self.text.notice, sentence, state.answer.error, self.presenter.run)

    def _draw_choice(self, state: ChoiceState, before: ChoiceState | None) -> None:
        self.text.draw_choice(state, before)
        answer = self.presenter.state
        show_with_retry(self.text.notice, answer.notice or state.notice, answer.answer.error, self.presenter.run)

    def use_host(self, host: Host) -> None:
        """Begin with what the settings have for new windows."""
        get = host.settings.get
        self.presenter.set_up(
            match=get("trace_match"),
            min_length=get("trace_min_length"),
            documents_per_span=get("trace_documents"),
            relevance=get("trace_relevance"),
        )

    def step(self, by: int) -> None:
        """Go to the next passage (1) or the previous one (-1); side by side, to a difference."""
        if self.presenter.side.state.shown and self.presenter.state.view is View.TEXT:
            self.presenter.side.step(by)
            return
        if self.presenter.state.view is View.CONVERSATION:
            self.presenter.conversation.step_passage(by)
        elif self.presenter.state.view is View.ASK:
            self.presenter.ask.active.talk.conversation.step_passage(by)
        elif self.presenter.state.view is View.TEXT:
            self.presenter.choice.step(by)

    def compare(self) -> None:
        """Show the document of the chosen card side by side with the text; without a choice, the first one."""
        if self.presenter.state.view is View.TEXT:
            self.presenter.side.compare(max(0, self.text.evidence.documents.cards.currentIndex().row()))

    def go_to_longest(self) -> None:
        """Choose the longest match of the text or of the conversation."""
        if self.presenter.state.view is View.CONVERSATION:
            self.presenter.conversation.press(Jump.LONGEST)
        elif self.presenter.state.view is View.ASK:
            self.presenter.ask.active.talk.conversation.press(Jump.LONGEST)
        elif self.presenter.state.view is View.TEXT:
            self.presenter.choice.press(Jump.LONGEST)

    def copy_with_source(self) -> None:
        """Copy the passage of the chosen card with its document; without a choice, of the first one."""
        if self.presenter.state.view is View.TEXT:
            self.text.evidence.documents.copy_card()

    def step_answer(self, by: int) -> None:
        """Go to the next answer (1) or the previous one (-1) of the conversation or of the file."""
        if self.presenter.state.view is View.CONVERSATION:
            self.presenter.conversation.step(by)
        elif self.presenter.state.view is View.ASK:
            self.presenter.ask.active.talk.conversation.step(by)
        else:
            self.presenter.batch.step(by)

    def take(self, request: Request) -> None:
        """Trace a text that another part of the window names, or show the profile of one of its tokens."""
        if isinstance(request, TraceText):
            self.presenter.trace_text(request.text, request.prompt)
        elif isinstance(request, ProfileToken):
            self.presenter.profile_token(request.text, request.character)
        else:
            super().take(request)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the open index."""
        self.presenter.fail(error)

    def pressed_by_keys(self) -> KeyButtons:
        """The kind of file that is in front; the table of a file of answers, or the report."""
        return KeyButtons(self.head.open, (*self.pages.export_buttons(), self.head.report))

    def focus_input(self) -> None:
        """The text, the conversation, the table or the question."""
        self.pages.input_of(self.presenter.state.view).setFocus()

    def corpus_changed(self) -> None:
        """Trace the same text in the new index."""
        self.presenter.use_corpus(self.corpus)

    def theme_changed(self) -> None:
        """Mark again in the new colors."""
        self.text.draw_choice(self.presenter.choice.state, None)

    def session(self) -> dict[str, Any]:
        """The text and its prompt."""
        return self.presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """Trace the same text again."""
        self.presenter.restore(values)
