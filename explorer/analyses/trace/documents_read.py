"""What is read of the documents of a trace: all of each, or, where no text is stored, what can be shown of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.overlap.verbatim import TextMatcher
from explorer.analyses.trace.occurrences import Occurrence, Ranked
from explorer.analyses.trace.settings import TraceSettings
from explorer.backends.documents.reading import whole_documents
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken

Numbers = NDArray[np.int64]

UNREAD = -1
"""In place of a token that was not read; it matches nothing."""
_PLACE = 32
"""Tokens that are read in the time in which a place is found."""


def documents_read(
    index: Backend,
    ranked: Ranked,
    matcher: TextMatcher,
    grouped: Mapping[int, Sequence[Occurrence]],
    settings: TraceSettings,
    cancel: CancelToken,
) -> Iterator[tuple[int, Numbers]]:
    """Yield documents with their tokens, of which some may be `UNREAD`.

    settings: How much is shown around an occurrence.
    Yields: The number, and the token ids, in the order of the documents. All passages of the text in a document are
        read, with as much around them as is shown.

    Notes
    -----
    Where no text is stored, a token costs a third of a microsecond. Every passage begins with five words or more of the
    text, so their occurrences tell where passages can be; whole documents are read if there are too many of them.
    """
    if not index.capabilities.stored_text and ranked.open is None:
        pieces = _Pieces(index, list(grouped))
        pieces.add(*_around_occurrences(grouped, max(settings.context, settings.snippet)))
        found = _passages(index, ranked, matcher, pieces.total // _PLACE, cancel)
        if found is not None:
            documents, firsts, lasts = found
            pieces.add(documents, firsts - settings.snippet, lasts + settings.snippet)
            yield from pieces.read(cancel)
            return
    yield from whole_documents(index, list(grouped))


def _around_occurrences(grouped: Mapping[int, Sequence[Occurrence]], width: int) -> tuple[Numbers, Numbers, Numbers]:
    """The documents of occurrences, and what is read of each: from a token to another."""
    rows = [
        (number, occurrence.offset - width, occurrence.offset + occurrence.length + width)
        for number, occurrences in grouped.items()
        for occurrence in occurrences
    ]
    documents, firsts, lasts = np.array(rows, dtype=np.int64).T
    return documents, firsts, lasts


def _passages(
    index: Backend, ranked: Ranked, matcher: TextMatcher, most: int, cancel: CancelToken
) -> tuple[Numbers, Numbers, Numbers] | None:
    """Where passages can be: documents, and from a token to another; None if there are more than `most`."""
    ids = ranked.encoded.ids
    starts, ends = matcher.beginnings()
    counts = index.counts.count_many(ids, starts, ends, cancel)
    if int(counts.sum()) > most:
        return None
    longest = ranked.longest if ranked.longest is not None else index.counts.longest_matches(ids, cancel)
    which, places = index.hits.some_places(ids, starts, ends, max(1, int(counts.max(initial=0))), 0, cancel)
    return places.documents, places.offsets, places.offsets + longest[starts[which]]


class _Pieces:
    """Parts of documents, each of which is read once."""

    def __init__(self, index: Backend, numbers: Sequence[int]) -> None:
        self._index = index
        self._numbers = np.array(numbers, dtype=np.int64)
        self._lengths = index.documents.lengths(self._numbers)
        # One line of all documents, with a gap after each.
        self._bases: Numbers = np.cumsum(self._lengths + 1) - self._lengths - 1
        self._order = np.argsort(self._numbers)
        self._parts: list[tuple[Numbers, Numbers]] = []
        self.total = int(self._lengths.sum())

    def add(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> None:
        """Add parts of documents, cut off at their ends; those of other documents are left out."""
        where = np.searchsorted(self._numbers, documents, sorter=self._order)
        rows = self._order[np.minimum(where, len(self._order) - 1)]
        mine = self._numbers[rows] == documents
        rows, firsts, lasts = rows[mine], firsts[mine], lasts[mine]
        lows, highs = np.clip(firsts, 0, self._lengths[rows]), np.clip(lasts, 0, self._lengths[rows])
        self._parts.append((self._bases[rows] + lows, self._bases[rows] + highs))

    def _merged(self) -> tuple[Numbers, Numbers]:
        """Parts that touch are one."""
        lows, highs = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        order = np.argsort(lows, kind="stable")
        lows, reached = lows[order], np.maximum.accumulate(highs[order])
        new = np.flatnonzero(np.append(True, lows[1:] > reached[:-1]))
        return lows[new], reached[np.append(new[1:], len(lows)) - 1]

    def read(self, cancel: CancelToken) -> Iterator[tuple[int, Numbers]]:
        """Yield each document, with `UNREAD` for what is in no part."""
        lows, highs = self._merged()
        owners = np.searchsorted(self._bases, lows, side="right") - 1
        firsts, lasts = lows - self._bases[owners], highs - self._bases[owners]
        texts = self._index.documents.windows(self._numbers[owners], firsts, lasts)
        edges = np.searchsorted(owners, np.arange(len(self._numbers) + 1)).tolist()
        for row, number in enumerate(self._numbers.tolist()):
            cancel.check()
            tokens = np.full(int(self._lengths[row]), UNREAD, dtype=np.int64)
            for at in range(edges[row], edges[row + 1]):
                tokens[int(firsts[at]) : int(lasts[at])] = texts[at]
            yield number, tokens
