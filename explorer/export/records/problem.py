"""What could not be used of an input, as a record."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ProblemRecord:
    """A line or a file that was left out, or could not be answered.

    Attributes
    ----------
    source
        The file, or "standard input"; None if it is not known.
    line
        The line or row, from 1 as in an editor; None for the whole input.
    reason
        What is wrong.
    """

    source: str | None
    line: int | None
    reason: str
