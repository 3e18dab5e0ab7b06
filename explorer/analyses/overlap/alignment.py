"""Two texts side by side: the words that both have in the same order, in runs, and where they differ.

The alignment is exact: of all ways to pair runs of equal words in ascending order in both texts, it has the most words,
and of these the fewest runs. Only words that occur in a common run are looked at, so its cost is that of the pairs of
such places and not of all pairs of words.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.overlap.wording import characters
from explorer.core.arrays import ArrayValue
from explorer.core.files.encoding import replace_surrogates
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.words.rule import WordRule

LEAST = 3
"""Words in a row from which they are the same run: shorter ones are in any two texts of one language."""
MOST_PAIRS = 400_000
"""Pairs of places with a common run that are compared; a text that repeats itself may have more."""
_CHECK_EVERY = 1_000

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class SameWords:
    """Words in a row that both texts have.

    Attributes
    ----------
    left
        The number of the first word in the left text, from 0.
    right
        The number of the first word in the right text.
    words
        The number of words.
    """

    left: int
    right: int
    words: int


@dataclass(frozen=True)
class Difference:
    """A place where the texts differ: words that only one of them has there.

    Attributes
    ----------
    left_start
        The first word that only the left text has, from 0.
    left_end
        One past the last; `left_start` if there is none.
    right_start
        The first word that only the right text has.
    right_end
        One past the last.
    """

    left_start: int
    left_end: int
    right_start: int
    right_end: int


@dataclass(frozen=True, eq=False)
class TextComparison(ArrayValue):
    """Two texts, word by word.

    Attributes
    ----------
    left
        Characters of the words of the left text, int64 of shape (words, 2): first, and one past the last.
    right
        Those of the right text.
    least
        The words of the shortest run.
    runs
        The words that both have, ascending in both texts.
    exact
        Whether every common run was looked at. False if the texts repeat themselves so often that the most frequent
        runs were left out.
    moved_left
        The words of the left text that are in a common run, but in another order, so in none of `runs`: numbers,
        ascending.
    moved_right
        Those of the right text.
    """

    left: Numbers
    right: Numbers
    least: int
    runs: tuple[SameWords, ...]
    exact: bool
    moved_left: Numbers = field(default_factory=lambda: np.empty(0, np.int64))
    moved_right: Numbers = field(default_factory=lambda: np.empty(0, np.int64))

    def __repr__(self) -> str:
        sign = "" if self.exact else "at least "
        words = f"{len(self.left):,} and {len(self.right):,} words"
        return f"TextComparison({words}, {sign}{self.same:,} in common, longest run {self.longest:,})"

    @property
    def same(self) -> int:
        """Words in runs that both texts have."""
        return sum(run.words for run in self.runs)

    @property
    def share(self) -> float:
        """The share of the words of the left text that are in such runs, 0 to 1; 0 without words."""
        return self.same / max(1, len(self.left))

    @property
    def longest(self) -> int:
        """Words of the longest run."""
        return max((run.words for run in self.runs), default=0)

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The places between the runs, before the first and after the last, where one text has words of its own."""
        found, left, right = [], 0, 0
        for run in (*self.runs, SameWords(len(self.left), len(self.right), 0)):
            if left < run.left or right < run.right:
                found.append(Difference(left, run.left, right, run.right))
            left, right = run.left + run.words, run.right + run.words
        return tuple(found)


def words_of(text: str) -> Numbers:
    """Find the words of a text by the rule of the word list, and each character of scripts without spaces.

    Returns: The first character of each word and one past its last, int64 of shape (words, 2).

    Notes
    -----
    Linear in the characters.
    """
    chars = characters(replace_surrogates(text))
    begins = chars.in_word & chars.boundary[:-1]
    ends = chars.in_word & chars.boundary[1:]
    return np.stack([np.flatnonzero(begins), np.flatnonzero(ends) + 1], axis=1).astype(np.int64)


def compare_texts(
    left: str,
    right: str,
    least: int = LEAST,
    ignore_case: bool = False,
    cancel: CancelToken | None = None,
) -> TextComparison:
    """Find the words that two texts have in the same order.

    Parameters
    ----------
    left
        One text, such as an answer.
    right
        The other one, such as a document.
    least
        The words of the shortest run that counts, 1 or more.
    ignore_case
        Whether upper and lower case are the same.
    cancel
        Stops the work.

    Returns
    -------
    TextComparison
        The runs, and what they leave over.

    Raises
    ------
    QueryError
        If `least` is less than 1.
    Cancelled
        If it was cancelled.

    Notes
    -----
    Punctuation and white space are not compared. The cost grows with the words and, times a logarithm, with the pairs
    of places of equal runs; of more than 400,000 pairs, those of the most frequent runs are left out (`exact`).

    Examples
    --------
    >>> from explorer import compare_texts
    >>> found = compare_texts("we saw the cat sat on a mat", "the cat sat on the mat")
    >>> found.runs, found.share
    ((SameWords(left=2, right=0, words=4),), 0.5)
    """
    if least < 1:
        raise QueryError(mark("least must be at least 1 word, not {least}."), reason="bad-length", least=least)
    cancel = cancel or CancelToken()
    left, right = replace_surrogates(left), replace_surrogates(right)
    ours, theirs = words_of(left), words_of(right)
    # One dictionary for both texts: only so do equal words have equal numbers.
    numbers: dict[str, int] = {}
    one, other = _numbered(left, ours, numbers, ignore_case), _numbered(right, theirs, numbers, ignore_case)
    cancel.check()
    exact, grams = True, _grams(one, other, least)
    places = _Places(*grams)
    if places.total > MOST_PAIRS:
        exact = False
        places.leave_out(MOST_PAIRS)
    runs = _Chain(places, least).best(cancel)
    # An exact chain has the most words, so none of its runs can be longer.
    runs = runs if exact else _longer(runs, one, other)
    moved = _moved(grams, (len(ours), len(theirs)), runs, least)
    return TextComparison(ours, theirs, least, runs, exact, *moved)


def _moved(
    grams: tuple[Numbers, Numbers], sizes: tuple[int, int], runs: tuple[SameWords, ...], least: int
) -> tuple[Numbers, Numbers]:
    """The words of both texts that are in a common run of `least` words and in none of the runs in order."""
    found = []
    for mine, theirs, size, side in zip(grams, grams[::-1], sizes, ("left", "right"), strict=True):
        shared, common = np.isin(mine, theirs), np.zeros(size, bool)
        for step in range(least):
            common[step : step + len(shared)] |= shared
        for run in runs:
            first = getattr(run, side)
            common[first : first + run.words] = False
        found.append(np.flatnonzero(common).astype(np.int64))
    return found[0], found[1]


def _numbered(text: str, words: Numbers, numbers: dict[str, int], ignore_case: bool) -> Numbers:
    """A number for each word, the same for equal ones in both texts."""
    form = WordRule(fold=ignore_case).form
    forms = (form(text[start:end]) or "" for start, end in words.tolist())
    return np.array([numbers.setdefault(word, len(numbers)) for word in forms], dtype=np.int64)


def _grams(one: Numbers, other: Numbers, least: int) -> tuple[Numbers, Numbers]:
    """A number for each run of `least` words in both texts; equal runs have equal numbers."""
    sizes = max(0, len(one) - least + 1), max(0, len(other) - least + 1)
    found = np.concatenate([one[: sizes[0]], other[: sizes[1]]])
    for step in range(1, least):
        following = np.concatenate([one[step : step + sizes[0]], other[step : step + sizes[1]]])
        # Numbered again after each word, so that the product never overflows.
        _, found = np.unique(found * (int(following.max(initial=0)) + 1) + following, return_inverse=True)
    return found[: sizes[0]], found[sizes[0] :]


class _Places:
    """Where each run of the left text occurs in the right one."""

    def __init__(self, left: Numbers, right: Numbers) -> None:
        # Stable: the places of equal runs stay in ascending order.
        self._order = np.argsort(right, kind="stable")
        ordered = right[self._order]
        self._first = np.searchsorted(ordered, left, side="left")
        self._last = np.searchsorted(ordered, left, side="right")
        self.rows = len(left)

    @property
    def total(self) -> int:
        """The pairs of places."""
        return int((self._last - self._first).sum())

    def leave_out(self, most: int) -> None:
        """Leave the most frequent runs out, until there are at most a number of pairs."""
        sizes = self._last - self._first
        # Runs with one size are kept or left out together, so that the answer does not depend on their order.
        kinds, pairs = np.unique(sizes, return_counts=True)
        kept = kinds[np.cumsum(kinds * pairs) <= most]
        self._last = np.where(sizes <= (kept[-1] if len(kept) else 0), self._last, self._first)

    def of(self, row: int) -> list[int]:
        """The places of a run, ascending."""
        found: list[int] = self._order[self._first[row] : self._last[row]].tolist()
        return found


class _Chain:
    """The best ascending chain of runs, by one pass over the left text.

    For each pair of places, the best chain that ends with it: one word more than that of the pair before both, or a new
    run after the best chain that ends before it in both texts. The latter is looked up in a staircase: the right places
    at which the best score rises.
    """

    def __init__(self, places: _Places, least: int) -> None:
        self._places, self._least = places, least
        # A word counts more than all runs together: fewer runs only decide between chains of as many words.
        self._word = places.rows + 2
        # Row, place, score and the pair before, one entry per pair.
        self._rows: list[int] = []
        self._columns: list[int] = []
        self._scores: list[int] = []
        self._before: list[int] = []
        # The staircase: right places, the best score up to each, and its pair. Places and scores both ascend.
        self._stairs: list[int] = []
        self._heights: list[int] = []
        self._pairs: list[int] = []

    def best(self, cancel: CancelToken) -> tuple[SameWords, ...]:
        """Compute all chains, and return the best one."""
        starts: list[int] = []
        previous: dict[int, int] = {}
        for row in range(self._places.rows):
            if not row % _CHECK_EVERY:
                cancel.check()
            starts.append(len(self._rows))
            # A run of `least` words that began that number of rows earlier has just ended.
            if row >= self._least:
                first = starts[row - self._least]
                for pair in range(first, starts[row - self._least + 1]):
                    self._climb(pair)
            previous = {column: self._add(row, column, previous) for column in self._places.of(row)}
        return self._runs()

    def _add(self, row: int, column: int, previous: dict[int, int]) -> int:
        """The best chain that ends with this pair."""
        stair = bisect_right(self._stairs, column - self._least) - 1
        # Less by 1 for each run: of chains with as many words, the one with fewer runs is better.
        score, before = self._least * self._word - 1, -1
        if stair >= 0:
            score, before = score + self._heights[stair], self._pairs[stair]
        longer = previous.get(column - 1)
        # A tie continues the run, which is then as long as it can be.
        if longer is not None and self._scores[longer] + self._word >= score:
            score, before = self._scores[longer] + self._word, longer
        self._rows.append(row)
        self._columns.append(column)
        self._scores.append(score)
        self._before.append(before)
        return len(self._rows) - 1

    def _climb(self, pair: int) -> None:
        """Raise the staircase where a chain is better than all before it."""
        column, score = self._columns[pair], self._scores[pair]
        stair = bisect_right(self._stairs, column) - 1
        if stair >= 0 and self._heights[stair] >= score:
            return
        after = stair + 1
        while after < len(self._stairs) and self._heights[after] <= score:
            after += 1
        # The stair at this very place is replaced, too.
        first = stair if stair >= 0 and self._stairs[stair] == column else stair + 1
        for values, value in ((self._stairs, column), (self._heights, score), (self._pairs, pair)):
            values[first:after] = [value]

    def _runs(self) -> tuple[SameWords, ...]:
        if not self._scores:
            return ()
        found: list[SameWords] = []
        pair = int(np.argmax(self._scores))
        while pair >= 0:
            end, first = pair, pair
            # Back to the first pair of the run: each one is one word before the next in both texts.
            while self._continues(first):
                first = self._before[first]
            words = self._rows[end] - self._rows[first] + self._least
            found.append(SameWords(self._rows[first], self._columns[first], words))
            pair = self._before[first]
        return tuple(reversed(found))

    def _continues(self, pair: int) -> bool:
        before = self._before[pair]
        return (
            before >= 0
            and self._rows[before] == self._rows[pair] - 1
            and (self._columns[before] == self._columns[pair] - 1)
        )


def _longer(runs: tuple[SameWords, ...], one: Numbers, other: Numbers) -> tuple[SameWords, ...]:
    """Extend runs to the equal words beside them, which may belong to runs that were left out."""
    found: list[SameWords] = []
    left = right = 0
    for number, run in enumerate(runs):
        begin, place = run.left, run.right
        while begin > left and place > right and one[begin - 1] == other[place - 1]:
            begin, place = begin - 1, place - 1
        following = runs[number + 1] if number + 1 < len(runs) else SameWords(len(one), len(other), 0)
        end, after = run.left + run.words, run.right + run.words
        while end < following.left and after < following.right and one[end] == other[after]:
            end, after = end + 1, after + 1
        joined = found and begin == left and place == right and found[-1].left + found[-1].words == begin
        if joined:
            before = found.pop()
            found.append(SameWords(before.left, before.right, before.words + end - begin))
        else:
            found.append(SameWords(begin, place, end - begin))
        left, right = end, after
    return tuple(found)
