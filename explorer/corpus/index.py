"""An index as everything else sees it: any number of shards and folders that answer as one.

Documents are numbered through all shards, in the order in which they were given. Answers of an
index with `minus` folders are those of its shards less those of the subtracted ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.corpus.guard import Guard, refusal
from explorer.corpus.longest import count_in_text, longest_matches
from explorer.corpus.manifest import Manifest
from explorer.corpus.shard import MappedShard
from explorer.corpus.text import DecodedText, decode
from explorer.corpus.tokenizer import TextTokenizer
from explorer.errors import DamagedIndexError, QueryError, TokenizerError
from explorer.jobs import CancelToken
from explorer.words import tr

Ids = Sequence[int] | NDArray[Any]
Range = tuple[int, int]


@dataclass(frozen=True)
class Matches:
    """Occurrences of an n-gram: their number, and one (first, one past last) rank range a shard.

    `minus_ranges` are those in the subtracted folders, which `count` is already less of.
    """

    ids: tuple[int, ...]
    count: int
    ranges: tuple[Range, ...]
    minus_ranges: tuple[Range, ...] = ()

    @property
    def length(self) -> int:
        """Tokens of the n-gram."""
        return len(self.ids)


@dataclass(frozen=True)
class Places:
    """Where occurrences are: document numbers, and the token offset in the document of each."""

    documents: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.documents)


class Index:
    """Opened shards with their tokenizer; made by `explorer.corpus.open.open_folders`."""

    def __init__(
        self,
        shards: Sequence[MappedShard],
        minus: Sequence[MappedShard],
        tokenizer: TextTokenizer | None,
        paths: Sequence[Path],
        manifests: Sequence[Manifest | None],
    ) -> None:
        self.shards = tuple(shards)
        self.minus = tuple(minus)
        self._tokenizer = tokenizer
        self.paths = tuple(paths)
        self.manifests = tuple(manifests)
        # Opening made sure that all shards are of one width.
        self.token_width = self.shards[0].widths.token
        self.separator = self.shards[0].separator
        self._first_document = np.cumsum([0, *(shard.document_count for shard in self.shards)])
        every = (*self.shards, *self.minus)
        self._searcher = _fastsa.Searcher(
            [shard.engine for shard in self.shards],
            [shard.engine for shard in self.minus],
            [shard.reversed_text for shard in every],
        )
        self._asking = Guard(every)
        self.forward = not any(shard.reversed_text for shard in every)
        self._left_out = np.empty(0, dtype=np.int64)
        self._left_out = self._find_left_out()

    # --- figures -------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What to call the index: the name that its manifest gives, or its folders' names."""
        names = [
            (manifest.name if manifest and manifest.name else path.name)
            for path, manifest in zip(self.paths, self.manifests, strict=True)
        ]
        return " + ".join(names)

    @property
    def token_count(self) -> int:
        """Tokens, separators included, less those of the subtracted folders."""
        return sum(s.token_count for s in self.shards) - sum(s.token_count for s in self.minus)

    @property
    def document_count(self) -> int:
        """Documents of all folders; subtracted ones keep their numbers but are never shown."""
        return int(self._first_document[-1]) - len(self._left_out)

    @property
    def document_slots(self) -> int:
        """One more than the largest document number, subtracted documents included."""
        return int(self._first_document[-1])

    @property
    def shard_count(self) -> int:
        """Shards of all folders."""
        return len(self.shards)

    @property
    def has_tokenizer(self) -> bool:
        """Whether text can be put in and read out."""
        return self._tokenizer is not None

    @property
    def tokenizer(self) -> TextTokenizer:
        """The tokenizer; raises TokenizerError where none is known."""
        if self._tokenizer is None:
            raise TokenizerError(
                tr(
                    "No tokenizer is known for {name}, so text cannot be looked up or shown. Open it with the "
                    "tokenizer.json that it was built with.",
                    name=self.name,
                )
            )
        return self._tokenizer

    # --- n-grams -------------------------------------------------------------------------------

    def check_ids(self, ids: Ids, allow_empty: bool = False) -> NDArray[np.int64]:
        """The ids as an int64 array; raises QueryError for what cannot be ids of this index."""
        try:
            array = _fastsa.token_ids(ids, self.separator)
        except _fastsa.BadIds as error:
            raise refusal(error) from error
        if not len(array) and not allow_empty:
            raise QueryError(tr("The query is empty. Give at least one token."))
        return array

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram; the empty one counts tokens. The fastest way to a count."""
        with self._asking:
            return self._searcher.count(ids)

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Occurrences of the context, and of it with the token behind it."""
        with self._asking:
            return self._searcher.prob(context, token)

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Length of the longest suffix of the context that occurs, its count, and its count with the token."""
        with self._asking:
            return self._searcher.infgram_prob(context, token)

    def following(
        self, context: Ids, backoff: bool, cancel: CancelToken | None = None
    ) -> tuple[int, int, NDArray[np.int64], NDArray[np.int64]]:
        """Tokens behind a context, or (`backoff`) behind its longest suffix that occurs; only of a `forward` index.

        Returns the tokens of context used, its count, the tokens, and their counts, most frequent first.
        """
        with self._asking:
            return self._searcher.next_tokens(context, backoff, cancel.flag if cancel else None)

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs."""
        with self._asking:
            return self._searcher.longest_occurring_suffix(context)

    def find(self, ids: Ids) -> Matches:
        """Occurrences of an n-gram; the empty one occurs at every token. Cost: one search a shard."""
        array = self.check_ids(ids, allow_empty=True)
        ranges = tuple(shard.find(array) for shard in self.shards)
        minus = tuple(shard.find(array) for shard in self.minus)
        return _matches(array, ranges, minus)

    def extend(self, matches: Matches, token: int) -> Matches:
        """Occurrences of the n-gram with one more token behind it, searched inside its ranges."""
        array = self.check_ids([*matches.ids, token])

        def inside(shards: Sequence[MappedShard], ranges: Sequence[Range]) -> tuple[Range, ...]:
            pairs = zip(shards, ranges, strict=True)
            return tuple(s.find(array, None if s.reversed_text else r) for s, r in pairs)

        return _matches(array, inside(self.shards, matches.ranges), inside(self.minus, matches.minus_ranges))

    def next_tokens(
        self, matches: Matches, cancel: CancelToken | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Tokens that follow the occurrences, with exact counts, most frequent first, then by id."""
        if self.forward:
            return self.following(list(matches.ids), False, cancel)[2:]
        totals: dict[int, int] = {}
        for shards, ranges, sign in ((self.shards, matches.ranges, 1), (self.minus, matches.minus_ranges, -1)):
            for shard, span in zip(shards, ranges, strict=True):
                tokens, counts = shard.next_tokens(span, matches.length, cancel)
                for token, count in zip(tokens.tolist(), counts.tolist(), strict=True):
                    totals[token] = totals.get(token, 0) + sign * count
        pairs = sorted(((t, c) for t, c in totals.items() if c > 0), key=lambda pair: (-pair[1], pair[0]))
        array = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return np.ascontiguousarray(array[:, 0]), np.ascontiguousarray(array[:, 1])

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> NDArray[np.int64]:
        """For each start in the text: length of the longest n-gram from there that occurs."""
        array = self.check_ids(ids, allow_empty=True)
        return longest_matches(self.shards, self.minus, array, cancel)

    def count_many(
        self,
        ids: NDArray[np.int64],
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        cancel: CancelToken | None = None,
    ) -> NDArray[np.int64]:
        """Counts of the n-grams ids[starts[i]:ends[i]] of one text; an empty one counts every token."""
        totals = np.zeros(len(starts), dtype=np.int64)
        for shards, sign in ((self.shards, 1), (self.minus, -1)):
            for shard in shards:
                totals += sign * count_in_text(shard, ids, starts, ends, cancel)
        return totals

    # --- places --------------------------------------------------------------------------------

    def places(self, ranges: Sequence[Range], numbers: NDArray[np.int64], ids: Sequence[int]) -> Places:
        """Where the hits `numbers` (0 = first rank of the first shard's range) of an n-gram are.

        Raises DamagedIndexError for a hit that is not within one document, unless the n-gram has a separator.
        """
        sizes = np.array([last - first for first, last in ranges], dtype=np.int64)
        ends = np.cumsum(sizes)
        which = np.searchsorted(ends, numbers, side="right")
        documents = np.empty(len(numbers), dtype=np.int64)
        offsets = np.empty(len(numbers), dtype=np.int64)
        for number in np.unique(which).tolist():
            chosen = which == number
            ranks = numbers[chosen] - (ends[number] - sizes[number]) + ranges[number][0]
            found = self._shard_places(number, ranks, len(ids), self.separator not in ids)
            documents[chosen], offsets[chosen] = found.documents, found.offsets
        return Places(documents, offsets)

    def by_shard(
        self, documents: NDArray[np.int64]
    ) -> Iterator[tuple[MappedShard, NDArray[np.int64], NDArray[np.int64]]]:
        """(shard, which of the documents are in it, their numbers there) for each shard that has any."""
        which = np.searchsorted(self._first_document, documents, side="right") - 1
        for number in np.unique(which).tolist():
            chosen = np.flatnonzero(which == number)
            yield self.shards[number], chosen, documents[chosen] - int(self._first_document[number])

    def _shard_places(self, number: int, ranks: NDArray[np.int64], length: int, within: bool) -> Places:
        shard = self.shards[number]
        positions = shard.positions(np.ascontiguousarray(ranks))
        documents = shard.documents_of(positions)
        starts, ends = shard.bounds(documents)
        offsets = ends - (positions + length) if shard.reversed_text else positions - starts
        if within and len(outside := np.flatnonzero((offsets < 0) | (offsets + length > ends - starts))):
            rank = int(ranks[outside[0]])
            raise DamagedIndexError(
                tr(
                    "{table} is wrong at entry {rank:,} (byte {byte:,}): it points across the end of a "
                    "document. Copy the index again, or rebuild it.",
                    table=shard.files.table,
                    rank=rank,
                    byte=rank * shard.widths.pointer,
                )
            )
        return Places(documents + int(self._first_document[number]), offsets)

    def near(
        self,
        places: Places,
        ngrams: Sequence[Sequence[int]],
        distance: int,
        cancel: CancelToken | None = None,
    ) -> NDArray[np.bool_]:
        """Which places have one of the n-grams within `distance` tokens (between beginnings) in their document.

        The text around each place is read: cost in proportion to places × distance × n-grams.
        """
        result = np.zeros(len(places), dtype=np.bool_)
        for shard, chosen, documents in self.by_shard(places.documents):
            result[chosen] = shard.near(documents, places.offsets[chosen], ngrams, distance, cancel)
        return result

    def is_left_out(self, documents: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these documents stand in a subtracted folder."""
        return np.isin(documents, self._left_out)

    def _find_left_out(self) -> NDArray[np.int64]:
        """Numbers of the documents that stand word for word in a subtracted folder."""
        found: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
        for shard in self.minus:
            for document in range(shard.document_count):
                start, end = shard.document_bounds(document)
                stored = shard.stored(start, end)
                ids = stored[::-1] if shard.reversed_text else stored
                found.append(self._whole_documents(ids))
        return np.unique(np.concatenate(found))

    def _whole_documents(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Documents of the index whose tokens are exactly `ids`."""
        if not len(ids):
            return np.empty(0, dtype=np.int64)
        matches = _matches(ids, tuple(shard.find(ids) for shard in self.shards), ())
        total = sum(last - first for first, last in matches.ranges)
        places = self.places(matches.ranges, np.arange(total, dtype=np.int64), ids.tolist())
        whole = [
            offset == 0 and self.document_length(document) == len(ids)
            for document, offset in zip(places.documents.tolist(), places.offsets.tolist(), strict=True)
        ]
        return places.documents[np.array(whole, dtype=np.bool_)]

    def documents_like(self, number: int) -> list[int]:
        """A document and every other of the same tokens."""
        ids = self.document_tokens(number)
        found: list[int] = self._whole_documents(ids).tolist() if len(ids) else [number]
        return found

    # --- documents -----------------------------------------------------------------------------

    def locate_document(self, number: int) -> tuple[MappedShard, int]:
        """Shard of a document, and its number there; raises QueryError for one that does not exist."""
        total = int(self._first_document[-1])
        if not 0 <= number < total:
            raise QueryError(
                tr(
                    "There is no document {number:,}: documents are numbered 0 to {total:,}.",
                    number=number,
                    total=total - 1,
                )
            )
        if self.minus and bool(self.is_left_out(np.array([number]))[0]):
            raise QueryError(tr("Document {number:,} stands in a subtracted index and is not shown.", number=number))
        which = int(np.searchsorted(self._first_document, number, side="right")) - 1
        return self.shards[which], number - int(self._first_document[which])

    def is_last_of_shard(self, number: int) -> bool:
        """Whether nothing stands behind a document in its shard."""
        shard, local = self.locate_document(number)
        return local + 1 == shard.document_count

    def document_length(self, number: int) -> int:
        """Tokens of a document, its separator not counted."""
        shard, local = self.locate_document(number)
        start, end = shard.document_bounds(local)
        return end - start

    def document_tokens(self, number: int, first: int = 0, last: int | None = None) -> NDArray[np.int64]:
        """Tokens [first, last) of a document in reading order; what lies outside is cut off."""
        shard, local = self.locate_document(number)
        start, end = shard.document_bounds(local)
        length = end - start
        first = min(max(first, 0), length)
        last = length if last is None else min(max(last, first), length)
        if shard.reversed_text:
            return shard.stored(end - last, end - first)[::-1]
        return shard.stored(start + first, start + last)

    def metadata(self, number: int) -> dict[str, Any]:
        """A document's metadata line; {} where its shard has none."""
        shard, local = self.locate_document(number)
        return shard.metadata(local)

    def decode(self, ids: NDArray[np.int64] | Sequence[int]) -> DecodedText:
        """Text of some tokens with character offsets; see `explorer.corpus.text.decode`."""
        return decode(self.tokenizer, np.asarray(ids).tolist(), self.separator)


def _matches(ids: NDArray[np.int64], ranges: tuple[Range, ...], minus: tuple[Range, ...]) -> Matches:
    count = sum(last - first for first, last in ranges) - sum(last - first for first, last in minus)
    return Matches(tuple(ids.tolist()), max(0, count), ranges, minus)
