"""The hits of n-grams and text patterns in some shards: where they are, and what is around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.local import words
from explorer.backends.local.counting import ShardCounts, ShardMatches
from explorer.backends.local.cuts import Cutter
from explorer.backends.local.occurrences import NgramOccurrences, some_places
from explorer.backends.local.patterns.text import ShardTextMatches, TextFinder
from explorer.backends.local.patterns.text_places import TextOccurrences
from explorer.backends.local.reading import ShardDocuments
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.ngrams import distinct_parts
from explorer.backends.places import Located, Places
from explorer.backends.protocol.protocol import Cut, Ids, Matches, Numbers, Occurrences, Part, TextMatches
from explorer.core.jobs import CancelToken
from explorer.text.patterns.pattern import Pattern
from explorer.text.tokens.tokenizer import TextTokenizer


class ShardHits:
    """Hits in some shards; the questions of `explorer.backends.protocol.protocol.HitQuestions`, which describes them.

    tokenizer: returns the tokenizer, or raises TokenizerError where none is known.
    """

    def __init__(
        self, shards: ShardSet, counts: ShardCounts, documents: ShardDocuments, tokenizer: Callable[[], TextTokenizer]
    ) -> None:
        self._shards = shards
        self._counts = counts
        self._documents = documents
        self._tokenizer = tokenizer
        # Made once: its tables of the vocabulary serve every later search.
        self._text_finder = TextFinder(shards)

    def find(self, ids: Ids) -> ShardMatches:
        """An n-gram's occurrences as rank ranges; the empty one occurs at every token."""
        return self._counts.find(ids)

    def find_text(self, *patterns: Pattern, cancel: CancelToken | None = None) -> ShardTextMatches:
        """Occurrences of any of some patterns as rank ranges."""
        return self._text_finder.find(self._tokenizer(), patterns, cancel)

    def occurrences(self, parts: Sequence[Part]) -> Occurrences:
        """See `HitQuestions.occurrences`; raises ValueError for several text patterns, which `find_text` makes one."""
        patterns = [part for part in parts if isinstance(part, TextMatches)]
        if patterns and len(parts) > 1:
            raise ValueError("several text patterns are one: see `find_text`")
        if patterns:
            return TextOccurrences(self._shards, self._documents, self._tokenizer(), self._own_text(patterns[0]))
        # Otherwise a place would have two hit numbers.
        ngrams = distinct_parts([part for part in parts if isinstance(part, Matches)])
        return NgramOccurrences(self._shards, [self._own(ngram) for ngram in ngrams])

    def _own(self, ngram: Matches) -> ShardMatches:
        """The n-gram with its rank ranges; one that another backend found is looked up here."""
        return ngram if isinstance(ngram, ShardMatches) else self.find(ngram.ids)

    def _own_text(self, matches: TextMatches) -> ShardTextMatches:
        return matches if isinstance(matches, ShardTextMatches) else self.find_text(*matches.patterns)

    def some_places(
        self, ids: Numbers, starts: Numbers, ends: Numbers, most: int, seed: int, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Places]:
        """At most `most` places of each n-gram ids[starts[i]:ends[i]] of a text, drawn with the seed."""
        return some_places(self._shards, (ids, starts, ends), most, seed, cancel)

    def near(
        self, places: Places, ngrams: Sequence[Sequence[int]], distance: int, cancel: CancelToken | None = None
    ) -> NDArray[np.bool_]:
        """Which places have one of the n-grams within `distance` tokens (between beginnings) in their document."""
        result = np.zeros(len(places), dtype=np.bool_)
        for shard, chosen, documents in self._shards.by_shard(places.documents):
            result[chosen] = shard.near(documents, places.offsets[chosen], ngrams, distance, cancel)
        return result

    def word_ranks(self, located: Located, number: int, cancel: CancelToken | None = None) -> Numbers:
        """Rank, among these measured hits, of the word `number` places right of the match (negative: left; 0: it)."""
        return words.word_ranks(self._shards, self._tokenizer(), located, number, cancel)

    def surroundings(self, located: Located, width: int, cancel: CancelToken | None = None) -> NDArray[np.uint64]:
        """A hash of each measured hit with `width` tokens on both sides: equal for lines that read alike."""
        return words.surroundings(self._shards, located, width, cancel)

    def cuts(self, matches: TextMatches, cancel: CancelToken | None = None) -> tuple[Cut, ...]:
        """How occurrences of one literal text were split into tokens, most frequent first."""
        return Cutter(self._shards, self._counts, self._tokenizer()).cuts(self._own_text(matches), cancel)
