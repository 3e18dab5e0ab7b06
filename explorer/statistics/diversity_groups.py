"""How varied the vocabulary of each group of documents is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol import Backend
from explorer.documents.reading import whole_documents
from explorer.jobs import CancelToken, Progress, Report, no_report
from explorer.statistics.diversity import drawn_share, factors, window_types, yule

WINDOW = 50
"""Words of a window of MATTR."""
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class GroupDiversity:
    """The measures of one group; what it is too short for is None.

    Attributes
    ----------
    documents
        Documents of the group, those without words included.
    words, types, hapaxes
        All words, different words, and words that occur once in the group.
    ttr, hapax_share, hdd, yule, herdan
        As in `DIVERSITIES`, of the words of all documents together.
    mattr
        The mean share of types of all windows of 50 words that lie within a document.
    mtld
        Words per factor; factors end with their document.
    """

    documents: int
    words: int
    types: int
    hapaxes: int
    ttr: float | None
    mattr: float | None
    mtld: float | None
    hdd: float | None
    hapax_share: float | None
    yule: float | None
    herdan: float | None


def measure_groups(
    index: Backend, groups: Iterable[Numbers], size: int, report: Report = no_report, cancel: CancelToken | None = None
) -> list[GroupDiversity]:
    """Measure the vocabulary of groups of documents.

    Parameters
    ----------
    index
        An index of words.
    groups
        The numbers of each group's documents, int64.
    size
        Above every id of a word.
    report
        Called with the documents that were read.
    cancel
        Stops the work.

    Returns
    -------
    list of GroupDiversity
        One per group, in their order.

    Raises
    ------
    Cancelled
        If it was cancelled.

    Notes
    -----
    Every document is read once. Memory: one count per word of the vocabulary, and the longest document.
    """
    numbers = list(groups)
    read, all_documents = 0, sum(map(len, numbers))
    counts = np.zeros(size, np.int64)
    found: list[GroupDiversity] = []
    for group in numbers:
        sums = _Sums(counts)
        for _, words in whole_documents(index, group.tolist()):
            if cancel is not None:
                cancel.check()
            sums.add(words.astype(np.int64, copy=False))
            read += 1
            report(Progress("Measuring documents", read, all_documents, "documents"))
        found.append(sums.measures(len(group)))
    return found


class _Sums:
    """What documents add up to; order counts within documents only.

    The array of counts is shared by all groups, one after the other, and holds zeros between them: to make one for each
    would take as many steps as there are words in the vocabulary, also for a group of three words.
    """

    def __init__(self, counts: Numbers) -> None:
        self._counts = counts
        self._met: list[Numbers] = []
        self._met_size = 0
        self._windows = self._window_types = 0
        self._forward = self._backward = 0.0

    def add(self, words: Numbers) -> None:
        ids, frequencies = np.unique(words, return_counts=True)
        self._counts[ids] += frequencies
        self._met.append(ids)
        self._met_size += len(ids)
        if self._met_size > 4 * len(self._counts):
            self._met = [np.unique(np.concatenate(self._met))]
            self._met_size = len(self._met[0])
        windows, types = window_types(words, WINDOW)
        self._windows += windows
        self._window_types += types
        self._forward += factors(words)
        self._backward += factors(words[::-1])

    def measures(self, documents: int) -> GroupDiversity:
        met = np.unique(np.concatenate(self._met)) if self._met else np.zeros(0, np.int64)
        counts = self._counts[met]
        self._counts[met] = 0
        words, types = int(counts.sum()), len(counts)
        hapaxes = int(np.count_nonzero(counts == 1))
        both = self._forward and self._backward
        return GroupDiversity(
            documents,
            words,
            types,
            hapaxes,
            ttr=types / words if words else None,
            mattr=self._window_types / self._windows / WINDOW if self._windows else None,
            # Without a repeated word, no factor has begun.
            mtld=(words / self._forward + words / self._backward) / 2 if both else None,
            hdd=drawn_share(counts),
            hapax_share=hapaxes / types if types else None,
            yule=yule(counts),
            herdan=math.log(types) / math.log(words) if words > 1 else None,
        )
