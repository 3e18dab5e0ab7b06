"""What is read of single documents: tokens, text and metadata. Whoever needs many asks the backend for all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.protocol import Backend
from explorer.text.tokens.decode import DecodedText, decode, decode_rows

_TOGETHER = 1 << 22
"""Tokens of whole documents that are read at once, if not a single document has more."""
_MOST = 1 << 18
"""Documents that are read at once."""
_END = np.iinfo(np.int64).max

Numbers = NDArray[np.int64]


def tokens_of(index: Backend, number: int, first: int = 0, last: int | None = None) -> Numbers:
    """Read some tokens of a document.

    first: The first token, from 0.
    last: One past the last token; None for the document's end. What is outside is cut off.
    Returns: Token ids in reading order, int64.
    Raises `QueryError` if there is no such document.
    """
    # Larger than any document: the backend cuts off what is outside, and no length has to be asked for first.
    return index.documents.windows(_one(number), _one(first), _one(_END if last is None else last))[0]


def length_of(index: Backend, number: int) -> int:
    """Count a document's tokens, without its separator."""
    return int(index.documents.lengths(_one(number))[0])


def metadata_of(index: Backend, number: int) -> dict[str, Any]:
    """Read a document's metadata as they are stored.

    Returns: The fields; {} if there are none.
    """
    return records_of(index, _one(number))[0]


def records_of(index: Backend, numbers: Numbers) -> list[dict[str, Any]]:
    """Read the metadata of some documents in one request.

    An index that cannot give metadata has none to show: its documents are named by their numbers. Whoever asks for a
    field is told why it is missing: see `explorer.analyses.metadata.fields`.

    Returns: The fields of each document as they are stored; {} if there are none.
    """
    # Asked before, not caught after: an error in the middle of a request must not look like a missing capability.
    if index.capabilities.missing("metadata"):
        return [{} for _ in numbers]
    return index.documents.metadata(numbers)


def text_of(index: Backend, number: int, first: int = 0, last: int | None = None) -> DecodedText:
    """Decode some tokens of a document."""
    # Only at the beginning of a document may a tokenizer have added a space, which decoding then removes.
    return decode_ids(index, tokens_of(index, number, first, last), begins=first <= 0)


def decode_ids(index: Backend, ids: Numbers | Sequence[int], begins: bool = False) -> DecodedText:
    """Decode tokens of an index; see `explorer.text.tokens.decode.decode`.

    ids: Token ids in reading order.
    begins: Whether the first of them begins a text.
    """
    return decode(index.tokenizer, np.asarray(ids).tolist(), index.separator, begins)


def decode_ngrams(index: Backend, rows: NDArray[np.integer], begins: bool = False) -> list[str]:
    """Decode many short runs of tokens of an index, one per row; see `explorer.text.tokens.decode.decode_rows`."""
    return decode_rows(index.tokenizer, rows, index.separator, begins)


def whole_documents(index: Backend, numbers: Sequence[int] | Numbers) -> Iterator[tuple[int, Numbers]]:
    """Yield documents with all of their tokens, in a few requests.

    Yields: The number, and the token ids, in the order of `numbers`.

    Notes
    -----
    A request asks for as many documents as have a few million tokens together.
    """
    for part, texts in _requests(index, np.array(numbers, dtype=np.int64)):
        yield from zip(part.tolist(), texts, strict=True)


def document_runs(index: Backend, numbers: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield documents with all of their tokens, many of them at once.

    numbers: Numbers of the documents, int64.
    Yields: The token ids of the next documents, one after another, int64 [tokens], and one past the last token of each,
        int64 [documents].

    Notes
    -----
    What is done for each yield, and not for each document, takes little time also where documents have one token.
    """
    for _, texts in _requests(index, numbers):
        ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
        yield np.concatenate(texts).astype(np.int64, copy=False), ends


def _requests(index: Backend, wanted: Numbers) -> Iterator[tuple[Numbers, list[Numbers]]]:
    """The documents of each request, and their tokens."""
    ends = np.cumsum(index.documents.lengths(wanted))
    first = 0
    while first < len(wanted):
        before = int(ends[first - 1]) if first else 0
        # At least one document, also if it alone has more tokens than are read together.
        last = max(first + 1, int(np.searchsorted(ends, before + _TOGETHER, side="right")))
        # Their list takes memory too.
        last = min(last, first + _MOST)
        part = wanted[first:last]
        yield part, index.documents.windows(part, np.zeros_like(part), np.full_like(part, _END))
        first = last


def _one(number: int) -> Numbers:
    return np.array([number], dtype=np.int64)
