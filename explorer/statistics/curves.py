"""Curves of a vocabulary: frequency by rank, growth with the text, and the straight lines that are fitted to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.arrays import ArrayValue
from explorer.backends.protocol import Backend
from explorer.documents.reading import whole_documents
from explorer.jobs import CancelToken, Progress, Report, no_report

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
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
        How many points it was fitted to.
    """

    exponent: float
    factor: float
    points: int


@dataclass(frozen=True, eq=False)
class Growth(ArrayValue):
    """How many different words a text has after its first words.

    Attributes
    ----------
    words
        Numbers of words, rising, int64 [points].
    types
        The different words among them, int64 [points].
    """

    words: Numbers
    types: Numbers


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
    falling = np.sort(counts)[::-1][first - 1 : last]
    return fit_power_law(np.arange(first, first + len(falling)), falling)


class GrowthCount:
    """Counts the vocabulary of a text that comes in parts.

    Parameters
    ----------
    vocabulary
        Above every id of a word.
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

        Parameters
        ----------
        words
            The ids of the next words, int64 [words]. Cost: a sort of them.
        """
        ids, firsts = np.unique(words, return_index=True)
        fresh = ~self._seen[ids]
        self._seen[ids] = True
        places = np.sort(firsts[fresh])
        # The points that lie in this part, as numbers of its words.
        ends = np.arange(self._step - self._read % self._step, len(words) + 1, self._step)
        self._points.append(self._types + np.searchsorted(places, ends))
        self._read += len(words)
        self._types += len(places)

    def growth(self) -> Growth:
        """Give the curve so far.

        Returns
        -------
        Growth
            One point per step; none of a text that is shorter than a step.
        """
        types = np.concatenate([*self._points, np.zeros(0, np.int64)]).astype(np.int64)
        return Growth(self._step * np.arange(1, len(types) + 1, dtype=np.int64), types)


def measure_growth(
    index: Backend, documents: Numbers, size: int, report: Report = no_report, cancel: CancelToken | None = None
) -> Growth:
    """Count how many different words the first words of an index have.

    Parameters
    ----------
    index
        An index of words.
    documents
        The numbers of the documents that are read, one after the other, int64.
    size
        Above every id of a word.
    report
        Called with the documents that were read.
    cancel
        Stops the work.

    Returns
    -------
    Growth
        At most `POINTS` points at equal distances, and none of no words.

    Raises
    ------
    Cancelled
        If it was cancelled.

    Notes
    -----
    Every document is read and sorted once. Memory: a byte per word of the vocabulary, and the longest document.
    """
    words = int(index.documents.lengths(documents).sum())
    count = GrowthCount(size, max(1, -(-words // POINTS)))
    for read, (_, part) in enumerate(whole_documents(index, documents.tolist())):
        if cancel is not None:
            cancel.check()
        report(Progress("Reading documents", read, len(documents), "documents"))
        count.add(part.astype(np.int64, copy=False))
    return count.growth()
