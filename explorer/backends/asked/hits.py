"""Hits of an index on another machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.asked.asker import Asker, as_numbers
from explorer.backends.asked.counts import AskedCounts
from explorer.backends.places import Located, Places
from explorer.backends.protocol.values import Cut, Ids, Matches, Numbers, Part, TextMatches
from explorer.core.jobs import CancelToken
from explorer.text.patterns.pattern import Pattern


class AskedOccurrences:
    """The hits of some parts: see `explorer.backends.protocol.protocol.Occurrences`.

    The other machine numbers them. It may forget what it found, so each question names the parts again.
    """

    def __init__(self, asker: Asker, parts: Sequence[Part]) -> None:
        self._asker = asker
        self._parts = tuple(parts)
        self._known: tuple[int, int, bool] | None = None

    @property
    def _numbered(self) -> tuple[int, int, bool]:
        # Not a cached property: until Python 3.12, the lock of one makes all objects of a class wait for each other.
        if self._known is None:
            self._known = self._asker.ask("numbered", self._parts)
        return self._known

    @property
    def total(self) -> int:
        """Number of numbers."""
        return self._numbered[0]

    @property
    def count(self) -> int:
        """Hits that are shown."""
        return self._numbered[1]

    @property
    def sieved(self) -> bool:
        """Whether some numbers may be of hits that are never shown."""
        return self._numbered[2]

    def locate(self, numbers: Numbers) -> Located:
        """Where some hits are, with their ends: the other machine reads them at once."""
        found: Located = self._asker.many("locate", len(numbers), self._parts, as_numbers(numbers))
        return found

    def shown(self, located: Located) -> NDArray[np.bool_]:
        """Which of some hits count."""
        if not self.sieved:
            return np.ones(len(located), dtype=np.bool_)
        found: NDArray[np.bool_] = self._asker.many("shown", len(located), self._parts, located)
        return found

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """The hits as they are: `locate` gave their ends."""
        return located


class AskedHits:
    """The questions of `explorer.backends.protocol.protocol.HitQuestions`, which describes them; one request each."""

    def __init__(self, asker: Asker, counts: AskedCounts) -> None:
        self._asker = asker
        self._counts = counts

    def find(self, ids: Ids) -> Matches:
        """An n-gram's occurrences."""
        found: Matches = self._asker.ask("find", self._counts.check_ids(ids, allow_empty=True))
        return found

    def find_text(self, *patterns: Pattern, cancel: CancelToken | None = None) -> TextMatches:
        """Occurrences of any of some patterns."""
        # Here, so that a pattern that cannot be understood is refused as everywhere.
        for pattern in patterns:
            pattern.node()
        found: TextMatches = self._asker.ask("find_text", patterns, cancel=cancel)
        return found

    def occurrences(self, parts: Sequence[Part]) -> AskedOccurrences:
        """The hits of n-grams, or of one value of text patterns."""
        return AskedOccurrences(self._asker, parts)

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        """Some places of each of many n-grams of one text."""
        which, places = self._asker.ask("some_places", ids, starts, ends, most, seed, cancel=cancel)
        if len(which) != len(places) or (len(which) and not 0 <= which.min() <= which.max() < len(starts)):
            raise self._asker.wrong("some_places")
        return which, places

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        """Which places have one of some n-grams nearby."""
        # Hits are places, too; their ends are not sent.
        bare = Places(places.documents, places.offsets)
        wanted = tuple(tuple(map(int, ngram)) for ngram in ngrams)
        found: NDArray[np.bool_] = self._per_hit("near", bare, wanted, distance, cancel=cancel)
        return found

    def word_ranks(self, located: Located, number: int, cancel: CancelToken | None = None) -> Numbers:
        """Ranks of hits by a word next to them."""
        found: Numbers = self._per_hit("word_ranks", located, number, cancel=cancel)
        return found

    def surroundings(self, located: Located, width: int, cancel: CancelToken | None = None) -> NDArray[np.uint64]:
        """Hashes of the tokens around hits."""
        found: NDArray[np.uint64] = self._per_hit("surroundings", located, width, cancel=cancel)
        return found

    def _per_hit(self, name: str, places: Places, *arguments: Any, cancel: CancelToken | None) -> Any:
        return self._asker.many(name, len(places), places, *arguments, cancel=cancel)

    def cuts(self, matches: TextMatches, cancel: CancelToken | None = None) -> tuple[Cut, ...]:
        """How occurrences of a literal text were split into tokens."""
        found: tuple[Cut, ...] = self._asker.ask("cuts", matches, cancel=cancel)
        return found
