"""Sets of characters: ranges of code points, letters, borders of words, and folding of case."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.core.categories import LAST, by_category

BREAKLESS = (
    (0x0E01, 0x0E3A), (0x0E40, 0x0E5B), (0x0E81, 0x0EDF),  # Thai, Lao
    (0x1000, 0x109F), (0xA9E0, 0xA9FE), (0xAA60, 0xAA7F),  # Myanmar
    (0x1780, 0x17F9), (0x19E0, 0x19FF),  # Khmer
    (0x2E80, 0x2FD5), (0x3005, 0x3005), (0x3007, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B),  # Han
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAD9), (0x16FE2, 0x16FE3), (0x16FF0, 0x16FF1),
    (0x20000, 0x2FA1D), (0x30000, 0x323AF),
    (0x3041, 0x3096), (0x309D, 0x309F), (0x1B001, 0x1B11F), (0x1B132, 0x1B132), (0x1B150, 0x1B152), (0x1F200, 0x1F200),
    (0x30A1, 0x30FA), (0x30FD, 0x30FF), (0x31F0, 0x31FF), (0x32D0, 0x32FE), (0x3300, 0x3357),  # Katakana
    (0xFF66, 0xFF6F), (0xFF71, 0xFF9D), (0x1AFF0, 0x1AFFE), (0x1B000, 0x1B000), (0x1B120, 0x1B122),
    (0x1B155, 0x1B155), (0x1B164, 0x1B167),
    (0x02EA, 0x02EB), (0x3105, 0x312F), (0x31A0, 0x31BF),  # Bopomofo
)  # fmt: skip
"""Scripts that are written without spaces between words (Unicode's Scripts.txt)."""

OTHER, WORD, IDEOGRAPH = 0, 1, 2
"""Kinds of characters at a border: none of a word; of a word; a letter of a script without spaces."""


@dataclass(frozen=True)
class CharSet:
    """A set of characters.

    ranges: First and last code point of each range, ascending; ranges neither overlap nor touch.
    """

    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, ranges: Iterable[tuple[int, int]]) -> CharSet:
        """Unite ranges of characters.

        ranges: First and last code points, in any order; they may overlap.

        Examples
        --------
        >>> CharSet.of([(98, 99), (97, 97)]).ranges
        ((97, 99),)
        """
        merged: list[tuple[int, int]] = []
        for first, last in sorted(ranges):
            # Ranges that touch are one, so that equal sets have equal ranges and compare as equal.
            if merged and first <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
            else:
                merged.append((first, last))
        return cls(tuple(merged))

    @classmethod
    def of_text(cls, text: Iterable[str]) -> CharSet:
        """Exactly these characters."""
        return cls.of((ord(char), ord(char)) for char in text)

    @classmethod
    def of_mask(cls, wanted: NDArray[np.bool_]) -> CharSet:
        """The characters that are marked in an array with an entry for each code point."""
        # Changes from outside to inside and back, one after the other; an end is one past the last character.
        edges = np.flatnonzero(np.diff(wanted, prepend=False, append=False)).tolist()
        return cls(tuple((first, end - 1) for first, end in zip(edges[::2], edges[1::2], strict=True)))

    @cached_property
    def _starts(self) -> list[int]:
        return [first for first, _ in self.ranges]

    def __contains__(self, code: int) -> bool:
        at = bisect_right(self._starts, code) - 1
        return at >= 0 and code <= self.ranges[at][1]

    @property
    def single(self) -> bool:
        """Whether it is one character."""
        return len(self.ranges) == 1 and self.ranges[0][0] == self.ranges[0][1]

    def covers(self, first: int, last: int) -> bool | None:
        """Compare the set with a range of characters.

        Returns: True if all of them are in the set, False if none is, None if some are.

        Examples
        --------
        >>> CharSet.of_text("a").covers(ord("a"), ord("b")) is None
        True
        """
        # The last range that begins at or before `last`. Ranges do not touch, so no other can cover all of them.
        at = bisect_right(self._starts, last) - 1
        if at < 0 or self.ranges[at][1] < first:
            return False
        return True if self.ranges[at][0] <= first and last <= self.ranges[at][1] else None

    def __sub__(self, other: CharSet) -> CharSet:
        return ~(~self | other)

    def __or__(self, other: CharSet) -> CharSet:
        return CharSet.of((*self.ranges, *other.ranges))

    def __invert__(self) -> CharSet:
        # The ends of ranges, which are included, with one before the first and after the last character: gaps are
        # between them.
        edges = [-1, *(edge for pair in self.ranges for edge in pair), LAST + 1]
        gaps = ((edges[i] + 1, edges[i + 1] - 1) for i in range(0, len(edges), 2))
        return CharSet(tuple((first, last) for first, last in gaps if first <= last))

    def folded(self) -> CharSet:
        """The characters with all that differ from them in case only."""
        return CharSet.of((*self.ranges, *((ord(c), ord(c)) for c in self._other_cases())))

    def _other_cases(self) -> Iterator[str]:
        cases = _cases()
        # A small set is looked up character by character; of a large one, all characters with a case are tried.
        few = sum(last - first + 1 for first, last in self.ranges) < len(cases)
        codes = (code for first, last in self.ranges for code in range(first, last + 1))
        for code in codes if few else filter(self.__contains__, cases):
            yield from cases.get(code, ())


def simple_fold(char: str) -> str:
    """Give one character for all that differ in case only.

    Returns: The character by Unicode's simple folding, which is one to one, so `ß` stays.

    Examples
    --------
    >>> simple_fold("Σ"), simple_fold("ß")
    ('σ', 'ß')
    """
    full = char.casefold()
    if len(full) == 1:
        return full
    lower = char.lower()
    return lower if len(lower) == 1 else char


@cache
def _cases() -> dict[int, tuple[str, ...]]:
    """For each character with a case: the others that fold to the same one."""
    groups: dict[str, list[str]] = {}
    # After the last character with a case (Adlam).
    for code in range(0x1E944):
        char = chr(code)
        # All characters with a case are letters, marks (U+0345), numbers (Roman) or symbols (circled).
        folded = simple_fold(char)
        if folded != char:
            groups.setdefault(folded, [folded]).append(char)
    return {ord(char): tuple(c for c in group if c != char) for group in groups.values() for char in group}


def _of_words(category: str) -> bool:
    """Whether characters are part of words: letters, marks, numbers and connectors (Unicode L, M, N, Pc)."""
    return category[0] in "LMN" or category == "Pc"


def is_word(code: int) -> bool:
    """Whether a character is part of words."""
    return _of_words(unicodedata.category(chr(code)))


def kind_of(code: int) -> int:
    """OTHER, WORD or IDEOGRAPH."""
    category = unicodedata.category(chr(code))
    if not _of_words(category):
        return OTHER
    return IDEOGRAPH if category[0] == "L" and code in _BREAKLESS else WORD


@cache
def kinds() -> NDArray[np.int8]:
    """The kind of every character."""
    found = np.where(by_category(_of_words, np.bool_), np.int8(WORD), np.int8(OTHER))
    letters = by_category(lambda name: name[0] == "L", np.bool_)
    for first, last in BREAKLESS:
        # Digits and marks of these scripts stay what they are: only letters are without spaces between words.
        found[first : last + 1][letters[first : last + 1]] = IDEOGRAPH
    return found


@cache
def named(name: str) -> CharSet:
    r"""Give the characters of a class of regular expressions.

    name: "word", "digit" or "space", as `\w`, `\d` and `\s` mean them.
    """
    if name == "word":
        return CharSet.of_mask(by_category(_of_words, np.bool_))
    if name == "digit":
        return CharSet.of_mask(by_category(lambda name: name == "Nd", np.bool_))
    # Those that count as spaces are separators or controls.
    likely = np.flatnonzero(by_category(lambda name: name[0] == "Z" or name == "Cc", np.bool_))
    return CharSet.of_text(char for char in map(chr, likely.tolist()) if char.isspace())


_BREAKLESS = CharSet.of(BREAKLESS)
EVERYTHING = CharSet(((0, LAST),))
