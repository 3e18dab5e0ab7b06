"""Which items are flagged by thresholds that a user moves: found without a new question to the index. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.contamination.item_matches import LEAST_UNITS, VERDICTS, Thresholds
from explorer.analyses.contamination.table import ContaminationRecord
from explorer.core.arrays import ArrayValue
from explorer.core.proportions import wilson_interval
from explorer.gui.presenting.cells import Cell
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, numeral, tr

LENGTHS = (8, 13, 25, 50)
"""Lengths of the longest match that the table of benchmarks counts from."""
LEAST, MOST = 1, 100
"""The ends of the range of thresholds, in percent."""
BARS = 20
"""Bars of a histogram of shares; the last one has the items that occur from beginning to end."""
WORDS_OF = {
    "flagged": mark("flagged"),
    "suspicious": mark("suspicious"),
    "not-flagged": mark("not flagged"),
    "too-short": mark("too short to tell"),
}
"""What the verdicts are called."""
FLAGGED, SUSPICIOUS, CLEAN, SHORT = range(len(VERDICTS))


@dataclass(frozen=True, eq=False)
class ItemColumns(ArrayValue):
    """The items of a benchmark, prepared off the interface thread.

    share, covered: The share of each item in its longest match, and in matches of 8 or more, float64.
    short: Whether it is too short to tell.
    near: Whether its answer is near the match.
    whole: Whether it occurs from beginning to end.
    cells: Its cells; those of the verdict and of the user's mark are empty.
    keys: Its name with a digest of its question, by which a mark finds it again.
    at_least: How many items have a longest match of each length of `LENGTHS` or more.
    longest: The longest match of any item.
    """

    share: NDArray[np.float64]
    covered: NDArray[np.float64]
    short: NDArray[np.bool_]
    near: NDArray[np.bool_]
    whole: NDArray[np.bool_]
    cells: tuple[tuple[Cell, ...], ...]
    keys: tuple[tuple[str, str], ...]
    at_least: tuple[int, ...]
    longest: int

    def bars(self, shares: NDArray[np.float64]) -> tuple[int, ...]:
        """Count the items that are long enough to tell by one of their shares, in `BARS` ranges."""
        places = np.minimum((shares[~self.short] * BARS).astype(np.int64), BARS - 1)
        return tuple(np.bincount(places, minlength=BARS).tolist())


@dataclass(frozen=True, eq=False)
class ItemShares(ArrayValue):
    """The items of a benchmark in an index beside the open one.

    share: The share of each item in its longest match, float64.
    short: Whether it is too short to tell.
    """

    share: NDArray[np.float64]
    short: NDArray[np.bool_]

    def flagged(self, thresholds: Thresholds) -> tuple[int, int]:
        """Count the items that are flagged, and those that are long enough to tell."""
        long = ~self.short
        return int((long & (self.share >= thresholds.flag_at)).sum()), int(long.sum())


def shares_of(rows: Sequence[ContaminationRecord]) -> ItemShares:
    """Prepare the items of a benchmark in an index beside the open one."""
    return ItemShares(
        np.array([row.longest_share for row in rows], np.float64),
        np.array([row.units < LEAST_UNITS for row in rows], np.bool_),
    )


def columns_of(rows: Sequence[ContaminationRecord], questions: Sequence[str]) -> ItemColumns:
    """Prepare the items of a benchmark. Ten thousand would take the interface thread a fifth of a second."""
    longest = np.array([row.longest for row in rows], np.int64)
    return ItemColumns(
        np.array([row.longest_share for row in rows], np.float64),
        np.array([row.coverage_8 for row in rows], np.float64),
        np.array([row.units < LEAST_UNITS for row in rows], np.bool_),
        np.array([bool(row.answer_near) for row in rows], np.bool_),
        np.array([row.longest == row.units > 0 for row in rows], np.bool_),
        tuple(_cells(row, question) for row, question in zip(rows, questions, strict=True)),
        tuple((row.id, digest(question)) for row, question in zip(rows, questions, strict=True)),
        tuple(int((longest >= least).sum()) for least in LENGTHS),
        int(longest.max(initial=0)),
    )


def digest(question: str) -> str:
    """A short digest of a question: a name alone may be that of another item of a changed file."""
    return blake2b(question.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _cells(row: ContaminationRecord, question: str) -> tuple[Cell, ...]:
    return (
        Cell(cell_text(row.id)),
        Cell(cell_text(question)),
        Cell(numeral(row.longest), right=True),
        Cell(percent(row.longest_share), right=True),
        Cell(""),
        Cell(""),
    )


def percent(share: float) -> str:
    """Write a share in percent."""
    return tr("{percent} %", percent=numeral(100 * share, ".1f"))


@dataclass(frozen=True, eq=False)
class JudgedItems(ArrayValue):
    """The items of a benchmark by thresholds.

    verdicts: The place of each item's verdict in `explorer.analyses.contamination.item_matches.VERDICTS`.
    order: The numbers of the items, the most severe first.
    flagged, suspicious, too_short: How many there are.
    near, whole: How many flagged items have their answer near the match, and how many occur from beginning to end.
    """

    verdicts: NDArray[np.int64]
    order: NDArray[np.int64]
    flagged: int
    suspicious: int
    too_short: int
    near: int
    whole: int

    @property
    def interval(self) -> tuple[float, float, float] | None:
        """The share that is flagged of the items that are long enough, with its 95 percent interval."""
        judged = len(self.verdicts) - self.too_short
        return (self.flagged / judged, *wilson_interval(self.flagged, judged)) if judged else None


def judge(items: ItemColumns, thresholds: Thresholds) -> JudgedItems:
    """Tell which items are flagged.

    Returns: Their verdicts, as the library tells them.

    Notes
    -----
    Two milliseconds for 10,000 items.
    """
    long = ~items.short
    flagged = long & (items.share >= thresholds.flag_at)
    suspicious = long & ~flagged & (items.covered >= thresholds.suspect_at)
    verdicts = np.select([items.short, flagged, suspicious], [SHORT, FLAGGED, SUSPICIOUS], CLEAN)
    order = np.lexsort((-items.share, verdicts))
    return JudgedItems(
        verdicts,
        order,
        int(flagged.sum()),
        int(suspicious.sum()),
        int(items.short.sum()),
        int((flagged & items.near).sum()),
        int((flagged & items.whole).sum()),
    )
