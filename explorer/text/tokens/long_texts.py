"""Very long texts are tokenized piece by piece: a tokenizer needs about 130 bytes of memory per character.

A piece ends before a single space, where every tokenizer starts a new word. If there is none within 32,000 characters,
it ends before a letter of a script without spaces or an emoji, which a tokenizer trained here never joins to what comes
before. Only if there is none of these either is a text cut elsewhere, so that the token at the seam may differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer.text.tokens.breakless import last_seam

PIECE = 64_000
_WINDOW = 32_000
_BLANKS = (" ", "\n")
_NEXT_SEAM = re.compile(r"(?<=\S) (?=\S)")


def cut_long(text: str, drop_blank: bool, size: int = PIECE) -> Iterator[str]:
    """Cut a long text into pieces that a tokenizer treats as it would treat the whole.

    drop_blank: Whether the tokenizer puts a blank before each piece by itself; the one at the seam is then left out,
        and a text is only cut at a blank.
    size: Characters per piece, approximately.
    Yields: A piece; a text that is not longer is one piece.
    """
    start = 0
    # A rest that is little longer than a piece is not cut.
    while len(text) - start > size + _WINDOW:
        seam = _last_seam(text, start + size - _WINDOW, start + size, drop_blank)
        if seam < 0:
            seam = _next_blank(text, start + size) if drop_blank else _other_seam(text, start, size)
            if seam < 0:
                break
        yield text[start:seam]
        # The tokenizer will put a blank before the piece by itself; with the one of the text there would be two.
        start = seam + 1 if drop_blank else seam
    yield text[start:]


def _last_seam(text: str, first: int, last: int, only_blanks: bool) -> int:
    """The last single space in [first, last); -1 if there is none."""
    seam = last
    while seam > first:
        # Backwards through the window. The end of the search moves, so each blank is looked at once.
        seam = max(text.rfind(blank, first, seam) for blank in (_BLANKS[:1] if only_blanks else _BLANKS))
        if seam <= 0 or not (text[seam - 1].isspace() or text[seam + 1].isspace()):
            return seam if seam > 0 else -1
    return -1


def _other_seam(text: str, start: int, size: int) -> int:
    seam = last_seam(text, start + size - _WINDOW, start + size)
    # Without any seam, exactly here: the pieces must stay small.
    return seam if seam > start else start + size


def _next_blank(text: str, start: int) -> int:
    found = _NEXT_SEAM.search(text, start)
    return found.start() if found else -1
