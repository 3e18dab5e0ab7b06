"""Where an n-gram is in a document that was tokenized again, because the service gave its text only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.backends.protocol.protocol import Numbers
from explorer.text.tokens.tokenizer import TextTokenizer

Extent = tuple[int, int]
"""The offset of a first token, and a number of tokens."""


def is_at(tokens: Numbers, ngram: Numbers, offset: int) -> bool:
    """Tell whether an n-gram is at an offset.

    offset: The offset; -1 if it begins with the separator before the document.

    Examples
    --------
    >>> is_at(np.array([5, 6, 7]), np.array([6, 7]), 1)
    True
    """
    part = tokens[max(0, offset) : max(0, offset + len(ngram))]
    return offset >= -1 and np.array_equal(part, ngram[max(0, -offset) :])


def nearest(tokens: Numbers, ngram: Numbers, stated: Sequence[int]) -> Extent | None:
    """Find the occurrence of an n-gram that is nearest to where it should be.

    stated: Where it should be: the offset in a text that is stored forwards, and in one that is stored backwards.
    Returns: The occurrence; None if there is none.

    Examples
    --------
    >>> nearest(np.array([1, 2, 3, 1, 2]), np.array([1, 2]), [4])
    (3, 2)
    """
    offsets = [at for at in range(len(tokens)) if is_at(tokens, ngram, at)] if len(ngram) else []
    return (_nearest(offsets, stated), len(ngram)) if offsets else None


def nearest_text(tokenizer: TextTokenizer, tokens: Numbers, ngram: Numbers, stated: Sequence[int]) -> Extent | None:
    """Find the tokens that spell an n-gram, nearest to where it should be.

    Returns: The tokens; None if the n-gram has no text but spaces, or if this does not occur.
    """
    # Without spaces, which depend on what the tokenizer does at the beginning of a text and after special tokens.
    wanted = b"".join(_solid(tokenizer, ngram))
    pieces = _solid(tokenizer, tokens)
    ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
    data, found, at = b"".join(pieces), dict[int, int](), -1
    while wanted and (at := data.find(wanted, at + 1)) >= 0:
        first = int(np.searchsorted(ends, at, side="right"))
        found[first] = int(np.searchsorted(ends, at + len(wanted), side="left")) + 1 - first
    if not found:
        return None
    best = _nearest([*found], stated)
    return best, found[best]


def _solid(tokenizer: TextTokenizer, tokens: Numbers) -> list[bytes]:
    return [tokenizer.token_bytes(token).translate(None, b" \n") for token in tokens.tolist()]


def _nearest(offsets: Sequence[int], stated: Sequence[int]) -> int:
    return min(offsets, key=lambda at: min(abs(at - place) for place in stated))
