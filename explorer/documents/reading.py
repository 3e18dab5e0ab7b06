"""What is read of single documents: tokens, text and metadata. Whoever needs many asks the backend for all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol import Backend
from explorer.tokens.decode import DecodedText, decode

_TOGETHER = 1 << 22
"""Tokens of whole documents that are read at once, if not a single document has more."""
_END = np.iinfo(np.int64).max

Numbers = NDArray[np.int64]


def tokens_of(index: Backend, number: int, first: int = 0, last: int | None = None) -> Numbers:
    """Tokens [first, last) of a document in reading order; the range is clipped to it."""
    return index.windows(_one(number), _one(first), _one(_END if last is None else last))[0]


def length_of(index: Backend, number: int) -> int:
    """Tokens of a document, its separator not counted."""
    return int(index.document_lengths(_one(number))[0])


def metadata_of(index: Backend, number: int) -> dict[str, Any]:
    """The metadata line of a document; {} where there is none."""
    return index.metadata(_one(number))[0]


def text_of(index: Backend, number: int, first: int = 0, last: int | None = None) -> DecodedText:
    """Text of the tokens [first, last) of a document, with character offsets; the range is clipped to it."""
    return decode_ids(index, tokens_of(index, number, first, last), begins=first <= 0)


def decode_ids(index: Backend, ids: Numbers | Sequence[int], begins: bool = False) -> DecodedText:
    """Text of some tokens with character offsets; see `explorer.tokens.decode.decode`."""
    return decode(index.tokenizer, np.asarray(ids).tolist(), index.separator, begins)


def whole_documents(index: Backend, numbers: Sequence[int]) -> Iterator[tuple[int, Numbers]]:
    """Each of some documents with all of its tokens, in a few requests: as many at once as have some million tokens."""
    wanted = np.array(numbers, dtype=np.int64)
    ends = np.cumsum(index.document_lengths(wanted))
    first = 0
    while first < len(wanted):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + _TOGETHER, side="right")))
        part = wanted[first:last]
        texts = index.windows(part, np.zeros_like(part), np.full_like(part, _END))
        yield from zip(part.tolist(), texts, strict=True)
        first = last


def _one(number: int) -> Numbers:
    return np.array([number], dtype=np.int64)
