"""What a screen does, without Qt: a frozen state, and a presenter that changes it.

Data flows one way. Widgets call the presenter's methods, one per thing that a person does. The presenter changes its
state, and hands the new and the old state to the widgets, which draw what differs. Widgets decide nothing.

Threads. Everything here runs on the interface thread but the work given to a slot, which must get all that it needs
from the closure and touch neither the presenter nor its state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

from explorer.core.jobs import CancelToken, Kind, Progress, Report
from explorer.errors import CorpusError
from explorer.gui.presenting.job import Job

S = TypeVar("S")


class Slot(Protocol):
    """Runs requests one at a time. The newest wins: what is asked later makes every earlier answer stale."""

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""

    def run(
        self,
        work: Callable[[CancelToken], Any],
        done: Callable[[Any], None],
        failed: Callable[[CorpusError], None] | None = None,
        job: Job | None = None,
    ) -> None:
        """Ask for work in the background.

        work: Called on another thread, with a token that tells it to stop.
        done: Called on the interface thread with the result, unless a newer request was made or this one was canceled.
        failed: Called there with the work's `CorpusError`, under the same condition.
        job: What the window lists while the request runs, and asks about before it closes; None if it is not worth it.
        """

    def cancel(self) -> None:
        """Forget the request that runs and the one that waits; neither is answered."""

    def end(self, keep: bool) -> None:
        """Ask the request that runs to stop; unlike after `cancel`, what its work returns is still delivered.

        keep: Whether the work should keep what it has done, to be resumed.
        """

    def reporter(self, take: Callable[[Progress], None] | None = None) -> Report:
        """Make a function by which the next request's work reports its progress.

        take: Called with reports on the interface thread, until the request has ended or a newer one was made.
        Returns: What work may call from its thread.
        """

    def interim(self, take: Callable[[Any], None], seconds: float = 0.5) -> Callable[[Callable[[], Any]], None]:
        """A function by which the next request's work hands over what it has so far.

        take: Called on the interface thread with what was handed over, while no newer request was made.
        seconds: The time between two results at least; what is handed over sooner is dropped.
        Returns: Takes what makes the result so far; it is called only if the result is wanted.
        """


class Delay(Protocol):
    """Something that is done a while after the last `start`."""

    def start(self) -> None:
        """Begin to wait; begins again if it waits already."""

    def stop(self) -> None:
        """Do not do it."""


class Services(Protocol):
    """What a presenter gets from the window; in tests, from `tests/support/by_hand.py`."""

    def slot(self, name: str, timed: bool = True, kind: Kind = Kind.ANSWER) -> Slot:
        """Make a slot, which is closed with the screen.

        name: The name of its thread, where it has one of its own.
        timed: Whether the window shows how long its answers take.
        kind: What its requests are to the user who waits.
        """

    def delay(self, milliseconds: int, action: Callable[[], None], asks: bool = True) -> Delay:
        """Make a delay.

        milliseconds: How long to wait after the last `start`.
        action: Called on the interface thread.
        asks: Whether the action asks a question: then the screen is busy while the delay waits.
        Returns: The delay, which does not wait yet.
        """


class Presenter(Generic[S]):
    """Holds the state of a screen, or of a part of one.

    state: The first state, a frozen dataclass.
    """

    def __init__(self, state: S) -> None:
        self._state = state
        # Widgets are made to show the first state, so it counts as drawn.
        self._drawn = state
        self._draw: Callable[[S, S], None] | None = None
        self._drawing = False

    @property
    def state(self) -> S:
        """What the screen shows now."""
        return self._state

    def watch(self, draw: Callable[[S, S], None]) -> None:
        """Let somebody draw every state.

        draw: Called with the new state and the one that was drawn before. It may call the presenter again, as widgets
            do that signal what is set in them.
        """
        self._draw = draw

    def change(self, **changes: Any) -> None:
        """Change some fields of the state, and have the new state drawn.

        changes: New values by the names of the fields. If all are the old ones, nothing more is drawn: widgets signal
            what is set in them, and drawing would not end.
        """
        if not all(_same(getattr(self._state, name), value) for name, value in changes.items()):
            self._state = replace(self._state, **changes)  # type: ignore[type-var]
        elif self._drawn is self._state:
            return
        # A change made while drawing is drawn after it, by the loop below: a draw never sees a state that is already
        # outdated when it ends, and never runs inside another.
        if self._draw is None or self._drawing:
            return
        self._drawing = True
        try:
            # By identity: fields hold arrays, whose comparison has no single truth value.
            while self._drawn is not self._state:
                before, self._drawn = self._drawn, self._state
                self._draw(self._drawn, before)
        # Also after an error: otherwise nothing would be drawn any more.
        finally:
            self._drawing = False


def _same(value: object, other: object) -> bool:
    """Whether a field keeps its value. Only plain values are compared: answers hold arrays, and are other objects."""
    return value is other or (isinstance(value, str | int | float) and value == other)
