"""An index as everything else sees it: any number of shards and folders that answer as one.

Documents are numbered across all shards, in the order in which the folders were given. The answers of an index from
which documents are subtracted (see `explorer.backends.subtract`) are those of its shards without these documents.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.backends.longest import count_in_text, find_in_text, longest_matches
from explorer.backends.places import Places
from explorer.backends.subtract import Copies, Ends, Subtraction, joined_places, joins_documents
from explorer.errors import DamagedIndexError, QueryError, TokenizerError
from explorer.i18n import tr
from explorer.index.guard import Guard, refusal
from explorer.index.manifest import Manifest
from explorer.index.shard import MappedShard
from explorer.jobs import CancelToken
from explorer.tokens.decode import DecodedText, decode
from explorer.tokens.tokenizer import TextTokenizer

Ids = Sequence[int] | NDArray[Any]
Range = tuple[int, int]


@dataclass(frozen=True)
class Matches:
    """Occurrences of an n-gram: their number, and one (first, one past last) rank range per shard.

    If documents are subtracted, `ranges` include their occurrences, but `count` does not; `minus_ranges` are the ranges
    in the subtracted shards, followed by those in the restored ones.
    """

    ids: tuple[int, ...]
    count: int
    ranges: tuple[Range, ...]
    minus_ranges: tuple[Range, ...] = ()

    @property
    def length(self) -> int:
        """Tokens of the n-gram."""
        return len(self.ids)


class Index:
    """Opened shards with their tokenizer; made by `explorer.backends.open.open_folders`."""

    def __init__(
        self,
        shards: Sequence[MappedShard],
        subtraction: Subtraction,
        tokenizer: TextTokenizer | None,
        paths: Sequence[Path],
        manifests: Sequence[Manifest | None],
    ) -> None:
        self.shards = tuple(shards)
        self.subtraction = subtraction
        self.minus = subtraction.minus
        self._tokenizer = tokenizer
        self.paths = tuple(paths)
        self.manifests = tuple(manifests)
        # Opening made sure that all shards are of one width.
        self.token_width = self.shards[0].widths.token
        self.separator = self.shards[0].separator
        self._first_document = np.cumsum([0, *(shard.document_count for shard in self.shards)])
        plus = (*self.shards, *subtraction.restored)
        every = (*plus, *self.minus)
        self._searcher = _fastsa.Searcher(
            [shard.engine for shard in plus],
            [shard.engine for shard in self.minus],
            [shard.reversed_text for shard in every],
        )
        self.adjusting = [*((shard, -1) for shard in self.minus), *((shard, 1) for shard in subtraction.restored)]
        self._ends = Ends(self.shards, subtraction) if self.minus else None
        self._asking = Guard(every)
        self.forward = not any(shard.reversed_text for shard in every)

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
        """Number of tokens, including separators, without those of the subtracted documents."""
        adjusted = sum(sign * shard.token_count for shard, sign in self.adjusting)
        return sum(shard.token_count for shard in self.shards) + adjusted

    @property
    def document_count(self) -> int:
        """Documents of all folders; subtracted ones keep their numbers but are never shown."""
        return self.document_slots - len(self.subtraction.left_out)

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

    def _separated(self, ids: Ids, *further: int) -> NDArray[np.int64] | None:
        """All the ids if the engine's counts do not apply: with a separator, in an index with subtracted documents."""
        if self._ends is None:
            return None
        array = self.check_ids(ids, allow_empty=True)
        if further:
            array = np.append(array, self.check_ids(further))
        return array if (array == self.separator).any() else None

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram; the empty one counts tokens. The fastest way to a count."""
        # A call to `_separated` would take a fifth of the time of a count.
        if self._ends is not None and (separated := self._separated(ids)) is not None:
            return self.find(separated).count
        with self._asking:
            return self._searcher.count(ids)

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Occurrences of the context, and of it with the token after it."""
        if (ids := self._separated(context, token)) is not None:
            return self.count(ids[:-1]), self.count(ids)
        with self._asking:
            return self._searcher.prob(context, token)

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Length of the longest suffix of the context that occurs, its count, and its count with the token."""
        if (ids := self._separated(context, token)) is not None:
            length = self.longest_suffix(ids[:-1])
            return length, *self.continuation(ids[len(ids) - 1 - length : -1], token)
        with self._asking:
            return self._searcher.infgram_prob(context, token)

    def following(
        self, context: Ids, backoff: bool, cancel: CancelToken | None = None
    ) -> tuple[int, int, NDArray[np.int64], NDArray[np.int64]]:
        """Tokens after a context, or (`backoff`) after its longest suffix that occurs; only of a `forward` index.

        Returns the tokens of context used, its count, the tokens, and their counts, most frequent first.
        """
        if self._separated(context) is None:
            with self._asking:
                found = self._searcher.next_tokens(context, backoff, cancel.flag if cancel else None)
            if self._ends is None:
                return found
            ids = self.check_ids(context, allow_empty=True)
            if not any(self._ends.following(ids[len(ids) - found[0] :])):
                return found
        ids = self.check_ids(context, allow_empty=True)
        matches = self.find(ids[len(ids) - self.longest_suffix(ids) :] if backoff else ids)
        return matches.length, matches.count, *self._next_tokens(matches, cancel)

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs."""
        if (ids := self._separated(context)) is not None:
            lengths = range(1, len(ids) + 1)
            return bisect.bisect_left(lengths, True, key=lambda n: not self.find(ids[len(ids) - n :]).count)
        with self._asking:
            return self._searcher.longest_occurring_suffix(context)

    def find(self, ids: Ids) -> Matches:
        """Occurrences of an n-gram; the empty one occurs at every token. Cost: one search a shard."""
        array = self.check_ids(ids, allow_empty=True)
        ranges = tuple(shard.find(array) for shard in self.shards)
        return self._matches(array, ranges, tuple(shard.find(array) for shard, _ in self.adjusting))

    def extend(self, matches: Matches, token: int) -> Matches:
        """Occurrences of the n-gram with one more token behind it, searched inside its ranges."""
        array = self.check_ids([*matches.ids, token])

        def inside(shards: Sequence[MappedShard], ranges: Sequence[Range]) -> tuple[Range, ...]:
            pairs = zip(shards, ranges, strict=True)
            return tuple(s.find(array, None if s.reversed_text else r) for s, r in pairs)

        adjusting = [shard for shard, _ in self.adjusting]
        return self._matches(array, inside(self.shards, matches.ranges), inside(adjusting, matches.minus_ranges))

    def _matches(self, ids: NDArray[np.int64], ranges: tuple[Range, ...], minus: tuple[Range, ...]) -> Matches:
        count = sum(last - first for first, last in ranges)
        if self._ends is not None:
            if joins_documents(ids, self.separator):
                count = sum(len(places) for _, places in self._joined(ids))
            else:
                pairs = zip(self.adjusting, minus, strict=True)
                count += sum(sign * (last - first) for (_, sign), (first, last) in pairs) + self._ends.count(ids)
        return Matches(tuple(ids.tolist()), max(0, count), ranges, minus)

    def _joined(self, ids: NDArray[np.int64]) -> Iterator[tuple[MappedShard, NDArray[np.int64]]]:
        """The places of an n-gram that spans several documents, shard by shard; every occurrence is checked."""
        for shard, first in zip(self.shards, self._first_document.tolist(), strict=False):
            yield shard, joined_places(shard, first, ids, self.subtraction.left_out)

    def next_tokens(
        self, matches: Matches, cancel: CancelToken | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Tokens that follow the occurrences, with exact counts, most frequent first, then by id."""
        if self.forward and self._ends is None:
            return self.following(list(matches.ids), False, cancel)[2:]
        return self._next_tokens(matches, cancel)

    def _next_tokens(self, matches: Matches, cancel: CancelToken | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same, shard by shard."""
        ids = np.array(matches.ids, dtype=np.int64)
        if self._ends is not None and joins_documents(np.append(ids, 0), self.separator):
            # The next token may be in another document, so every occurrence is checked.
            every = np.unique(np.concatenate([s.next_tokens(r, len(ids), cancel)[0] for s, r in self._base(matches)]))
            return _added_up(every, np.array([self.find([*matches.ids, t]).count for t in every.tolist()], np.int64))
        adjusting = zip(self.adjusting, matches.minus_ranges, strict=True)
        signed = [*((s, 1, r) for s, r in self._base(matches)), *((s, sign, r) for (s, sign), r in adjusting)]
        changes = [*self._ends.following(ids)] if self._ends is not None and len(ids) else []
        tokens, counts = (
            [np.array([t for t, _ in changes], dtype=np.int64)],
            [np.array([c for _, c in changes], np.int64)],
        )
        for shard, sign, span in signed:
            more, times = shard.next_tokens(span, matches.length, cancel)
            tokens.append(more)
            counts.append(sign * times)
        return _added_up(np.concatenate(tokens), np.concatenate(counts))

    def _base(self, matches: Matches) -> Iterator[tuple[MappedShard, Range]]:
        return zip(self.shards, matches.ranges, strict=True)

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> NDArray[np.int64]:
        """For each start in the text: length of the longest n-gram from there that occurs."""
        array = self.check_ids(ids, allow_empty=True)
        found = longest_matches((*self.shards, *self.subtraction.restored), self.minus, array, cancel)
        if (array == self.separator).any() and self._ends is not None:
            for start in range(len(array)):
                found[start] = self._longest_prefix(array[start:])
        return found

    def _longest_prefix(self, ids: NDArray[np.int64]) -> int:
        return bisect.bisect_left(range(1, len(ids) + 1), True, key=lambda n: not self.find(ids[:n]).count)

    def count_many(
        self,
        ids: NDArray[np.int64],
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        cancel: CancelToken | None = None,
    ) -> NDArray[np.int64]:
        """Counts of the n-grams ids[starts[i]:ends[i]] of one text; an empty one counts every token."""
        totals = np.zeros(len(starts), dtype=np.int64)
        for shard, sign in (*((shard, 1) for shard in self.shards), *self.adjusting):
            totals += sign * count_in_text(shard, ids, starts, ends, cancel)
        if self._ends is not None:
            separators = np.cumsum(np.concatenate([[0], ids == self.separator]))
            for number in np.flatnonzero(separators[ends] > separators[starts]).tolist():
                totals[number] = self.find(ids[starts[number] : ends[number]]).count
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

    def token_places(self, number: int, positions: NDArray[np.int64]) -> Places:
        """Document and offset of the tokens stored at these positions of shard `number`.

        Raises DamagedIndexError for a position that is not within a document.
        """
        shard = self.shards[number]
        documents = shard.documents_of(positions)
        starts, ends = shard.bounds(documents)
        offsets = ends - 1 - positions if shard.reversed_text else positions - starts
        if len(outside := np.flatnonzero((offsets < 0) | (offsets >= ends - starts))):
            raise DamagedIndexError(
                tr(
                    "{table} is wrong: it points to token {position:,} of {text}, which is in no document. Copy the "
                    "index again, or rebuild it.",
                    table=shard.files.table,
                    position=int(positions[outside[0]]),
                    text=shard.files.tokenized.name,
                )
            )
        return Places(documents + int(self._first_document[number]), offsets)

    def by_shard(
        self, documents: NDArray[np.int64]
    ) -> Iterator[tuple[MappedShard, NDArray[np.int64], NDArray[np.int64]]]:
        """(shard, which of the documents are in it, their numbers there) for each shard that has any."""
        which = np.searchsorted(self._first_document, documents, side="right") - 1
        for number in np.unique(which).tolist():
            chosen = np.flatnonzero(which == number)
            yield self.shards[number], chosen, documents[chosen] - int(self._first_document[number])

    def places_of_many(
        self,
        ids: NDArray[np.int64],
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        draw: Callable[[int], NDArray[np.int64]],
        cancel: CancelToken | None = None,
    ) -> tuple[NDArray[np.int64], Places]:
        """Some places of each of the n-grams ids[starts[i]:ends[i]] of one text: the numbers i, and the places.

        draw: ascending numbers of the wanted hits, given their total; see `places`. The n-grams must not contain
        separators. Subtracted folders are not considered. Cost: one search per n-gram, and one pass over the hits.
        """
        ranges = [find_in_text(shard, ids, starts, ends, cancel) for shard in self.shards]
        first = np.stack([low for low, _ in ranges])
        upto = np.cumsum(np.stack([high - low for low, high in ranges]), axis=0)
        drawn = [draw(total) for total in upto[-1].tolist()]
        which = np.repeat(np.arange(len(drawn)), [len(numbers) for numbers in drawn])
        numbers = np.concatenate([np.empty(0, dtype=np.int64), *drawn])
        shard_of = (numbers >= upto[:, which]).sum(axis=0)
        documents, offsets = np.empty_like(numbers), np.empty_like(numbers)
        for shard in np.unique(shard_of).tolist():
            chosen = np.flatnonzero(shard_of == shard)
            before = upto[shard - 1][which[chosen]] if shard else 0
            ranks = first[shard][which[chosen]] + numbers[chosen] - before
            found = self._shard_places(shard, ranks, (ends - starts)[which[chosen]], True)
            documents[chosen], offsets[chosen] = found.documents, found.offsets
        return which, Places(documents, offsets)

    def _shard_places(
        self, number: int, ranks: NDArray[np.int64], length: int | NDArray[np.int64], within: bool
    ) -> Places:
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
        """Which of these documents are subtracted."""
        return np.isin(documents, self.subtraction.left_out)

    def document_numbers(self) -> NDArray[np.int64]:
        """The numbers of all documents that are not subtracted, in order."""
        return np.setdiff1d(np.arange(self.document_slots, dtype=np.int64), self.subtraction.left_out)

    def documents_like(self, number: int) -> list[int]:
        """A document and every other of the same tokens."""
        copies = np.array(Copies(self.shards).of(self.document_tokens(number)), dtype=np.int64)
        found: list[int] = copies[~self.is_left_out(copies)].tolist()
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
            raise QueryError(tr("Document {number:,} has been subtracted and is not shown.", number=number))
        which = int(np.searchsorted(self._first_document, number, side="right")) - 1
        return self.shards[which], number - int(self._first_document[which])

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

    def document_text(self, number: int, first: int = 0, last: int | None = None) -> DecodedText:
        """Text of the tokens [first, last) of a document, with character offsets; what lies outside is cut off."""
        return self.decode(self.document_tokens(number, first, last), begins=first <= 0)

    def decode(self, ids: NDArray[np.int64] | Sequence[int], begins: bool = False) -> DecodedText:
        """Text of some tokens with character offsets; see `explorer.tokens.decode.decode`."""
        return decode(self.tokenizer, np.asarray(ids).tolist(), self.separator, begins)


def _added_up(tokens: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Distinct tokens whose counts sum to more than 0, with the sums; most frequent first, then by id."""
    distinct, which = np.unique(tokens, return_inverse=True)
    totals = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(totals, which, counts)
    order = np.lexsort((distinct, -totals))
    order = order[totals[order] > 0]
    return distinct[order], totals[order]
