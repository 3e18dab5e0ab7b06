"""What every pattern needs of a vocabulary: its tokens in the order of their bytes, and kinds of characters."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.core.arrays import ArrayValue
from explorer.text.patterns.kinds import OTHER, kind_of
from explorer.text.tokens.tokenizer import TextTokenizer

UNKNOWN = -1
"""Kind of a character that is, whole or in part, in earlier tokens."""

NOT_A_START = -2
"""At a byte at which no character begins."""

CHARACTER = 4
"""Bytes of the longest character. What comes after more bytes that begin none comes after a stray byte."""


@dataclass(frozen=True, eq=False)
class Vocabulary(ArrayValue):
    """What text patterns need to know of a tokenizer's vocabulary, read once.

    tables: The tokens' bytes for the engine.
    last_kinds: The kind of each token's last character, or UNKNOWN; int8.
    tails: The tokens that end inside a character, by the bytes of it that they have.
    spaced: Which tokens begin with a space, bool.
    """

    tables: _fastsa.Vocabulary
    last_kinds: NDArray[np.int8]
    tails: dict[bytes, NDArray[np.int64]]
    spaced: NDArray[np.bool_]
    _known: dict[tuple[bytes, int], tuple[NDArray[np.int64], NDArray[np.int64]]] = field(default_factory=dict)

    def before(self, prefix: bytes, needs: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Find the tokens that end with a character of some kinds.

        prefix: Bytes after the token that begin no character.
        Returns: Ids of these tokens, with one more than the largest for the separator; and ids of tokens for which the
            tokens before them decide. Both int64.

        Notes
        -----
        Reads the whole vocabulary; the last results are kept.
        """
        # Several threads may compute the same entry. A value is set and read as a whole, so no lock is needed.
        known = self._known.get((prefix, needs))
        if known is None:
            known = self._known[prefix, needs] = self._before(prefix, needs)
            while len(self._known) > _MOST_KNOWN:
                self._known.pop(next(iter(self._known)), None)
        return known

    def _before(self, prefix: bytes, needs: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        # The separator has the id after the last one, and is like a character of no word.
        kinds = np.append(self.last_kinds, np.int8(OTHER))
        unclear = kinds == UNKNOWN
        if prefix:
            # Bytes that begin no character and follow a complete one are stray; only after a token that ends within a
            # character do they complete it.
            kinds[:] = OTHER
            for tail, tokens in self.tails.items():
                kinds[tokens] = last_kind(tail + prefix)
        # UNKNOWN is -1, by which nothing can be shifted; these tokens are taken out again.
        wanted = (needs >> np.maximum(kinds, 0) & 1).astype(np.bool_) & ~unclear
        return np.flatnonzero(wanted), np.flatnonzero(unclear)


_MOST_KNOWN = 64


def read_vocabulary(tokenizer: TextTokenizer) -> Vocabulary:
    """Make the tables of a tokenizer's vocabulary.

    Notes
    -----
    Takes about 0.1 s per 32,000 tokens.
    """
    # By id; `order` lists the ids by their bytes, in which tokens with a common beginning are neighbors.
    pieces = [tokenizer.token_bytes(token) for token in range(tokenizer.vocabulary_size)]
    order = sorted(range(len(pieces)), key=pieces.__getitem__)
    joined = np.frombuffer(b"".join(pieces), dtype=np.uint8)
    ends = np.cumsum([0, *map(len, pieces)], dtype=np.int64)
    before, last, tails = _kinds_of_all(pieces, joined, ends)
    return Vocabulary(
        _fastsa.Vocabulary(joined, ends, np.array(order, dtype=np.int32), before),
        last,
        {tail: np.array(tokens, dtype=np.int64) for tail, tokens in tails.items()},
        np.array([piece.startswith(b" ") for piece in pieces], dtype=np.bool_),
    )


def _kinds_of_all(
    pieces: Sequence[bytes], joined: NDArray[np.uint8], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int8], NDArray[np.int8], dict[bytes, list[int]]]:
    """What `_kinds` finds of each piece: of all bytes, of all pieces, and the pieces by the bytes that they cut."""
    # As if all were ASCII, in one go: nearly all pieces are, and a loop of Python would hold up the interface thread.
    of_bytes = _ASCII_KINDS[joined]
    before = np.concatenate([[np.int8(UNKNOWN)], of_bytes[:-1]]) if len(joined) else of_bytes
    filled = np.diff(ends) > 0
    before[ends[:-1][filled]] = UNKNOWN
    last = np.where(filled, of_bytes[ends[1:] - 1] if len(joined) else UNKNOWN, np.int8(UNKNOWN))
    tails: dict[bytes, list[int]] = {}
    for token, piece in enumerate(pieces):
        if not piece.isascii():
            before[ends[token] : ends[token + 1]], last[token], tail = _kinds(piece)
            if tail:
                tails.setdefault(tail, []).append(token)
    return before, last.astype(np.int8), tails


def _kinds(piece: bytes) -> tuple[list[int], int, bytes]:
    """For each byte the kind of the character before it (UNKNOWN, or NOT_A_START), the kind of the last one, and the
    bytes of a character that ends in the tokens after this one.
    """
    # Bytes that continue a character of the tokens before; what they are part of is not known here.
    lead = 0
    while lead < len(piece) and 0x80 <= piece[lead] < 0xC0:
        lead += 1
    before = [NOT_A_START] * lead
    last = UNKNOWN
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    for char in decoder.decode(piece[lead:]):
        # A byte that is part of no character is decoded to one of these surrogates.
        size = 1 if 0xDC80 <= ord(char) < 0xDD00 else len(char.encode())
        before += [last] + [NOT_A_START] * (size - 1)
        last = _kind(char)
    cut, _ = decoder.getstate()
    if cut:
        # What follows it directly, instead of the rest, begins after a stray byte.
        before += [last] + [NOT_A_START] * (len(cut) - 1)
        last = OTHER
    return before, last, cut


def last_kind(data: bytes) -> int:
    """Kind of the last character of some bytes; OTHER where there is none."""
    # Four characters of four bytes: more than enough to see where the last one begins.
    text = data[-4 * CHARACTER :].decode("utf-8", "surrogateescape")
    return _kind(text[-1]) if text else OTHER


_ASCII_KINDS = np.array([kind_of(code) if code < 0x80 else OTHER for code in range(256)], dtype=np.int8)
_known: dict[str, int] = {}


def _kind(char: str) -> int:
    kind = _known.get(char)
    if kind is None:
        kind = _known[char] = OTHER if 0xDC80 <= ord(char) < 0xDD00 else kind_of(ord(char))
    return kind
