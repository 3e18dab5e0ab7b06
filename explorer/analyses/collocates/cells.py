"""Which tokens are near the hits of a query, and how often: the cells that measures of attraction are computed over.

Surface co-occurrence, as in `explorer.analyses.collocates.association`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from explorer.analyses.collocates.association import Cells
from explorer.analyses.collocates.windows import Chosen, Nodes, Windows
from explorer.analyses.search.limits import whole_number
from explorer.analyses.wordlist.ngram_lists import running_tokens
from explorer.backends.hit_places import hit_places
from explorer.backends.places import Places
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.range_texts import Cover, read_pieces
from explorer.backends.ranges import Ranges
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken


@dataclass(frozen=True, eq=False)
class Collocates(ArrayValue):
    """The tokens in the windows around a node.

    ids: The tokens, those that are in the windows most often first, of equal ones the smaller id first; int64 [rows].
    cells: Their counts, in this order. With `total` 0, there are no rows.
    """

    ids: Numbers
    cells: Cells

    def __len__(self) -> int:
        return len(self.ids)


def find_collocates(
    index: Backend,
    around: Windows,
    min_count: SupportsIndex = 5,
    cancel: CancelToken | None = None,
    chosen: Chosen | None = None,
) -> Collocates:
    """Count the tokens around hits, within documents.

    index: The index; its tokens are counted, so give one of words to count words.
    min_count: How often a token must be in the windows, at least 1.
    chosen: Whether the document of each number counts, bool [document slots]: all hits are in these. None: all do.
    Returns: The tokens and their counts. Each token of the text counts once, however many windows it is in, and those
        of hits never do. `cells.node` is the number of hits, those that overlap included.
    Raises `QueryError` if a number is out of range.

    Notes
    -----
    Cost: the windows are read, each token once, and each token that is listed is counted in the index. With `chosen`,
    it is counted by reading the chosen documents or the others, whichever are shorter.
    """
    least = whole_number(min_count, "min_count", 1)
    (found, everything), inside = _read(index, around, cancel)
    observed = everything - _looked_up(inside, found)
    size = int(observed.sum())
    rows, tested = np.flatnonzero(observed >= least), int(np.count_nonzero(observed))
    rows = rows[np.lexsort((found[rows], -observed[rows]))]
    found, observed = found[rows], observed[rows]
    everywhere, total = _counted(index, found, chosen, cancel)
    frequency = everywhere - _looked_up(inside, found)
    cells = Cells.of(observed, size, frequency, total - int(inside[1].sum()), len(around), tested)
    return Collocates(found, cells)


_Table = tuple[Numbers, Numbers]


def _read(index: Backend, around: Windows, cancel: CancelToken | None) -> tuple[_Table, _Table]:
    """The distinct tokens of windows with the hits in them, ascending, and the number of each; then those of hits."""
    none = np.empty(0, dtype=np.int64)
    whole, inside, own = (none, none), (none, none), around.own
    for piece, text in read_pieces(index, around.reach, cancel):
        whole, inside = _added(whole, text), _added(inside, text[own.marks(piece)])
    return whole, inside


def _added(table: _Table, tokens: Numbers) -> _Table:
    ids, counts = np.unique(tokens, return_counts=True)
    if not len(table[0]):
        return ids.astype(np.int64, copy=False), counts
    return _summed(np.concatenate((table[0], ids)), np.concatenate((table[1], counts)))


def collocate_places(
    index: Backend, around: Windows, token: int, cancel: CancelToken | None = None, chosen: Chosen | None = None
) -> tuple[Places, Nodes]:
    """Find each occurrence of one token in windows, as often as `find_collocates` counts it.

    Returns: The token's places, in the order of documents and offsets, and for each the hit that it is near: of those
        whose window holds it, the one whose window reaches furthest.
    Raises `QueryError` if the id is not of the index.

    Notes
    -----
    Cost: the hits of the token are located and sorted.
    """
    found = hit_places(index, index.counts.check_ids([token]), chosen, (cancel or CancelToken()).check)
    nodes = around.nodes
    if not len(nodes) or not len(found):
        return found[:0], nodes[:0]
    # One number per place, so that a search finds the last window that begins before it, also in another document.
    own = Cover.of(nodes.tokens, int(max(around.highs.max(), found.offsets.max())))
    found, high = found[~own.has(found.documents, found.offsets)], own.high
    lows, ends = (nodes.documents * high + each for each in (around.lows, around.highs))
    furthest = np.maximum.accumulate(ends)
    which = np.maximum.accumulate(np.where(ends == furthest, np.arange(len(ends)), 0))
    at = found.documents * high + found.offsets
    last = np.searchsorted(lows, at, "right") - 1
    near = np.flatnonzero((last >= 0) & (at < furthest[last]))
    return found[near], nodes[which[last[near]]]


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
    texts = Ranges(numbers[few], np.zeros_like(lengths[few]), lengths[few])
    counts = _tally(index, texts, found, cancel)
    return (counts if few is met else everywhere - counts), size


def _tally(index: Backend, texts: Ranges, found: Numbers, cancel: CancelToken | None) -> Numbers:
    """Count some tokens by reading texts."""
    counts = np.zeros(len(found), dtype=np.int64)
    for _, tokens in read_pieces(index, texts, cancel):
        counts += _looked_up(np.unique(tokens, return_counts=True), found)
    return counts


def _summed(ids: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """Distinct ids, ascending, and the sum of the counts of each."""
    distinct, rows = np.unique(ids, return_inverse=True)
    sums = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(sums, rows, counts)
    return distinct, sums


def _looked_up(table: tuple[Numbers, Numbers], ids: Numbers) -> Numbers:
    """The counts of some ids in a table of distinct ids; 0 for those that it lacks."""
    known, counts = table
    if not len(known):
        return np.zeros(len(ids), dtype=np.int64)
    rows = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[rows] == ids, counts[rows], 0)
