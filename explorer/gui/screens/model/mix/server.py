"""The Mix tab's dealings with a server: nothing is sent before the user asks for it. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from explorer.core.jobs import Kind
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.model.mix.asking import Asked, ServerScores, ask_server, count_texts
from explorer.gui.screens.model.mix.state import MixState
from explorer.gui.sources.inputs import TextInputs
from explorer.i18n import tr
from explorer.neural.address import ServerError, address_of


class ServerSide:
    """Asks a server for the log probabilities of the inputs, and keeps what it gave.

    presenter: The tab's, whose state it changes.
    run: Mixes what was scored.
    """

    def __init__(
        self, services: Services, presenter: Presenter[MixState], run: Callable[[], None], stop: Callable[[], None]
    ) -> None:
        self.asker = services.slot("mix asking", kind=Kind.APART)
        self.reader = services.slot("mix texts", timed=False)
        self._presenter, self._run, self._stop = presenter, run, stop
        self._change = presenter.change
        self._asking: Asked | None = None
        self._counted: TextInputs | None = None

    @property
    def _state(self) -> MixState:
        return self._presenter.state

    def point_to(self, url: str) -> None:
        """Change the address of the server; nothing is sent."""
        if url != self._state.url:
            self._change(url=url)
            self.leave_others()

    def leave_others(self) -> None:
        """Ask a server no longer that scores other texts, or that is at another address; its error is forgotten."""
        if self._asking is not None and self._asking != self._state.asked:
            self._asking = None
            self.asker.cancel()
            self._change(scores=replace(self._state.scores.stopped(), error=None))

    def count(self, again: bool = False) -> None:
        """Count the texts of the inputs; `again`: also if they were counted, since their files may have changed."""
        inputs = self._state.inputs
        if inputs.empty:
            # Chips of sources that were removed would stay otherwise.
            self._counted = None
            self.reader.cancel()
            self._change(counts=Answer())
        elif not self._state.from_file and (again or inputs != self._counted):
            self._counted = inputs
            self._change(counts=replace(self._state.counts.asked(), error=None))
            self.reader.run(
                lambda cancel: count_texts(inputs),
                lambda counts: self._change(counts=self._state.counts.arrived(counts)),
                lambda error: self._change(counts=self._state.counts.failed(error)),
            )

    def ask(self, resume: bool = True) -> None:
        """Send the texts to the server: what was scored of them before is kept, unless it is to start over."""
        state = self._state
        if state.corpus is None or state.from_file:
            return
        asked, allowed, before = state.asked, state.allowed, state.kept if resume else None
        self._asking = asked
        try:
            # Here, so that the question comes at once: it reads the address alone, and looks up nothing.
            address_of(asked.url, allowed.__contains__)
        except ServerError as error:
            self._change(scores=state.scores.failed(error))
            return
        self._change(scores=replace(state.scores.asked(), error=None), error=None)
        report = self.asker.reporter()
        self.asker.run(
            lambda cancel: ask_server(asked, allowed, before, not resume, report, cancel),
            self._scored,
            lambda error: self._change(scores=self._state.scores.failed(error)),
            # Stopped or paused, what was scored is kept.
            Job(tr("Log probabilities of a model"), self._stop, self._stop),
        )

    def _scored(self, found: ServerScores) -> None:
        self._change(scores=self._state.scores.arrived(found))
        self._run()

    def allow(self, host: str) -> None:
        """Send the texts to a host that is not this machine; the answer to the question about it."""
        self._change(allowed=self._state.allowed | {host})
        self.ask()
