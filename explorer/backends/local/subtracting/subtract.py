"""Subtracting documents: which ones are removed from an index, and how its counts follow.

Each document of a subtracted folder removes one document with the same tokens, the first that is still left. A document
without such a partner removes nothing. Counts are those of the base, minus those of shards that contain only the
removed documents. If most documents of the subtracted folder have a partner, its own counts are subtracted, and those
of a shard of the unmatched documents are added back.

This gives exact counts for n-grams within a document. N-grams with a separator need more, since nothing follows the
last document of a shard: see `Ends`. An n-gram with tokens of several documents is counted only if all of them remain:
documents that become neighbors are not joined.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.locations import Subtracted
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.index.shard import MappedShard

Ids = NDArray[np.int64]
Member = tuple[MappedShard, int]
"""A document: its shard, and its number there."""


def _none() -> Ids:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class Subtraction:
    """What is subtracted from an index.

    minus: shards whose counts are subtracted; restored: shards whose counts are added back. left_out: numbers of the
    base's documents that are removed, in order. asked: how many documents there were to subtract. selected: whether
    `minus` is all of the base, so that `restored` alone gives every count.
    """

    minus: tuple[MappedShard, ...] = ()
    restored: tuple[MappedShard, ...] = ()
    left_out: Ids = field(default_factory=_none)
    asked: Subtracted = field(default_factory=Subtracted)
    selected: bool = False


def pair(
    shards: Sequence[MappedShard],
    minus: Sequence[MappedShard],
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> tuple[Ids, list[Member], list[Member]]:
    """Pair the documents to subtract with documents of the index.

    Returns: Numbers of the documents that are removed, ascending; and the documents of `minus` with and without a
        partner.

    Notes
    -----
    One search per document of `minus`.
    """
    copies = Copies(shards)
    # Documents of the index that are left for each content. Hashes instead of tokens: a folder may have millions of
    # documents.
    waiting: dict[bytes, deque[int]] = {}
    taken: list[int] = []
    matched: list[Member] = []
    unmatched: list[Member] = []
    total = sum(shard.document_count for shard in minus)
    for done, (shard, document) in enumerate((s, n) for s in minus for n in range(s.document_count)):
        if done % 256 == 0:
            report(Progress("Subtracting", done, total, "documents"))
            if cancel is not None:
                cancel.check()
        ids = shard.reading(document)
        key = hashlib.sha256(ids.tobytes()).digest()
        # Equal documents are looked up once, and then handed out in their order.
        if key not in waiting:
            waiting[key] = deque(copies.of(ids))
        if waiting[key]:
            taken.append(waiting[key].popleft())
        # Before this document, taken and unmatched are `done` together; one more means that it found a partner.
        (matched if len(taken) + len(unmatched) > done else unmatched).append((shard, document))
    return np.array(sorted(taken), dtype=np.int64), matched, unmatched


class Copies:
    """Finds the documents of some shards by their tokens."""

    def __init__(self, shards: Sequence[MappedShard]) -> None:
        self._shards = shards
        self._first = np.cumsum([0, *(shard.document_count for shard in shards)]).tolist()

    def of(self, ids: Ids) -> list[int]:
        """Numbers of the documents with exactly these tokens, in order. Cost: one search per shard."""
        found: list[int] = []
        for shard, first in zip(self._shards, self._first, strict=False):
            found += [first + number for number in self._in_shard(shard, ids)]
        return found

    def _in_shard(self, shard: MappedShard, ids: Ids) -> list[int]:
        # A document that is not the last of its shard is between two separators, in either direction.
        whole = np.concatenate([[shard.separator], ids, [shard.separator]])
        # Ranks are in the order of what follows, so the documents come in no order.
        ranks = np.arange(*shard.find(whole), dtype=np.int64)
        documents = np.sort(shard.documents_of(shard.positions(ranks)))
        starts, ends = shard.bounds(documents)
        found: list[int] = documents[ends - starts == len(ids)].tolist()
        last = shard.document_count - 1
        start, end = shard.document_bounds(last)
        # Nothing follows the last document, so no search finds it.
        if end - start == len(ids) and np.array_equal(shard.reading(last), ids):
            found.append(last)
        return found


@dataclass(frozen=True, eq=False)
class _End:
    """A document, stored with the separator before it, that is followed by one separator more or less."""

    stored: Ids
    sign: int
    reversed_text: bool

    def ends_with(self, stored: Ids) -> bool:
        """Whether some stored tokens are the last ones here."""
        return len(stored) <= len(self.stored) and np.array_equal(self.stored[len(self.stored) - len(stored) :], stored)


class Ends:
    """Separators after documents, for which subtraction is not exact: the last document of a shard has none.

    Of the documents that remain, each but its shard's last one is to be followed by a separator. Base, subtracted and
    restored shards together have: the remaining documents, less the base's last ones, plus the subtracted shards' last
    ones, less the restored shards' last ones. The difference is a document or two for each shard.
    """

    def __init__(self, shards: Sequence[MappedShard], subtraction: Subtraction) -> None:
        self._separator = shards[0].separator
        self._ends: list[_End] = []
        first = 0
        for shard in shards:
            inside = subtraction.left_out[
                (subtraction.left_out >= first) & (subtraction.left_out < first + shard.document_count)
            ]
            # Numbers within the shard, as its files count documents.
            remaining = _last_but(shard.document_count, inside - first)
            first += shard.document_count
            # The last document is removed: it had no separator after it, and the one that is last now still has one.
            if remaining != shard.document_count - 1:
                self._add(shard, shard.document_count - 1, 1)
                if remaining is not None:
                    self._add(shard, remaining, -1)
        for shard in subtraction.minus:
            self._add(shard, shard.document_count - 1, -1)
        for shard in subtraction.restored:
            self._add(shard, shard.document_count - 1, 1)

    def _add(self, shard: MappedShard, document: int, sign: int) -> None:
        # Stored with its separator, so that an n-gram that begins with one is compared as well.
        start, end = shard.document_bounds(document)
        stored = shard.stored(start - 1, end)
        for other in self._ends:
            alike = other.reversed_text == shard.reversed_text and np.array_equal(other.stored, stored)
            # Two corrections that cancel each other are left out, so the list stays short.
            if alike and other.sign == -sign:
                self._ends.remove(other)
                return
        self._ends.append(_End(stored, sign, shard.reversed_text))

    def count(self, ids: Ids) -> int:
        """The correction to the count of an n-gram."""
        total = 0
        for end in self._ends:
            stored = ids[::-1] if end.reversed_text else ids
            # Only an n-gram that ends with the separator, as it is stored, reaches beyond the document.
            if len(stored) > 1 and stored[-1] == self._separator and end.ends_with(stored[:-1]):
                total += end.sign
        return total

    def following(self, ids: Ids) -> Iterator[tuple[int, int]]:
        """Pairs of a token and the correction to its count after a context of at least one token."""
        for end in self._ends:
            if not end.reversed_text and end.ends_with(ids):
                yield self._separator, end.sign
            elif end.reversed_text and ids[0] == self._separator and end.ends_with(ids[:0:-1]):
                # Reading order is the other way round: what follows a context is stored before it.
                before = len(end.stored) - len(ids)
                if before >= 0:
                    yield int(end.stored[before]), end.sign


def _last_but(count: int, left_out: Ids) -> int | None:
    """The largest number below `count` that is not left out; `left_out` ascends."""
    # Numbers at the end of an ascending list that are the last ones below `count` have nothing between them.
    at_end = left_out == np.arange(count - len(left_out), count)
    last = count - 1 - (len(left_out) if at_end.all() else int(np.argmin(at_end[::-1])))
    return last if last >= 0 else None


def joins_documents(ids: Ids, separator: int) -> bool:
    """Tell whether an n-gram has tokens of more than one document.

    Returns: True if a separator is inside it.
    """
    return len(ids) > 2 and bool((ids[1:-1] == separator).any())


def joined_places(shard: MappedShard, first_document: int, ids: Ids, left_out: Ids) -> Ids:
    """Find an n-gram of several documents, all of which remain.

    left_out: Numbers of the documents that are removed, ascending.
    Returns: Stored positions, int64.
    """
    stored = ids[::-1] if shard.reversed_text else ids
    positions = shard.positions(np.arange(*shard.find(ids), dtype=np.int64))
    ends_open = int(stored[-1]) == shard.separator
    local = left_out - first_document
    local = local[(local >= 0) & (local < shard.document_count)]
    first = shard.documents_of(positions)
    last = shard.documents_of(positions + len(ids) - 1 - ends_open)
    # As many removed documents before the first one as up to the last one: none from the first to the last is removed.
    whole = np.searchsorted(local, first, side="left") == np.searchsorted(local, last, side="right")
    if ends_open:
        # The separator at its end needs any document after it.
        remaining = _last_but(shard.document_count, local)
        whole &= last < (-1 if remaining is None else remaining)
    there: Ids = positions[whole]
    return there
