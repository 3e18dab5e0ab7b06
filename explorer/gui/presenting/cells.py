"""Cells of small tables, as work prepares them off the interface thread; `widgets/plain_table.py` draws them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from explorer.i18n import numeral, tr


@dataclass(frozen=True)
class Cell:
    """A cell.

    right: Whether it ends at the right edge, as numbers do.
    muted: Whether it is in the color of labels.
    bar: From 0 to 1 for a bar beside the text; None for none.
    ticks: Positions from 0 to 1 along a line; None for none.
    before: A muted text before it; where there is no room for both, its beginning is left out.
    code: Whether it is in the code font.
    """

    text: str
    right: bool = False
    muted: bool = False
    bar: float | None = None
    ticks: tuple[float, ...] | None = None
    tip: str = ""
    before: str = ""
    code: bool = False


def short(count: int) -> str:
    """A number in few characters: millions and billions with one decimal.

    Examples
    --------
    >>> short(45_120), short(12_400_000), short(5_017_000_000)
    ('45,120', '12.4 M', '5.0 B')
    """
    if count >= 1_000_000_000:
        return tr("{count:.1f} B", count=count / 1e9)
    if count >= 1_000_000:
        return tr("{count:.1f} M", count=count / 1e6)
    return numeral(count)


def percent(share: float) -> str:
    """A share in percent with one decimal; a smaller one with two digits, since it is not nothing.

    Examples
    --------
    >>> percent(0.08688), percent(0.000123), percent(0)
    ('8.7 %', '0.012 %', '0 %')
    """
    each = 100 * share
    places = max(1, 1 - math.floor(math.log10(each))) if 0 < each < 0.1 else 1
    return tr("{percent} %", percent=numeral(each, f",.{places if each else 0}f"))


def rate_of(words: bool) -> str:
    """The name of a column of rates, with its unit."""
    return tr("Per million words") if words else tr("Per million tokens")
