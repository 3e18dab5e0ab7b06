"""Very long texts are tokenised piece by piece: a tokenizer takes some 130 bytes of memory a character.

A piece ends before a single blank, where the next word begins in every tokenizer of words; only where there is
none within 100,000 characters is a text cut in the middle of something, so that the token at the seam may be
another one.
"""

from __future__ import annotations

import re

PIECE = 1_000_000
_WINDOW = 100_000
_SEAM = re.compile(r"(?<=\S)[ \n](?=\S)")


def cut_long(text: str, drop_blank: bool, size: int = PIECE) -> list[str]:
    """Pieces of about `size` characters; those of a shorter text are itself.

    drop_blank: the tokenizer puts a blank before each piece by itself, so the one at the seam is left out, and
    a text is only cut where there is one.
    """
    pieces = []
    start = 0
    while len(text) - start > size + _WINDOW:
        seam = _last_seam(text, start + size - _WINDOW, start + size, drop_blank)
        if seam < 0:
            seam = _next_blank(text, start + size) if drop_blank else start + size
            if seam < 0:
                break
        pieces.append(text[start:seam])
        start = seam + 1 if drop_blank else seam
    pieces.append(text[start:])
    return pieces


def _last_seam(text: str, first: int, last: int, only_blanks: bool) -> int:
    found = -1
    for match in _SEAM.finditer(text, first, last):
        if not only_blanks or match.group() == " ":
            found = match.start()
    return found


def _next_blank(text: str, start: int) -> int:
    found = re.compile(r"(?<=\S) (?=\S)").search(text, start)
    return found.start() if found else -1
