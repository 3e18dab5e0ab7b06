"""Which tokens are near the hits of an n-gram, and how often: the cells that measures of attraction are computed over.

Surface co-occurrence, as in `explorer.statistics.association`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from explorer.arrays import ArrayValue
from explorer.backends.places import Places
from explorer.backends.protocol import Backend, Ids, Numbers
from explorer.backends.ranges import Ranges, ranges_of
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.jobs import CancelToken
from explorer.search.limits import whole_number
from explorer.statistics.association import Cells
from explorer.statistics.ngram_lists import running_tokens

Chosen = NDArray[np.bool_]

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


@dataclass(frozen=True, eq=False)
class Nodes(ArrayValue):
    """Hits of any query: one may be longer than another, or overlap it.

    Attributes
    ----------
    documents
        The number of each one's document, int64.
    starts, ends
        Its tokens there, half-open, int64.
    """

    documents: Numbers
    starts: Numbers
    ends: Numbers

    def __len__(self) -> int:
        return len(self.documents)


def find_collocates(
    index: Backend,
    node: Ids,
    window: tuple[SupportsIndex, SupportsIndex] = (5, 5),
    min_count: SupportsIndex = 5,
    cancel: CancelToken | None = None,
    chosen: Chosen | None = None,
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
    chosen
        Whether the document of each number counts, bool [document slots]; None: all do.

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
    each token that is listed is counted in the index. With `chosen`, it is counted by reading the chosen documents or
    the others, whichever are shorter.
    """
    ids = index.counts.check_ids(node)
    left, right = checked_window(window)
    least = whole_number(min_count, "min_count", 1)
    check = _never if cancel is None else cancel.check
    places = hit_places(index, ids, chosen, check)
    inside = _node_tokens(places, ids)
    found, observed = _read(index, places, (left, len(ids) + right), check)
    # The node's own tokens are in its windows, whose counts hold them until here.
    observed = observed - _looked_up(inside, found)
    size, own = int(observed.sum()), int(inside[1].sum())
    rows = np.flatnonzero(observed >= least)
    rows = rows[np.lexsort((found[rows], -observed[rows]))]
    found, observed = found[rows], observed[rows]
    everywhere, total = _counted(index, found, chosen, cancel)
    frequency = everywhere - _looked_up(inside, found)
    return Collocates(found, Cells.of(observed, size, frequency, total - own, len(places)))


def collocates_around(
    index: Backend,
    nodes: Nodes,
    window: tuple[SupportsIndex, SupportsIndex] = (5, 5),
    min_count: SupportsIndex = 5,
    cancel: CancelToken | None = None,
    chosen: Chosen | None = None,
) -> Collocates:
    """Count the tokens around hits of any lengths, as `find_collocates` counts them around those of one n-gram.

    Parameters
    ----------
    index
        The index; its tokens are counted, so give one of words to count words.
    nodes
        The hits.
    window, min_count, cancel
        As for `find_collocates`.
    chosen
        Whether the document of each number counts, bool [document slots]: all hits are in these. None: all do.

    Returns
    -------
    Collocates
        As from `find_collocates`.

    Raises
    ------
    QueryError
        If a number is out of range.
    Cancelled
        If it was cancelled.

    Notes
    -----
    Cost: the hits are sorted, then the union of their windows and that of the hits are read.
    """
    left, right = checked_window(window)
    least = whole_number(min_count, "min_count", 1)
    own = ranges_of(nodes.documents, nodes.starts, nodes.ends)
    sizes = index.documents.lengths(nodes.documents)
    reach = ranges_of(nodes.documents, np.maximum(nodes.starts - left, 0), np.minimum(nodes.ends + right, sizes))
    found, observed = _tokens_of(index, reach.without(own), cancel)
    inside = _tokens_of(index, own, cancel)
    rows = np.flatnonzero(observed >= least)
    rows = rows[np.lexsort((found[rows], -observed[rows]))]
    size, kept, times = int(observed.sum()), found[rows], observed[rows]
    everywhere, total = _counted(index, kept, chosen, cancel)
    frequency = everywhere - (_looked_up(inside, kept) if len(inside[0]) else 0)
    return Collocates(kept, Cells.of(times, size, frequency, total - own.tokens, len(nodes)))


def _tokens_of(index: Backend, ranges: Ranges, cancel: CancelToken | None) -> tuple[Numbers, Numbers]:
    """The distinct tokens of ranges, ascending, and how many there are of each."""
    found, counts = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    sizes = np.cumsum(ranges.ends - ranges.starts)
    cuts: Numbers = np.flatnonzero(np.diff(sizes // _AT_ONCE)) + 1
    for part in np.split(np.arange(len(ranges)), cuts) if len(ranges) else []:
        if cancel is not None:
            cancel.check()
        read = index.documents.windows(ranges.documents[part], ranges.starts[part], ranges.ends[part])
        some, times = np.unique(np.concatenate(read).astype(np.int64, copy=False), return_counts=True)
        found, counts = _summed(np.concatenate((found, some)), np.concatenate((counts, times)))
    return found, counts


def checked_window(window: tuple[SupportsIndex, SupportsIndex]) -> tuple[int, int]:
    """Check the two sides of a window.

    Parameters
    ----------
    window
        Tokens left and right.

    Returns
    -------
    tuple[int, int]
        The same as numbers of Python.

    Raises
    ------
    QueryError
        If one is not a whole number from 0 to 1,000, or both are 0.
    """
    left, right = (whole_number(side, "window", 0, WIDEST) for side in window)
    if not left + right:
        raise QueryError(mark("A window needs a token on the left or on the right."), reason="empty-window")
    return left, right


def collocate_places(
    index: Backend,
    node: Ids,
    window: tuple[SupportsIndex, SupportsIndex],
    token: int,
    cancel: CancelToken | None = None,
    chosen: Chosen | None = None,
) -> tuple[Places, Places]:
    """Find each occurrence of one token in the windows of a node, as often as `find_collocates` counts it.

    Parameters
    ----------
    index, node, window, cancel, chosen
        As for `find_collocates`.
    token
        The token.

    Returns
    -------
    tuple[Places, Places]
        The token's places, in the order of documents and offsets, and for each the hit that it is near: the last one
        whose window holds it.

    Raises
    ------
    QueryError
        If an id is not of the index, or a number is out of range.
    Cancelled
        If it was cancelled.

    Notes
    -----
    Cost: the hits of the node and of the token are located and sorted.
    """
    ids = index.counts.check_ids(node)
    left, right = checked_window(window)
    check = _never if cancel is None else cancel.check
    hits = hit_places(index, ids, chosen, check)
    found = hit_places(index, index.counts.check_ids([token]), chosen, check)
    if not len(hits) or not len(found):
        return found[:0], hits[:0]
    # One number per place, so that a search finds the last hit before it, also in another document.
    high = int(max(hits.offsets.max(), found.offsets.max())) + left + 2
    starts, at = (each.documents * high + each.offsets for each in (hits, found))
    # Windows are of one size: the last one that begins here or earlier is also the last to end.
    nearest = np.maximum(np.searchsorted(starts, at + left, "right") - 1, 0)
    within = np.maximum(np.searchsorted(starts, at, "right") - 1, 0)
    ahead, inside = at - starts[nearest], at - starts[within]
    same = hits.documents[nearest] == found.documents
    own = (inside >= 0) & (inside < len(ids))
    near = np.flatnonzero(same & (ahead >= -left) & (ahead < len(ids) + right) & ~own)
    return found[near], hits[nearest[near]]


def _counted(index: Backend, found: Numbers, chosen: Chosen | None, cancel: CancelToken | None) -> tuple[Numbers, int]:
    """How often tokens occur in the chosen documents, and all tokens of these."""
    each = np.arange(len(found), dtype=np.int64)
    everywhere, total = index.counts.count_many(found, each, each + 1, cancel), running_tokens(index)
    if chosen is None:
        return everywhere, total
    numbers = index.documents.numbers()
    lengths = index.documents.lengths(numbers)
    met = chosen[numbers]
    size = int(lengths[met].sum())
    # What is read is the smaller part; the counts of the other one are what is left.
    few = met if 2 * size <= total else ~met
    counts = _tally(index, numbers[few], lengths[few], found, cancel)
    return (counts if few is met else everywhere - counts), size


def _tally(index: Backend, documents: Numbers, lengths: Numbers, found: Numbers, cancel: CancelToken | None) -> Numbers:
    """Count some tokens in whole documents by reading these, about a million tokens at a time."""
    counts = np.zeros(len(found), dtype=np.int64)
    ends = np.cumsum(lengths)
    first = 0
    while first < len(documents):
        if cancel is not None:
            cancel.check()
        done = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, done + 4 * _AT_ONCE, "right")))
        part = slice(first, last)
        read = index.documents.windows(documents[part], np.zeros_like(lengths[part]), lengths[part])
        table = np.unique(np.concatenate(read).astype(np.int64, copy=False), return_counts=True)
        # A document may be empty, and with it the table.
        counts += _looked_up(table, found) if len(table[0]) else 0
        first = last
    return counts


def _never() -> None:
    """In place of `cancel.check` where nothing can cancel."""


def hit_places(
    index: Backend, ids: Numbers, chosen: Chosen | None = None, check: Callable[[], None] = _never
) -> Places:
    """Locate all hits of an n-gram.

    Parameters
    ----------
    index
        The index.
    ids
        The n-gram, checked.
    chosen
        Whether the document of each number counts; None: all do.
    check
        Called now and then; ends the work by raising.

    Returns
    -------
    Places
        The hits, in the order of documents and offsets.
    """
    hits = index.hits.occurrences([index.hits.find(ids)])
    parts: list[Places] = []
    for first in range(0, hits.total, _AT_ONCE):
        check()
        located = hits.locate(np.arange(first, min(first + _AT_ONCE, hits.total), dtype=np.int64))
        shown = located[hits.shown(located)] if hits.sieved else located
        here = Places(shown.documents, shown.offsets)
        parts.append(here if chosen is None else here[chosen[here.documents]])
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
