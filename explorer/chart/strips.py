"""One line per part of a corpus, with a tick for each hit."""

from __future__ import annotations

from dataclasses import dataclass

_ROW, _LANE, _GAP = 15.0, 5.0, 5.0


@dataclass(frozen=True)
class StripRow:
    """A line.

    Attributes
    ----------
    name
        What it is.
    note
        What is written at its end.
    ticks
        For each word, where its ticks are, 0 to 1.
    """

    name: str
    note: str
    ticks: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class StripPlot:
    """Lines with ticks.

    Attributes
    ----------
    title
        The text above them.
    words
        The words, whose ticks are in lanes of their own.
    rows
        The lines.
    """

    title: str
    words: tuple[str, ...]
    rows: tuple[StripRow, ...]

    @property
    def row_height(self) -> float:
        """Points that a line takes."""
        return max(_ROW, _LANE * len(self.words) + _GAP)
