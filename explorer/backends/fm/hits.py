"""Where n-grams and texts occur in a compressed index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from explorer.backends.fm.counts import FmCounts
from explorer.backends.fm.parts import FmParts, as_bytes, joined
from explorer.backends.fm.texts import FmTextMatches, Found, find_text
from explorer.backends.ngrams import distinct_parts
from explorer.backends.places import Located, Places, drawn
from explorer.backends.protocol.protocol import Capabilities, Cut, Ids, Matches, Numbers, Part, TextMatches
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError
from explorer.text.patterns.pattern import Pattern
from explorer.text.patterns.scan import Scanner, scanner
from explorer.text.patterns.vocabulary import CHARACTER

_ROOM = 64
"""Bytes in which the end of a match is looked for at first."""
_TOGETHER = 1 << 12
"""Hits whose surroundings are read at once."""


class FmHits:
    """Answers `explorer.backends.protocol.protocol.HitQuestions`.

    capabilities: What is missing, and why.
    """

    def __init__(self, parts: FmParts, counts: FmCounts, capabilities: Capabilities) -> None:
        self._parts, self._counts, self._capabilities = parts, counts, capabilities

    def find(self, ids: Ids) -> Matches:
        """An n-gram's occurrences; the empty one occurs at every token."""
        array = self._counts.check_ids(ids, allow_empty=True)
        return Matches(tuple(array.tolist()), self._counts.count(array))

    def find_text(self, *patterns: Pattern, cancel: CancelToken | None = None) -> FmTextMatches:
        """The occurrences of any of some patterns."""
        return find_text(self._parts, patterns, cancel)

    def occurrences(self, parts: Sequence[Part]) -> FmOccurrences:
        """The hits of n-grams, or of one value of text patterns."""
        texts = [part for part in parts if isinstance(part, TextMatches)]
        if texts:
            text = texts[0] if isinstance(texts[0], FmTextMatches) else self.find_text(*texts[0].patterns)
            assert text.found is not None
            return FmOccurrences(self._parts, text.found, text.patterns)
        ngrams = distinct_parts([part for part in parts if isinstance(part, Matches)])
        found = self._found([np.array(part.ids, dtype=np.int64) for part in ngrams])
        # Also of the empty n-gram, which is found with the byte that it is before.
        lengths = np.repeat(np.array([part.length for part in ngrams], dtype=np.int64), len(self._parts.parts))
        return FmOccurrences(self._parts, found, lengths=lengths)

    def _found(self, ngrams: Sequence[Numbers]) -> Found:
        """The rows of n-grams: all of the first one, part after part, then those of the next one."""
        firsts, lasts = self._parts.find_many(*joined(ngrams))
        shape = firsts.T.shape
        owners = np.broadcast_to(np.arange(len(self._parts.parts), dtype=np.int64), shape)
        # What is found of the empty n-gram ends after one byte.
        sizes = np.array([max(1, len(ngram)) for ngram in ngrams], dtype=np.int64)
        lengths = np.broadcast_to(sizes[:, None], shape)
        return Found(owners.reshape(-1), firsts.T.reshape(-1), lasts.T.reshape(-1), lengths.reshape(-1))

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        """Some places of each of many n-grams of one text."""
        firsts, lasts = self._parts.find_many(as_bytes(ids), starts, ends, cancel)
        upto = np.cumsum(lasts - firsts, axis=0)
        chosen = [drawn(total, most, seed) for total in upto[-1].tolist()]
        which = np.repeat(np.arange(len(chosen), dtype=np.int64), [len(numbers) for numbers in chosen])
        numbers = np.concatenate([np.empty(0, dtype=np.int64), *chosen])
        # The parts that end at or below a number are those before its own.
        owners = (numbers >= upto[:, which]).sum(axis=0)
        rows = lasts[owners, which] - (upto[owners, which] - numbers)
        lengths = np.maximum(1, ends - starts)[which]
        return which, Places(*self._parts.locate(owners, rows, lengths, cancel))

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        """Which places have one of some n-grams nearby, by the text around them."""
        needles = [bytes(ngram) for ngram in ngrams]
        longest = max(map(len, needles), default=0)
        found = np.zeros(len(places), dtype=np.bool_)
        for first in range(0, len(places), _TOGETHER):
            some = places[first : first + _TOGETHER]
            lows = np.maximum(some.offsets - distance, 0)
            ends = some.offsets + distance
            windows = self._parts.windows(some.documents, lows, ends + longest, cancel)
            for number, (window, most) in enumerate(zip(windows, (ends - lows).tolist(), strict=True)):
                text = window.tobytes()
                found[first + number] = any(text.find(needle, 0, most + len(needle)) >= 0 for needle in needles)
        return found

    def word_ranks(self, located: Located, number: int, cancel: CancelToken | None = None) -> NoReturn:
        """Refused: the words around every hit would be put together."""
        self._refuse()

    def surroundings(self, located: Located, width: int, cancel: CancelToken | None = None) -> NoReturn:
        """Refused."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise CapabilityError(self._capabilities.missing("sorting"), capability="sorting")

    def cuts(self, matches: TextMatches, cancel: CancelToken | None = None) -> tuple[Cut, ...]:
        """How occurrences were split into tokens: each of its bytes is one."""
        hits = self.occurrences([matches])
        counts: dict[tuple[int, ...], int] = {}
        for tokens, count in hits.spellings(cancel):
            counts[tokens] = counts.get(tokens, 0) + count
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return tuple(Cut(tokens, 0, count) for tokens, count in ordered)


class FmOccurrences:
    """Hits, numbered n-gram by n-gram, and each by its rows.

    patterns: What a text must match, from where it begins; () for n-grams.
    lengths: Tokens of the hits of each n-gram; None for text patterns, whose ends are looked for.
    """

    sieved = False

    def __init__(
        self, parts: FmParts, found: Found, patterns: tuple[Pattern, ...] = (), lengths: Numbers | None = None
    ) -> None:
        self._parts, self._found, self._patterns, self._lengths = parts, found, patterns, lengths
        self._ends: Numbers = np.cumsum(found.lasts - found.firsts)
        self.total = int(self._ends[-1]) if len(self._ends) else 0
        self.count = self.total

    def locate(self, numbers: Numbers) -> Located:
        """Where some hits are; those of text patterns without their ends."""
        which = np.searchsorted(self._ends, numbers, side="right")
        rows = self._found.lasts[which] - (self._ends[which] - numbers)
        sizes = self._found.lengths[which]
        documents, offsets = self._parts.locate(self._found.owners[which], rows, sizes)
        lengths = np.ones_like(sizes) if self._lengths is None else self._lengths[which]
        return replace(Located.of_tokens(documents, offsets, lengths), sources=which)

    def shown(self, located: Located) -> NDArray[np.bool_]:
        """All of them."""
        return np.ones(len(located), dtype=np.bool_)

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """Find the ends of hits: those of the longest match at each place."""
        if not self._patterns:
            return located
        if len(self._patterns) == 1 and self._patterns[0].match == "text":
            size = self._patterns[0].size
            if size is not None:
                return replace(located, lengths=np.full(len(located), size, dtype=np.int64))
        found = scanner(self._patterns)
        parts = [
            self._measured(located[first : first + _TOGETHER], found, cancel)
            for first in range(0, len(located), _TOGETHER)
        ]
        return Located.join(parts)

    def _measured(self, located: Located, found: Scanner, cancel: CancelToken | None) -> Located:
        lengths = np.zeros(len(located), dtype=np.int64)
        waiting, room = np.arange(len(located)), _ROOM
        while len(waiting):
            some = located[waiting]
            before = np.minimum(some.offsets, CHARACTER)
            ends = some.offsets + room
            windows = self._parts.windows(some.documents, some.offsets - before, ends, cancel)
            left = []
            for which, window, start in zip(waiting.tolist(), windows, before.tolist(), strict=True):
                # Shorter than it was asked for: the document ends there.
                whole = len(window) < start + room
                match = found.longest(window.tobytes(), start, whole=whole)
                if match is None or (match[1] and not whole):
                    # Nothing can be told within this room, unless there is nothing: then no match begins here.
                    if whole:
                        raise AssertionError("no match begins where one was found")
                    left.append(which)
                else:
                    lengths[which] = match[0] - start
            # Four times as many each time: the work stays within a third more than that of the last round.
            waiting, room = np.array(left, dtype=np.int64), 4 * room
        return replace(located, lengths=lengths)

    def spellings(self, cancel: CancelToken | None = None) -> list[tuple[tuple[int, ...], int]]:
        """The tokens of the first hit of each n-gram, and how many hits the n-gram has."""
        sizes = self._found.lasts - self._found.firsts
        some = np.flatnonzero(sizes)
        located = self.measured(self.locate(self._ends[some] - sizes[some]), cancel)
        windows = self._parts.windows(located.documents, located.offsets, located.offsets + located.lengths, cancel)
        return [(tuple(window.tolist()), count) for window, count in zip(windows, sizes[some].tolist(), strict=True)]
