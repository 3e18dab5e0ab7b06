"""How evenly the words of a corpus are spread over its parts: one pass over all documents for many words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.dispersion.spreads import Floats, Numbers, Spreads
from explorer.backends.documents.reading import whole_documents
from explorer.backends.protocol.protocol import Backend
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report

_TOGETHER = 1 << 20
"""Words that are put in order at once."""


@dataclass(frozen=True, eq=False)
class Parts(ArrayValue):
    """A corpus in parts.

    documents: The numbers of its documents in the order in which they are read, int64.
    lengths: The words of each, int64.
    part_of: The part of each, int64; None for slices.
    """

    documents: Numbers
    lengths: Numbers
    part_of: Numbers | None
    count: int

    @classmethod
    def by_label(cls, documents: Numbers, lengths: Numbers, labels: NDArray[np.integer]) -> Parts:
        """Make a part of the documents of each label."""
        kept = lengths > 0
        distinct, part_of = np.unique(labels[kept], return_inverse=True)
        return cls(documents[kept], lengths[kept], part_of.astype(np.int64), len(distinct))

    @classmethod
    def slices(cls, documents: Numbers, lengths: Numbers, count: int) -> Parts:
        """Cut the corpus, as it is read, into slices whose sizes differ by one word at most.

        count: How many, 1 to the number of words.
        Returns: The slices, which can begin inside a document.
        """
        kept = lengths > 0
        return cls(documents[kept], lengths[kept], None, count)

    @property
    def total(self) -> int:
        """All words."""
        return int(self.lengths.sum())

    @property
    def sizes(self) -> Floats:
        """The words of each part, float64 [parts]."""
        if self.part_of is not None:
            weights = self.lengths.astype(np.float64)
            return np.bincount(self.part_of, weights, minlength=self.count).astype(np.float64)
        return np.diff(np.arange(self.count + 1) * self.total // self.count).astype(np.float64)

    def at(self, places: Numbers, documents: Numbers) -> Numbers:
        """Find the parts of words.

        places: Their places in the corpus as it is read, int64.
        documents: The rows of their documents, int64.
        Returns: The part of each, int64.
        """
        if self.part_of is not None:
            return self.part_of[documents]
        bounds = np.arange(1, self.count) * self.total // self.count
        return np.searchsorted(bounds, places, side="right").astype(np.int64)


def measure_words(
    index: Backend,
    words: Numbers,
    frequencies: Numbers,
    parts: Parts,
    size: int,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Mapping[str, Floats]:
    """Measure the dispersion of some words.

    words: Their ids, int64 [words].
    frequencies: How often each occurs in the parts, above 0, int64 [words].
    size: Above every id of the index.
    Returns: The measures of `DISPERSIONS` and `arf`, float64 [words]; nan where one is not defined.

    Notes
    -----
    Cost: every word of the corpus is read once, and those that are asked for are sorted in parts of a million. Memory:
    one number per word of the vocabulary, and one cell per word and part in which it occurs.
    """
    rows = np.full(size, -1, np.int64)
    rows[words] = np.arange(len(words))
    tally = _Tally(frequencies, parts)
    read = 0
    waiting: list[Numbers] = []
    gathered = 0
    for _, document in whole_documents(index, parts.documents):
        if cancel is not None:
            cancel.check()
        waiting.append(rows[document])
        read += len(document)
        if read - gathered >= _TOGETHER or read == parts.total:
            tally.add(waiting)
            waiting, gathered = [], read
            report(Progress("Reading words", read, parts.total, "words"))
    return tally.measures()


class _Tally:
    """Cells of the words that were read so far, and the distances between neighbors."""

    def __init__(self, frequencies: Numbers, parts: Parts) -> None:
        self._parts = parts
        self._cells = np.zeros(0, np.int64)
        self._counts = np.zeros(0, np.int64)
        self._read = self._documents = 0
        self._even = parts.total / frequencies
        self._reduced = np.zeros(len(frequencies))
        self._first = np.full(len(frequencies), -1, np.int64)
        self._last = np.full(len(frequencies), -1, np.int64)

    def add(self, documents: list[Numbers]) -> None:
        rows = np.concatenate(documents)
        found = np.flatnonzero(rows >= 0)
        owners = self._documents + np.repeat(np.arange(len(documents)), [len(each) for each in documents])[found]
        places = self._read + found
        self._count(rows[found] * self._parts.count + self._parts.at(places, owners))
        self._measure(rows[found], places)
        self._read += len(rows)
        self._documents += len(documents)

    def _count(self, cells: Numbers) -> None:
        self._cells, at = np.unique(np.concatenate((self._cells, cells)), return_inverse=True)
        before = np.concatenate((self._counts, np.ones(len(cells), np.int64)))
        self._counts = np.bincount(at, weights=before, minlength=len(self._cells)).astype(np.int64)

    def _measure(self, rows: Numbers, places: Numbers) -> None:
        order = np.argsort(rows, kind="stable")
        rows, places = rows[order], places[order]
        opens = np.diff(rows, prepend=-1) != 0
        before = np.where(opens, self._last[rows], np.roll(places, 1))
        fresh = before < 0
        self._first[rows[fresh]] = places[fresh]
        distances = np.minimum(places - before, self._even[rows])[~fresh]
        self._reduced += np.bincount(rows[~fresh], weights=distances, minlength=len(self._reduced))
        # Of equal rows the last one is kept.
        self._last[rows] = places

    def measures(self) -> Mapping[str, Floats]:
        count = self._parts.count
        spreads = Spreads.of(self._cells // count, self._cells % count, self._counts, self._parts.sizes)
        # The corpus is taken as a circle: the first hit follows the last one.
        around = np.minimum(self._first + self._read - self._last, self._even)
        return {**spreads.measures(), "arf": (self._reduced + around) / self._even}
