"""How far long work is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """One report of long work about how far it is.

    Attributes
    ----------
    stage
        The stage in words.
    done
        How much of the stage is done.
    total
        How much there is; 0 if unknown.
    unit
        What is counted, in the plural; "" for nothing that is shown.
    before
        The share of the whole work before this stage, 0 to 1.
    share
        The share of the whole work in this stage; 1 for work with a single stage.
    """

    stage: str
    done: int
    total: int
    unit: str = ""
    before: float = 0.0
    share: float = 1.0

    @property
    def fraction(self) -> float:
        """Done share of the stage, 0 to 1; 0 where the total is unknown."""
        return min(1.0, self.done / self.total) if self.total > 0 else 0.0

    @property
    def overall(self) -> float:
        """The finished share of the whole work, 0 to 1."""
        return min(1.0, self.before + self.share * self.fraction)


Report = Callable[[Progress], None]
"""A function that is called with the progress of long work."""


def no_report(progress: Progress) -> None:
    """Take a report and drop it."""
