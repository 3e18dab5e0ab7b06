"""How varied the vocabulary of each group of documents is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.diversity.measures import WINDOW, drawn_share, factor_length, window_share, yule
from explorer.backends.documents.reading import document_runs
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.words.repeats import RepeatCounter, Repeats

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class GroupDiversity:
    """The measures of one group; what it is too short for is None.

    documents: Documents of the group, those without words included.
    words, types, hapaxes: All words, different words, and words that occur once in the group.
    ttr, hapax_share, hdd, yule, herdan: As in `DIVERSITIES`, of the words of all documents together.
    mattr: The mean share of types of all windows that lie within a document.
    mtld: Words per factor; factors end with their document.
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
    index: Backend,
    groups: Iterable[Numbers],
    size: int,
    window: int = WINDOW,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> list[GroupDiversity]:
    """Measure the vocabulary of groups of documents.

    groups: The numbers of each group's documents, int64.
    size: Above every id of a word.
    window: Words of a window of MATTR, from 1.
    Returns: One per group, in their order.

    Notes
    -----
    Every document is read once. Memory: 32 bytes per word of the vocabulary, and a few million words of documents, or
    the longest one.
    """
    numbers = list(groups)
    counter = RepeatCounter(size, window)
    owners = np.repeat(np.arange(len(numbers)), [len(group) for group in numbers])
    found: list[GroupDiversity] = []
    read = 0
    for words, ends in document_runs(index, np.concatenate([*numbers, np.zeros(0, np.int64)])):
        # The documents of each group that are read here, and those of the last one, which may continue.
        for first, last in _runs(owners[read : read + len(ends)]):
            while len(found) < owners[read + first]:
                found.append(_measures(counter.take(), len(numbers[len(found)]), window))
            begin = int(ends[first - 1]) if first else 0
            counter.add(words[begin : int(ends[last - 1])], ends[first:last] - begin, cancel)
        read += len(ends)
        report(Progress("Measuring documents", read, len(owners), "documents"))
    while len(found) < len(numbers):
        found.append(_measures(counter.take(), len(numbers[len(found)]), window))
    return found


def _runs(owners: Numbers) -> Iterator[tuple[int, int]]:
    """Where documents of one group begin and end."""
    firsts = np.flatnonzero(np.diff(owners, prepend=-1)).tolist()
    return zip(firsts, [*firsts[1:], len(owners)], strict=True)


def _measures(repeats: Repeats, documents: int, window: int) -> GroupDiversity:
    counts = repeats.frequencies
    words, types = int(counts.sum()), len(counts)
    hapaxes = int(np.count_nonzero(counts == 1))
    return GroupDiversity(
        documents,
        words,
        types,
        hapaxes,
        ttr=types / words if words else None,
        mattr=window_share(repeats, window),
        mtld=factor_length(repeats),
        hdd=drawn_share(counts),
        hapax_share=hapaxes / types if types else None,
        yule=yule(counts),
        herdan=math.log(types) / math.log(words) if words > 1 else None,
    )
