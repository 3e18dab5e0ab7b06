"""The values in which a backend lists all of an index: its n-grams, their growth, and what repeats itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.values import Numbers
from explorer.core.arrays import ArrayValue

LONGEST_SHARED = (1 << 16) - 1
"""Tokens of the longest common prefix that is told from longer ones."""
SPECTRUM = 1 << 12
"""Columns of a spectrum: the last one is for all counts from here less one."""


@dataclass(frozen=True)
class NgramRule:
    """Which n-grams of an index are listed.

    min_n, max_n: Tokens of the shortest and of the longest n-grams.
    top: How many of each n, the most frequent ones; of equal counts, those whose stored bytes come first. None for all.
    min_documents: The least number of documents that they are in.
    begins: Tokens that they begin with.
    contains: Tokens that they contain, one after the other. Not together with `begins`.
    documents: Whether to count the documents of each.
    stop: Tokens that none of them contains. What all n-grams are does not depend on it.
    """

    min_n: int
    max_n: int
    top: int | None = None
    min_count: int = 1
    min_documents: int = 1
    begins: tuple[int, ...] = ()
    contains: tuple[int, ...] = ()
    documents: bool = True
    stop: frozenset[int] = frozenset()


@dataclass(frozen=True)
class GrowthRule:
    """Which n-grams are counted as a corpus grows.

    min_n, max_n: Tokens of the shortest and of the longest n-grams.
    min_count: How often an n-gram must have occurred to be counted.
    steps: How many sizes, at most 256.
    """

    min_n: int
    max_n: int
    min_count: int
    steps: int


@dataclass(frozen=True, eq=False)
class NgramGrowth(ArrayValue):
    """How many distinct n-grams the first documents of a corpus have, for growing numbers of documents.

    Attributes
    ----------
    documents
        How many documents each size has, in their order, ascending, int64 [sizes].
    tokens
        Their tokens without separators, int64 [sizes].
    ngrams
        The n-grams that occur in them often enough, int64 [n, sizes]; n ascends from the shortest.
    """

    documents: Numbers
    tokens: Numbers
    ngrams: Numbers


@dataclass(frozen=True, eq=False)
class Runs(ArrayValue):
    """Stretches of text in which every token equals the one a period further, for two periods or more.

    documents: The number of each one's document, int64.
    starts, ends: Where it begins and ends, in tokens from the document's first; the end is not part of it, int64.
    periods: After how many tokens it repeats itself, int64.
    """

    documents: Numbers
    starts: Numbers
    ends: Numbers
    periods: Numbers


@dataclass(frozen=True, eq=False)
class RepeatPiece(ArrayValue):
    """Some of the passages that occur twice or more, and can be made longer neither to the left nor to the right.

    lengths: The tokens of each, int64; at most `LONGEST_SHARED`, also of a longer one.
    counts: How often each occurs, int64.
    overlapping: Whether two of its occurrences overlap, bool.
    documents, offsets: The place of one occurrence: the first in the order in which the index stores its text, int64.
    runs: Stretches in which occurrences overlap. The same one may be in several pieces.
    """

    lengths: Numbers
    counts: Numbers
    overlapping: NDArray[np.bool_]
    documents: Numbers
    offsets: Numbers
    runs: Runs


@dataclass(frozen=True, eq=False)
class RepeatSpans(ArrayValue):
    """Stretches of a corpus that occur in another place, too: all that lie within no longer one.

    Starts and ends are ascending. Places are counted through all documents and the separators before them.

    starts, ends: Where each begins and ends, within one document, int64.
    others: Where the same tokens begin elsewhere, int64.
    """

    starts: Numbers
    ends: Numbers
    others: Numbers

    def __len__(self) -> int:
        """How many there are."""
        return len(self.starts)

    def of_length(self, length: int) -> RepeatSpans:
        """Give those with a number of tokens or more."""
        long = self.ends - self.starts >= length
        return RepeatSpans(self.starts[long], self.ends[long], self.others[long])


@dataclass(frozen=True, eq=False)
class RepeatProfile(ArrayValue):
    """How far a corpus repeats itself: what occurs elsewhere, and what begins earlier as well.

    A match is within a document on both sides. Earlier is in the order of documents, then of offsets. A window of
    `least` to LONGEST_SHARED tokens occurs elsewhere, or earlier, if it is in one of the spans, and in no other case.

    firsts: The place of the first token of each document, and one more beyond the last, int64 [documents + 1].
    elsewhere: The longest stretches that occur elsewhere.
    earlier: The longest stretches that begin earlier as well, and where.
    least: Tokens of the shortest of both.
    spectrum: How many tokens of the index have a longest match of each length: elsewhere, and earlier; int64 [2,
        LONGEST_SHARED + 1].
    """

    firsts: Numbers
    elsewhere: RepeatSpans
    earlier: RepeatSpans
    least: int
    spectrum: Numbers


@dataclass(frozen=True, eq=False)
class NgramRows(ArrayValue):
    """Some n-grams of one n.

    ids: The n-grams, uint32 [rows, n].
    counts: How often each occurs, int64.
    documents: How many documents each is in, int64; None if they were not counted.
    """

    ids: NDArray[np.uint32]
    counts: Numbers
    documents: Numbers | None


@dataclass(frozen=True, eq=False)
class NgramList(ArrayValue):
    """The n-grams of one n: figures of all of them, and some as rows.

    What n-grams begin with or contain chooses what all of them are; the other limits choose the rows. No n-gram has a
    separator.

    Attributes
    ----------
    n
        Tokens of each.
    total
        Occurrences of all n-grams.
    spectrum
        At m, the number of distinct n-grams that occur m times, int64 [SPECTRUM]; the last for all greater counts.
    ids
        The n-grams of the rows, uint32 [rows, n]: the most frequent first if the rule has `top`, otherwise in the order
        of their stored bytes.
    counts
        How often each occurs, int64.
    documents
        How many documents each is in, int64; None if they were not counted.
    """

    n: int
    total: int
    spectrum: Numbers
    ids: NDArray[np.uint32]
    counts: Numbers
    documents: Numbers | None

    @property
    def types(self) -> int:
        """Distinct n-grams."""
        return int(self.spectrum.sum())

    @property
    def hapaxes(self) -> int:
        """Distinct n-grams that occur once."""
        return int(self.spectrum[1])
