"""Undo and redo, as a value: states before, the state now, and states that were undone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
# A state with many marked lines is a copy of all of them, so the number of states has a limit.
MOST_STEPS = 200
"""Steps that can be undone; older ones are forgotten."""


@dataclass(frozen=True)
class Steps(Generic[T]):
    """A state with its history. Every change makes a new value.

    before: Earlier states, the newest last.
    after: States that were undone, the one that is redone first last.

    Examples
    --------
    >>> steps = Steps("a").to("b").to("c").undone()
    >>> steps.now, steps.redone().now, steps.to("d").after
    ('b', 'c', ())
    """

    now: T
    before: tuple[T, ...] = ()
    after: tuple[T, ...] = ()

    def to(self, state: T) -> Steps[T]:
        """Take a new state; what was undone can no longer be redone. An equal state is not a step."""
        # Setting a mark that is set already should not need two steps back.
        return self if state == self.now else Steps(state, (*self.before, self.now)[-MOST_STEPS:])

    def undone(self) -> Steps[T]:
        """Return to the state before; without one, nothing changes."""
        if not self.before:
            return self
        return Steps(self.before[-1], self.before[:-1], (*self.after, self.now))

    def redone(self) -> Steps[T]:
        """Return to the state that was undone last; without one, nothing changes."""
        if not self.after:
            return self
        return Steps(self.after[-1], (*self.before, self.now), self.after[:-1])
