"""Characters as readers see them (grapheme clusters): where a text may be cut.

The rules of Unicode's annex 29, from the general categories that Python knows. Tables of emoji after a joiner and of
consonants after a virama are missing there, so all symbols and all letters join: a border may be missing, but no
character is cut. Packages for this bring tables of one version of Unicode, which may not be that of Python.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_ZERO_WIDTH_JOINER, _NON_JOINER = "\u200d", "\u200c"
# A sign of Arabic and other scripts before a number belongs to what follows.
_BEFORE = frozenset(map(chr, (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)))
# Of Devanagari, Bengali, Gujarati, Oriya, Telugu and Malayalam: they join the consonants on both sides.
_VIRAMAS = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d")
# Beside marks: joiners, sounds of halfwidth Katakana, and the vowel am of Thai and Lao.
_EXTENDING = frozenset("\u200d\u200c\uff9e\uff9f\u0e33\u0eb3")
_HANGUL_FIRST, _HANGUL_LAST, _FINALS = 0xAC00, 0xD7A3, 28


def grapheme_start(text: str, at: int) -> int:
    """Move a place in a text back to where a character begins.

    at: The place, from 0 to the length of the text.
    Returns: The last border up to there.

    Examples
    --------
    >>> grapheme_start("cafe\\u0301s", 4), grapheme_start("cafe\\u0301s", 5)
    (3, 5)
    """
    while is_inside(text, at):
        at -= 1
    return at


def grapheme_end(text: str, at: int) -> int:
    """Move a place in a text forward to where a character ends.

    at: The place, from 0 to the length of the text.
    Returns: The first border from there on.

    Examples
    --------
    >>> grapheme_end("cafe\\u0301s", 4)
    5
    """
    while is_inside(text, at):
        at += 1
    return at


def beginning(text: str, most: int) -> str:
    """Cut the end of a text off, between characters as they are seen.

    most: The most code points to keep.
    """
    return text[: grapheme_start(text, min(most, len(text)))]


def ending(text: str, most: int) -> str:
    """Cut the beginning of a text off, between characters as they are seen.

    most: The most code points to keep.
    """
    return text[grapheme_end(text, max(0, len(text) - most)) :]


def length(text: str) -> int:
    """The characters of a text as they are seen.

    Examples
    --------
    >>> length("cafe\\u0301s")
    5
    """
    return len(text) if text.isascii() else sum(not is_inside(text, at) for at in range(len(text)))


def is_inside(text: str, at: int) -> bool:
    """Whether a place is within a character.

    Returns: False at both ends of the text and at every border.
    """
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isascii() and after.isascii():
        return before == "\r" and after == "\n"
    first, second = _kind(before), _kind(after)
    if "control" in (first, second):
        return False
    if second == "extend" or first == "before":
        return True
    if first == second == "flag":
        return _run_before(text, at, "flag") % 2 == 1
    if before == _ZERO_WIDTH_JOINER and unicodedata.category(after)[0] == "S":
        return _follows_symbol(text, at - 1)
    if first == "extend":
        return second == "letter" and _follows_virama(text, at)
    return (first, second) in _HANGUL


# Leading consonants, vowels and final consonants, and syllables without and with a final consonant.
_HANGUL = frozenset(
    [("L", "L"), ("L", "V"), ("L", "LV"), ("L", "LVT"), ("LV", "V"), ("LV", "T"), ("V", "V"), ("V", "T")]
    + [("LVT", "T"), ("T", "T")]
)


@lru_cache(maxsize=1 << 12)
def _kind(char: str) -> str:
    """What a character is at a border."""
    code, category = ord(char), unicodedata.category(char)
    if char in _BEFORE:
        return "before"
    if category[0] == "M" or char in _EXTENDING:
        return "extend"
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F:
        # Skin tones, and the tags of flags.
        return "extend"
    if category in ("Cc", "Cf", "Zl", "Zp"):
        return "control"
    if 0x1F1E6 <= code <= 0x1F1FF:
        return "flag"
    return _hangul(code) or ("letter" if category == "Lo" else "other")


def _hangul(code: int) -> str:
    """The part of a syllable; "" if the character is not Korean."""
    if _HANGUL_FIRST <= code <= _HANGUL_LAST:
        return "LVT" if (code - _HANGUL_FIRST) % _FINALS else "LV"
    if 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C:
        return "L"
    if 0x1160 <= code <= 0x11A7 or 0xD7B0 <= code <= 0xD7C6:
        return "V"
    return "T" if 0x11A8 <= code <= 0x11FF or 0xD7CB <= code <= 0xD7FB else ""


def _run_before(text: str, at: int, kind: str) -> int:
    """How many characters of a kind end at a place."""
    begin = at
    while begin and _kind(text[begin - 1]) == kind:
        begin -= 1
    return at - begin


def _follows_symbol(text: str, at: int) -> bool:
    """Whether a symbol, with what extends it, ends at a place."""
    begin = at - _run_before(text, at, "extend")
    return begin > 0 and unicodedata.category(text[begin - 1])[0] == "S"


def _follows_virama(text: str, at: int) -> bool:
    """Whether a virama that joins is among the marks before a letter."""
    marks = text[at - _run_before(text, at, "extend") : at]
    return _NON_JOINER not in marks and not _VIRAMAS.isdisjoint(marks)
