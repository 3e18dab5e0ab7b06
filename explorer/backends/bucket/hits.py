"""Where n-grams occur in an index folder elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.bucket.counts import FarCounts
from explorer.backends.bucket.documents import FarDocuments
from explorer.backends.bucket.shards import FarShards
from explorer.backends.defaults.ranked import Rank, RankedHits, RankedMatches, RankedOccurrences, parts_of, ranks_of
from explorer.backends.ngrams import occurs_in
from explorer.backends.places import Located, Places, drawn
from explorer.backends.protocol.protocol import Capabilities, Ids, Matches, Numbers, Part
from explorer.core.jobs import CancelToken
from explorer.errors import DamagedIndexError
from explorer.i18n import mark


class FarHits(RankedHits):
    """Answers `explorer.backends.protocol.protocol.HitQuestions`.

    counts: Finds n-grams in them.
    documents: Reads the text around hits.
    capabilities: What is missing, and why.
    """

    def __init__(
        self, shards: FarShards, counts: FarCounts, documents: FarDocuments, capabilities: Capabilities
    ) -> None:
        super().__init__(capabilities)
        self._shards, self._counts, self._documents = shards, counts, documents

    def find(self, ids: Ids) -> RankedMatches:
        """An n-gram's occurrences; the empty one occurs at every token."""
        return self._found([self._counts.check_ids(ids, allow_empty=True)])[0]

    def _found(self, ngrams: Sequence[Numbers], cancel: CancelToken | None = None) -> list[RankedMatches]:
        spans = self._counts.spans_of(ngrams, cancel)
        return [
            RankedMatches(tuple(ids.tolist()), sum(last - first for first, last in each), tuple(each))
            for ids, each in zip(ngrams, spans, strict=True)
        ]

    def occurrences(self, parts: Sequence[Part]) -> FarOccurrences:
        """The hits of n-grams; one that extends another adds none.

        Raises `CapabilityError` if a part is a text pattern.
        """
        return FarOccurrences(self, self.ranked(parts))

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        """Some places of each of many n-grams of one text."""
        parts = parts_of(ids, starts, ends)
        found = self._found(parts, cancel)
        chosen = [drawn(match.count, most, seed).tolist() for match in found]
        which = [number for number, some in enumerate(chosen) for _ in some]
        ranks = [rank for match, some in zip(found, chosen, strict=True) for rank in ranks_of(match.ranges, some)]
        places = self.places(ranks, [len(parts[number]) for number in which], [True] * len(which), cancel)
        return np.array(which, dtype=np.int64), places

    def places(
        self, ranks: Sequence[Rank], lengths: Sequence[int], within: Sequence[bool], cancel: CancelToken | None = None
    ) -> Places:
        """Find where some ranks are.

        lengths: Tokens of the n-gram at each.
        within: Whether it must be within one document.
        Raises `DamagedIndexError` if one must be within a document and is not.
        """
        shards, width = self._shards, self._shards.token_width
        pointers = shards.pointers(ranks, cancel)
        places = [(shard, at) for (shard, _), at in zip(ranks, pointers, strict=True)]
        numbers = shards.documents_at(places, cancel)
        documents = [(shard, number) for (shard, _), number in zip(places, numbers, strict=True)]
        offsets = []
        bounds = shards.bounds(documents, cancel)
        for (shard, rank), at, length, inside, (start, end) in zip(
            ranks, pointers, lengths, within, bounds, strict=True
        ):
            # A reversed document is stored from its last token to its first.
            offset = (end - at) // width - length if shards.reversed_text else (at - start) // width
            if inside and (offset < 0 or offset + length > (end - start) // width):
                raise self._across(shard, rank)
            offsets.append(offset)
        return Places(
            np.array([shards.firsts[shard] + number for shard, number in documents], dtype=np.int64),
            np.array(offsets, dtype=np.int64),
        )

    def is_within(self, match: Matches) -> bool:
        """Whether each occurrence is within one document: the empty n-gram and separators need not be."""
        return bool(match.ids) and self._shards.separator not in match.ids

    def _across(self, number: int, rank: int) -> DamagedIndexError:
        shard = self._shards.shards[number]
        return DamagedIndexError(
            mark("{path} is wrong at entry {entry:,} (byte {byte:,}): it points across the end of a document."),
            reason="entry-across-documents",
            path=self._shards.path(shard, "table"),
            entry=rank,
            byte=rank * shard.widths.pointer,
        )

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        """Which places have one of some n-grams nearby, by the text around them."""
        longest = max((len(ngram) for ngram in ngrams), default=0)
        firsts = np.maximum(places.offsets - distance, 0)
        ends = places.offsets + distance
        windows = self._documents.windows(places.documents, firsts, ends + longest, cancel)
        begins = (ends - firsts).tolist()
        found = [
            any(occurs_in(window.tolist(), list(ngram), most) for ngram in ngrams)
            for window, most in zip(windows, begins, strict=True)
        ]
        return np.array(found, dtype=np.bool_)


class FarOccurrences(RankedOccurrences):
    """The hits of some n-grams."""

    def __init__(self, hits: FarHits, parts: Sequence[RankedMatches]) -> None:
        super().__init__(parts)
        self._hits = hits

    def locate(self, numbers: Numbers) -> Located:
        """Where some hits are: some rounds for all of them together."""
        parts, ranks = self.chosen(numbers)
        lengths = [part.length for part in parts]
        within = [self._hits.is_within(part) for part in parts]
        places = self._hits.places(ranks, [max(1, length) for length in lengths], within)
        return Located.of_tokens(places.documents, places.offsets, np.array(lengths, dtype=np.int64))
