"""The order in which a reader expects words and values: letters first, marks second, case third, digits by value."""

from __future__ import annotations

import re
import unicodedata

# In ascending order, before all letters: what ends a level, a letter among marks, a gap between words, and what symbols
# and numbers begin with.
_END, _BASE, _GAP, _SYMBOL, _NUMBER = "\0\1\2\3\4"
# Thousands as in English, and a decimal fraction; or one other character.
_PARTS = re.compile(r"(\d{1,3}(?:[,٬]\d{3})+(?!\d)|\d+)(?:[.٫](\d+))?|(\D)", re.DOTALL)
_VIRAMA = 9
_LENGTHS = 0x20
_MOST_DIGITS = 0xD000
"""The length of a number is written as a character below the surrogates."""


def collation_key(text: str) -> str:
    """Give the key by which a text sorts as a reader expects.

    Returns: Keys compare as texts. First decide the letters without accents and case (NFKD), then accents, then case,
        with lower case first. Punctuation takes no part. A shorter word precedes a longer one. Symbols precede digits,
        which compare by value, and digits precede letters.

    Examples
    --------
    >>> sorted(["zebra", "Éclair", "apple", "“banana", "étude", "10", "9"], key=collation_key)
    ['9', '10', 'apple', '“banana', 'Éclair', 'étude', 'zebra']
    """
    return _END.join(collation_levels(text))


def collation_levels(text: str) -> tuple[str, str, str]:
    """Give the three levels of a text's key: its letters, its marks, its cases.

    Returns: Texts that compare as the levels do; of texts that differ in case only, the first two are equal.
    """
    if text.isascii() and text.isalpha():
        letters = text.lower()
        return letters, "", "" if letters == text else _cases(text)
    shown: list[str] = []
    marks: list[str] = []
    bases: list[str] = []
    for whole, fraction, char in _PARTS.findall(unicodedata.normalize("NFKD", text)):
        if char and unicodedata.combining(char) not in (0, _VIRAMA):
            marks.append(char)
            continue
        part = _letter(char) if char else _number(whole, fraction)
        # Gaps are one, and none is at the beginning.
        if part and not (part == _GAP and (not shown or shown[-1] == _GAP)):
            shown.append(part)
            marks.append(_BASE)
            bases.append(char or whole[0])
    # Marks follow their letters, so that each is compared with what the other text has at the same letter.
    return "".join(shown).rstrip(_GAP), "".join(marks).rstrip(_BASE), _cases("".join(bases))


def _cases(letters: str) -> str:
    return "".join("1" if letter.isupper() or letter.istitle() else "0" for letter in letters).rstrip("0")


def _letter(char: str) -> str:
    """A character as it is compared; "" if it takes no part."""
    kind = unicodedata.category(char)[0]
    if kind in "LMN":
        return char.casefold()
    if char.isspace():
        return _GAP
    return _SYMBOL + char if kind == "S" else ""


def _number(whole: str, fraction: str) -> str:
    """A number as a text that compares by value: of two numbers, the one with more digits is larger."""
    digits = _digits(whole).lstrip("0") or "0"
    rest = _digits(fraction).rstrip("0")
    return f"{_NUMBER}{chr(_LENGTHS + min(len(digits), _MOST_DIGITS))}{digits}" + (f".{rest}" if rest else "")


def _digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(char)) for char in text if char.isdecimal())
