"""The parts of a compressed index as one: where n-grams are, documents numbered across all parts, and their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.index.fm.part import SEPARATOR, MappedPart

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]


class FmParts:
    """All parts.

    parts: The parts, in the order of document numbers; at least one.
    """

    def __init__(self, parts: Sequence[MappedPart]) -> None:
        self.parts = tuple(parts)
        self.separator = SEPARATOR
        self.token_count = sum(part.size for part in self.parts)
        # Documents of part i are [firsts[i], firsts[i + 1]).
        self.firsts: Numbers = np.cumsum([0, *(part.document_count for part in self.parts)], dtype=np.int64)
        self.document_count = int(self.firsts[-1])

    def check_documents(self, documents: Numbers) -> None:
        """Check numbers of documents.

        Raises `QueryError` if there is no such document.
        """
        wrong = (documents < 0) | (documents >= self.document_count)
        if wrong.any():
            raise QueryError(
                mark("There is no document {document:,}: documents are numbered 0 to {last:,}."),
                reason="no-document",
                document=int(documents[int(wrong.argmax())]),
                last=self.document_count - 1,
            )

    def by_part(self, documents: Numbers) -> Iterator[tuple[MappedPart, Numbers, Numbers]]:
        """Group documents by their part.

        Raises `QueryError` if there is no such document.
        """
        self.check_documents(documents)
        owners = np.searchsorted(self.firsts, documents, side="right") - 1
        for number in np.unique(owners).tolist():
            chosen = np.flatnonzero(owners == number)
            yield self.parts[number], chosen, documents[chosen] - self.firsts[number]

    def find_many(
        self, text: Bytes, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Numbers]:
        """Find n-grams of one text in all parts.

        text: The bytes of the text.
        ends: One past the last byte of each.
        Returns: The first row of each in each part, and the one past the last, int64 [parts, n-grams]. Of the empty
            n-gram: a row for each byte, which is before the row's place.
        """
        flag = cancel.flag if cancel else None
        firsts, lasts = (np.empty((len(self.parts), len(starts)), dtype=np.int64) for _ in range(2))
        starts, ends = np.ascontiguousarray(starts), np.ascontiguousarray(ends)
        for number, part in enumerate(self.parts):
            with part.guarded() as engine:
                firsts[number], lasts[number] = engine.find_many(text, starts, ends, flag)
        # Row 0 is the beginning of the text, which no byte is before.
        firsts[:, starts == ends] = 1
        return firsts, lasts

    def windows(
        self, documents: Numbers, firsts: Numbers, lasts: Numbers, cancel: CancelToken | None = None
    ) -> list[Bytes]:
        """Read some bytes of each of some documents; what is outside of a document is cut off.

        documents: Their numbers, which may repeat.
        firsts: The first byte of each window, from the document's beginning.
        Raises `QueryError` if there is no such document.
        """
        found: list[Bytes] = [np.empty(0, dtype=np.uint8)] * len(documents)
        for part, chosen, local in self.by_part(documents):
            starts, ends = part.bounds(local)
            sizes = ends - starts
            lows = np.clip(firsts[chosen], 0, sizes)
            highs = np.clip(lasts[chosen], lows, sizes)
            pieces = part.read(starts + lows, starts + highs, cancel)
            for place, piece in zip(chosen.tolist(), pieces, strict=True):
                found[place] = piece
        return found

    def locate(
        self, owners: Numbers, rows: Numbers, lengths: Numbers, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Numbers]:
        """Find where rows are.

        lengths: The bytes of what was found at each: its place is where they end.
        Returns: The document in which each begins, and the byte of it; -1 for its separator.
        """
        documents, offsets = np.empty_like(rows), np.empty_like(rows)
        flag = cancel.flag if cancel else None
        for number in np.unique(owners).tolist():
            part, chosen = self.parts[number], np.flatnonzero(owners == number)
            with part.guarded() as engine:
                begins = engine.places(np.ascontiguousarray(rows[chosen]), flag) - lengths[chosen]
                local = engine.documents_at(np.maximum(begins, 0))
                documents[chosen] = local + self.firsts[number]
                offsets[chosen] = begins - engine.document_starts(local) - 1
        return documents, offsets


def as_bytes(ids: Numbers) -> Bytes:
    """Write ids as the engine takes them."""
    return ids.astype(np.uint8)


def joined(pieces: Sequence[Numbers]) -> tuple[Bytes, Numbers, Numbers]:
    """Join n-grams to one text.

    Returns: The bytes of the text, and where each n-gram begins and ends.
    """
    ends = np.cumsum([0, *map(len, pieces)], dtype=np.int64)
    none = np.empty(0, dtype=np.int64)
    return as_bytes(np.concatenate([none, *pieces])), ends[:-1], ends[1:]
