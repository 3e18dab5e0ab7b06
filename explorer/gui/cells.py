"""Cells of small tables, as work prepares them off the interface thread; `widgets/plain_table.py` draws them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A cell.

    Attributes
    ----------
    text
        What is written.
    right
        Whether it ends at the right edge, as numbers do.
    muted
        Whether it is in the color of labels.
    bar
        From 0 to 1 for a bar beside the text; None for none.
    ticks
        Positions from 0 to 1 along a line; None for none.
    tip
        The tool tip.
    before
        A muted text before it; where there is no room for both, its beginning is left out.
    code
        Whether it is in the code font.
    """

    text: str
    right: bool = False
    muted: bool = False
    bar: float | None = None
    ticks: tuple[float, ...] | None = None
    tip: str = ""
    before: str = ""
    code: bool = False
