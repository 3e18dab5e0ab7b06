"""The values in which a backend answers, whatever it is stored in: see `explorer.backends.protocol`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.arrays import ArrayValue
from explorer.errors import CapabilityError
from explorer.i18n import tr
from explorer.patterns.pattern import Pattern

Ids = Sequence[int] | NDArray[Any]
"""Token ids, in reading order."""
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Capabilities:
    """What a backend can do. A screen asks before it offers something, and shows `why_not` where it cannot.

    Attributes
    ----------
    next_tokens
        Exact next tokens and their counts; without it only an estimate from a `limit` of occurrences.
    text_patterns
        Occurrences of a text or of a regular expression, whatever the tokenizer did.
    sorting
        Words around hits, to sort and to merge lines by.
    metadata
        Metadata of documents.
    documents
        Any document by its number, and any part of it.
    sizes
        Tokens of every document, for dispersion and rates.
    subtraction
        The same index without some of its documents.
    lists
        All n-grams at once.
    stored_text
        Whole documents are read as fast as what is needed of them is found. Without it, answers are the same, but
        every token that is read has its cost.
    why_not
        One sentence about what is missing; empty if nothing is.
    """

    next_tokens: bool = True
    text_patterns: bool = True
    sorting: bool = True
    metadata: bool = True
    documents: bool = True
    sizes: bool = True
    subtraction: bool = True
    lists: bool = True
    stored_text: bool = True
    why_not: str = ""

    def missing(self, name: str) -> str:
        """Explain why a capability is missing.

        Parameters
        ----------
        name
            The name of its field.

        Returns
        -------
        str
            One sentence for the user who asked for it; "" if it is there.

        Examples
        --------
        >>> Capabilities(sorting=False, why_not="This index cannot sort.").missing("sorting")
        'This index cannot sort.'
        """
        # By name, so that screens can hold the name of what a widget needs.
        if getattr(self, name):
            return ""
        return self.why_not or tr("The open index cannot do this.")

    def require(self, name: str) -> None:
        """Check that a capability is there.

        Parameters
        ----------
        name
            The name of its field.

        Raises
        ------
        CapabilityError
            If it is missing.
        """
        if why_not := self.missing(name):
            raise CapabilityError(why_not, capability=name)


@dataclass(frozen=True)
class Matches:
    """An n-gram and the number of its occurrences; a backend may add what it needs to find them again.

    Attributes
    ----------
    ids
        Tokens of the n-gram, in reading order; () occurs at every token.
    count
        Occurrences, those of subtracted documents not counted.
    """

    ids: tuple[int, ...]
    count: int

    @property
    def length(self) -> int:
        """Tokens of the n-gram."""
        return len(self.ids)


@dataclass(frozen=True)
class TextMatches:
    """Text patterns and the number of places at which any of them occurs; a backend may add how to find them again."""

    patterns: tuple[Pattern, ...]
    count: int


Part = Matches | TextMatches
"""What can have occurrences: an n-gram, or some text patterns."""


@dataclass(frozen=True, eq=False)
class NextTokens(ArrayValue):
    """Tokens that follow a context, most frequent first, then by id, with their counts.

    Attributes
    ----------
    tokens
        int64 array of distinct ids. The separator means that the document ends.
    counts
        int64 array of the same length: how often each follows; of a sample where `exact` is False.
    context_count
        Occurrences of the context that was used.
    context_length
        Tokens of the context that was used: fewer than asked for after backing off.
    exact
        False for an estimate from `sample_size` occurrences.
    sample_size
        Occurrences that were looked at; 0 if `exact`.
    """

    tokens: Numbers
    counts: Numbers
    context_count: int
    context_length: int
    exact: bool = True
    sample_size: int = 0

    @property
    def total(self) -> int:
        """Sum of the counts."""
        return int(self.counts.sum())

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Share of each token among all that follow: float64, of the length of `tokens`."""
        # Of what follows: nothing follows an occurrence of the context at the end of a text.
        return self.counts / max(1, self.total)


@dataclass(frozen=True, eq=False)
class Level(ArrayValue):
    """A suffix of one context, and what follows it.

    Attributes
    ----------
    length
        Its tokens.
    tokens
        The tokens that follow it, ascending, int64; separators are left out.
    counts
        How often each does, int64.
    ends
        Its occurrences at the end of a document.
    """

    length: int
    tokens: Numbers
    counts: Numbers
    ends: int

    @cached_property
    def followed(self) -> int:
        """Its occurrences that a token follows."""
        return int(self.counts.sum())


@dataclass(frozen=True)
class HintRule:
    """How hints are made: samples of what follows the context of a token elsewhere.

    Attributes
    ----------
    plateau
        The context ends before a run of this many lengths that occur equally often: these are copies of one passage.
        0 for the longest context that occurs.
    samples
        Most samples of a token, 1 to 255.
    context
        Most tokens of context.
    leaves_out
        Whether to count as if one occurrence of each context with the token itself were not there.
    is_inside
        Whether every token is in the index, so that there is such an occurrence.
    seed
        Seed of all chance.
    """

    plateau: int = 5
    samples: int = 20
    context: int = 100
    leaves_out: bool = False
    is_inside: bool = False
    seed: int = 0


@dataclass(frozen=True, eq=False)
class HintArrays(ArrayValue):
    """Hints for some tokens, one row each.

    Attributes
    ----------
    samples
        Tokens that follow the context, int32 [tokens, most samples]; -1 where there are fewer.
    lengths
        How many there are, uint8.
    context_lengths
        Tokens of the context that was chosen, int32.
    counts
        How often a token follows it, int64, without the occurrence that is left out.
    """

    samples: NDArray[np.int32]
    lengths: NDArray[np.uint8]
    context_lengths: NDArray[np.int32]
    counts: Numbers


@dataclass(frozen=True, eq=False)
class Followed(ArrayValue):
    """How often the context of each token of a text occurs, and how often the token follows it.

    Attributes
    ----------
    starts
        int64 array, one entry per token i: the context is the tokens [starts[i], i).
    context
        Occurrences of each context; the empty one occurs at every token.
    continuation
        Occurrences of each context with token i after it.
    sparse
        bool array: whether the same token follows every occurrence of the context.
    """

    starts: Numbers
    context: Numbers
    continuation: Numbers
    sparse: NDArray[np.bool_]


@dataclass(frozen=True)
class FieldNames:
    """Names of metadata fields; complete: whether no document has any other."""

    names: tuple[str, ...]
    complete: bool


@dataclass(frozen=True)
class Cut:
    """One way in which the tokenizer split occurrences of a text.

    Attributes
    ----------
    tokens
        Those that hold an occurrence.
    begin
        Bytes of the first token before it.
    count
        Occurrences that are split in this way, at least 1.
    """

    tokens: tuple[int, ...]
    begin: int
    count: int


LONGEST_SHARED = (1 << 16) - 1
"""Tokens of the longest common prefix that is told from longer ones."""
SPECTRUM = 1 << 12
"""Columns of a spectrum: the last one is for all counts from here less one."""


@dataclass(frozen=True)
class NgramRule:
    """Which n-grams of an index are listed.

    Attributes
    ----------
    min_n, max_n
        Tokens of the shortest and of the longest n-grams.
    top
        How many of each n, the most frequent ones; of equal counts, those whose stored bytes come first. None for all.
    min_count
        Their least count.
    min_documents
        The least number of documents that they are in.
    begins
        Tokens that they begin with.
    contains
        Tokens that they contain, one after the other. Not together with `begins`.
    documents
        Whether to count the documents of each.
    stop
        Tokens that none of them contains. What all n-grams are does not depend on it.
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

    Attributes
    ----------
    min_n, max_n
        Tokens of the shortest and of the longest n-grams.
    min_count
        How often an n-gram must have occurred to be counted.
    steps
        How many sizes, at most 256.
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

    Attributes
    ----------
    documents
        The number of each one's document, int64.
    starts, ends
        Where it begins and ends, in tokens from the document's first; the end is not part of it, int64.
    periods
        After how many tokens it repeats itself, int64.
    """

    documents: Numbers
    starts: Numbers
    ends: Numbers
    periods: Numbers


@dataclass(frozen=True, eq=False)
class RepeatPiece(ArrayValue):
    """Some of the passages that occur twice or more, and can be made longer neither to the left nor to the right.

    Attributes
    ----------
    lengths
        The tokens of each, int64; at most `LONGEST_SHARED`, also of a longer one.
    counts
        How often each occurs, int64.
    overlapping
        Whether two of its occurrences overlap, bool.
    documents, offsets
        The place of one occurrence: the first in the order in which the index stores its text, int64.
    runs
        Stretches in which occurrences overlap. The same one may be in several pieces.
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

    Attributes
    ----------
    starts, ends
        Where each begins and ends, within one document, int64.
    others
        Where the same tokens begin elsewhere, int64.
    """

    starts: Numbers
    ends: Numbers
    others: Numbers

    def __len__(self) -> int:
        """How many there are."""
        return len(self.starts)

    def of_length(self, length: int) -> RepeatSpans:
        """Give those with a number of tokens or more.

        Parameters
        ----------
        length
            The number.

        Returns
        -------
        RepeatSpans
            The spans.
        """
        long = self.ends - self.starts >= length
        return RepeatSpans(self.starts[long], self.ends[long], self.others[long])


@dataclass(frozen=True, eq=False)
class RepeatProfile(ArrayValue):
    """How far a corpus repeats itself: what occurs elsewhere, and what begins earlier as well.

    A match is within a document on both sides. Earlier is in the order of documents, then of offsets. A window of
    `least` to LONGEST_SHARED tokens occurs elsewhere, or earlier, if it is in one of the spans, and in no other case.

    Attributes
    ----------
    firsts
        The place of the first token of each document, and one more beyond the last, int64 [documents + 1].
    elsewhere
        The longest stretches that occur elsewhere.
    earlier
        The longest stretches that begin earlier as well, and where.
    least
        Tokens of the shortest of both.
    spectrum
        How many tokens of the index have a longest match of each length: elsewhere, and earlier; int64
        [2, LONGEST_SHARED + 1].
    """

    firsts: Numbers
    elsewhere: RepeatSpans
    earlier: RepeatSpans
    least: int
    spectrum: Numbers


@dataclass(frozen=True, eq=False)
class NgramRows(ArrayValue):
    """Some n-grams of one n.

    Attributes
    ----------
    ids
        The n-grams, uint32 [rows, n].
    counts
        How often each occurs, int64.
    documents
        How many documents each is in, int64; None if they were not counted.
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
