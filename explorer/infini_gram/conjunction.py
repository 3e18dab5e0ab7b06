"""AND of OR-clauses, as the package defines it: ranges of text that hold an n-gram of every clause.

In each shard, an occurrence of the rarest clause is a range of one place. Each further clause, the rarer first, widens
it to its nearest occurrence before the range's end, to that after its beginning, or to both, if they are near enough
and in the same document. A range that has neither is dropped. `Corpus.cnf` measures every clause from the one that is
rarest in all shards; for two clauses in one shard, both count the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.local.shard_set import Range
from explorer.backends.protocol.protocol import Matches
from explorer.core.jobs import CancelToken
from explorer.index.shard import MappedShard

Numbers = NDArray[np.int64]
_AT_ONCE = 1 << 20
"""Occurrences that are read between two looks at the request to stop."""


def ranges_in_shard(
    shard: MappedShard,
    clauses: Sequence[Sequence[tuple[Range, Matches]]],
    max_distance: int,
    cancel: CancelToken | None = None,
) -> Numbers:
    """Find the ranges of text of one shard that hold an n-gram of every clause.

    Parameters
    ----------
    shard
        The shard.
    clauses
        The n-grams of each clause, and their ranks in this shard.
    max_distance
        The most tokens by which a clause widens a range, on either side.
    cancel
        Stops the search.

    Returns
    -------
    NDArray[np.int64]
        The position in the stored text of the first token of each range, int64; in the order of the ranks of the rarest
        clause.

    Notes
    -----
    The places of all occurrences of all clauses are read and sorted.
    """
    places = sorted((_places(shard, clause, cancel) for clause in clauses), key=len)
    first = last = places[0]
    documents = _documents(shard, first)
    for unsorted in places[1:]:
        if cancel is not None:
            cancel.check()
        further = np.sort(unsorted)
        first, last, documents = _widened(first, last, documents, further, _documents(shard, further), max_distance)
    return _stored(shard, first)


def _places(shard: MappedShard, clause: Sequence[tuple[Range, Matches]], cancel: CancelToken | None) -> Numbers:
    """The beginnings of the occurrences of a clause, on an axis that runs in reading order within each document."""
    found = []
    for (start, end), ngram in clause:
        for first in range(start, end, _AT_ONCE):
            if cancel is not None:
                cancel.check()
            positions = shard.positions(np.arange(first, min(first + _AT_ONCE, end), dtype=np.int64))
            # Stored backwards, an n-gram begins with its last stored token.
            found.append(-(positions + ngram.length - 1) if shard.reversed_text else positions)
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)


def _stored(shard: MappedShard, places: Numbers) -> Numbers:
    return -places if shard.reversed_text else places


def _documents(shard: MappedShard, places: Numbers) -> Numbers:
    return shard.documents_of(_stored(shard, places))


def _widened(
    first: Numbers, last: Numbers, documents: Numbers, places: Numbers, their_documents: Numbers, max_distance: int
) -> tuple[Numbers, Numbers, Numbers]:
    """The ranges with a further clause, whose places ascend; those without it nearby are left out."""
    before, near_before = _nearest(places, their_documents, documents, np.searchsorted(places, last) - 1)
    after, near_after = _nearest(places, their_documents, documents, np.searchsorted(places, first))
    near_before &= before + max_distance >= first
    near_after &= after <= last + max_distance
    starts = np.where(near_before, np.minimum(first, before), first)
    ends = np.where(near_after, np.maximum(last, after), last)
    kept = near_before | near_after
    return starts[kept], ends[kept], documents[kept]


def _nearest(
    places: Numbers, their_documents: Numbers, documents: Numbers, which: NDArray[np.intp]
) -> tuple[Numbers, NDArray[np.bool_]]:
    """The places of these numbers, and whether each exists in the document of its range."""
    if not len(places):
        return np.zeros(len(which), dtype=np.int64), np.zeros(len(which), dtype=np.bool_)
    inside = np.clip(which, 0, len(places) - 1)
    return places[inside], (inside == which) & (their_documents[inside] == documents)
