"""The values in which a backend answers, whatever it is stored in: see `explorer.backends.protocol.protocol`.

Those of whole lists are in `explorer.backends.protocol.list_values`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue
from explorer.errors import CapabilityError
from explorer.i18n import tr
from explorer.text.patterns.pattern import Pattern

Ids = Sequence[int] | NDArray[Any]
"""Token ids, in reading order."""
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Capabilities:
    """What a backend can do. A screen asks before it offers something, and shows `why_not` where it cannot.

    next_tokens: Exact next tokens and their counts; without it only an estimate from a `limit` of occurrences.
    text_patterns: Occurrences of a text or of a regular expression, whatever the tokenizer did.
    sorting: Words around hits, to sort and to merge lines by.
    documents: Any document by its number, and any part of it.
    sizes: Tokens of every document, for dispersion and rates.
    subtraction: The same index without some of its documents.
    lists: All n-grams at once.
    stored_text: Whole documents are read as fast as what is needed of them is found. Without it, answers are the same,
        but every token that is read has its cost.
    why_not: One sentence about what is missing; empty if nothing is.
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

        Returns: One sentence for the user who asked for it; "" if it is there.

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
        """Check that a capability is there."""
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

    plateau: The context ends before a run of this many lengths that occur equally often: these are copies of one
        passage. 0 for the longest context that occurs.
    samples: Most samples of a token, 1 to 255.
    context: Most tokens of context.
    leaves_out: Whether to count as if one occurrence of each context with the token itself were not there.
    is_inside: Whether every token is in the index, so that there is such an occurrence.
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

    samples: Tokens that follow the context, int32 [tokens, most samples]; -1 where there are fewer.
    lengths: How many there are, uint8.
    context_lengths: Tokens of the context that was chosen, int32.
    counts: How often a token follows it, int64, without the occurrence that is left out.
    """

    samples: NDArray[np.int32]
    lengths: NDArray[np.uint8]
    context_lengths: NDArray[np.int32]
    counts: Numbers


@dataclass(frozen=True, eq=False)
class Followed(ArrayValue):
    """How often the context of each token of a text occurs, and how often the token follows it.

    starts: int64 array, one entry per token i: the context is the tokens [starts[i], i).
    context: Occurrences of each context; the empty one occurs at every token.
    continuation: Occurrences of each context with token i after it.
    sparse: bool array: whether the same token follows every occurrence of the context.
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

    tokens: Those that hold an occurrence.
    begin: Bytes of the first token before it.
    count: Occurrences that are split in this way, at least 1.
    """

    tokens: tuple[int, ...]
    begin: int
    count: int
