"""The occurrences of one or several n-grams, numbered, none counted twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.index import Index, Matches, Places
from explorer.jobs import CancelToken

CHUNK = 1 << 16
"""Hits that are looked up between two looks at the cancel flag."""


@dataclass(frozen=True)
class Located:
    """Where some hits are: document, offset of the first token in it, length in tokens."""

    documents: NDArray[np.int64]
    offsets: NDArray[np.int64]
    lengths: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, chosen: NDArray[np.int64] | NDArray[np.bool_] | slice) -> Located:
        return Located(self.documents[chosen], self.offsets[chosen], self.lengths[chosen])

    @property
    def places(self) -> Places:
        """Without the lengths."""
        return Places(self.documents, self.offsets)


class Hits:
    """Occurrences of n-grams; those of an n-gram that extends another are the other's too.

    Hit number 0 is the first rank of the first n-gram in the first shard. `total` is the number of hits;
    `count` is less those of subtracted folders, of which no line is ever shown.
    """

    def __init__(self, index: Index, parts: Sequence[Matches]) -> None:
        self.index = index
        self.parts = distinct_parts(parts)
        sizes = [sum(last - first for first, last in part.ranges) for part in self.parts]
        self._sizes = np.array(sizes, dtype=np.int64)
        self._ends = np.cumsum(self._sizes)
        self.total = int(self._sizes.sum())
        self.count = sum(part.count for part in self.parts)

    def locate(self, numbers: NDArray[np.int64]) -> Located:
        """Places of these hits: a few reads each."""
        which = np.searchsorted(self._ends, numbers, side="right")
        documents, offsets, lengths = (np.empty(len(numbers), dtype=np.int64) for _ in range(3))
        for number in np.unique(which).tolist():
            part = self.parts[number]
            chosen = which == number
            local = numbers[chosen] - (self._ends[number] - self._sizes[number])
            places = self.index.places(part.ranges, local, part.ids)
            documents[chosen], offsets[chosen], lengths[chosen] = places.documents, places.offsets, part.length
        return Located(documents, offsets, lengths)

    def chunks(
        self, numbers: NDArray[np.int64] | None = None, cancel: CancelToken | None = None
    ) -> Iterator[tuple[NDArray[np.int64], Located]]:
        """All hits, or these, some tens of thousands at a time with their places; left-out documents are skipped."""
        total = self.total if numbers is None else len(numbers)
        for first in range(0, total, CHUNK):
            if cancel is not None:
                cancel.check()
            last = min(first + CHUNK, total)
            part = np.arange(first, last, dtype=np.int64) if numbers is None else numbers[first:last]
            located = self.locate(part)
            kept = ~self.index.is_left_out(located.documents)
            yield (part, located) if kept.all() else (part[kept], located[kept])

    def count_documents(self, numbers: NDArray[np.int64] | None = None, cancel: CancelToken | None = None) -> int:
        """Distinct documents; looks at every hit, memory grows with the number of documents only."""
        found = np.empty(0, dtype=np.int64)
        for _, located in self.chunks(numbers, cancel):
            found = np.union1d(found, located.documents)
        return len(found)


def distinct_parts(parts: Sequence[Matches]) -> tuple[Matches, ...]:
    """The n-grams without those that extend, or equal, another: their places are the other's already."""
    return _without(parts, lambda ids, other: ids[: len(other)] == other)


def distinct_phrases(parts: Sequence[Matches]) -> tuple[Matches, ...]:
    """The n-grams without those that contain another: to a reader, one occurrence, whichever way it is written.

    In a byte index " word" contains "word".
    """

    def contains(ids: Sequence[int], other: Sequence[int]) -> bool:
        return any(ids[i : i + len(other)] == other for i in range(len(ids) - len(other) + 1))

    return _without(parts, contains)


def _without(parts: Sequence[Matches], covered: Callable[[Sequence[int], Sequence[int]], bool]) -> tuple[Matches, ...]:
    kept: list[Matches] = []
    for part in sorted(parts, key=lambda p: p.length):
        if not any(covered(part.ids, other.ids) for other in kept):
            kept.append(part)
    return tuple(sorted(kept, key=parts.index))
