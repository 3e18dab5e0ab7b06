"""Words around hits, and lines that read alike, in documents that are lists of tokens."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import HitPlace, Located

if TYPE_CHECKING:
    from list_backend import ListBackend

_ALONE = rb"[\xe3-\xe9][\x00-\xff]{2}"
"""A character from U+3000 to U+9FFF: a word of its own."""
_WORD = re.compile(rb"(?s)%b|(?:(?!%b)[0-9A-Za-z_\x80-\xff])+|[^\x00-\x200-9A-Za-z_\x7f-\xff]+" % (_ALONE, _ALONE))
_BLANKS = bytes([*range(0x21), 0x7F])
_KEY = 32
_PER_WORD = 64


def ranks_of_words(backend: ListBackend, located: Located, number: int) -> NDArray[np.int64]:
    """Rank, among these hits, of the word `number` places right of the match; 0 is the match."""
    keys = [_word(backend, hit, number)[:_KEY].ljust(_KEY, b"\0").lower() for hit in located.hits()]
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return np.array([ranks[key] for key in keys], dtype=np.int64)


def _word(backend: ListBackend, hit: HitPlace, number: int) -> bytes:
    tokens = backend.document(hit.document)
    pieces = map(backend.tokenizer.token_bytes, tokens[hit.offset : hit.offset + hit.length])
    match = list(pieces)
    whole = b"".join(match)
    if number == 0:
        return whole[hit.begin : len(whole) - hit.rest].strip(_BLANKS)
    enough = _PER_WORD * (1 + abs(number))
    if number > 0:
        after = tokens[hit.offset + hit.length :]
        side = _words(whole[len(whole) - hit.rest :] + _bytes_of(backend, after, enough))
    else:
        before = tokens[: max(0, hit.offset)]
        left = _bytes_of(backend, reversed(before), enough, backwards=True)
        side = _words(left + whole[: hit.begin])[::-1]
    return side[abs(number) - 1] if len(side) >= abs(number) else b""


def _words(data: bytes) -> list[bytes]:
    return _WORD.findall(data)


def _bytes_of(backend: ListBackend, tokens: Iterable[int], enough: int, backwards: bool = False) -> bytes:
    """The text of some tokens, or of the first of them that have so many bytes."""
    found = b""
    for token in tokens:
        if len(found) >= enough:
            break
        piece = backend.tokenizer.token_bytes(token)
        found = piece + found if backwards else found + piece
    return found


def lines_alike(backend: ListBackend, located: Located, width: int) -> NDArray[np.uint64]:
    """A number for each hit: equal where match, cuts and `width` tokens on both sides are equal."""
    return np.array([_line(backend, hit, width) for hit in located.hits()], dtype=np.uint64)


def _line(backend: ListBackend, hit: HitPlace, width: int) -> int:
    tokens = backend.document(hit.document)
    start, end = max(0, hit.offset), hit.offset + hit.length
    around = (tokens[max(0, start - width) : start], tokens[start:end], tokens[end : end + width])
    digest = hashlib.blake2b(repr((around, hit.begin, hit.rest)).encode(), digest_size=8)
    return int.from_bytes(digest.digest(), "little")
