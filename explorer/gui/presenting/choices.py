"""What a user chose in a part of a screen, step by step, so that Ctrl+Z takes the last choice back. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Generic, TypeVar

from explorer.gui.presenting.presenter import Services
from explorer.project.undo import Steps

_PAUSE_MS = 400
T = TypeVar("T")


class Choices(Generic[T]):
    """The choices of a presenter before the ones that are in force, and those that were undone.

    What is in force is in the state of the presenter, and only there: so a session keeps what is shown.

    now: Gives what is in force, as a frozen value.
    choose: Puts another such value in force, and asks what depends on it.
    """

    def __init__(self, services: Services, now: Callable[[], T], choose: Callable[[T], None]) -> None:
        self._now, self._choose = now, choose
        self._steps: Steps[T] | None = None
        # The setting that changes now: a number that a wheel turns, or a text that is typed, is one step.
        self._changing = ""
        self._pause = services.delay(_PAUSE_MS, self.pause, asks=False)
        self._watcher: Callable[[], None] = lambda: None

    @property
    def can_undo(self) -> bool:
        """Whether anything can be undone."""
        return self._steps is not None and bool(self._steps.before)

    @property
    def can_redo(self) -> bool:
        """Whether anything that was undone can be chosen again."""
        return self._steps is not None and bool(self._steps.after)

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call somebody whenever something else can be undone."""
        self._watcher = watcher

    @contextmanager
    def step(self, setting: str = "") -> Iterator[None]:
        """Note what the user changes within a `with` statement; nothing is noted if nothing differs afterwards.

        setting: What changes. Changes of the same setting without a pause between them are one step; "" never is.
        """
        before = self._now()
        yield
        now = self._now()
        if now == before:
            return
        steps = self._at(before)
        if setting and setting == self._changing:
            # From where this setting was before the first of these changes.
            steps = Steps(steps.before[-1], steps.before[:-1])
        self._steps = steps.to(now)
        # Turned back to where it was: the next change is not one of the step before.
        self._changing = setting if self._steps is not steps else ""
        self._pause.start()
        self._watcher()

    def pause(self) -> None:
        """Let the next change be a step of its own."""
        self._pause.stop()
        self._changing = ""

    def forget(self) -> None:
        """Forget all steps: what was chosen so far was for other texts, or is of another session."""
        self.pause()
        self._steps = None
        self._watcher()

    def undo(self) -> None:
        """Take the last choice back."""
        self._go(self._at(self._now()).undone())

    def redo(self) -> None:
        """Choose again what was undone last."""
        self._go(self._at(self._now()).redone())

    def _at(self, now: T) -> Steps[T]:
        return Steps(now) if self._steps is None else replace(self._steps, now=now)

    def _go(self, steps: Steps[T]) -> None:
        self.pause()
        self._steps = steps
        self._choose(steps.now)
        self._watcher()
