"""Letters with accents of old TeX documents, which have the accent as a letter of its own above or below another."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from typing import Any

import pypdfium2.raw as pdfium

_MARKS = {
    "`": "\u0300",
    "\u00b4": "\u0301",
    "\u02c6": "\u0302",
    "\u02dc": "\u0303",
    "\u00af": "\u0304",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u00a8": "\u0308",
    "\u02da": "\u030a",
    "\u02dd": "\u030b",
    "\u02c7": "\u030c",
    "\u00b8": "\u0327",
}
"""What joins an accent to the letter before it."""
_BELOW = "\u00b8"
_ACCENT = re.compile(f"[{''.join(_MARKS)}]")
_WITHOUT_DOT = {"\u0131": "i", "\u0237": "j"}
_INTO_LETTER, _SPACE = 0.25, 0.15
"""How far a letter is from its accent at most, and the least width of a space, as parts of the height of a line."""


def with_accents(text_page: Any, text: str) -> list[str]:
    """Join accents to the letters above or below which they are drawn.

    text: Its text, in which an accent may be anywhere in the line, between spaces that pdfium inferred.
    Returns: What each character becomes; "" for an accent that was joined. Accents that belong to no letter stay.
    """
    letters = list(text)
    found = [match.start() for match in _ACCENT.finditer(text)]
    for at in found:
        left, bottom, right, top, height = _box(text_page, at)
        inside = _INTO_LETTER * height
        y = top + inside if text[at] == _BELOW else bottom - inside
        number = pdfium.FPDFText_GetCharIndexAtPos(text_page, (left + right) / 2, y, 0, 0)
        index = pdfium.FPDFText_GetTextIndexFromCharIndex(text_page, number) if number >= 0 else -1
        if 0 <= index < len(text) and (joined := _joined(letters[index], text[at])):
            letters[index] = joined
            _remove(text_page, letters, at)
    return letters


def _joined(letter: str, accent: str) -> str:
    """A letter with an accent as one character; "" if there is none."""
    found = unicodedata.normalize("NFC", _WITHOUT_DOT.get(letter, letter) + _MARKS[accent])
    return found if len(found) == 1 else ""


def _remove(text_page: Any, letters: list[str], at: int) -> None:
    """Remove an accent, and the spaces around it unless there is room for one."""
    before, after = at - 1, at + 1
    while before >= 0 and letters[before] in ("", " "):
        before -= 1
    while after < len(letters) and letters[after] in ("", " "):
        after += 1
    letters[before + 1 : after] = [""] * (after - before - 1)
    if before >= 0 and after < len(letters) and not {letters[before], letters[after]} & {"\r", "\n"}:
        _, _, right, _, height = _box(text_page, before)
        left = _box(text_page, after)[0]
        letters[at] = " " if left - right > _SPACE * height else ""


def _box(text_page: Any, index: int) -> tuple[float, float, float, float, float]:
    """Where a character is: left, bottom, right and top of what is drawn, and the height of its line."""
    number = max(0, pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, index))
    sides = [ctypes.c_double() for _ in range(4)]
    pdfium.FPDFText_GetCharBox(text_page, number, *sides)
    left, right, bottom, top = (side.value for side in sides)
    line = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(text_page, number, line)
    return left, bottom, right, top, line.top - line.bottom


def has_accents(text: str) -> bool:
    """Whether a text has an accent that is a character of its own."""
    return _ACCENT.search(text) is not None
