"""A conversation with a model: its answers are traced while they are written. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from explorer.analyses.trace.conversation import Turn
from explorer.analyses.trace.settings import TraceSettings
from explorer.core.jobs import Kind
from explorer.errors import CorpusError
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import Request
from explorer.gui.screens.trace.conversation.presenter import ConversationPresenter
from explorer.gui.screens.trace.conversation.script import Script, script_of
from explorer.gui.screens.trace.conversation.state import ConversationState
from explorer.gui.screens.trace.documents.choice_presenter import ChoicePresenter
from explorer.gui.screens.trace.work import TraceAnswer, TraceRequest, trace


class Talk:
    """A conversation that grows. `turns`: all complete messages; `conversation`: what is shown of it, and its traces.

    While an answer is written, its whole text is traced again without documents whenever the last trace is done: a
    few milliseconds for an answer of 450 tokens. Its documents are looked up when it is complete.

    ask: Called with a document that is to be shown, or a text that is to be searched.
    """

    def __init__(self, services: Services, ask: Callable[[Request], None], name: str) -> None:
        self.conversation = ConversationPresenter(services, ask, name)
        self._change = self.conversation.change
        self._reader = services.slot(f"reading of a {name}")
        self._live = services.slot(f"growing {name}", timed=False, kind=Kind.QUICK)
        self.turns: tuple[Turn, ...] = ()

    @property
    def state(self) -> ConversationState:
        """What is shown."""
        return self.conversation.state

    @property
    def choice(self) -> ChoicePresenter:
        """What is chosen of the current answer, and its documents."""
        return self.conversation.choice

    def use_settings(self, settings: TraceSettings) -> None:
        """Trace again with other settings; read the answers again if they are to be read in another way."""
        read = self.state.settings.read
        self.conversation.use_settings(settings)
        # An answer that is being written is read when it is complete.
        if read != settings.read and not self.state.growing and self.turns:
            self._read()

    def put(self, question: str) -> None:
        """Add a question; it takes the place of one that was not answered."""
        # The last answer may still be read as Markdown. All answers are read again when the next one is complete.
        self._reader.cancel()
        script, turns = self.state.shown, self.turns
        if turns and not turns[-1].answers:
            script, turns = script.without_last(), turns[:-1]
        turn = Turn("user", question)
        self.turns = (*turns, turn)
        self._change(script=self.state.script.arrived(script.added(turn)), error=None)

    def grow(self, content: str) -> None:
        """Take what was written of the answer so far."""
        content = content.lstrip("\n")
        if not content.strip():
            return
        script = self.state.shown
        if self.state.growing:
            script = script.grown(content)
        else:
            script = script.added(Turn("assistant", content), self.turns[-1].content)
        self._change(script=self.state.script.arrived(script), growing=True)
        self._trace_growing()

    def finish(self, content: str) -> None:
        """Take the answer as it ended: read it, and look up its documents.

        content: The answer; "" if there is none.
        """
        # What came last may not have been shown.
        self.grow(content)
        self._live.cancel()
        if self.state.growing:
            self.turns = (*self.turns, Turn("assistant", content.strip("\n")))
        self._change(growing=False)
        self.conversation.follow()
        self._read()

    def drop_answer(self) -> None:
        """Leave the last answer out, to ask its question again."""
        self._reader.cancel()
        number = len(self.turns) - 1
        self.turns = self.turns[:-1]
        state = self.state
        left = {turn: answer for turn, answer in state.answers.items() if turn != number}
        self._change(
            script=state.script.arrived(state.shown.without_last()),
            traced=replace(state.traced, value=left),
            current=-1 if state.current == number else state.current,
        )
        self.conversation.follow()

    def show(self, turns: Sequence[Turn]) -> None:
        """Show another conversation."""
        self.forget()
        self.turns = tuple(turns)
        self._read()

    def forget(self) -> None:
        """Begin again without any message."""
        for slot in (self._live, self._reader):
            slot.cancel()
        self.turns = ()
        self._change(growing=False)
        self.conversation.forget()

    def _read(self) -> None:
        turns, read = self.turns, self.state.settings.read
        self._reader.run(lambda cancel: script_of(turns, read), self._show)

    def _show(self, script: Script) -> None:
        self._change(script=self.state.script.arrived(script))
        if script.answers:
            self.conversation.go_to(script.answers[-1])
        self.conversation.run()

    # --- traces --------------------------------------------------------------------------------------

    def _trace_growing(self) -> None:
        """Trace the answer as it is now, unless it is being traced: then it is compared when that is done."""
        state = self.state
        in_words = state.settings.match == "words"
        if state.corpus is None or self._live.busy or (in_words and state.words is None):
            return
        number = len(state.shown.turns) - 1
        settings = replace(state.settings, documents_per_span=0)
        request = TraceRequest(
            state.corpus,
            state.corpus.index,
            state.shown.body(number),
            state.shown.turns[number].prompt,
            settings,
            state.words if in_words else None,
        )
        self._live.run(
            lambda cancel: trace(request, cancel),
            lambda answer: self._take_growing(number, answer),
            self._fail_growing,
        )

    def _take_growing(self, number: int, answer: TraceAnswer) -> None:
        if not self.state.growing or answer.request.corpus is not self.state.corpus:
            return
        found = {**self.state.answers, number: answer}
        self._change(traced=replace(self.state.traced, value=found, error=None), current=number)
        self.conversation.follow()
        if self.state.shown.body(number) != answer.request.text:
            self._trace_growing()

    def _fail_growing(self, error: CorpusError) -> None:
        # A beginning without tokens is not an error; whatever else is wrong is met again when the answer is complete.
        if error.reason != "no-text-given":
            self._change(traced=self.state.traced.failed(error))
