"""What every pattern needs of a vocabulary: its tokens in the order of their bytes, and kinds of characters."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.corpus.tokenizer import TextTokenizer
from explorer.patterns.charset import OTHER, kind_of

UNKNOWN = -1
"""Kind of a character that lies, whole or in part, in tokens before."""


@dataclass(frozen=True)
class Vocabulary:
    """tables: the tokens' bytes for the engine. last_kinds: int8 a token, of the last character, or UNKNOWN."""

    tables: _fastsa.Vocabulary
    last_kinds: NDArray[np.int8]
    sizes: NDArray[np.int64]


def read_vocabulary(tokenizer: TextTokenizer) -> Vocabulary:
    """The tables of a tokenizer's vocabulary; takes some 0.2 s per 32,000 tokens."""
    pieces = [tokenizer.token_bytes(token) for token in range(tokenizer.vocabulary_size)]
    order = sorted(range(len(pieces)), key=pieces.__getitem__)
    sizes = np.array([len(piece) for piece in pieces], dtype=np.int64)
    kinds = [_kinds(piece) for piece in pieces]
    tables = _fastsa.Vocabulary(
        np.frombuffer(b"".join(pieces), dtype=np.uint8),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.array(order, dtype=np.int32),
        np.array(_common_prefixes([pieces[token] for token in order]), dtype=np.int32),
        np.array([kind for before, _ in kinds for kind in before], dtype=np.int8),
    )
    return Vocabulary(tables, np.array([last for _, last in kinds], dtype=np.int8), sizes)


NOT_A_START = -2
"""At a byte at which no character begins."""


def _kinds(piece: bytes) -> tuple[list[int], int]:
    """For each byte the kind of the character before it (UNKNOWN, or NOT_A_START), and the kind of the last one."""
    lead = 0
    while lead < len(piece) and 0x80 <= piece[lead] < 0xC0:
        lead += 1
    before = [NOT_A_START] * lead
    last = UNKNOWN
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    for char in decoder.decode(piece[lead:]):
        size = 1 if 0xDC80 <= ord(char) < 0xDD00 else len(char.encode())
        before += [last] + [NOT_A_START] * (size - 1)
        last = _kind(char)
    cut, _ = decoder.getstate()
    if cut:
        # A character that ends in the tokens after this one; what follows it directly begins after a stray byte.
        before += [last] + [NOT_A_START] * (len(cut) - 1)
        last = OTHER
    return before, last


def last_kind(data: bytes) -> int:
    """Kind of the last character of some bytes; OTHER where there is none."""
    text = data[-16:].decode("utf-8", "surrogateescape")
    return _kind(text[-1]) if text else OTHER


_known: dict[str, int] = {}


def _kind(char: str) -> int:
    kind = _known.get(char)
    if kind is None:
        kind = _known[char] = OTHER if 0xDC80 <= ord(char) < 0xDD00 else kind_of(ord(char))
    return kind


def _common_prefixes(pieces: list[bytes]) -> list[int]:
    """Bytes that each piece shares with the one before it."""
    shared = [0]
    for one, other in pairwise(pieces):
        length = 0
        for a, b in zip(one, other, strict=False):
            if a != b:
                break
            length += 1
        shared.append(length)
    return shared
