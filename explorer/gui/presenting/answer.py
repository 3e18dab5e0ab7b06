"""What a part of a screen knows of the answer to its question: one value for all screens, without Qt.

A failure means the same everywhere: the last good answer stays, dimmed, and the error is shown above it. So does an
answer that is awaited, and one that was stopped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Generic, TypeVar

from explorer.errors import CorpusError

A = TypeVar("A")


class Freshness(Enum):
    """What became of the newest question."""

    UNASKED = "unasked"
    AWAITED = "awaited"
    ANSWERED = "answered"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, eq=False)
class Answer(Generic[A]):
    """The last good answer, and what became of the newest question.

    `eq=False`: answers hold arrays, and a part of a screen is drawn again when its answer is another object.
    """

    value: A | None = None
    freshness: Freshness = Freshness.UNASKED
    error: CorpusError | None = None

    @property
    def current(self) -> A | None:
        """The answer, if it belongs to the newest question."""
        return self.value if self.freshness is Freshness.ANSWERED else None

    @property
    def awaited(self) -> bool:
        """Whether an answer is on its way."""
        return self.freshness is Freshness.AWAITED

    @property
    def dimmed(self) -> bool:
        """Whether what is shown belongs to an earlier question."""
        return self.value is not None and self.freshness is not Freshness.ANSWERED

    def asked(self) -> Answer[A]:
        """After a new question: the old answer stays until the new one arrives, and so does an old error."""
        return replace(self, freshness=Freshness.AWAITED)

    def arrived(self, value: A) -> Answer[A]:
        """After the newest question was answered."""
        return Answer(value, Freshness.ANSWERED)

    def failed(self, error: CorpusError) -> Answer[A]:
        """After the newest question failed: the old answer stays."""
        return replace(self, freshness=Freshness.FAILED, error=error)

    def stopped(self) -> Answer[A]:
        """After the user stopped the work: the old answer stays."""
        # An answer that came before the user stopped is kept as it is: nothing was awaited any more.
        return replace(self, freshness=Freshness.STOPPED, error=None) if self.awaited else self
