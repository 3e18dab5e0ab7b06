"""How soon words repeat: the counts of which measures of diversity are made, in one pass over documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Repeats(ArrayValue):
    """What the words of documents add up to.

    frequencies: How often each word that occurs does, in the order in which they first appear, int64 [types].
    windows: Windows that lie within a document.
    window_types: The different words of each window, summed over them.
    forward, backward: How often the share of different words falls to 0.72, read from the first word on or from the
        last one, and what part of the way the rest has gone; factors end with their document.
    """

    frequencies: Numbers
    windows: int
    window_types: int
    forward: float
    backward: float


class RepeatCounter:
    """Adds documents up, group after group.

    vocabulary: Above every id of a word. Memory: 32 bytes for each.
    window: Words of a window, from 1.

    Examples
    --------
    >>> counter = RepeatCounter(9, window=2)
    >>> counter.add(np.array([1, 2, 1, 3, 8]), np.array([4, 5]))
    >>> found = counter.take()
    >>> found.frequencies.tolist(), found.windows, found.window_types
    ([2, 1, 1, 1], 3, 6)
    """

    def __init__(self, vocabulary: int, window: int) -> None:
        # Made once for all groups: to clear it for each would take as long as the vocabulary is large.
        # A corpus without words has a vocabulary of none, and documents to be read.
        self._engine = _fastsa.RepeatCount(window, np.empty(4 * max(1, vocabulary), np.int64))

    def add(self, words: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> None:
        """Read documents.

        words: The ids of their words, one document after another, int64 [words].
        ends: One past the last word of each, int64 [documents].
        """
        try:
            self._engine.add(words, ends, None if cancel is None else cancel.flag)
        except _fastsa.Stopped as error:
            raise Cancelled from error

    def take(self) -> Repeats:
        """Give what was added since the last time, and begin again.

        Returns: The counts. Cost: linear in the types.
        """
        return Repeats(*self._engine.take())


def repeats_of(words: Numbers, window: int) -> Repeats:
    """Count the repeats of one text.

    words: The ids of its words, of any size, int64 [words].
    window: Words of a window, from 1.

    Examples
    --------
    >>> repeats_of(np.array([1, 1, 2, 2]), 2).forward
    2.0
    """
    ids, rows = np.unique(words, return_inverse=True)
    counter = RepeatCounter(max(1, len(ids)), window)
    counter.add(rows.astype(np.int64), np.array([len(words)], np.int64))
    return counter.take()
