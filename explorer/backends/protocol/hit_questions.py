"""What a backend is asked about hits: where they are, and what is around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import Located, Places
from explorer.backends.protocol.values import Cut, Ids, Matches, Numbers, Part, TextMatches
from explorer.core.jobs import CancelToken
from explorer.text.patterns.pattern import Pattern

CASE_BITS = 32
"""Bits of a word's rank that tell words apart which differ in case only."""


class Occurrences(Protocol):
    """The hits of n-grams or of a text pattern, numbered from 0 in an order that the backend chooses.

    The numbers of one value stay the same as long as the index is open.
    """

    @property
    def total(self) -> int:
        """Number of numbers."""

    @property
    def count(self) -> int:
        """Hits that are shown: at most `total`."""

    @property
    def sieved(self) -> bool:
        """Whether some numbers may be of hits that are never shown, so that `shown` must be asked."""

    def locate(self, numbers: Numbers) -> Located:
        """Where some hits are.

        numbers: int64 array of numbers below `total`, in any order.
        Returns: One entry per number; hits of a text pattern without their ends: see `measured`.
        """

    def shown(self, located: Located) -> NDArray[np.bool_]:
        """Which of some hits count: one entry per hit."""

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """Find the ends of some hits.

        located: Hits as `locate` gives them.

        Notes
        -----
        Costs nothing for n-grams. A text pattern's hits are read, about ten microseconds each for an expression.
        """


class HitQuestions(Protocol):
    """What `explorer.backends.protocol.protocol.Backend.hits` answers."""

    def find(self, ids: Ids) -> Matches:
        """An n-gram's occurrences; the empty one occurs at every token."""

    def find_text(self, *patterns: Pattern, cancel: CancelToken | None = None) -> TextMatches:
        """Find the occurrences of any of some patterns.

        Returns: The patterns with their count, and what is needed to find them again.
        Raises `QueryError` for a pattern that is too broad or cannot be understood.

        Notes
        -----
        A few milliseconds, which grow with the vocabulary and hardly with the index; once per tokenizer a second.
        """

    def occurrences(self, parts: Sequence[Part]) -> Occurrences:
        """The hits of n-grams, or of one value of text patterns; an n-gram that extends another adds none."""

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        """Draw some places of each of many n-grams of one text, which must not contain separators.

        starts: The first token of each n-gram, as in `count_many`.
        ends: One past the last token of each, as in `count_many`.
        seed: Decides which ones are drawn if an n-gram occurs more often.
        Returns: The numbers i, ascending, one per place; and the places.

        Notes
        -----
        Cost: one search per n-gram, and a look-up per place.
        """

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        """Tell which places have one of some n-grams nearby, in their document.

        distance: The most tokens between both beginnings, in either direction.

        Notes
        -----
        The cost grows with places × distance × n-grams, since the text around each place is read.
        """

    def word_ranks(self, located: Located, number: int, cancel: CancelToken | None = None) -> Numbers:
        """Rank hits by a word next to them.

        located: Measured hits: see `Occurrences.measured`.
        number: The word: 1 is the first right of the match, -1 the first left of it, 0 the match itself.
        Returns: One rank per hit, int64, equal for equal words, in the order of `explorer.text.collation`. Of words
            that differ in case only, `rank >> CASE_BITS` is equal. A hit without such a word has rank 0, which comes
            first. Punctuation is not a word; of the text of a match, the first 512 bytes count.
        Raises `CapabilityError` if `capabilities.sorting` is False.
        """

    def surroundings(self, located: Located, width: int, cancel: CancelToken | None = None) -> NDArray[np.uint64]:
        """Hash the tokens around hits: lines that read alike have equal hashes.

        located: Measured hits: see `Occurrences.measured`.
        Raises `CapabilityError` if `capabilities.sorting` is False.
        """

    def cuts(self, matches: TextMatches, cancel: CancelToken | None = None) -> tuple[Cut, ...]:
        """Find out how occurrences of one literal text were split into tokens.

        Returns: The ways, most frequent first.

        Notes
        -----
        One read per n-gram in which the text occurs.
        """
