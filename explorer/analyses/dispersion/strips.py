"""Where some words are in each part of a corpus: the strips of a plot of dispersion, and the measures beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.dispersion.compute import Parts
from explorer.analyses.dispersion.measures import average_reduced_frequency
from explorer.analyses.dispersion.spreads import Floats, Numbers, Spreads
from explorer.backends.hit_places import hit_places
from explorer.backends.protocol.protocol import Backend, Ids
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark

MOST_HITS = 1 << 24
"""Hits of one word; more of them take more memory than a window has."""


@dataclass(frozen=True, eq=False)
class PartHits(ArrayValue):
    """The hits of one word, by part.

    parts: The part of each hit, rising, int64 [hits].
    inside: Words of the part before it, rising within a part, int64 [hits].
    places: Words of the corpus before it, as it is read, rising, int64 [hits].
    """

    parts: Numbers
    inside: Numbers
    places: Numbers

    def __len__(self) -> int:
        return len(self.parts)

    def of_part(self, part: int, size: float) -> Floats:
        """Find where the hits of a part are.

        Returns: From 0 for its first word to below 1, rising, float64 [hits].
        """
        first, last = np.searchsorted(self.parts, [part, part + 1])
        return np.asarray(self.inside[first:last] / size, np.float64)


@dataclass(frozen=True)
class Strip:
    """One part, with a tick for each hit.

    Attributes
    ----------
    title
        The title of the document, the value of the field, or the number of the slice, counted from 1.
    part
        The number of the part, from 0.
    document
        The number of the document; None where a part is something else.
    words
        The words of the part.
    ticks
        For each word, where its hits are, from 0 for the first word of the part to below 1, rising.
    """

    title: str
    part: int
    document: int | None
    words: int
    ticks: tuple[tuple[float, ...], ...]

    @property
    def hits(self) -> int:
        """Hits of all words."""
        return sum(map(len, self.ticks))

    @property
    def per_million(self) -> float:
        """Hits of all words per million words of the part."""
        return 1e6 * self.hits / self.words


@dataclass(frozen=True, eq=False)
class Strips(ArrayValue):
    """Where some words are in each part.

    hits: The hits of each word; of one that does not occur there are none.
    sizes: The words of each part, float64 [parts].
    """

    parts: Parts
    hits: tuple[PartHits, ...]
    sizes: Floats

    def counts(self, word: int) -> Numbers:
        """Count a word in each part.

        Returns: Its hits, int64 [parts].
        """
        return np.bincount(self.hits[word].parts, minlength=self.parts.count).astype(np.int64)

    def order(self, by_rate: bool = True) -> Numbers:
        """Put the parts with a hit of any word into an order.

        by_rate: Whether the part with most hits per word, of all words together, comes first; otherwise that which is
            read first.
        Returns: Numbers of parts, int64; those of equal rates are in their own order.
        """
        counts = np.zeros(self.parts.count, np.int64)
        for each in self.hits:
            counts += np.bincount(each.parts, minlength=len(counts))
        met = np.flatnonzero(counts)
        return met[np.argsort(-(counts[met] / self.sizes[met]), kind="stable")] if by_rate else met

    def measures(self, words: Sequence[int]) -> Mapping[str, Floats]:
        """Measure how evenly some words are spread.

        words: Their numbers; each of them occurs.
        Returns: The measures of `DISPERSIONS` and `arf`, float64 [words]; nan where one is not defined.
        """
        hits = [self.hits[word] for word in words]
        owners = np.repeat(np.arange(len(hits)), [len(each) for each in hits])
        parts = np.concatenate([np.zeros(0, np.int64), *(each.parts for each in hits)])
        spreads = Spreads.of(owners, parts, np.ones(len(parts), np.int64), self.sizes)
        arf = [average_reduced_frequency(each.places, self.parts.total) for each in hits]
        return {**spreads.measures(), "arf": np.array(arf, np.float64)}


def find_strips(index: Backend, words: Sequence[Ids], parts: Parts, cancel: CancelToken | None = None) -> Strips:
    """Find where some words are in each part.

    words: The ids of each word, or of several in a row, which count where the first one is.
    Raises `QueryError` if one has more than 16 million hits.

    Notes
    -----
    Cost: the hits are located and sorted, and nothing else is read. Memory: 40 bytes for each, and some numbers for
    each document.
    """
    check = (lambda: None) if cancel is None else cancel.check
    begins = np.cumsum(parts.lengths) - parts.lengths
    before = _before_documents(parts)
    made: list[PartHits] = []
    for word in words:
        ids = index.counts.check_ids(word)
        if index.counts.count(ids) > MOST_HITS:
            raise QueryError(mark("A strip has at most {most:,} hits."), reason="too-many-hits", most=MOST_HITS)
        found = hit_places(index, ids, None, check)
        rows = np.searchsorted(parts.documents, found.documents)
        places = begins[rows] + found.offsets
        at = parts.at(places, rows)
        inside = before[rows] + found.offsets if parts.part_of is not None else places - _bounds(parts)[at]
        order = np.lexsort((inside, at))
        made.append(PartHits(at[order], inside[order], np.sort(places)))
    return Strips(parts, tuple(made), parts.sizes)


def _bounds(parts: Parts) -> Numbers:
    """Where slices begin."""
    return np.arange(parts.count, dtype=np.int64) * parts.total // parts.count


def _before_documents(parts: Parts) -> NDArray[np.int64]:
    """Words of its part before each document."""
    if parts.part_of is None:
        return np.zeros(0, np.int64)
    order = np.argsort(parts.part_of, kind="stable")
    ends = np.cumsum(parts.lengths[order])
    begins = ends - parts.lengths[order]
    sizes = np.bincount(parts.part_of, weights=parts.lengths, minlength=parts.count).astype(np.int64)
    firsts = np.cumsum(sizes) - sizes
    before = np.empty(len(order), np.int64)
    before[order] = begins - firsts[parts.part_of[order]]
    return before
