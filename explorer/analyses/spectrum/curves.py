"""Curves of a vocabulary: frequency by rank, growth with the text, and the straight lines that are fitted to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.documents.reading import document_runs
from explorer.backends.protocol.protocol import Backend
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
# Words between two looks at `cancel`: some milliseconds.
_AT_ONCE = 1 << 17
POINTS = 500
"""Points of a curve of growth."""


@dataclass(frozen=True)
class PowerLaw:
    """A straight line in a plot of two logarithmic axes: y = factor · x^exponent.

    Attributes
    ----------
    exponent
        Its slope.
    factor
        Its height at x = 1, above 0.
    points
        The number of points that it is fitted to.
    """

    exponent: float
    factor: float
    points: int


@dataclass(frozen=True, eq=False)
class VocabularyGrowth(ArrayValue):
    """How many different words a text has after its first words.

    Attributes
    ----------
    words
        Numbers of words, rising, int64 [points].
    types
        The different words among them, int64 [points].

    Examples
    --------
    >>> from explorer import vocabulary_growth
    >>> vocabulary_growth(corpus, step=5).types.tolist()
    [4, 5, 8, 8]
    """

    words: Numbers
    types: Numbers

    @property
    def heaps(self) -> PowerLaw | None:
        """Heaps' law, fitted to all points by least squares of logarithms; None of fewer than two points."""
        return fit_power_law(self.words, self.types)


@dataclass(frozen=True, eq=False)
class RankCurve(ArrayValue):
    """Frequency by rank.

    Attributes
    ----------
    ranks
        How many words are as frequent or more frequent, rising, int64 [counts].
    counts
        Every count that a word has, falling, int64 [counts].
    law
        The straight line through all ranks of a range, in logarithms; None of fewer than two ranks.
    first, last
        This range; the last one is at most the number of different words.

    Examples
    --------
    >>> from explorer import rank_curve
    >>> found = rank_curve(corpus, first=1, last=3)
    >>> found.ranks[:3].tolist(), found.counts[:3].tolist(), found.last
    ([1, 4, 6], [7, 3, 2], 3)
    """

    ranks: Numbers
    counts: Numbers
    law: PowerLaw | None
    first: int
    last: int

    @classmethod
    def of(cls, counts: Numbers, types: Numbers, first: int, last: int) -> RankCurve:
        """Take how many words have each count.

        Parameters
        ----------
        counts
            The counts, rising, int64 [counts].
        types
            The words of each, int64 [counts].
        first, last
            The ranks that are fitted, from 1.

        Returns
        -------
        RankCurve
            The curve. Memory: 8 bytes per rank that is fitted.

        Examples
        --------
        >>> RankCurve.of(np.array([1, 5]), np.array([3, 1]), 1, 9).ranks.tolist()
        [1, 4]
        """
        falling, ranks = counts[::-1], np.cumsum(types[::-1])
        last = min(last, int(ranks[-1])) if len(ranks) else 0
        places = np.arange(first, last + 1, dtype=np.int64)
        # The count of each single rank: words of equal counts have one each.
        law = fit_power_law(places, falling[np.searchsorted(ranks, places)])
        return cls(ranks, falling, law, first, last)


def fit_power_law(x: Floats | Numbers, y: Floats | Numbers) -> PowerLaw | None:
    """Fit a straight line to the logarithms of points, by least squares.

    Parameters
    ----------
    x, y
        The points; those that are not above 0 are left out.

    Returns
    -------
    PowerLaw | None
        The line; None of fewer than two different x.

    Examples
    --------
    >>> fit_power_law(np.array([1, 2, 4]), np.array([3, 6, 12]))
    PowerLaw(exponent=1.0, factor=3.0, points=3)
    """
    positive = (x > 0) & (y > 0)
    logs_x, logs_y = np.log(x[positive]), np.log(y[positive])
    if len(logs_x) < 2 or logs_x.min() == logs_x.max():
        return None
    from_mean = logs_x - logs_x.mean()
    slope = float(np.dot(from_mean, logs_y) / np.dot(from_mean, from_mean))
    factor = float(np.exp(logs_y.mean() - slope * logs_x.mean()))
    return PowerLaw(round(slope, 12), float(np.round(factor, 12)), len(logs_x))


def zipf_slope(counts: Numbers, first: int = 10, last: int = 1000) -> PowerLaw | None:
    """Fit the fall of frequency with rank.

    Parameters
    ----------
    counts
        How often each type occurs, in any order, int64 [types].
    first, last
        The ranks that are fitted, from 1; the most frequent words and the rarest ones follow no straight line.

    Returns
    -------
    PowerLaw | None
        The line; its exponent is about −1 for a text. None of fewer than two ranks.

    Examples
    --------
    >>> zipf_slope(np.array([60, 30, 20, 15]), 1, 4).exponent
    -1.0
    """
    found, types = np.unique(counts, return_counts=True)
    return RankCurve.of(found, types, first, last).law


class GrowthCount:
    """Counts the vocabulary of a text that comes in parts.

    Parameters
    ----------
    vocabulary
        How many ids there are about; a larger one is counted too.
    step
        Words from one point of the curve to the next, from 1.

    Examples
    --------
    >>> count = GrowthCount(9, step=2)
    >>> for part in ([1, 2, 1], [3]):
    ...     count.add(np.array(part))
    >>> count.growth().words.tolist(), count.growth().types.tolist()
    ([2, 4], [2, 3])
    """

    def __init__(self, vocabulary: int, step: int = 1000) -> None:
        self._seen = np.zeros(vocabulary, np.bool_)
        self._step = step
        self._read = self._types = 0
        self._points: list[Numbers] = []

    def add(self, words: Numbers) -> None:
        """Read on.

        words: The ids of the next words, int64 [words]. Cost: linear, and a sort of those that were not met before.
        """
        most = int(words.max(initial=-1))
        if most >= len(self._seen):
            self._seen = np.concatenate([self._seen, np.zeros(max(len(self._seen), most), np.bool_)])
        # Few words of a long text are new, so only these are sorted.
        fresh = np.flatnonzero(~self._seen[words])
        ids, firsts = np.unique(words[fresh], return_index=True)
        self._seen[ids] = True
        places = np.sort(fresh[firsts])
        # The points that lie in this part, as numbers of its words.
        ends = np.arange(self._step - self._read % self._step, len(words) + 1, self._step)
        self._points.append(self._types + np.searchsorted(places, ends))
        self._read += len(words)
        self._types += len(places)

    def growth(self) -> VocabularyGrowth:
        """Give the curve so far.

        Returns: One point per step; none of a text that is shorter than a step.
        """
        types = np.concatenate([*self._points, np.zeros(0, np.int64)]).astype(np.int64)
        return VocabularyGrowth(self._step * np.arange(1, len(types) + 1, dtype=np.int64), types)


def measure_growth(
    index: Backend,
    documents: Numbers,
    vocabulary: int,
    step: int | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> VocabularyGrowth:
    """Count how many different words the first words of an index have.

    documents: The numbers of the documents that are read, one after the other, int64.
    vocabulary: How many ids there are about.
    step: Words from one point to the next, from 1; None for at most `POINTS` points at equal distances.
    Returns: The points; none of fewer words than a step.

    Notes
    -----
    Every document is read once. Memory: a byte per word of the vocabulary, and some million words of documents, or the
    longest one.
    """
    words = int(index.documents.lengths(documents).sum())
    count = GrowthCount(vocabulary, max(1, -(-words // POINTS)) if step is None else step)
    read = 0
    for part, ends in document_runs(index, documents):
        for first in range(0, len(part), _AT_ONCE):
            if cancel is not None:
                cancel.check()
            count.add(part[first : first + _AT_ONCE])
        read += len(ends)
        report(Progress("Reading documents", read, len(documents), "documents"))
    return count.growth()


def shuffled(documents: Numbers, seed: int) -> Numbers:
    """Put documents into an order drawn at random.

    Parameters
    ----------
    documents
        Their numbers, int64.
    seed
        Decides the order.

    Returns
    -------
    Numbers
        The same numbers, int64.

    Examples
    --------
    >>> sorted(shuffled(np.arange(4), 1).tolist())
    [0, 1, 2, 3]
    """
    return np.random.default_rng(seed).permutation(documents)
