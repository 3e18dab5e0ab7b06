"""Where in their windows collocates are, and in how many documents: each window is read for itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from explorer.arrays import ArrayValue
from explorer.backends.places import Places
from explorer.backends.protocol import Backend, Ids, Numbers
from explorer.jobs import CancelToken
from explorer.statistics.collocates import Chosen, checked_window, hit_places

_AT_ONCE = 1 << 18
"""Tokens that are read before the next look at `cancel`."""


@dataclass(frozen=True, eq=False)
class CollocateDetails(ArrayValue):
    """What a table of collocates does not need for its cells.

    Attributes
    ----------
    positions
        How often each token is at each place of a window, from the furthest left to the furthest right, int64 [tokens,
        left + right]. A token that is in the windows of two hits is at a place of both.
    documents
        In how many documents each is in a window, int64 [tokens].
    slots
        Places in all windows that hold a token, those that hold one of another hit included.
    """

    positions: Numbers
    documents: Numbers
    slots: int

    @property
    def pairs(self) -> Numbers:
        """Pairs of a hit and an occurrence of each token in its window, int64 [tokens]."""
        return np.asarray(self.positions.sum(axis=1))


@dataclass(frozen=True, eq=False)
class _Slots:
    """The tokens of some windows: each one, its place in the window, and its place in the corpus."""

    tokens: Numbers
    places: Numbers
    documents: Numbers
    offsets: Numbers


def collocate_details(
    index: Backend,
    node: Ids,
    window: tuple[SupportsIndex, SupportsIndex],
    tokens: Numbers,
    cancel: CancelToken | None = None,
    chosen: Chosen | None = None,
) -> CollocateDetails:
    """Count pairs, places and documents of some collocates.

    Parameters
    ----------
    index, node, window, cancel, chosen
        As for `find_collocates`.
    tokens
        The collocates, each once, int64.

    Returns
    -------
    CollocateDetails
        In their order. Documents are those in which one counts as observed; pairs also count tokens that are part of
        another hit, as AntConc and Sketch Engine do.

    Raises
    ------
    QueryError
        If an id is not of the index, or a number is out of range.
    Cancelled
        If it was cancelled.

    Notes
    -----
    Cost: the hits are located and sorted, and each window is read, however windows overlap.
    """
    ids = index.counts.check_ids(node)
    left, right = checked_window(window)
    token = cancel or CancelToken()
    hits = hit_places(index, ids, chosen, token.check)
    order = np.argsort(tokens)
    known = tokens[order]
    positions = np.zeros((len(tokens), left + right), np.int64)
    documents = np.zeros(len(tokens), np.int64)
    # The rows that the last document of what was read has been counted for.
    seen: tuple[int, Numbers] = (-1, np.empty(0, np.int64))
    slots, step = 0, max(1, _AT_ONCE // (left + right + len(ids)))
    for first in range(0, len(hits) if len(tokens) else 0, step):
        token.check()
        read = _slots(index, hits[first : first + step], len(ids), (left, right))
        slots += len(read.tokens)
        at = np.minimum(np.searchsorted(known, read.tokens), len(known) - 1)
        met = np.flatnonzero(known[at] == read.tokens)
        rows = order[at[met]]
        np.add.at(positions, (rows, read.places[met]), 1)
        own = ~_within_hits(hits, len(ids), read.documents[met], read.offsets[met])
        seen = _count_documents(documents, rows[own], read.documents[met][own], seen)
    return CollocateDetails(positions, documents, slots)


def _slots(index: Backend, hits: Places, node: int, sides: tuple[int, int]) -> _Slots:
    left, right = sides
    firsts = np.maximum(hits.offsets - left, 0)
    texts = index.documents.windows(hits.documents, firsts, hits.offsets + node + right)
    sizes = np.array([len(text) for text in texts], np.int64)
    which = np.repeat(np.arange(len(texts)), sizes)
    begins = np.cumsum(sizes) - sizes
    offsets = np.arange(len(which)) - begins[which] + firsts[which]
    shift = offsets - hits.offsets[which]
    places = np.where(shift < 0, shift + left, shift - node + left)
    outside = np.flatnonzero((shift < 0) | (shift >= node))
    tokens = np.concatenate(texts).astype(np.int64, copy=False)
    return _Slots(tokens[outside], places[outside], hits.documents[which[outside]], offsets[outside])


def _within_hits(hits: Places, node: int, documents: Numbers, offsets: Numbers) -> NDArray[np.bool_]:
    """Whether places are part of a hit."""
    high = int(max(hits.offsets.max(), offsets.max(initial=0))) + 1
    starts = hits.documents * high + hits.offsets
    at = documents * high + offsets
    last = np.maximum(np.searchsorted(starts, at, "right") - 1, 0)
    inside = at - starts[last]
    return np.asarray((hits.documents[last] == documents) & (inside >= 0) & (inside < node))


def _count_documents(
    counts: Numbers, rows: Numbers, documents: Numbers, seen: tuple[int, Numbers]
) -> tuple[int, Numbers]:
    """Add each pair of a row and a document once; documents ascend, and one may have been met before."""
    pairs = np.unique(np.stack([documents, rows], axis=1), axis=0)
    last, before = seen
    fresh = ~((pairs[:, 0] == last) & np.isin(pairs[:, 1], before))
    np.add.at(counts, pairs[fresh, 1], 1)
    if not len(pairs):
        return seen
    newest = int(pairs[-1, 0])
    mine = pairs[pairs[:, 0] == newest, 1]
    return newest, np.union1d(before, mine) if newest == last else mine
