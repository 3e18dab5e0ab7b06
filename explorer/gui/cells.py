"""Cells of small tables, as work prepares them off the interface thread; `widgets/plain_table.py` draws them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """Text of a cell; `bar`: 0 to 1 for a bar under the text, or None; `ticks`: positions from 0 to 1."""

    text: str
    right: bool = False
    muted: bool = False
    bar: float | None = None
    ticks: tuple[float, ...] | None = None
    tip: str = ""
