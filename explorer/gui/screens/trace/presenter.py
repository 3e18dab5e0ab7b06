"""What the Trace screen does: traces a text, a conversation or a file of answers. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.analyses.trace.conversation import looks_like_conversation
from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.presenting.requests import Request
from explorer.gui.screens.trace.ask.presenter import AskPresenter
from explorer.gui.screens.trace.batch.presenter import BatchPresenter
from explorer.gui.screens.trace.beside.state import SidePresenter
from explorer.gui.screens.trace.conversation.presenter import ConversationPresenter
from explorer.gui.screens.trace.documents.choice_presenter import ChoicePresenter
from explorer.gui.screens.trace.documents.choice_state import Tab
from explorer.gui.screens.trace.documents.own_documents import OwnDocuments
from explorer.gui.screens.trace.documents.profile_state import ProfilePresenter
from explorer.gui.screens.trace.reports import ReportWriter
from explorer.gui.screens.trace.state import Part, TraceState, View
from explorer.gui.screens.trace.text.pieces import MOST_CHARACTERS, PiecesPresenter, is_large
from explorer.gui.screens.trace.text.reading import read_document
from explorer.gui.screens.trace.text.replaced_prompts import ReplacedPrompts
from explorer.gui.screens.trace.words_desk import TracedWords, WordsDesk
from explorer.gui.screens.trace.work import TraceAnswer, TraceRequest, trace

WORDS_SLOT = "trace words"
"""The slot in which the word index is opened and made."""
_DEBOUNCE_MS = 300
_MOST_AT_ONCE = 4 * MOST_CHARACTERS
"""Characters of a text that is traced as one. It may grow while it is edited: what is pasted has a lower limit."""


class TracePresenter(Presenter[TraceState]):
    """The screen without its widgets.

    `choice`: what is chosen of the trace, and its documents; `own`: documents that contain most of the text; `words`:
    the word index, for traces in words; `pieces`: the pieces of a very long text; `conversation`: a conversation;
    `batch`: a file of answers; `ask`: questions to models.

    ask: Called with what another part of the window is to do.
    """

    def __init__(self, services: Services, ask: Callable[[Request], None]) -> None:
        super().__init__(TraceState())
        # Each in a slot of its own: a slot keeps only its newest request.
        self._tracer = services.slot("trace")
        self.own = OwnDocuments(services.slot("own documents", kind=Kind.APART), self.run, self.fail)
        self._opener = services.slot("file to trace")
        self._typing = services.delay(_DEBOUNCE_MS, self.run)
        self.choice = ChoicePresenter(services.slot("selection", kind=Kind.QUICK), ask)
        self.profile = ProfilePresenter(services.slot("n-gram profile", kind=Kind.QUICK))
        self.side = SidePresenter(services.slot("side by side"), ask, self.choice)
        self.pieces = PiecesPresenter(lambda piece: self._put(piece.text, piece.prompt))
        self.conversation = ConversationPresenter(services, ask)
        self.conversation.use_settings(self.state.settings)
        self.ask = AskPresenter(services, ask)
        self.ask.use_settings(self.state.settings)
        self.reports = ReportWriter(services.slot("report", kind=Kind.APART), ask, self.fail)
        self.batch = BatchPresenter(services, ask, lambda row: self.trace_text(row.text, row.prompt))
        # All three tabs read texts in the same way from the start.
        self.batch.use_settings(self.state.settings)
        self.words = WordsDesk(services.slot(WORDS_SLOT, kind=Kind.APART), self.fail)
        self._prompts = ReplacedPrompts()
        self.own.watch(lambda own, _: self.change(own=own))
        self.words.watch(self._take_words)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Trace the same text in another index."""
        self.own.forget()
        self.reports.cancel()
        self.change(corpus=corpus)
        self.conversation.use_corpus(corpus)
        self.ask.use_corpus(corpus)
        self.batch.use_corpus(corpus)
        self.words.use_index(None if corpus is None else corpus.index)
        self._open_words()
        # A trace of another index is of no use here, not even dimmed.
        self._forget()
        self.run()

    def typed(self, text: str) -> None:
        """Take another text. It is traced when nothing was typed for a moment."""
        if text != self.state.text:
            self.change(text=text, prompt=self._prompts.of(text, self.state.prompt))
            # Before the next trace: what is chosen of the old text must not be taken for places in the new one.
            self.choice.compare(text)
            self._typing.start()

    def typed_prompt(self, prompt: str) -> None:
        """Take another prompt."""
        if prompt != self.state.prompt:
            self.change(prompt=prompt)
            self._typing.start()

    def set_up(self, **values: Any) -> None:
        """Change some settings, by their names; they hold for the text and for files of answers."""
        try:
            settings = replace(self.state.settings, **values)
        except CorpusError as error:
            self.fail(error)
            return
        if settings != self.state.settings:
            if settings.match != self.state.settings.match:
                # What was left out of the tokens is not left out of the words.
                self.own.forget()
            self.change(settings=settings)
            self._open_words()
            self._pass_on()
            self._typing.start()

    def _open_words(self) -> None:
        """Open the words of the index if the settings want them."""
        if self.state.in_words:
            self.words.open()

    def _take_words(self, words: TracedWords, before: TracedWords) -> None:
        self.change(words=words, error=None if words.awaited and not before.awaited else self.state.error)
        if words.backend is before.backend:
            return
        self.conversation.change(words=words.backend)
        self.ask.use_words(words.backend)
        self._pass_on()
        if words.backend is not None and self.state.in_words:
            # Of the tokens, other documents were excluded; the answer in tokens stays until this one is there.
            self.own.again()
            self.run()

    def _pass_on(self) -> None:
        """Have conversations and files traced with the settings that are in force."""
        settings = self.state.effective
        if settings != self.batch.state.settings:
            for part in (self.conversation, self.ask, self.batch):
                part.use_settings(settings)

    def leave_out(self, own: bool) -> None:
        """Leave the documents that contain most of the text out of the index (True), or put them back."""
        answer = self.state.answer.value
        if not own:
            self.own.leave_out(None)
        elif answer is not None:
            self.own.leave_out(answer.request)

    def pasted_over(self, old: str) -> None:
        """Take the prompt of a text away, since another text was pasted over it.

        old: The text that was there. If it had only space, the prompt was written for what was pasted.
        """
        if not old.strip() or self.state.text == old:
            return
        # Neither a row of a file nor a piece of a long text any more.
        self.batch.leave_row()
        self.pieces.forget()
        self._prompts.replace(old, self.state.prompt, self.state.text)
        self.typed_prompt("")

    def trace_text(self, text: str, prompt: str = "") -> None:
        """Trace another text.

        prompt: The prompt that it answers; "" for none.
        """
        self.batch.leave_row()
        # Before it reaches the editor, which would lay it out at once: as when it is pasted.
        if len(text) > _MOST_AT_ONCE:
            self.pieces.offer(text)
            return
        self.pieces.forget()
        self._put(text, prompt)

    def _put(self, text: str, prompt: str) -> None:
        """Trace a text, or a piece of one."""
        self._prompts.forget()
        self.change(view=View.TEXT, text=text, prompt=prompt)
        # The editor, which draws the text, cannot hold every character, and has called `typed` with what it holds.
        self.choice.compare(self.state.text)
        self.run()

    def paste(self, text: str) -> None:
        """Take a text that is more than the editor should hold: a conversation, or one to be traced in parts."""
        if looks_like_conversation(text):
            self.change(view=View.CONVERSATION)
            self.conversation.take_text(text)
        else:
            self.batch.leave_row()
            self.pieces.offer(text)

    def open(self, path: Path) -> None:
        """Trace the text or the conversation of a file; on the tab for files, trace its answers."""
        if self.state.view is View.ASK:
            self.change(view=View.TEXT)
        if self.state.view is View.FILE:
            self.batch.open(path)
            return

        def take(text: str) -> None:
            self.change(error=None)
            if self.state.view is View.CONVERSATION:
                # If it is not one, the reason is told where it was opened.
                self.conversation.take_text(text)
            elif is_large(text):
                self.paste(text)
            else:
                self.trace_text(text)

        self._opener.run(lambda cancel: read_document(path), take, self.fail)

    def clear(self) -> None:
        """Empty the tab that is shown."""
        if self.state.view is View.CONVERSATION:
            self.conversation.forget()
        elif self.state.view is View.FILE:
            self.batch.forget()
        elif self.state.view is View.ASK:
            self.ask.forget()
        else:
            self.show_part(Part.PROMPT, False)
            self.trace_text("")

    def run(self) -> None:
        """Trace the text."""
        self._typing.stop()
        state = self.state
        if state.corpus is None or not state.asks:
            self._forget()
            return
        # Typed or restored: a pasted text is divided before it reaches the editor. A text may grow a little while it is
        # edited, so the limit is higher here.
        if len(state.text) > _MOST_AT_ONCE:
            self._tracer.cancel()
            self.pieces.offer(state.text)
            return
        request = _request(state, state.corpus)
        self._show(state.answer.asked())
        if self.own.looks_first(request):
            self._tracer.cancel()
            return
        self._tracer.run(lambda cancel: trace(request, cancel), self._take, self._fail)

    def _take(self, answer: TraceAnswer) -> None:
        # A text that was typed meanwhile is traced soon: the delay waits since it was typed.
        if answer.request.text == self.state.text:
            self._show(self.state.answer.arrived(answer), error=None)

    def _fail(self, error: CorpusError) -> None:
        self._show(self.state.answer.failed(error))

    def _forget(self) -> None:
        self._tracer.cancel()
        self._show(Answer(), error=None)

    def _show(self, answer: Answer[TraceAnswer], **changes: Any) -> None:
        # A comparison is of the trace that is shown.
        if answer.value is not self.state.answer.value:
            self.side.close()
            self.profile.follow(answer.value)
        # First the text, then its documents: the editor contains the text when its marks are drawn.
        self.change(answer=answer, **changes)
        self.choice.follow(answer, self.state.corpus is not None)

    def profile_token(self, text: str, character: int) -> None:
        """Trace a text, and show the profile of one of its tokens.

        character: A character of the text as it is written; the token with it is chosen when the trace arrives.
        """
        self.profile.want(character)
        self.choice.show_tab(Tab.PROFILE)
        self.trace_text(text)

    def choose_view(self, view: View) -> None:
        """Show one text, or a file of answers."""
        self.change(view=view)

    def show_part(self, part: Part, shown: bool) -> None:
        """Show or hide a part of the screen."""
        parts = self.state.parts | {part} if shown else self.state.parts - {part}
        if parts != self.state.parts:
            self.change(parts=parts)

    def fail(self, error: CorpusError) -> None:
        """Show why something failed that leaves the trace as it is."""
        self.change(error=error)

    @property
    def reported(self) -> tuple[TraceAnswer, ...]:
        """What a report would contain: the text, or all answers of the conversation."""
        if self.state.view is View.CONVERSATION:
            return tuple(self.conversation.state.answers.values())
        if self.state.view is View.ASK:
            return self.ask.reported
        return () if self.state.answer.value is None else (self.state.answer.value,)

    def session(self) -> dict[str, Any]:
        """The text and its prompt, what is looked up, and the conversation, as JSON values."""
        own = {"text": self.state.text, "prompt": self.state.prompt, "match": self.state.settings.match}
        return {
            **own,
            "settings": self.state.settings.session,
            **self.own.session(self.state.text),
            **self.conversation.session(),
            **self.batch.session(),
            **self.ask.session(),
        }

    def restore(self, values: dict[str, Any]) -> None:
        """Trace the text of a session again; missing or invalid values are left unchanged."""
        # Earlier versions kept only what is looked up.
        settings = values.get("settings")
        saved = {
            **(settings if isinstance(settings, dict) else {}),
            **({"match": values["match"]} if "match" in values else {}),
        }
        self.set_up(**vars(self.state.settings.restored(saved)))
        # After the settings, which forget it, and before the text is traced.
        self.own.restore(values)
        text, prompt = values.get("text"), values.get("prompt")
        if isinstance(text, str) and text and isinstance(prompt, str):
            self.trace_text(text, prompt)
        self.conversation.restore(values)
        self.ask.restore(values)
        self.batch.restore(values)


def shown_answer(presenter: TracePresenter) -> TraceAnswer | None:
    """Give the trace that is shown as one, complete and of the newest text.

    Returns: The trace of the text, or of the answer of a model whose documents are listed; None in the other tabs.
    """
    if presenter.state.view is View.TEXT:
        return presenter.state.answer.current
    talk = presenter.ask.active.talk.state
    complete = presenter.state.view is View.ASK and not talk.growing and not talk.lacks_documents
    return talk.answers.get(talk.current) if complete else None


def _request(state: TraceState, corpus: Corpus) -> TraceRequest:
    """What is to be traced, in the index or in its words, without the documents that are left out."""
    settings = state.effective
    index, words = corpus.index, state.words.backend if settings.match == "words" else None
    less = state.own.less
    if less is not None:
        index, words = (less.index, None) if words is None else (index, less.index)
    return TraceRequest(corpus, index, state.text, state.prompt, settings, words, less is not None)
