"""Hits of several indexes, numbered one index after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from explorer.backends.merged.parts import Parts
from explorer.backends.places import Located, Places, drawn
from explorer.backends.protocol.protocol import (
    Capabilities,
    Cut,
    Ids,
    Matches,
    Numbers,
    Occurrences,
    Part,
    TextMatches,
)
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError
from explorer.text.patterns.pattern import Pattern


@dataclass(frozen=True)
class MergedMatches(Matches):
    """An n-gram in several indexes; each: its occurrences in each of them."""

    each: tuple[Matches, ...] = ()


@dataclass(frozen=True)
class MergedTextMatches(TextMatches):
    """Text patterns in several indexes; each: their occurrences in each of them."""

    each: tuple[TextMatches, ...] = ()


class MergedOccurrences:
    """The hits of some parts: see `explorer.backends.protocol.protocol.Occurrences`.

    each: The hits in each of them.
    """

    def __init__(self, parts: Parts, each: Sequence[Occurrences]) -> None:
        self._parts, self._each = parts, each
        self._ends = np.cumsum(parts.some(range(len(each)), lambda number: each[number].total), dtype=np.int64)

    @property
    def total(self) -> int:
        """Number of numbers."""
        return int(self._ends[-1])

    @property
    def count(self) -> int:
        """Hits that are shown."""
        return sum(each.count for each in self._each)

    @property
    def sieved(self) -> bool:
        """Whether some numbers may be of hits that are never shown."""
        return any(each.sieved for each in self._each)

    def locate(self, numbers: Numbers) -> Located:
        """Where some hits are."""
        owners = np.searchsorted(self._ends, numbers, side="right")
        firsts = np.concatenate([[0], self._ends[:-1]])

        def located(owner: int) -> Located:
            return self._each[owner].locate(numbers[owners == owner] - firsts[owner])

        present = np.unique(owners).tolist()
        found = [
            moved(each, int(self._parts.firsts[owner]))
            for owner, each in zip(present, self._parts.some(present, located), strict=True)
        ]
        return _in_order(found, [np.flatnonzero(owners == owner) for owner in present])

    def shown(self, located: Located) -> NDArray[np.bool_]:
        """Which of the hits are shown."""
        found = np.ones(len(located), dtype=np.bool_)
        if self.sieved:
            for owner, chosen in self._parts.by_owner(located.documents):
                local = moved(located[chosen], -int(self._parts.firsts[owner]))
                found[chosen] = self._each[owner].shown(local)
        return found

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """Find the ends of some hits."""
        owned = self._parts.by_owner(located.documents)

        def ends(number: int) -> Located:
            owner, chosen = owned[number]
            first = int(self._parts.firsts[owner])
            return moved(self._each[owner].measured(moved(located[chosen], -first), cancel), first)

        return _in_order(self._parts.some(range(len(owned)), ends), [chosen for _, chosen in owned])


class MergedHits:
    """Answers `explorer.backends.protocol.protocol.HitQuestions`.

    capabilities: What is missing, and why.
    """

    def __init__(self, parts: Parts, capabilities: Capabilities) -> None:
        self._parts, self._capabilities = parts, capabilities

    def find(self, ids: Ids) -> MergedMatches:
        """An n-gram's occurrences; the empty one occurs at every token."""
        each = self._parts.each(lambda part: part.hits.find(ids))
        return MergedMatches(each[0].ids, sum(match.count for match in each), tuple(each))

    def find_text(self, *patterns: Pattern, cancel: CancelToken | None = None) -> MergedTextMatches:
        """Find the occurrences of any of some patterns."""
        self._capabilities.require("text_patterns")
        each = self._parts.each(lambda part: part.hits.find_text(*patterns, cancel=cancel))
        return MergedTextMatches(patterns, sum(match.count for match in each), tuple(each))

    def occurrences(self, parts: Sequence[Part]) -> MergedOccurrences:
        """The hits of n-grams, or of one value of text patterns; an n-gram that extends another adds none."""
        # Only values of this class come here: whoever asks got them from `find` or `find_text`.
        known = [cast("MergedMatches | MergedTextMatches", part) for part in parts]

        def in_part(number: int) -> Occurrences:
            return self._parts.backends[number].hits.occurrences([part.each[number] for part in known])

        return MergedOccurrences(self._parts, self._parts.some(range(len(self._parts)), in_part))

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        """Draw some places of each of many n-grams of one text: from each index as many as fall to its occurrences."""
        counts = np.stack(self._parts.each(lambda part: part.counts.count_many(ids, starts, ends, cancel)))
        found = self._parts.each(lambda part: part.hits.some_places(ids, starts, ends, most, seed, cancel))
        shares = np.array([shares_of(column, most, seed) for column in counts.T], dtype=np.int64).reshape(
            -1, len(found)
        )
        chosen: list[tuple[Numbers, Places]] = []
        for owner, (which, places) in enumerate(found):
            kept = _few(which, shares[:, owner], seed)
            first = self._parts.firsts[owner]
            chosen.append((which[kept], Places(places.documents[kept] + first, places.offsets[kept])))
        numbers = np.concatenate([which for which, _ in chosen])
        order = np.argsort(numbers, kind="stable")
        return numbers[order], Places.join([places for _, places in chosen])[order]

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        """Tell which places have one of some n-grams nearby."""

        owned = self._parts.by_owner(places.documents)

        def asked(number: int) -> NDArray[np.bool_]:
            owner, chosen = owned[number]
            # Hits are places, too; their ends do not matter here.
            local = Places(places.documents[chosen] - self._parts.firsts[owner], places.offsets[chosen])
            return self._parts.backends[owner].hits.near(local, ngrams, distance, cancel)

        found = np.zeros(len(places), dtype=np.bool_)
        for (_, chosen), values in zip(owned, self._parts.some(range(len(owned)), asked), strict=True):
            found[chosen] = values
        return found

    def surroundings(self, located: Located, width: int, cancel: CancelToken | None = None) -> NoReturn:
        """Refused: lines are merged only where they can be sorted."""
        raise CapabilityError(self._capabilities.why_not, capability="sorting")

    def word_ranks(self, located: Located, number: int, cancel: CancelToken | None = None) -> NoReturn:
        """Refused: each index ranks its own words only."""
        raise CapabilityError(self._capabilities.why_not, capability="sorting")

    def cuts(self, matches: TextMatches, cancel: CancelToken | None = None) -> tuple[Cut, ...]:
        """How occurrences of one literal text were split into tokens, most frequent first."""
        each = cast("MergedTextMatches", matches).each

        def in_part(number: int) -> tuple[Cut, ...]:
            return self._parts.backends[number].hits.cuts(each[number], cancel)

        counts: dict[tuple[tuple[int, ...], int], int] = {}
        for cut in (cut for cuts in self._parts.some(range(len(each)), in_part) for cut in cuts):
            counts[cut.tokens, cut.begin] = counts.get((cut.tokens, cut.begin), 0) + cut.count
        made = [Cut(tokens, begin, count) for (tokens, begin), count in counts.items()]
        return tuple(sorted(made, key=lambda cut: (-cut.count, cut.tokens, cut.begin)))


def moved(located: Located, by: int) -> Located:
    """Give hits the document numbers of the whole, or, with a negative number, of one index."""
    return replace(located, documents=located.documents + by)


def shares_of(counts: Numbers, most: int, seed: int) -> list[int]:
    """Tell how many of the places that are drawn of one n-gram are in each index.

    Returns: As many as there would be if places were drawn from all indexes together.

    Examples
    --------
    >>> shares_of(np.array([2, 0, 3]), 10, 7)
    [2, 0, 3]
    """
    ends = np.cumsum(counts)
    owners = np.searchsorted(ends, drawn(int(ends[-1]), most, seed), side="right")
    shares: list[int] = np.bincount(owners, minlength=len(counts)).tolist()
    return shares


def _few(which: Numbers, shares: Numbers, seed: int) -> Numbers:
    """Which places are kept, of those of each n-gram as many as its share."""
    kept = [np.empty(0, dtype=np.int64)]
    for number in np.unique(which).tolist():
        mine = np.flatnonzero(which == number)
        # Some of a sample are a sample.
        kept.append(mine[drawn(len(mine), int(shares[number]), seed)])
    return np.concatenate(kept)


def _in_order(found: Sequence[Located], chosen: Sequence[Numbers]) -> Located:
    """Hits of several indexes as one value, in the order in which they were asked for."""
    order = np.argsort(np.concatenate([np.empty(0, dtype=np.int64), *chosen]), kind="stable")
    return Located.join(found)[order]
