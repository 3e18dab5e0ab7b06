"""The occurrences of n-grams or of a text pattern, numbered, none counted twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import Located
from explorer.backends.shards import Index, Matches
from explorer.backends.text import TextMatches
from explorer.jobs import CancelToken
from explorer.search.text_hits import TextPlaces

CHUNK = 1 << 16
"""Hits that are looked up between two looks at the cancel flag."""


Part = Matches | TextMatches
"""What can have occurrences: an n-gram, or a text pattern."""


class Hits:
    """Occurrences of n-grams, or of one text pattern.

    Those of an n-gram that extends another are the other's too. Hit number 0 is the first rank of the first n-gram in
    the first shard. `total` is the number of hits; `count` is less those that are never shown: of subtracted folders,
    and those in the space that a tokenizer puts before each text.
    """

    def __init__(self, index: Index, parts: Sequence[Part]) -> None:
        self.index = index
        patterns = [part for part in parts if isinstance(part, TextMatches)]
        ngrams = [part for part in parts if isinstance(part, Matches)]
        if patterns and len(parts) > 1:
            raise ValueError("several text patterns are one: see `find_text`")
        self.parts: tuple[Part, ...] = tuple(patterns) or distinct_parts(ngrams)
        self.text = TextPlaces(index, patterns[0]) if patterns else None
        if self.text is not None:
            self.total, self.count, self.sieved = self.text.total, self.text.count, self.text.sieved
            return
        sizes = [sum(last - first for first, last in part.ranges) for part in self.ngrams]
        self._sizes = np.array(sizes, dtype=np.int64)
        self._ends = np.cumsum(self._sizes)
        self.total = int(self._sizes.sum())
        self.count = sum(part.count for part in self.ngrams)
        self.sieved = bool(index.minus)

    @property
    def ngrams(self) -> tuple[Matches, ...]:
        """The n-grams; none for a text pattern."""
        return tuple(part for part in self.parts if isinstance(part, Matches))

    def locate(self, numbers: NDArray[np.int64]) -> Located:
        """Places of these hits: a few reads each."""
        if self.text is not None:
            return self.text.locate(numbers)
        which = np.searchsorted(self._ends, numbers, side="right")
        documents, offsets, lengths = (np.empty(len(numbers), dtype=np.int64) for _ in range(3))
        for number in np.unique(which).tolist():
            part = self.ngrams[number]
            chosen = which == number
            local = numbers[chosen] - (self._ends[number] - self._sizes[number])
            places = self.index.places(part.ranges, local, part.ids)
            documents[chosen], offsets[chosen], lengths[chosen] = places.documents, places.offsets, part.length
        return Located.of_tokens(documents, offsets, lengths)

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """Places of hits with their ends, which `locate` does not look for in text patterns."""
        return located if self.text is None else self.text.measured(located, cancel)

    def _shown(self, located: Located) -> NDArray[np.bool_]:
        """Which of the hits count."""
        shown = ~self.index.is_left_out(located.documents)
        return shown if self.text is None else shown & ~self.text.is_artificial(located)

    def chunks(
        self, numbers: NDArray[np.int64] | None = None, cancel: CancelToken | None = None
    ) -> Iterator[tuple[NDArray[np.int64], Located]]:
        """All hits, or these, some tens of thousands at a time with their places; without those that never count."""
        total = self.total if numbers is None else len(numbers)
        for first in range(0, total, CHUNK):
            if cancel is not None:
                cancel.check()
            last = min(first + CHUNK, total)
            part = np.arange(first, last, dtype=np.int64) if numbers is None else numbers[first:last]
            located = self.locate(part)
            kept = self._shown(located)
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
