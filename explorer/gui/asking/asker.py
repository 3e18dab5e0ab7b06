"""One question of a tab: it is asked after a pause, and its last answer stays while another one is awaited. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from explorer.core.jobs import CancelToken, Kind, Report
from explorer.errors import CorpusError
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Services

DEBOUNCE_MS = 400
"""How long somebody may pause while typing, or while turning a number by the wheel."""

S = TypeVar("S")


class Asker(Presenter[S]):
    """A presenter whose state has an `answer`, and the `error` of what is beside it.

    slot: The name of the slot in which answers are computed, on a thread of its own: they may take minutes.
    """

    def __init__(self, state: S, services: Services, slot: str) -> None:
        super().__init__(state)
        self.asking = services.slot(slot, kind=Kind.APART)
        # The wheel turns a number through many values: only the last one is asked about.
        self.typing = services.delay(DEBOUNCE_MS, self.run)

    @abstractmethod
    def run(self) -> None:
        """Ask now."""

    def set_in(self, name: str, values: dict[str, Any]) -> bool:
        """Change a field of the state that holds settings, and ask after a pause. False if nothing changes."""
        before = getattr(self.state, name)
        changed = replace(before, **values)
        if changed != before:
            self.change(**{name: changed})
            self.typing.start()
        return bool(changed != before)

    def put(self, title: str, work: Callable[[Report, CancelToken], Any], **changes: Any) -> None:
        """Have the question answered in the background.

        title: What the work is called.
        changes: What else changes in the state now.
        """
        self.change(answer=self._answer.asked(), error=None, **changes)
        report = self.asking.reporter()
        self.asking.run(lambda cancel: work(report, cancel), self._arrived, self._failed, Job(title, self.stop))

    def stop(self) -> None:
        """End the work; the last answer stays dimmed, since it belongs to another question."""
        self.asking.cancel()
        self.change(answer=self._answer.stopped())

    def fail_beside(self, error: CorpusError) -> None:
        """Show why something failed that leaves the answer as it is."""
        self.change(error=error)

    def _arrived(self, answer: Any) -> None:
        self.change(answer=self._answer.arrived(answer))

    def _failed(self, error: CorpusError) -> None:
        self.change(answer=self._answer.failed(error))

    @property
    def _answer(self) -> Any:
        return self.state.answer  # type: ignore[attr-defined]
