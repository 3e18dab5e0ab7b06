"""Documents of some shards: their tokens in reading order, their metadata, and which are alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.local.shard_set import ShardSet
from explorer.backends.local.subtracting.subtract import Copies
from explorer.backends.metadata import field_names, has_field
from explorer.backends.protocol.protocol import FieldNames
from explorer.core.jobs import CancelToken
from explorer.index.manifest import Manifest
from explorer.index.shard import MappedShard

Numbers = NDArray[np.int64]

_NONE = np.empty(0, dtype=np.int64)
_SHORT = 256
"""Tokens up to which runs are read together: a call for each would take longer than the reading."""


class ShardDocuments:
    """The documents of some shards that are not subtracted: it answers the `DocumentQuestions` of the protocol."""

    def __init__(self, shards: ShardSet, manifests: Sequence[Manifest | None]) -> None:
        self._shards = shards
        self._manifests = tuple(manifests)

    def numbers(self) -> Numbers:
        """The numbers of all documents, ascending."""
        return np.setdiff1d(np.arange(self._shards.document_slots, dtype=np.int64), self._shards.subtraction.left_out)

    def sizes(self) -> Numbers:
        """Tokens of the document of each number, its separator included; 0 for a subtracted one."""
        # A new array, so that clearing entries below changes nothing that a shard holds.
        sizes = np.concatenate([shard.document_sizes() for shard in self._shards.shards])
        sizes[self._shards.subtraction.left_out] = 0
        return sizes

    def check(self, number: int) -> None:
        """Raise QueryError for a number without a document."""
        self._shards.shard_of(number)

    def lengths(self, documents: Numbers) -> Numbers:
        """Tokens of these documents, separators not counted."""
        self._check_all(documents)
        found = np.empty(len(documents), dtype=np.int64)
        for shard, chosen, local in self._shards.by_shard(documents):
            starts, ends = shard.bounds(local)
            found[chosen] = ends - starts
        return found

    def windows(self, documents: Numbers, firsts: Numbers, lasts: Numbers) -> list[Numbers]:
        """Tokens [first, last) of each of these documents."""
        self._check_all(documents)
        found: list[Numbers] = [_NONE] * len(documents)
        for shard, chosen, local in self._shards.by_shard(documents):
            starts, ends = shard.bounds(local)
            lengths = ends - starts
            lows = np.clip(firsts[chosen], 0, lengths)
            highs = np.clip(lasts[chosen], lows, lengths)
            if shard.reversed_text:
                # Stored backwards: the first token of the document is the last of its stored ones.
                lows, highs = lengths - highs, lengths - lows
            step = -1 if shard.reversed_text else 1
            for place, part in zip(chosen.tolist(), _runs(shard, starts + lows, highs - lows), strict=True):
                found[place] = part[::step]
        return found

    def _check_all(self, documents: Numbers) -> None:
        """Raise QueryError if one of many numbers has no document."""
        wrong = (documents < 0) | (documents >= self._shards.document_slots)
        if wrong.any() or self._shards.is_left_out(documents).any():
            for number in documents.tolist():
                self._shards.shard_of(number)

    def window(self, number: int, first: int, last: int) -> Numbers:
        """Read some tokens of a document.

        first: The first token, from 0.
        last: One past the last token; what is outside the document is cut off.
        Returns: Token ids in reading order, int64.
        """
        shard, local = self._shards.shard_of(number)
        start, end = shard.document_bounds(local)
        length = end - start
        first = min(max(first, 0), length)
        last = min(max(last, first), length)
        if shard.reversed_text:
            # Stored backwards: the first token of the document is the last of its stored ones.
            return shard.stored(end - last, end - first)[::-1]
        return shard.stored(start + first, start + last)

    def tokens_at(self, documents: Numbers, offsets: Numbers) -> Numbers:
        """One token of each document, in reading order; the separator where the document has no such token."""
        found = np.empty(len(documents), dtype=np.int64)
        for shard, chosen, local in self._shards.by_shard(documents):
            found[chosen] = shard.reading_at(local, offsets[chosen])
        return found

    def metadata(self, documents: Numbers) -> list[dict[str, Any]]:
        """The metadata lines of these documents; {} where a shard has none."""
        places = map(self._shards.shard_of, documents.tolist())
        return [shard.metadata.of(local) for shard, local in places]

    def field_names(self) -> FieldNames:
        """Which metadata fields documents have."""
        return field_names(self._shards.shards, self._manifests)

    def has_field(self, name: str, cancel: CancelToken | None = None) -> bool:
        """Whether any document has a metadata field; all metadata are searched for it."""
        return any(has_field(shard, name, cancel) for shard in self._shards.shards)

    def like(self, number: int) -> list[int]:
        """A document and every other of the same tokens."""
        shard, local = self._shards.shard_of(number)
        copies = np.array(Copies(self._shards.shards).of(shard.reading(local)), dtype=np.int64)
        found: list[int] = copies[~self._shards.is_left_out(copies)].tolist()
        return found


def _runs(shard: MappedShard, starts: Numbers, sizes: Numbers) -> list[Numbers]:
    """Some runs of stored tokens."""
    ends = np.cumsum(sizes)
    if len(sizes) < 2 or ends[-1] > _SHORT * len(sizes):
        return [shard.stored(start, start + size) for start, size in zip(starts.tolist(), sizes.tolist(), strict=True)]
    # Each run from where the one before has ended in the answer.
    positions = np.repeat(starts - (ends - sizes), sizes) + np.arange(ends[-1], dtype=np.int64)
    tokens, lasts = shard.tokens_at(positions), ends.tolist()
    return [tokens[first:last] for first, last in zip([0, *lasts[:-1]], lasts, strict=True)]
