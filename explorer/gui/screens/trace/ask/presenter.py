"""Asks one or two models, and traces what they answer. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from explorer.analyses.trace.settings import TraceSettings
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.presenting.requests import Request
from explorer.gui.screens.trace.ask.model_finder import ModelFinder
from explorer.gui.screens.trace.ask.session import session_of, turns_of
from explorer.gui.screens.trace.ask.state import AskState, Seat, SideState
from explorer.gui.screens.trace.ask.talk import Talk
from explorer.gui.screens.trace.ask.work import Asked, Heard, Manner, Said, converse
from explorer.gui.screens.trace.work import TraceAnswer
from explorer.i18n import tr

_DRAW_MS = 40
"""Time between two drawings of an answer that is written: a model may write hundreds of tokens per second."""
NAMES = ("talk", "second talk")
"""What the slots of the two sides are called."""


class AskSide(Presenter[SideState]):
    """One model and the conversation with it, `talk`.

    ask: Called with a document that is to be shown, or a text that is to be searched.
    """

    def __init__(self, services: Services, ask: Callable[[Request], None], name: str) -> None:
        super().__init__(SideState())
        self.talk = Talk(services, ask, name)
        # It waits for a server most of the time.
        self._slot = services.slot(f"model of a {name}", kind=Kind.APART)
        self._pause = services.delay(_DRAW_MS, self._draw_more, asks=False)
        self._heard = Heard()
        self._resting = self._more = False

    def sit(self, seat: Seat) -> None:
        """Ask another model from now on; nothing is sent."""
        if seat != self.state.seat:
            self.change(seat=seat)

    def put(self, question: str, manner: Manner, allowed: frozenset[str], key: str | None = None) -> None:
        """Ask a question.

        allowed: Hosts and models to which texts may be sent.
        key: What the server asks for; None for nothing.
        """
        self.stop()
        self.talk.put(question)
        self.again(manner, allowed, key)

    def again(self, manner: Manner, allowed: frozenset[str], key: str | None = None) -> None:
        """Ask the last question; its answer, as far as there is one, is dropped.

        allowed: Hosts and models to which texts may be sent.
        key: What the server asks for; None for nothing.
        """
        self._slot.cancel()
        if self.talk.turns and self.talk.turns[-1].answers:
            self.talk.drop_answer()
        if not self.talk.turns:
            return
        seat, heard = self.state.seat, Heard()
        asked = Asked(seat.url, seat.model, self.talk.turns, manner, allowed, key)
        self._heard, self._more = heard, False
        self.change(said=Answer(Said()).asked(), manner=manner)
        send, report = self._slot.interim(self._hear, 0.0), self._slot.reporter()
        self._slot.run(
            lambda cancel: converse(asked, heard, send, report, cancel),
            self._end,
            self._fail,
            Job(tr("Answer of {model}", model=seat.name), self.stop, self.stop),
        )

    def stop(self) -> None:
        """Stop the answer; what came of it stays."""
        if self.state.answering:
            # What came is taken here and not when the work has noticed: the next question may follow at once.
            self._slot.cancel()
            self._end(self._heard.look())

    def forget(self) -> None:
        """Begin another conversation."""
        self._slot.cancel()
        self.talk.forget()
        self.change(said=Answer())

    def _hear(self, _: object) -> None:
        """There is more: draw it now, or when the last drawing is a moment ago."""
        if self._resting:
            self._more = True
            return
        self._resting = True
        self._pause.start()
        self._draw_heard()

    def _draw_more(self) -> None:
        self._resting = False
        if self._more and self.state.answering:
            self._more = False
            self._hear(None)

    def _draw_heard(self) -> None:
        said = self._heard.look()
        self.change(said=replace(self.state.said, value=said))
        self.talk.grow(said.text)

    def _end(self, said: Said) -> None:
        self.change(said=self.state.said.arrived(said))
        self.talk.finish(said.text)

    def _fail(self, error: CorpusError) -> None:
        said = self._heard.look()
        self.change(said=replace(self.state.said, value=said).failed(error))
        self.talk.finish(said.text)


class AskPresenter(Presenter[AskState]):
    """The tab without its widgets. `sides`: the models, of which the second is asked only if two are wanted; `finder`:
    which models there are.

    ask: Called with what another part of the window is to do.
    """

    def __init__(self, services: Services, ask: Callable[[Request], None]) -> None:
        super().__init__(AskState())
        self.sides = tuple(AskSide(services, ask, name) for name in NAMES)
        self.finder = ModelFinder(services)

    @property
    def asked(self) -> tuple[AskSide, ...]:
        """The sides that a question goes to."""
        return self.sides[: 1 + self.state.two]

    @property
    def active(self) -> AskSide:
        """The side whose documents are listed."""
        return self.sides[self.state.active]

    @property
    def answering(self) -> bool:
        """Whether some model is at work."""
        return any(side.state.answering for side in self.sides)

    @property
    def reported(self) -> tuple[TraceAnswer, ...]:
        """All answers that are traced to the end, of both sides."""
        talks = [side.talk.state for side in self.asked]
        whole = (talk for talk in talks if not talk.growing and not talk.lacks_documents)
        return tuple(answer for talk in whole for answer in talk.answers.values())

    # --- what is asked -------------------------------------------------------------------------------

    def typed(self, question: str) -> None:
        """Take another question; nothing is sent."""
        self.change(question=question)

    def ask(self) -> None:
        """Send the question to the models."""
        question = self.state.question.strip()
        if not question or self.answering:
            return
        self.change(question="", error=None)
        for side in self.asked:
            side.put(question, self.state.manner, self.state.allowed, self.state.key_of(side.state.seat))

    def again(self, number: int) -> None:
        """Ask the last question of one side again."""
        side = self.sides[number]
        side.again(self.state.manner, self.state.allowed, self.state.key_of(side.state.seat))

    def allow(self, number: int) -> None:
        """Agree to what a side asks, and send its question."""
        consent = self.sides[number].state.consent
        if consent:
            self.change(allowed=self.state.allowed | {consent})
            self.again(number)

    def stop(self) -> None:
        """Stop all answers; what came of them stays."""
        for side in self.sides:
            side.stop()

    def forget(self) -> None:
        """Begin other conversations; models and settings stay."""
        for side in self.sides:
            side.forget()
        self.change(error=None)

    # --- how it is asked -----------------------------------------------------------------------------

    def set_manner(self, **values: Any) -> None:
        """Change temperature, length or system prompt; it holds from the next question on."""
        manner = replace(self.state.manner, **values)
        if manner != self.state.manner:
            self.change(manner=manner)

    def set_two(self, two: bool) -> None:
        """Ask two models, or one: then the second one stops."""
        if two != self.state.two:
            if not two:
                self.sides[1].stop()
            self.change(two=two, active=self.state.active if two else 0)

    def activate(self, number: int) -> None:
        """List the documents of another side."""
        if number <= self.state.two:
            self.change(active=number)

    def list_models(self, number: int, agreed: bool = False) -> None:
        """List the models of the server of a side.

        agreed: Whether the user agreed to ask its host.
        """
        seat = self.sides[number].state.seat
        if agreed:
            self.change(allowed=self.state.allowed | {seat.host})
        self.finder.list_models(seat.url, self.state.allowed, self.state.key_of(seat))

    def set_key(self, number: int, key: str) -> None:
        """Take the key that the server of a side asks for; nothing is sent.

        key: The key; "" for none.
        """
        host = self.sides[number].state.seat.host
        if key != self.state.keys.get(host, ""):
            self.change(keys={**self.state.keys, host: key})

    # --- what answers are traced in ------------------------------------------------------------------

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Trace the same answers in another index.

        corpus: The index; None for none.
        """
        for side in self.sides:
            side.talk.conversation.use_corpus(corpus)

    def use_settings(self, settings: TraceSettings) -> None:
        """Trace with other settings."""
        for side in self.sides:
            side.talk.use_settings(settings)

    def use_words(self, words: Backend | None) -> None:
        """Take the words of the index, for settings that want them; None while they are not open."""
        for side in self.sides:
            side.talk.conversation.change(words=words)

    def fail(self, error: CorpusError) -> None:
        """Show why something else failed."""
        self.change(error=error)

    # --- sessions ------------------------------------------------------------------------------------

    def session(self) -> dict[str, Any]:
        """Models, settings and conversations, as JSON values."""
        sides = [(side.state.seat, side.talk.turns) for side in self.sides]
        return {"ask": session_of(self.state, sides)}

    def restore(self, values: dict[str, Any]) -> None:
        """Show the conversations of a session, and trace them; no server is asked."""
        kept = values.get("ask")
        if not isinstance(kept, dict):
            return
        read = turns_of(kept)
        self.change(manner=read.manner, two=read.two)
        for side, (seat, turns) in zip(self.sides, read.sides, strict=True):
            side.sit(seat)
            if turns:
                side.talk.show(turns)
