"""Kinds of characters, and the conditions of a pattern on the two characters around a place."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from explorer.core.categories import by_category
from explorer.text.patterns import charset
from explorer.text.patterns.charset import CharSet, named

OTHER, WORD, IDEOGRAPH, MARK, JOINER, SPACE = KINDS = tuple(range(6))
"""None of a word; of a word; a letter of a script without spaces; a character that composes with the one before, or
whose order among its neighbors makes no difference; an invisible character inside words; white space."""

JOINERS = CharSet.of_text("\u00ad\u200c\u200d\u2060")
"""Soft hyphen, zero-width non-joiner and joiner, word joiner: invisible, and part of the word around them."""

_WORDS = (WORD, MARK, JOINER)


def _border(before: int, after: int) -> bool:
    return IDEOGRAPH in (before, after) or (before in _WORDS) != (after in _WORDS)


CONDITIONS: dict[str, Callable[[int, int], bool]] = {
    "border": _border,
    "inside": lambda before, after: not _border(before, after),
    "start": lambda before, after: before not in _WORDS or after == IDEOGRAPH,
    "end": lambda before, after: after not in _WORDS or before == IDEOGRAPH,
    "joined start": lambda before, after: before not in _WORDS,
    "no ideograph": lambda before, after: after != IDEOGRAPH,
    "run start": lambda before, after: before != SPACE,
    "run end": lambda before, after: after != SPACE,
    "joined run start": lambda before, after: before not in (SPACE, JOINER),
    "joined run end": lambda before, after: after not in (SPACE, JOINER),
    "whole character": lambda before, after: after not in (MARK, JOINER),
}
"""By name, whether a condition holds between characters of two kinds.

border, inside: where a word begins or ends (`\\b`), and where none does (`\\B`). start, end: where a whole word may
begin and end. joined start, no ideograph: where a whole word may begin with joiners, and where these end. run start,
run end: the edges of a run of white space; joined: joiners take no part in it. whole character: no mark or joiner
follows.
"""


def kind_of(code: int) -> int:
    """Give the kind of a character.

    Examples
    --------
    >>> [kind_of(ord(char)) for char in "-a語"] == [OTHER, WORD, IDEOGRAPH]
    True
    """
    if code < 0x80:
        return SPACE if chr(code).isspace() else charset.kind_of(code)
    for kind, chars in _special():
        if code in chars:
            return kind
    return charset.kind_of(code)


@cache
def kinds() -> NDArray[np.int8]:
    """The kind of every character."""
    found = charset.kinds().copy()
    for kind, chars in _special():
        for first, last in chars.ranges:
            found[first : last + 1] = kind
    return found


@cache
def of_kinds(wanted: tuple[int, ...]) -> CharSet:
    """All characters of some kinds."""
    return CharSet.of_mask(np.isin(kinds(), wanted))


@cache
def _special() -> tuple[tuple[int, CharSet], ...]:
    return (MARK, _marks()), (JOINER, JOINERS), (SPACE, named("space"))


def _marks() -> CharSet:
    """Characters with a combining class, and those that compose with the one before although they have none."""
    marks = np.flatnonzero(by_category(lambda name: name[0] == "M", np.bool_)).tolist()
    found = {code for code in marks if unicodedata.combining(chr(code))}
    # The vowels and final consonants of Hangul follow a rule instead of the table.
    found.update(range(0x1161, 0x1176), range(0x11A8, 0x11C3))
    found.update(ord(text[-1]) for text in map(_decomposed, decomposing()) if len(text) == 2)
    return CharSet.of((code, code) for code in found)


def _decomposed(code: int) -> str:
    return "".join(chr(int(part, 16)) for part in unicodedata.decomposition(chr(code)).split())


@cache
def decomposing() -> tuple[int, ...]:
    """The characters with a canonical decomposition, without the syllables of Hangul."""
    return tuple(code for code in _likely() if (parts := unicodedata.decomposition(chr(code))) and parts[0] != "<")


def _likely() -> Iterable[int]:
    # The large blocks of ideographs and syllables, and private characters, have none.
    for first, last in ((0xA0, 0x3400), (0xA000, 0xAC00), (0xF900, 0x17000), (0x1B000, 0x20000), (0x2F800, 0x2FA1E)):
        yield from range(first, last)
