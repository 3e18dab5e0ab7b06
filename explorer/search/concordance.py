"""Concordance: the occurrences of a query as KWIC lines, fetched when they are looked at.

The number of lines is known at once from the rank ranges; lines come in the order of what follows
the match, which is the order of the suffix array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.index import Index, Matches
from explorer.errors import QueryError
from explorer.jobs import CancelToken

SORTS = ("right", "left", "document", "random")
MAX_SORTED = 2_000_000
"""Lines that a sort other than "right" takes; it has to look at every one of them."""

_CHUNK = 1 << 16


@dataclass(frozen=True)
class ConcordanceLine:
    """One occurrence: text on both sides, and where it is.

    `number` counts lines from 0; `offset` is the match's first token in document `document`.
    """

    number: int
    document: int
    offset: int
    length: int
    left: str
    match: str
    right: str


class Concordance:
    """Lines of one or several n-grams (variants of a query), none counted twice.

    `len()` is the exact number of lines. Getting lines costs a few reads each.
    """

    def __init__(self, index: Index, parts: Sequence[Matches], order: NDArray[np.int64] | None = None) -> None:
        self.index = index
        self.parts = tuple(parts)
        self._sizes = np.array([sum(last - first for first, last in part.ranges) for part in parts], dtype=np.int64)
        self._ends = np.cumsum(self._sizes)
        self._order = order
        self.count = sum(part.count for part in self.parts) if order is None else len(order)

    def __len__(self) -> int:
        return self.count

    def lines(self, first: int, last: int, width: int = 10) -> list[ConcordanceLine]:
        """Lines [first, last), cut to what exists, with `width` tokens on each side."""
        numbers = np.arange(max(0, first), max(0, min(last, self.count)), dtype=np.int64)
        hits = numbers if self._order is None else self._order[numbers]
        documents, offsets, lengths = self._locate(hits)
        rows = zip(numbers.tolist(), documents.tolist(), offsets.tolist(), lengths.tolist(), strict=True)
        return [self._line(number, document, offset, length, width) for number, document, offset, length in rows]

    def _locate(self, hits: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Document, offset and length of these hits."""
        which = np.searchsorted(self._ends, hits, side="right")
        documents, offsets, lengths = (np.empty(len(hits), dtype=np.int64) for _ in range(3))
        for number in np.unique(which).tolist():
            part = self.parts[number]
            chosen = which == number
            local = hits[chosen] - (self._ends[number] - self._sizes[number])
            places = self.index.places(part.ranges, local, part.length)
            documents[chosen], offsets[chosen], lengths[chosen] = places.documents, places.offsets, part.length
        return documents, offsets, lengths

    def _line(self, number: int, document: int, offset: int, length: int, width: int) -> ConcordanceLine:
        first = max(0, offset - width)
        decoded = self.index.decode(self.index.document_tokens(document, first, offset + length + width))
        start, end = offset - first, offset - first + length
        return ConcordanceLine(
            number=number,
            document=document,
            offset=offset,
            length=length,
            left=decoded.slice(0, start),
            match=decoded.slice(start, min(end, len(decoded.starts) - 1)),
            right=decoded.slice(min(end, len(decoded.starts) - 1), len(decoded.starts) - 1),
        )

    def documents(self, first: int, last: int) -> NDArray[np.int64]:
        """Documents of the lines [first, last); no text is read."""
        numbers = np.arange(first, min(last, self.count), dtype=np.int64)
        return self._locate(numbers if self._order is None else self._order[numbers])[0]

    def metadata(self, line: ConcordanceLine) -> dict[str, Any]:
        """Metadata of the line's document."""
        return self.index.metadata(line.document)


def concordance(
    index: Index, parts: Sequence[Matches], sort: str = "right", seed: int = 0, cancel: CancelToken | None = None
) -> Concordance:
    """Lines of some n-grams in the wanted order.

    "right": by what follows, at no cost. "left": by the words before the match, nearest first.
    "document": by document and place. "random": shuffled with `seed`. Every order but the first looks
    at all lines, and raises QueryError beyond 2,000,000 of them.
    """
    parts = distinct_parts(parts)
    plain = Concordance(index, parts)
    hits = int(plain._sizes.sum())
    if sort not in SORTS:
        raise QueryError(f'Lines can be sorted by {", ".join(SORTS)}, not by "{sort}".')
    if sort == "right" and not index.minus:
        return plain
    if hits > MAX_SORTED:
        raise QueryError(
            f"There are {hits:,} lines, and only {MAX_SORTED:,} can be sorted. "
            "Sort by right context, or narrow the query."
        )
    documents, offsets, kept = _all_places(plain, hits, cancel)
    if sort == "document":
        order = np.lexsort((offsets, documents))
    elif sort == "random":
        order = np.random.default_rng(seed).permutation(len(kept))
    elif sort == "left":
        order = _left_order(index, documents, offsets, cancel)
    else:
        order = np.arange(len(kept))
    return Concordance(index, parts, kept[order])


def _all_places(
    plain: Concordance, hits: int, cancel: CancelToken | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Documents, offsets and hit numbers of all lines that are not left out."""
    documents, offsets = np.empty(hits, dtype=np.int64), np.empty(hits, dtype=np.int64)
    for first in range(0, hits, _CHUNK):
        if cancel is not None:
            cancel.check()
        part = slice(first, min(first + _CHUNK, hits))
        documents[part], offsets[part], _ = plain._locate(np.arange(part.start, part.stop, dtype=np.int64))
    kept = np.flatnonzero(~plain.index.is_left_out(documents))
    return documents[kept], offsets[kept], kept


_LEFT_TOKENS = 8


def _left_order(
    index: Index, documents: NDArray[np.int64], offsets: NDArray[np.int64], cancel: CancelToken | None
) -> NDArray[np.int64]:
    """Order by the words before the match, read away from it, without regard to case."""
    keys = []
    for i, (document, offset) in enumerate(zip(documents.tolist(), offsets.tolist(), strict=True)):
        if cancel is not None and i % 1024 == 0:
            cancel.check()
        text = index.decode(index.document_tokens(document, max(0, offset - _LEFT_TOKENS), offset)).text
        keys.append(text.lower().split()[::-1])
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def distinct_parts(parts: Sequence[Matches]) -> tuple[Matches, ...]:
    """The n-grams without those that extend, or equal, another: their occurrences are in it already."""
    kept: list[Matches] = []
    for part in sorted(parts, key=lambda p: p.length):
        if not any(part.ids[: other.length] == other.ids for other in kept):
            kept.append(part)
    return tuple(sorted(kept, key=parts.index))


def count_documents(index: Index, parts: Sequence[Matches], cancel: CancelToken | None = None) -> int:
    """Distinct documents in which any of the n-grams occurs.

    Looks at every occurrence, in chunks; memory grows with the number of documents only.
    """
    plain = Concordance(index, distinct_parts(parts))
    hits = int(plain._sizes.sum())
    found = np.empty(0, dtype=np.int64)
    for first in range(0, hits, _CHUNK):
        if cancel is not None:
            cancel.check()
        numbers = np.arange(first, min(first + _CHUNK, hits), dtype=np.int64)
        found = np.union1d(found, plain._locate(numbers)[0])
    return int(np.count_nonzero(~index.is_left_out(found)))
