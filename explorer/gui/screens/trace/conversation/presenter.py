"""Reads a conversation and traces its answers, one after the other. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from explorer.analyses.trace.settings import TraceSettings
from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.presenting.requests import Request
from explorer.gui.screens.trace.conversation.script import Script
from explorer.gui.screens.trace.conversation.state import ConversationState
from explorer.gui.screens.trace.documents.choice import Show
from explorer.gui.screens.trace.documents.choice_presenter import ChoicePresenter
from explorer.gui.screens.trace.figures import Jump
from explorer.gui.screens.trace.text.reading import read_conversation
from explorer.gui.screens.trace.work import TraceAnswer, TraceRequest, trace_several

_DEBOUNCE_MS = 300
_MOST_STORED = 200_000
"""Characters of a conversation that are kept in the session."""


class ConversationPresenter(Presenter[ConversationState]):
    """A conversation. `choice`: what is chosen of the current answer, and its documents.

    ask: Called with a document that is to be shown, or a text that is to be searched.
    """

    def __init__(self, services: Services, ask: Callable[[Request], None], name: str = "conversation") -> None:
        super().__init__(ConversationState())
        self._reader = services.slot(name)
        self._tracer = services.slot(f"answers of a {name}", kind=Kind.APART)
        # Settings are changed by arrow keys and wheels: each step would trace a whole conversation.
        self._settling = services.delay(_DEBOUNCE_MS, self.run)
        self.choice = ChoicePresenter(services.slot(f"selection in a {name}", kind=Kind.QUICK), ask)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Trace the same conversation in another index."""
        self._tracer.cancel()
        self.change(corpus=corpus, traced=Answer(), current=-1)
        self.follow()
        self.run()

    def use_settings(self, settings: TraceSettings) -> None:
        """Trace again with other settings; read the answers again if they are to be read in another way."""
        before = self.state.settings.read
        self.change(settings=settings)
        if before != settings.read and self.state.source:
            self._settling.stop()
            self.take_text(self.state.source)
        elif self.state.shown.answers:
            self._settling.start()

    def take_text(self, text: str) -> None:
        """Read a conversation that was pasted."""
        self.change(script=self.state.script.asked(), error=None)
        read = self.state.settings.read
        self._reader.run(
            lambda cancel: read_conversation(text, read), lambda script: self._take(text, script), self._fail
        )

    def _take(self, source: str, script: Script) -> None:
        self._tracer.cancel()
        self.change(source=source, script=self.state.script.arrived(script), traced=Answer(), current=-1)
        self.follow()
        self.run()

    def fail(self, error: CorpusError) -> None:
        """Show why something failed that leaves the conversation as it is."""
        self.change(error=error)

    def _fail(self, error: CorpusError) -> None:
        self.change(script=self.state.script.failed(error))

    def run(self) -> None:
        """Trace all answers."""
        self._settling.stop()
        state = self.state
        script, corpus = state.shown, state.corpus
        if corpus is None or not script.answers:
            return
        words = state.words if state.settings.match == "words" else None
        if state.settings.match == "words" and words is None:
            # Traced when the words are there; what was traced in tokens is not shown as an answer in words.
            self._tracer.cancel()
            self.change(traced=Answer(), current=-1)
            self.follow()
            return
        # Everything that the work needs is taken here, on the interface thread, and none of it can change.
        requests = {
            number: TraceRequest(
                corpus, corpus.index, script.body(number), script.turns[number].prompt, state.settings, words
            )
            for number in script.answers
        }
        # A conversation that has grown keeps what was traced of it; an answer that is still written is traced apart.
        growing = len(script.turns) - 1 if state.growing else -1
        known = {number: answer for number, answer in state.answers.items() if number in requests}
        kept = {
            number: answer
            for number, answer in known.items()
            if number == growing or answer.request == requests[number]
        }
        missing = {number: each for number, each in requests.items() if number not in kept and number != growing}

        def whole(found: dict[int, TraceAnswer]) -> dict[int, TraceAnswer]:
            return dict(sorted({**kept, **found}.items()))

        self.change(traced=state.traced.asked())
        # Made before `run`: it counts requests, and what an earlier one still sends is dropped.
        send = self._tracer.interim(lambda found: self._take_some(whole(found)))
        self._tracer.run(
            lambda cancel: trace_several(missing, send, cancel),
            lambda found: self._take_all(whole(found)),
            self._fail_tracing,
        )

    def _take_some(self, found: dict[int, TraceAnswer]) -> None:
        # Still awaited: the numbers are those of the answers that are done, and the note counts them.
        self.change(traced=replace(self.state.traced, value=found))
        if self.state.current < 0:
            self.go_to(next(iter(found)))
        self.follow()

    def _take_all(self, found: dict[int, TraceAnswer]) -> None:
        self.change(traced=self.state.traced.arrived(found))
        if self.state.current < 0 and found:
            self.go_to(next(iter(found)))
        self.follow()

    def _fail_tracing(self, error: CorpusError) -> None:
        self.change(traced=self.state.traced.failed(error))

    def stop(self) -> None:
        """Stop tracing; the answers that are done stay."""
        # The work returns what is done, which arrives as if it were all.
        self._tracer.end(keep=True)

    def go_to(self, number: int) -> None:
        """List the documents of another answer."""
        if number in self.state.shown.answers and number != self.state.current:
            self.change(current=number)
            self.follow()

    def step(self, by: int) -> None:
        """Go to the next answer (1) or the previous one (-1); after the last comes the first."""
        answers = self.state.shown.answers
        if answers:
            at = answers.index(self.state.current) + by if self.state.current in answers else 0
            self.go_to(answers[at % len(answers)])

    def follow(self) -> None:
        """Let the choice be one of the current answer."""
        state = self.state
        answer = state.answers.get(state.current)
        # To the choice, the trace of one answer is complete, even while others are awaited.
        shown = Answer[TraceAnswer]() if answer is None else Answer(answer, state.traced.freshness).arrived(answer)
        growing = state.growing and state.current == len(state.shown.turns) - 1
        self.choice.follow(shown, state.corpus is not None, growing)

    def choose_mark(self, passage: int) -> None:
        """Choose a passage by its number in the whole conversation, and so its answer; -1 clears the choice."""
        place = self.state.place_of(passage)
        if place is None:
            self.choice.clear()
            return
        turn, number = place
        self.go_to(turn)
        self.choice.choose_passage(number)

    def hide(self, passage: int) -> None:
        """Do not mark a passage any more, by its number in the whole conversation."""
        place = self.state.place_of(passage)
        if place is not None:
            self.go_to(place[0])
            self.choice.hide(place[1])

    def press(self, target: Show | Jump) -> None:
        """Follow a number of the whole conversation: the longest match may be in another answer."""
        answers = self.state.answers
        if target is Jump.LONGEST and answers:
            self.go_to(max(answers, key=lambda number: answers[number].trace.novelty.longest_match))
        self.choice.press(target)

    def step_passage(self, by: int) -> None:
        """Choose the next passage (1) or the previous one (-1), or one of the next answer after the last."""
        shown, at = self.choice.state.shown, self.choice.state.choice.passage
        # At the end of an answer the next step leads into the next answer, not back to its beginning.
        ends = shown[-1:] if by > 0 else shown[:1]
        if not shown or (at is not None and (at,) == ends):
            self.step(by)
            self.choice.clear()
        self.choice.step(by)

    def forget(self) -> None:
        """Show no conversation."""
        # Both, or a conversation that is still being read would appear after it was closed.
        for slot in (self._reader, self._tracer):
            slot.cancel()
        self.change(source="", script=Answer(), traced=Answer(), current=-1, error=None)
        self.follow()

    def session(self) -> dict[str, Any]:
        """The conversation as it was pasted, as JSON values; a very long one is not kept."""
        return {"conversation": self.state.source if len(self.state.source) <= _MOST_STORED else ""}

    def restore(self, values: dict[str, Any]) -> None:
        """Read the conversation of a session again; missing or invalid values are left unchanged."""
        source = values.get("conversation")
        if isinstance(source, str) and source:
            self.take_text(source)
