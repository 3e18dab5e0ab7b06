"""What long work says about how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """One report: the stage in words, how much of it is done, and how much there is (0: unknown)."""

    stage: str
    done: int
    total: int
    unit: str = ""

    @property
    def fraction(self) -> float:
        """Done share of the stage, 0 to 1; 0 where the total is unknown."""
        return min(1.0, self.done / self.total) if self.total > 0 else 0.0


Report = Callable[[Progress], None]


def no_report(progress: Progress) -> None:
    """Take a report and drop it."""
