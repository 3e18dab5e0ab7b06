"""The occurrences of n-grams or of a text pattern, a part at a time, without those that are never shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.ngrams import distinct_parts
from explorer.backends.places import Located
from explorer.backends.protocol.protocol import Backend, Matches, Occurrences, Part, TextMatches
from explorer.core.jobs import CancelToken

CHUNK = 1 << 16
"""Hits that are looked up between two looks at the cancel flag."""


class Hits:
    """Occurrences of n-grams, or of one text pattern, as the backend numbers them.

    Those of an n-gram that extends another are the other's too. `total` is the number of hits; `count` is less those
    that are never shown: of subtracted documents, and those in the space that a tokenizer puts before each text.
    `occurrences`: answers in place of the backend, for hits that are known already.
    """

    def __init__(self, index: Backend, parts: Sequence[Part], occurrences: Occurrences | None = None) -> None:
        self.index = index
        # Where several patterns match at one place, it is one hit. Only an automaton of all of them knows these places.
        patterns = [part for part in parts if isinstance(part, TextMatches)]
        if patterns and len(parts) > 1:
            raise ValueError("several text patterns are one: see `find_text`")
        # An n-gram that begins with another has no hits of its own; both together would count them twice.
        ngrams = distinct_parts([part for part in parts if isinstance(part, Matches)])
        self.parts: tuple[Part, ...] = tuple(patterns) or ngrams
        self._occurrences = occurrences or index.hits.occurrences(self.parts)
        self.total = self._occurrences.total
        self.count = self._occurrences.count
        self.sieved = self._occurrences.sieved

    def locate(self, numbers: NDArray[np.int64]) -> Located:
        """Find the places of some hits.

        Returns: Documents and offsets; the ends of text patterns are found by `measured`.

        Notes
        -----
        A few reads per hit.
        """
        return self._occurrences.locate(numbers)

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """Find the ends of hits, which `locate` does not look for in text patterns."""
        return self._occurrences.measured(located, cancel)

    def chunks(
        self, numbers: NDArray[np.int64] | None = None, cancel: CancelToken | None = None
    ) -> Iterator[tuple[NDArray[np.int64], Located]]:
        """Yield hits with their places, tens of thousands at a time, without those that never count.

        numbers: Numbers of the hits, int64; None for all.
        """
        # Over all numbers, not the `count` of those that are shown: which ones are hidden is known when they are
        # located.
        total = self.total if numbers is None else len(numbers)
        for first in range(0, total, CHUNK):
            if cancel is not None:
                cancel.check()
            last = min(first + CHUNK, total)
            part = np.arange(first, last, dtype=np.int64) if numbers is None else numbers[first:last]
            located = self.locate(part)
            # Where nothing is hidden, as a rule, the arrays are passed on as they are.
            if self.sieved and not (kept := self._occurrences.shown(located)).all():
                part, located = part[kept], located[kept]
            yield part, located

    def count_documents(self, numbers: NDArray[np.int64] | None = None, cancel: CancelToken | None = None) -> int:
        """Count the documents of hits.

        numbers: Numbers of the hits, int64; None for all.

        Notes
        -----
        Looks at every hit; memory grows with the number of documents only.
        """
        # A sorted set of numbers, and not a count per document: an index may have far more documents than hits.
        found = np.empty(0, dtype=np.int64)
        for _, located in self.chunks(numbers, cancel):
            found = np.union1d(found, located.documents)
        return len(found)
