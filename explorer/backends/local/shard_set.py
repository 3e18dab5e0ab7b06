"""The shards of an index, and what is subtracted from them: documents numbered across all, and where tokens are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.local.subtracting.subtract import Subtraction
from explorer.backends.places import Places
from explorer.errors import DamagedIndexError, QueryError
from explorer.i18n import mark
from explorer.index.shard import MappedShard

Numbers = NDArray[np.int64]
Range = tuple[int, int]


class ShardSet:
    """Opened shards; documents are numbered in their order.

    shards: those of the index. adjusting: shards whose counts are subtracted (-1) or added back (1), see
    `explorer.backends.local.subtracting.subtract`. less: the set from which documents were subtracted, whose temporary
    files are needed as long as this one is.
    """

    def __init__(self, shards: Sequence[MappedShard], subtraction: Subtraction, less: ShardSet | None = None) -> None:
        self.shards = tuple(shards)
        self.subtraction = subtraction
        self.adjusting = (
            *((shard, -1) for shard in subtraction.minus),
            *((shard, 1) for shard in subtraction.restored),
        )
        # Every count is a sum of sign × count over these. The shards of the index come first: others rely on it.
        self.signed = (*((shard, 1) for shard in self.shards), *self.adjusting)
        # The same sums from fewer shards, where the base and what is subtracted from it are the same.
        fewer = tuple((shard, 1) for shard in subtraction.restored) if subtraction.selected else ()
        # None is left where every document is subtracted, and the engine needs one.
        self.counted = fewer or self.signed
        # Opening made sure that all shards are of one width.
        self.token_width = self.shards[0].widths.token
        self.separator = self.shards[0].separator
        # One reversed shard is enough for the slower ways: the engine answers for all shards in one call.
        self.is_forward = not any(shard.reversed_text for shard, _ in self.signed)
        # Document numbers of shard i are [_first_document[i], _first_document[i + 1]).
        self._first_document = np.cumsum([0, *(shard.document_count for shard in self.shards)])
        # Never read. It keeps the earlier set alive, whose finalizer would remove files that are in use here.
        self._less = less

    @property
    def every(self) -> tuple[MappedShard, ...]:
        """All shards that answers depend on."""
        return tuple(shard for shard, _ in self.signed)

    @property
    def token_count(self) -> int:
        """Tokens, including separators, without those of the subtracted documents."""
        return sum(sign * shard.token_count for shard, sign in self.signed)

    @property
    def document_slots(self) -> int:
        """One more than the largest document number, subtracted documents included."""
        return int(self._first_document[-1])

    # --- documents -----------------------------------------------------------------------------

    def is_left_out(self, documents: Numbers) -> NDArray[np.bool_]:
        """Which of these documents are subtracted."""
        left_out = self.subtraction.left_out
        if not len(left_out):
            return np.zeros(len(documents), dtype=np.bool_)
        # They ascend, so each is found by halving, however many there are.
        at = np.minimum(np.searchsorted(left_out, documents), len(left_out) - 1)
        return np.asarray(left_out[at] == documents)

    def shard_of(self, number: int) -> tuple[MappedShard, int]:
        """Find the shard of a document.

        Raises `QueryError` if there is no such document.
        """
        total = self.document_slots
        if not 0 <= number < total:
            raise QueryError(
                mark("There is no document {document:,}: documents are numbered 0 to {last:,}."),
                reason="no-document",
                document=number,
                last=total - 1,
            )
        # A subtracted document keeps its number, so that the numbers of the others do not depend on what is subtracted.
        if len(self.subtraction.left_out) and bool(self.is_left_out(np.array([number]))[0]):
            raise QueryError(
                mark("Document {document:,} has been subtracted and is not shown."),
                reason="document-subtracted",
                document=number,
            )
        which = int(np.searchsorted(self._first_document, number, side="right")) - 1
        return self.shards[which], number - int(self._first_document[which])

    def by_shard(self, documents: Numbers) -> Iterator[tuple[MappedShard, Numbers, Numbers]]:
        """(shard, which of the documents are in it, their numbers there) for each shard that has any."""
        which = np.searchsorted(self._first_document, documents, side="right") - 1
        for number in np.unique(which).tolist():
            # Indexes, not documents: the caller puts the answers back into the order of its question.
            chosen = np.flatnonzero(which == number)
            yield self.shards[number], chosen, documents[chosen] - int(self._first_document[number])

    def with_first(self) -> Iterator[tuple[MappedShard, int]]:
        """Each shard, and the number of its first document."""
        yield from zip(self.shards, self._first_document.tolist(), strict=False)

    # --- places --------------------------------------------------------------------------------

    def places(self, ranges: Sequence[Range], numbers: Numbers, ids: Sequence[int]) -> Places:
        """Find where hits of an n-gram are.

        The empty n-gram is at every token; a separator is at no offset that its document has.

        ranges: The n-gram's ranks per shard.
        numbers: Numbers of hits, int64: 0 is the first rank of the first shard's range.
        Raises `DamagedIndexError` if a hit is not within one document, unless the n-gram has a separator.
        """
        # An n-gram with a separator, and the empty one, may reach from one document into the next.
        within = bool(ids) and self.separator not in ids
        sizes = np.array([last - first for first, last in ranges], dtype=np.int64)
        ends = np.cumsum(sizes)
        which = np.searchsorted(ends, numbers, side="right")
        documents, offsets = np.empty_like(numbers), np.empty_like(numbers)
        for number in np.unique(which).tolist():
            chosen = which == number
            ranks = numbers[chosen] - (ends[number] - sizes[number]) + ranges[number][0]
            found = self.rank_places(number, ranks, max(1, len(ids)), within)
            documents[chosen], offsets[chosen] = found.documents, found.offsets
        return Places(documents, offsets)

    def rank_places(self, number: int, ranks: Numbers, length: int | Numbers, within: bool) -> Places:
        """Find where the n-grams of some ranks are.

        within: Whether an n-gram must be within one document.
        Raises `DamagedIndexError` if one must be and is not.
        """
        shard = self.shards[number]
        positions = shard.positions(np.ascontiguousarray(ranks))
        documents = shard.documents_of(positions)
        starts, ends = shard.bounds(documents)
        # A reversed document is stored from its last token to its first, so the last stored token of a hit is its
        # first.
        offsets = ends - (positions + length) if shard.reversed_text else positions - starts
        if within and len(outside := np.flatnonzero((offsets < 0) | (offsets + length > ends - starts))):
            rank = int(ranks[outside[0]])
            raise DamagedIndexError(
                mark("{path} is wrong at entry {entry:,} (byte {byte:,}): it points across the end of a document."),
                reason="entry-across-documents",
                path=shard.files.table,
                entry=rank,
                byte=rank * shard.widths.pointer,
            )
        return Places(documents + int(self._first_document[number]), offsets)

    def position_places(self, number: int, positions: Numbers, lengths: Numbers) -> Places:
        """Find where passages are whose stored tokens begin at some positions.

        positions: Their positions in the stored text, int64.
        lengths: Their tokens, all within one document, int64.
        """
        shard = self.shards[number]
        documents = shard.documents_of(positions)
        starts, ends = shard.bounds(documents)
        offsets = ends - (positions + lengths) if shard.reversed_text else positions - starts
        return Places(documents + int(self._first_document[number]), offsets)

    def token_places(self, number: int, positions: Numbers) -> Places:
        """Find where stored tokens are.

        positions: Their positions in the stored text, int64.
        Raises `DamagedIndexError` if a position is not within a document.
        """
        shard = self.shards[number]
        documents = shard.documents_of(positions)
        starts, ends = shard.bounds(documents)
        # The same for one token.
        offsets = ends - 1 - positions if shard.reversed_text else positions - starts
        if len(outside := np.flatnonzero((offsets < 0) | (offsets >= ends - starts))):
            raise DamagedIndexError(
                mark("{path} is wrong: it points to token {position:,} of {tokens}, which is in no document."),
                reason="entry-outside-documents",
                path=shard.files.table,
                position=int(positions[outside[0]]),
                tokens=shard.files.tokenized.name,
            )
        return Places(documents + int(self._first_document[number]), offsets)
