"""Sets of characters: ranges of code points, letters, borders of words, and folding of case."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

LAST = 0x10FFFF

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
    """Characters as sorted ranges (first, last) of code points that neither overlap nor touch."""

    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, ranges: Iterable[tuple[int, int]]) -> CharSet:
        """The union of ranges in any order."""
        merged: list[tuple[int, int]] = []
        for first, last in sorted(ranges):
            if merged and first <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
            else:
                merged.append((first, last))
        return cls(tuple(merged))

    @classmethod
    def of_text(cls, text: Iterable[str]) -> CharSet:
        """Exactly these characters."""
        return cls.of((ord(char), ord(char)) for char in text)

    @cached_property
    def _starts(self) -> list[int]:
        return [first for first, _ in self.ranges]

    def __contains__(self, code: int) -> bool:
        at = bisect_right(self._starts, code) - 1
        return at >= 0 and code <= self.ranges[at][1]

    def covers(self, first: int, last: int) -> bool | None:
        """True where all characters of a range are in the set, False where none is, None where some are."""
        at = bisect_right(self._starts, last) - 1
        if at < 0 or self.ranges[at][1] < first:
            return False
        return True if self.ranges[at][0] <= first and last <= self.ranges[at][1] else None

    def __or__(self, other: CharSet) -> CharSet:
        return CharSet.of((*self.ranges, *other.ranges))

    def __invert__(self) -> CharSet:
        edges = [-1, *(edge for pair in self.ranges for edge in pair), LAST + 1]
        gaps = ((edges[i] + 1, edges[i + 1] - 1) for i in range(0, len(edges), 2))
        return CharSet(tuple((first, last) for first, last in gaps if first <= last))

    def folded(self) -> CharSet:
        """The characters with all that differ from them in case only."""
        return CharSet.of((*self.ranges, *((ord(c), ord(c)) for c in self._other_cases())))

    def _other_cases(self) -> Iterator[str]:
        for code, others in _cases().items():
            if code in self:
                yield from others


def simple_fold(char: str) -> str:
    """One character for all that differ in case only (Unicode's simple folding: one to one, so `ß` stays)."""
    full = char.casefold()
    if len(full) == 1:
        return full
    lower = char.lower()
    return lower if len(lower) == 1 else char


@cache
def _cases() -> dict[int, tuple[str, ...]]:
    """For each character with a case: the others that fold to the same one."""
    groups: dict[str, list[str]] = {}
    for code in range(0x1E944):
        char = chr(code)
        # All characters with a case are letters, marks (U+0345), numbers (Roman) or symbols (circled).
        folded = simple_fold(char)
        if folded != char:
            groups.setdefault(folded, [folded]).append(char)
    return {ord(char): tuple(c for c in group if c != char) for group in groups.values() for char in group}


def is_word(code: int) -> bool:
    """Whether a character is part of words: a letter, mark, number or connector (Unicode L, M, N, Pc)."""
    category = unicodedata.category(chr(code))
    return category[0] in "LMN" or category == "Pc"


def kind_of(code: int) -> int:
    """OTHER, WORD or IDEOGRAPH."""
    if not is_word(code):
        return OTHER
    return IDEOGRAPH if unicodedata.category(chr(code))[0] == "L" and code in _BREAKLESS else WORD


_MOST_ASKED = 0x1000


@cache
def block_kind(first: int, last: int) -> int | None:
    """The kind of all characters of a range; None where they differ, or where they are too many to look at."""
    if last - first >= _MOST_ASKED:
        return None
    kinds = {kind_of(code) for code in range(first, last + 1)}
    return kinds.pop() if len(kinds) == 1 else None


@cache
def named(name: str) -> CharSet:
    """The characters of `word`, `digit` or `space`, as `\\w`, `\\d` and `\\s` mean them."""
    tests: dict[str, Callable[[int], bool]] = {
        "word": is_word,
        "digit": lambda c: unicodedata.category(chr(c)) == "Nd",
        "space": lambda c: chr(c).isspace(),
    }
    wanted = tests[name]
    ranges: list[tuple[int, int]] = []
    for code in range(LAST + 1):
        if wanted(code):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1] = (ranges[-1][0], code)
            else:
                ranges.append((code, code))
    return CharSet(tuple(ranges))


_BREAKLESS = CharSet.of(BREAKLESS)
EVERYTHING = CharSet(((0, LAST),))
