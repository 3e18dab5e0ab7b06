"""AND of OR-clauses: n-grams that stand near each other in one document.

A match is an occurrence of the rarest clause for which every other clause occurs in the same
document within `max_distance` tokens between the two beginnings. Only the rarest clause is walked:
for the others the text around is read, or, where they are about as rare, their places are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.index import Ids, Index, Matches, Places
from explorer.errors import QueryError
from explorer.jobs import CancelToken
from explorer.search.concordance import distinct_parts

WALKED_UNASKED = 1_000_000
"""Occurrences of the rarest clause that are walked at once; of more a sample is taken at first."""

_CHUNK = 1 << 17
_STRIDE = 1 << 34
"""Document and offset in one number: documents are so far apart that nothing is near across them."""


@dataclass(frozen=True)
class CnfMatches:
    """Occurrences of the rarest clause with all others near, and the number of documents they are in.

    documents, offsets: where they are, in order. exact: False for an estimate; then the two counts are
    scaled up from `sample_size` of the `walkable` occurrences, and the places are those of the sample.
    """

    count: int
    document_count: int
    exact: bool
    documents: NDArray[np.int64]
    offsets: NDArray[np.int64]
    sample_size: int
    walkable: int


def cnf(
    index: Index,
    clauses: Sequence[Sequence[Ids]],
    max_distance: int = 100,
    exact: bool | None = None,
    seed: int = 0,
    cancel: CancelToken | None = None,
) -> CnfMatches:
    """Find an AND of OR-clauses.

    exact: True walks every occurrence of the rarest clause however many there are, False never more
    than 1,000,000 of them, chosen with `seed`; None does as False. With up to so many the answer is
    exact in any case. Raises QueryError for an empty clause or a negative distance.
    """
    if not len(clauses) or any(not len(clause) for clause in clauses):
        raise QueryError("A clause of the query is empty. Give at least one n-gram a clause.")
    if max_distance < 0:
        raise QueryError(f"max_distance must not be negative: {max_distance}.")
    parts = [distinct_parts([index.find(index.check_ids(ids)) for ids in clause]) for clause in clauses]
    parts.sort(key=_occurrences)
    walkable = _occurrences(parts[0])
    numbers = np.arange(walkable, dtype=np.int64)
    if not exact and walkable > WALKED_UNASKED:
        numbers = np.sort(np.random.default_rng(seed).choice(walkable, WALKED_UNASKED, replace=False))
    kept = _walk(index, parts, numbers, max_distance, cancel)
    documents, offsets = np.divmod(kept, _STRIDE)
    complete = len(numbers) == walkable
    scale = 1.0 if complete else walkable / len(numbers)
    return CnfMatches(
        count=round(len(kept) * scale),
        document_count=round(len(np.unique(documents)) * scale) if not complete else len(np.unique(documents)),
        exact=complete,
        documents=documents,
        offsets=offsets,
        sample_size=len(numbers),
        walkable=walkable,
    )


def _occurrences(clause: Sequence[Matches]) -> int:
    """Ranks of a clause, those of subtracted documents included."""
    return sum(last - first for part in clause for first, last in part.ranges)


def _walk(
    index: Index,
    parts: Sequence[Sequence[Matches]],
    numbers: NDArray[np.int64],
    distance: int,
    cancel: CancelToken | None,
) -> NDArray[np.int64]:
    """Places of the chosen occurrences of the first clause that have all the others near, each once."""
    rarest, others = parts[0], parts[1:]
    listed = {
        i: _all_keys(index, other, cancel) for i, other in enumerate(others) if _worth_listing(other, numbers, distance)
    }
    kept = [np.empty(0, dtype=np.int64)]
    for start in range(0, len(numbers), _CHUNK):
        keys = np.unique(_keys(index, rarest, numbers[start : start + _CHUNK], cancel))
        for i, other in enumerate(others):
            if i in listed:
                keys = keys[_near(keys, listed[i], distance)]
            else:
                places = Places(*np.divmod(keys, _STRIDE))
                keys = keys[index.near(places, [part.ids for part in other], distance, cancel)] if len(keys) else keys
        kept.append(keys)
    return np.unique(np.concatenate(kept))


def _worth_listing(clause: Sequence[Matches], numbers: NDArray[np.int64], distance: int) -> bool:
    """Whether looking up all of a clause costs less than reading the text around the places of the rarest."""
    reading = len(numbers) * (2 * distance + 1) * len(clause)
    return _occurrences(clause) * 50 < reading and _occurrences(clause) <= 20 * WALKED_UNASKED


def _all_keys(index: Index, clause: Sequence[Matches], cancel: CancelToken | None) -> NDArray[np.int64]:
    """Sorted places of all of a clause's occurrences."""
    total = _occurrences(clause)
    parts = [np.empty(0, dtype=np.int64)]
    for first in range(0, total, _CHUNK):
        parts.append(_keys(index, clause, np.arange(first, min(first + _CHUNK, total), dtype=np.int64), cancel))
    return np.unique(np.concatenate(parts))


def _keys(
    index: Index, clause: Sequence[Matches], numbers: NDArray[np.int64], cancel: CancelToken | None
) -> NDArray[np.int64]:
    """Places, as one number each, of the occurrences `numbers`, counted through the clause's n-grams."""
    if cancel is not None:
        cancel.check()
    keys = [np.empty(0, dtype=np.int64)]
    start = 0
    for part in clause:
        size = sum(last - first for first, last in part.ranges)
        mine = numbers[(numbers >= start) & (numbers < start + size)] - start
        places = index.places(part.ranges, mine, part.length)
        kept = ~index.is_left_out(places.documents)
        keys.append(places.documents[kept] * _STRIDE + places.offsets[kept])
        start += size
    return np.concatenate(keys)


def _near(places: NDArray[np.int64], others: NDArray[np.int64], distance: int) -> NDArray[np.bool_]:
    """Which places have one of the others within the distance, in the same document."""
    first = np.searchsorted(others, np.maximum(places - distance, places // _STRIDE * _STRIDE), side="left")
    last = np.searchsorted(others, np.minimum(places + distance, (places // _STRIDE + 1) * _STRIDE - 1), side="right")
    return np.asarray(last > first)
