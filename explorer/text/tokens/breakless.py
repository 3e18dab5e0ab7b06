"""Characters that need no spaces around them: letters of scripts written without spaces, and emoji."""

from __future__ import annotations

import re

_LETTERS = (
    (0x0E01, 0x0E30), (0x0E32, 0x0E33), (0x0E40, 0x0E46),  # Thai
    (0x0E81, 0x0EB0), (0x0EB2, 0x0EB3), (0x0EBD, 0x0EBD), (0x0EC0, 0x0EC6), (0x0EDC, 0x0EDF),  # Lao
    (0x1000, 0x102A), (0x103F, 0x103F), (0x1050, 0x1055), (0x105A, 0x105D), (0x1061, 0x1061), (0x1065, 0x1066),
    (0x106E, 0x1070), (0x1075, 0x1081), (0x108E, 0x108E), (0xA9E0, 0xA9E4), (0xA9E6, 0xA9EF), (0xA9FA, 0xA9FE),
    (0xAA60, 0xAA76), (0xAA7A, 0xAA7A), (0xAA7E, 0xAA7F),  # Myanmar
    (0x1780, 0x17B3), (0x17D7, 0x17D7), (0x17DC, 0x17DC),  # Khmer
    (0x2E80, 0x2FD5), (0x3005, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF), (0x16FE3, 0x16FE3), (0x16FF2, 0x16FF6), (0x20000, 0x3347F),  # Han
    (0x3031, 0x3035), (0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF), (0x31F0, 0x31FF),
    (0xFF66, 0xFF9F), (0x1AFF0, 0x1AFFE), (0x1B000, 0x1B16F),  # Hiragana, Katakana
    (0x02EA, 0x02EB), (0x3105, 0x312F), (0x31A0, 0x31BF),  # Bopomofo
)  # fmt: skip
_EMOJI = (
    (0x231A, 0x231B), (0x23CF, 0x23CF), (0x23E9, 0x23FA), (0x2600, 0x2767), (0x2794, 0x27BF),
    (0x2B05, 0x2B07), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55), (0x1F000, 0x1F0FF), (0x1F10D, 0x1F1E5),
    (0x1F200, 0x1F3FA), (0x1F400, 0x1FAFF),
)  # fmt: skip


def _in_class(ranges: tuple[tuple[int, int], ...]) -> str:
    """The inside of a character class, in literal characters, so that every engine of regular expressions reads it."""
    return "".join(f"{chr(first)}-{chr(last)}" if first < last else chr(first) for first, last in ranges)


_JOINER, _SKIN, _FLAG = "\u200d", "\U0001f3fb-\U0001f3ff", "\U0001f1e6-\U0001f1ff"
_AFTER_EMOJI = f"[{_SKIN}\ufe0e\ufe0f\u20e3\U000e0020-\U000e007f]*"
_ONE_EMOJI = f"[{_in_class(_EMOJI)}]{_AFTER_EMOJI}"

BREAKLESS = _in_class(_LETTERS) + _in_class(_EMOJI) + _SKIN + _FLAG
"""The inside of a character class of all that `CHARACTER` begins with."""

CHARACTER = (
    f"[{_in_class(_LETTERS)}]\\p{{M}}*"
    f"|{_ONE_EMOJI}(?:{_JOINER}[\u2194\u2195{_in_class(_EMOJI)}]{_AFTER_EMOJI}){{0,9}}"
    f"|[{_FLAG}][{_FLAG}]?|[{_SKIN}]"
)
"""A regular expression for one of them: a letter with its marks, an emoji with modifiers and what is joined to it, a
flag. All engines that have `\\p` read it."""

TRAINED_CUT = (
    rf"{CHARACTER}|'s|'t|'re|'ve|'m|'ll|'d| ?[^\P{{L}}{BREAKLESS}]+| ?[^\P{{N}}{BREAKLESS}]+"
    rf"| ?[^\s\p{{L}}\p{{N}}{BREAKLESS}]+|\s+(?![^\s{BREAKLESS}])|\s+"
)
"""What a tokenizer that is trained here never merges with what is beside it. After the first alternative it is GPT-2's
expression, with `CHARACTER` left out of its classes."""

_ANY = re.compile(f"[{BREAKLESS}]")
_SEAM = re.compile(f".*([{_in_class(_LETTERS)}]|(?<!{_JOINER})[{_in_class(_EMOJI)}])", re.DOTALL)


def count_breakless(text: str) -> int:
    """Characters that `CHARACTER` can begin with."""
    return sum(1 for _ in _ANY.finditer(text))


def begins_breakless(text: str) -> bool:
    """Whether the first character is one that `CHARACTER` begins with."""
    return bool(_ANY.match(text))


def last_seam(text: str, first: int, last: int) -> int:
    """Find the last place at which a `CHARACTER` begins, whatever comes before it.

    Returns: The place in [first, last), or -1 if there is none.
    """
    found = _SEAM.match(text, first, last)
    return found.start(1) if found else -1
