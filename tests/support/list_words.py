"""Words around hits, and lines that read alike, in documents that are lists of tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import HitPlace, Located
from explorer.backends.protocol.hit_questions import CASE_BITS
from explorer.text.collation import collation_levels
from explorer.text.segments import spans

if TYPE_CHECKING:
    from list_backend import ListBackend

_BLANKS = bytes([*range(0x21), 0x7F])
_MOST = 512


def ranks_of_words(backend: ListBackend, located: Located, number: int) -> NDArray[np.int64]:
    """Rank, among these hits, of the word `number` places right of the match; 0 is the match."""
    words = [_word(backend, hit, number) for hit in located.hits()]
    found = {word: collation_levels(word) for word in words if word is not None}
    groups = sorted({levels[:2] for levels in found.values()})
    ranks: dict[str | None, int] = {None: 0}
    for group, levels in enumerate(groups, 1):
        alike = sorted((each[2], word) for word, each in found.items() if each[:2] == levels)
        ranks |= {word: group << CASE_BITS | place for place, (_, word) in enumerate(alike)}
    return np.array([ranks[word] for word in words], dtype=np.int64)


def _word(backend: ListBackend, hit: HitPlace, number: int) -> str | None:
    tokens = backend.document(hit.document)
    match = tokens[hit.offset : hit.offset + hit.length]
    whole = _bytes_of(backend, match)
    if number == 0:
        return whole[hit.begin : len(whole) - hit.rest][:_MOST].strip(_BLANKS).decode("utf-8", "replace") or None
    if number > 0:
        words = _words(whole[len(whole) - hit.rest :] + _bytes_of(backend, tokens[hit.offset + hit.length :]))
    else:
        words = _words(_bytes_of(backend, tokens[: max(0, hit.offset)]) + whole[: hit.begin])[::-1]
    return words[abs(number) - 1] if len(words) >= abs(number) else None


def _words(data: bytes) -> list[str]:
    text = data.decode("utf-8", "replace")
    return [text[start:end] for start, end in spans(text)]


def _bytes_of(backend: ListBackend, tokens: Iterable[int]) -> bytes:
    return b"".join(map(backend.tokenizer.token_bytes, tokens))


def lines_alike(backend: ListBackend, located: Located, width: int) -> NDArray[np.uint64]:
    """A number for each hit: equal where match, cuts and `width` tokens on both sides are equal."""
    return np.array([_line(backend, hit, width) for hit in located.hits()], dtype=np.uint64)


def _line(backend: ListBackend, hit: HitPlace, width: int) -> int:
    tokens = backend.document(hit.document)
    start, end = max(0, hit.offset), hit.offset + hit.length
    around = (tokens[max(0, start - width) : start], tokens[start:end], tokens[end : end + width])
    digest = hashlib.blake2b(repr((around, hit.begin, hit.rest)).encode(), digest_size=8)
    return int.from_bytes(digest.digest(), "little")
