"""The parts of a text that one document contains word for word, and their share of the text.

A passage is a maximal sequence of the text's tokens that occurs in the document, begins and ends at word boundaries,
and has at least five words (or all words, if the text has fewer). The share counts the characters in passages; white
space is ignored. It does not depend on the corpus, on its size or on the other documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.overlap.wording import Wording, wording
from explorer.backends.small_index import SmallIndex
from explorer.core.jobs import CancelToken
from explorer.text.tokens.decode import trim
from explorer.text.tokens.tokenizer import Encoded

LEAST_WORDS = 5
"""The minimum number of words in a passage; two characters of a script without spaces count as one."""
STRETCH_WORDS = 100
"""Number of consecutive words for the best share, so that one copied paragraph of a long text counts."""
_MOST_GRAM = 12
_FACTOR = np.uint64(0x9E3779B97F4A7C15)

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Passage:
    """A part of a text that a document contains word for word.

    Attributes
    ----------
    start
        Its first character in the text.
    end
        One past its last character.
    token_start
        Its first token in the text.
    token_end
        One past its last token.
    offset
        Its first token in the document.
    reading_start
        Its first character in the reading text; None if the text was read as it is written.
    reading_end
        One past its last character there.
    """

    start: int
    end: int
    token_start: int
    token_end: int
    offset: int
    reading_start: int | None = None
    reading_end: int | None = None

    @property
    def length(self) -> int:
        """Tokens."""
        return self.token_end - self.token_start


@dataclass(frozen=True)
class Held:
    """The parts of a text that a document contains.

    passages: The passages in order, none inside another.
    share: Their share of the text's characters, 0 to 1.
    stretch: The same for its best 100 consecutive words, or for the text if it is shorter.
    """

    passages: tuple[Passage, ...]
    share: float
    stretch: float

    @property
    def longest(self) -> Passage | None:
        """The passage with the most tokens; the first of several."""
        return max(self.passages, key=lambda passage: passage.length, default=None)


NOTHING = Held((), 0.0, 0.0)


class TextMatcher:
    """A text of at least one token, for comparison with any number of documents.

    Notes
    -----
    Costs O(n log n) for n tokens, once.
    """

    def __init__(self, text: str, encoded: Encoded) -> None:
        self._text = text
        self._encoded = encoded
        self._wording: Wording = wording(text, encoded)
        words = self._wording.words
        self._least = min(float(LEAST_WORDS), self._wording.total)
        # No passage is shorter than this many tokens.
        ends = np.searchsorted(words, words[:-1] + self._least, side="left")
        sizes = (ends - np.arange(len(words) - 1))[ends < len(words)]
        shortest = int(sizes.min()) if len(sizes) and self._least else len(encoded.ids)
        self._gram = max(1, min(shortest, _MOST_GRAM))
        # Every passage contains an n-gram of this size, so a document without any of them holds no passage.
        hashes = gram_hashes(encoded.ids, self._gram)
        self._order = np.argsort(hashes, kind="stable")
        self._hashes, self._first = np.unique(hashes[self._order], return_index=True)
        # Sixteen or more places per n-gram: a strange n-gram passes this first sieve one time in sixteen or less.
        self._bits = max(10, len(hashes).bit_length() + 4)
        self._seen = np.zeros(1 << self._bits, dtype=np.bool_)
        self._seen[self._bucket(self._hashes)] = True

    def _bucket(self, hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
        return np.asarray(hashes >> np.uint64(64 - self._bits))

    def beginnings(self) -> tuple[Numbers, Numbers]:
        """Find what every passage begins with.

        Returns: The first token of each such run of the text's tokens, and one past its last, int64: the fewest words
            that a passage has, from each word on.
        """
        words = self._wording.words
        if not self._least:
            return np.zeros(1, dtype=np.int64), np.full(1, len(self._encoded.ids), dtype=np.int64)
        starts = np.flatnonzero(self._wording.boundary[:-1])
        ends = np.searchsorted(words, words[starts] + self._least, side="left")
        there = ends < len(words)
        return starts[there], ends[there].astype(np.int64)

    def hold(self, document: Numbers, cancel: CancelToken | None = None) -> Held:
        """Compare the text with a document.

        document: The document's tokens, int64.
        Returns: The passages that the document contains word for word, and their share of the text.

        Notes
        -----
        One pass over the document; only parts that may match are sorted and searched.
        """
        hashes = gram_hashes(document, self._gram)
        places = np.flatnonzero(self._seen[self._bucket(hashes)])
        # Only what passed the sieve is searched for. Equal hashes may still be different n-grams: the suffix array
        # decides.
        where = np.searchsorted(self._hashes, hashes[places])
        same = self._hashes[np.minimum(where, len(self._hashes) - 1)] == hashes[places]
        places, where = places[same], where[same]
        if not len(places):
            return NOTHING
        mine = self._text_places(np.unique(where))
        return self._from_runs(document, _Runs(mine, self._gram), _Runs(places, self._gram), cancel)

    def _text_places(self, which: Numbers) -> Numbers:
        """Starts of the text's n-grams of these numbers among the distinct ones, in order."""
        first = self._first[which]
        sizes = np.append(self._first[1:], len(self._order))[which] - first
        steps = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return np.sort(self._order[np.repeat(first, sizes) + steps])

    def _from_runs(self, document: Numbers, mine: _Runs, theirs: _Runs, cancel: CancelToken | None) -> Held:
        """Match what is left of the text with what is left of the document."""
        small = SmallIndex(theirs.join(document), cancel)
        # Both sides are cut to the runs that may match, which for most documents is a small part.
        query = small.symbols(mine.join(self._encoded.ids))
        longest = small.longest_matches(query, cancel)
        starts = np.arange(len(query), dtype=np.int64)
        # A match that ends where the previous one ends is part of it.
        whole = np.flatnonzero((longest > 0) & (starts + longest > np.concatenate([[0], (starts + longest)[:-1]])))
        # A match is within one run, since the -1 between runs matches nothing; so its length holds in the text, too.
        first = mine.places(whole)
        starts, ends = self._whole_words(first, first + longest[whole])
        bounds = zip(starts.tolist(), ends.tolist(), mine.numbers(starts).tolist(), strict=True)
        return self._measure(
            tuple(
                self._passage(start, end, theirs.place(small.position(query[at : at + end - start])))
                for start, end, at in bounds
            )
        )

    def _whole_words(self, starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
        """Runs of tokens narrowed to whole words, if they are long enough and not part of another."""
        boundary, words = self._wording.boundary, self._wording.words
        places = np.arange(len(boundary), dtype=np.int64)
        # after[i]: the first word boundary at or after i; before[i]: the last at or before it.
        after = np.minimum.accumulate(np.where(boundary, places, len(boundary) - 1)[::-1])[::-1]
        before = np.maximum.accumulate(np.where(boundary, places, 0))
        starts, ends = after[starts], before[ends]
        # Words may be halves (scripts without spaces), so these are not integers.
        long_enough = words[ends] - words[starts] >= self._least
        # A text without words, such as one of signs only, is a passage as a whole or not at all.
        if not self._least:
            long_enough = ends - starts == len(self._encoded.ids)
        kept = (ends > starts) & long_enough
        starts, ends = starts[kept], ends[kept]
        # Neither decreases. Of several with the same beginning the last is the longest, of several with the same end
        # the first.
        # No start is -1, so the last of all is kept.
        kept = np.diff(starts, append=-1) != 0
        starts, ends = starts[kept], ends[kept]
        kept = np.diff(ends, prepend=-1) != 0
        return starts[kept], ends[kept]

    def _passage(self, start: int, end: int, offset: int) -> Passage:
        first, last = int(self._encoded.starts[start]), int(self._encoded.ends[end - 1])
        return Passage(*trim(self._text, first, last), int(start), int(end), offset)

    def _measure(self, passages: tuple[Passage, ...]) -> Held:
        """Shares of the characters that the passages cover together."""
        visible = self._wording.visible_before
        whole = int(visible[-1])
        if not passages or not whole:
            return Held(passages, float(bool(passages)), float(bool(passages)))
        starts = np.array([passage.start for passage in passages], dtype=np.int64)
        ends = np.array([passage.end for passage in passages], dtype=np.int64)
        # Passages have increasing ends; characters that an earlier one covers are not counted again.
        starts = np.maximum(starts, np.concatenate([[0], ends[:-1]]))
        covered = np.concatenate([[0], np.cumsum(visible[ends] - visible[starts])])

        # Visible characters in passages before a place: passages that ended, and the part of the one that contains it.
        def held_before(at: Numbers) -> Numbers:
            which = np.searchsorted(ends, at, side="left")
            inside = np.minimum(which, len(ends) - 1)
            part = np.where(which < len(ends), np.maximum(visible[at] - visible[np.minimum(starts[inside], at)], 0), 0)
            return np.asarray(covered[which] + part)

        first, last = self._windows(starts, ends)
        # Never 0, although a stretch may consist of white space.
        sizes = np.maximum(1, visible[last] - visible[first])
        shares = (held_before(last) - held_before(first)) / sizes
        return Held(passages, float(covered[-1] / whole), float(np.minimum(1.0, shares.max())))

    def _windows(self, starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
        """Stretches, as characters, among which is the best one: of those from each word on, the ones that touch a
        passage. The best need not begin or end with one, since stretches differ in their number of characters.
        """
        words = self._wording
        whole = len(words.visible_before) - 1
        if words.total <= STRETCH_WORDS:
            return np.array([0], dtype=np.int64), np.array([whole], dtype=np.int64)
        places, counts = np.append(words.word_places, whole), np.append(words.word_counts, words.total)
        first = np.flatnonzero(counts <= words.total - STRETCH_WORDS)
        begins = np.concatenate([[0], places[first]])
        before = np.concatenate([[0.0], counts[first]])
        stops = places[np.searchsorted(counts, before + STRETCH_WORDS, side="left")]
        touched = np.searchsorted(ends, begins, side="right") < np.searchsorted(starts, stops, side="left")
        return np.asarray(begins[touched]), np.asarray(stops[touched])


def gram_hashes(ids: Numbers, size: int) -> NDArray[np.uint64]:
    """Compute a number for each n-gram of a text.

    ids: The tokens of the text, int64.
    size: The tokens of an n-gram, at least 1.
    Returns: The numbers by the n-grams' beginnings. Equal n-grams have equal ones, and different ones almost never do.
    """
    count = len(ids) - size + 1
    if count <= 0:
        return np.empty(0, dtype=np.uint64)
    tokens = ids.astype(np.uint64)
    mixed = np.zeros(count, dtype=np.uint64)
    for i in range(size):
        mixed = (mixed ^ tokens[i : i + count]) * _FACTOR
        mixed ^= mixed >> np.uint64(29)
    return mixed * _FACTOR


class _Runs:
    """Runs of tokens that the n-grams of `size` at these places (ascending) cover, joined into one sequence.

    A number counts tokens of the joined sequence, in which a token that is in no text separates the runs.
    """

    def __init__(self, places: Numbers, size: int) -> None:
        breaks = np.flatnonzero(np.diff(places) > size) + 1
        self._starts = places[np.concatenate([[0], breaks])]
        self._ends = places[np.concatenate([breaks, [len(places)]]) - 1] + size
        self._begin = np.concatenate([[0], np.cumsum(self._ends - self._starts + 1)])

    def join(self, ids: Numbers) -> Numbers:
        """The runs' tokens, with -1 after each run."""
        joined = np.full(int(self._begin[-1]), -1, dtype=np.int64)
        run = np.repeat(np.arange(len(self._starts)), self._ends - self._starts + 1)
        steps = np.arange(len(joined)) - self._begin[run]
        inside = self._starts[run] + steps < self._ends[run]
        joined[inside] = ids[(self._starts[run] + steps)[inside]]
        return joined

    def places(self, numbers: Numbers) -> Numbers:
        """Places in the text of tokens of the joined runs."""
        run = np.searchsorted(self._begin, numbers, side="right") - 1
        return np.asarray(self._starts[run] + numbers - self._begin[run])

    def place(self, number: int) -> int:
        """One place."""
        return int(self.places(np.array([number], dtype=np.int64))[0])

    def numbers(self, places: Numbers) -> Numbers:
        """Positions in the joined sequence of places within the runs."""
        run = np.searchsorted(self._starts, places, side="right") - 1
        return np.asarray(self._begin[run] + places - self._starts[run])
