"""Which tokens are near the hits of an n-gram, and how often: the cells that measures of attraction are computed over.

Surface co-occurrence, as in `explorer.statistics.association`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from explorer.arrays import ArrayValue
from explorer.backends.places import Places
from explorer.backends.protocol import Backend, Ids, Numbers
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.jobs import CancelToken
from explorer.search.limits import whole_number
from explorer.statistics.association import Cells
from explorer.statistics.ngram_lists import running_tokens

WIDEST = 1_000
"""Tokens of a window on one side, at most."""
_AT_ONCE = 1 << 18
"""Tokens that are read before the next look at `cancel`."""


@dataclass(frozen=True, eq=False)
class Collocates(ArrayValue):
    """The tokens in the windows around a node.

    Attributes
    ----------
    ids
        The tokens, those that are in the windows most often first, of equal ones the smaller id first; int64 [rows].
    cells
        Their counts, in this order. With `total` 0, there are no rows.
    """

    ids: Numbers
    cells: Cells

    def __len__(self) -> int:
        return len(self.ids)


def find_collocates(
    index: Backend,
    node: Ids,
    window: tuple[SupportsIndex, SupportsIndex] = (5, 5),
    min_count: SupportsIndex = 5,
    cancel: CancelToken | None = None,
) -> Collocates:
    """Count the tokens around the hits of an n-gram, within documents.

    Parameters
    ----------
    index
        The index; its tokens are counted, so give one of words to count words.
    node
        Token ids of the n-gram.
    window
        Tokens left and right of each hit, 0 to 1,000 each, not both 0.
    min_count
        How often a token must be in the windows, at least 1.
    cancel
        Stops the count.

    Returns
    -------
    Collocates
        The tokens and their counts. Each token of the text counts once, however many windows it is in, and those of
        the node never do. `cells.node` is the number of hits, those that overlap included.

    Raises
    ------
    QueryError
        If the n-gram is empty or has an id that is not of the index, or a number is out of range.
    Cancelled
        If it was cancelled.

    Notes
    -----
    Cost: the hits are located and sorted, with 16 bytes for each; then their windows are read, each token once, and
    each token that is listed is counted in the index.
    """
    ids = index.counts.check_ids(node)
    left, right = (whole_number(side, "window", 0, WIDEST) for side in window)
    if not left + right:
        raise QueryError(mark("A window needs a token on the left or on the right."), reason="empty-window")
    least = whole_number(min_count, "min_count", 1)
    check = _never if cancel is None else cancel.check
    places = _places(index, ids, check)
    inside = _node_tokens(places, ids)
    found, observed = _read(index, places, (left, len(ids) + right), check)
    # The node's own tokens are in its windows, whose counts hold them until here.
    observed = observed - _looked_up(inside, found)
    size, own = int(observed.sum()), int(inside[1].sum())
    chosen = np.flatnonzero(observed >= least)
    chosen = chosen[np.lexsort((found[chosen], -observed[chosen]))]
    found, observed = found[chosen], observed[chosen]
    each = np.arange(len(found), dtype=np.int64)
    everywhere = index.counts.count_many(found, each, each + 1, cancel)
    frequency = everywhere - _looked_up(inside, found)
    return Collocates(found, Cells.of(observed, size, frequency, running_tokens(index) - own, len(places)))


def _never() -> None:
    """In place of `cancel.check` where nothing can cancel."""


def _places(index: Backend, ids: Numbers, check: Callable[[], None]) -> Places:
    """All hits, in the order of documents and offsets."""
    hits = index.hits.occurrences([index.hits.find(ids)])
    parts: list[Places] = []
    for first in range(0, hits.total, _AT_ONCE):
        check()
        located = hits.locate(np.arange(first, min(first + _AT_ONCE, hits.total), dtype=np.int64))
        shown = located[hits.shown(located)] if hits.sieved else located
        parts.append(Places(shown.documents, shown.offsets))
    places = Places.join(parts)
    return places[np.lexsort((places.offsets, places.documents))]


def _since_last(places: Places) -> Numbers:
    """Tokens from the hit before in the same document; the largest number for the first hit of a document."""
    found = np.full(len(places), np.iinfo(np.int64).max)
    same = np.flatnonzero(places.documents[1:] == places.documents[:-1]) + 1
    found[same] = places.offsets[same] - places.offsets[same - 1]
    return found


def _node_tokens(places: Places, ids: Numbers) -> tuple[Numbers, Numbers]:
    """The distinct tokens of the node, ascending, and how many of each are part of hits."""
    # Where hits overlap, only the last tokens of the second are not part of the first.
    new = np.minimum(_since_last(places), len(ids))
    ordered = np.sort(new)
    counts = [len(new) - int(np.searchsorted(ordered, len(ids) - at)) for at in range(len(ids))]
    return _summed(ids, np.array(counts, dtype=np.int64))


def _read(index: Backend, places: Places, reach: tuple[int, int], check: Callable[[], None]) -> tuple[Numbers, Numbers]:
    """The distinct tokens of all windows with the node in them, ascending, and how many there are of each."""
    before, after = reach
    lasts = places.offsets + after
    # What the window before has read is left out: windows are of one size, so they end in the order of their hits.
    firsts = np.maximum(lasts - _since_last(places), places.offsets - before)
    found = np.empty(0, dtype=np.int64)
    counts = np.empty(0, dtype=np.int64)
    step = max(1, _AT_ONCE // (before + after))
    for first in range(0, len(places), step):
        check()
        part = slice(first, first + step)
        read = index.documents.windows(places.documents[part], firsts[part], lasts[part])
        some, times = np.unique(np.concatenate(read).astype(np.int64, copy=False), return_counts=True)
        found, counts = _summed(np.concatenate((found, some)), np.concatenate((counts, times)))
    return found, counts


def _summed(ids: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """Distinct ids, ascending, and the sum of the counts of each."""
    distinct, rows = np.unique(ids, return_inverse=True)
    sums = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(sums, rows, counts)
    return distinct, sums


def _looked_up(table: tuple[Numbers, Numbers], ids: Numbers) -> Numbers:
    """The counts of some ids in a table of distinct ids; 0 for those that it lacks."""
    known, counts = table
    rows = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[rows] == ids, counts[rows], 0)
