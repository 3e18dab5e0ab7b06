"""Hits of n-grams by shards and ranks, where the text of the index is on another machine; and what is refused there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from explorer.backends.ngrams import distinct_parts
from explorer.backends.places import Located
from explorer.backends.protocol.values import Capabilities, Ids, Matches, Numbers, Part, TextMatches
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError
from explorer.text.patterns.pattern import Pattern

Span = tuple[int, int]
"""The first rank of an n-gram in a shard, and one past the last."""
Rank = tuple[int, int]
"""The number of a shard, and a rank in it."""


@dataclass(frozen=True)
class RankedMatches(Matches):
    """An n-gram with its ranks in each shard."""

    ranges: tuple[Span, ...] = ()


def ranks_of(spans: Sequence[Span], numbers: Sequence[int]) -> list[Rank]:
    """Shards and ranks of some occurrences, which are numbered through all shards.

    Examples
    --------
    >>> ranks_of([(5, 7), (0, 0), (2, 4)], [0, 1, 2])
    [(0, 5), (0, 6), (2, 2)]
    """
    ends = np.cumsum([last - first for first, last in spans])
    shards = np.searchsorted(ends, np.array(numbers, dtype=np.int64), side="right").tolist()
    return [(shard, spans[shard][1] - int(ends[shard]) + number) for shard, number in zip(shards, numbers, strict=True)]


def parts_of(ids: Numbers, starts: Numbers, ends: Numbers) -> list[Numbers]:
    """Give the n-grams ids[starts[i]:ends[i]] of one text."""
    return [ids[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


class RankedHits:
    """What such indexes answer alike of `explorer.backends.protocol.protocol.HitQuestions`; each adds the rest.

    capabilities: What is missing, and why.
    """

    def __init__(self, capabilities: Capabilities) -> None:
        self._capabilities = capabilities

    def find(self, ids: Ids) -> RankedMatches:
        """An n-gram's occurrences; the empty one occurs at every token."""
        raise NotImplementedError

    def ranked(self, parts: Sequence[Part]) -> list[RankedMatches]:
        """Find the ranks of n-grams; one that extends another is left out.

        Returns: Those that are left. One that was only counted is found again.
        Raises `CapabilityError` if a part is a text pattern.
        """
        if any(isinstance(part, TextMatches) for part in parts):
            self._refuse_texts()
        ngrams = distinct_parts([part for part in parts if isinstance(part, Matches)])
        return [part if isinstance(part, RankedMatches) else self.find(part.ids) for part in ngrams]

    def find_text(self, *patterns: Pattern, cancel: CancelToken | None = None) -> NoReturn:
        """Refused: every token would be searched for."""
        self._refuse_texts()

    def cuts(self, matches: TextMatches, cancel: CancelToken | None = None) -> NoReturn:
        """Refused."""
        self._refuse_texts()

    def word_ranks(self, located: Located, number: int, cancel: CancelToken | None = None) -> NoReturn:
        """Refused: the words around every hit would be read."""
        self._refuse("sorting")

    def surroundings(self, located: Located, width: int, cancel: CancelToken | None = None) -> NoReturn:
        """Refused."""
        self._refuse("sorting")

    def _refuse_texts(self) -> NoReturn:
        self._refuse("text_patterns", "match")

    def _refuse(self, capability: str, option: str = "") -> NoReturn:
        raise CapabilityError(self._capabilities.missing(capability), capability=capability, option=option)


class RankedOccurrences:
    """The hits of some n-grams, numbered by n-gram, shard and rank. None is hidden; each index locates them its way."""

    sieved = False

    def __init__(self, parts: Sequence[RankedMatches]) -> None:
        self._parts = parts
        self._ends = np.cumsum([part.count for part in parts], dtype=np.int64)

    @property
    def total(self) -> int:
        """Number of numbers."""
        return int(self._ends[-1]) if len(self._ends) else 0

    @property
    def count(self) -> int:
        """All of them."""
        return self.total

    def chosen(self, numbers: Numbers) -> tuple[list[RankedMatches], list[Rank]]:
        """Give the n-gram of each of some hits, and its shard and rank.

        Returns: One entry per hit in either.
        """
        which = np.searchsorted(self._ends, numbers, side="right").tolist()
        parts = [self._parts[part] for part in which]
        within = [
            number - int(self._ends[place]) + part.count
            for number, place, part in zip(numbers.tolist(), which, parts, strict=True)
        ]
        return parts, [ranks_of(part.ranges, [number])[0] for part, number in zip(parts, within, strict=True)]

    def shown(self, located: Located) -> NDArray[np.bool_]:
        """All of them."""
        return np.ones(len(located), dtype=np.bool_)

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """The same: n-grams have their length."""
        return located
