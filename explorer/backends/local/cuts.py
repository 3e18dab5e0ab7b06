"""How the tokenizer split the occurrences of a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from explorer.backends.local.counting import ShardCounts
from explorer.backends.local.patterns.text import ShardTextMatches
from explorer.backends.local.patterns.text_places import text_size
from explorer.backends.local.patterns.text_ranges import Finds
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.protocol.protocol import Cut
from explorer.core.jobs import CancelToken
from explorer.index.shard import MappedShard
from explorer.text.patterns.pattern import Pattern
from explorer.text.tokens.tokenizer import TextTokenizer

_Key = tuple[tuple[int, ...], int]


class Cutter:
    """Answers `explorer.backends.protocol.protocol.HitQuestions.cuts` for some shards."""

    def __init__(self, shards: ShardSet, counts: ShardCounts, tokenizer: TextTokenizer) -> None:
        self._shards = shards
        self._counts = counts
        self._tokenizer = tokenizer

    def cuts(self, matches: ShardTextMatches, cancel: CancelToken | None = None) -> tuple[Cut, ...]:
        """The cuts of a literal text's occurrences, most frequent first."""
        pattern = matches.patterns[0]
        counts: dict[_Key, int] = {}
        every = (*((found, 1) for found in matches.shards), *matches.adjusting)
        for shard, (found, sign) in zip(self._shards.every, every, strict=True):
            # Several n-grams may hold the same cut: they differ in the tokens outside of it.
            for cut, count in self._in_shard(shard, found, pattern, cancel):
                counts[cut] = counts.get(cut, 0) + sign * count
        made = [Cut(tokens, begin, count) for (tokens, begin), count in counts.items()]
        if any(found.artificial for found in matches.shards):
            made = [self._without_artificial(cut) for cut in made if cut.count > 0]
        made.sort(key=lambda cut: (-cut.count, cut.tokens, cut.begin))
        return tuple(cut for cut in made if cut.count > 0)

    def _in_shard(
        self, shard: MappedShard, found: Finds, pattern: Pattern, cancel: CancelToken | None
    ) -> Iterator[tuple[_Key, int]]:
        """The tokens, and the begin, of each n-gram in one shard, with its occurrences."""
        there = np.flatnonzero(found.lasts > found.firsts)
        # The first occurrence of each n-gram is enough: all of them have the same tokens.
        positions = shard.positions(np.ascontiguousarray(found.firsts[there]))
        sizes = (found.lasts - found.firsts)[there]
        columns = (positions, found.lengths[there], found.skipped[there], found.offsets[there], sizes)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for number, (position, length, skipped, begin, size) in enumerate(rows):
            if cancel is not None and number % 256 == 0:
                cancel.check()
            stored = shard.stored(position, position + length).tolist()
            tokens = (stored[::-1] if shard.reversed_text else stored)[skipped:]
            yield (self._covering(tokens, begin, pattern), begin), size

    def _covering(self, tokens: list[int], begin: int, pattern: Pattern) -> tuple[int, ...]:
        """The first of these tokens, as many as contain the text that begins with byte `begin`."""
        bytes_of, separator = self._tokenizer.token_bytes, self._shards.separator
        data = b"".join(bytes_of(token) for token in tokens if token != separator)
        left = begin + (text_size(data, separator in tokens, begin, pattern) or len(data) - begin)
        for number, token in enumerate(tokens):
            left -= len(bytes_of(token))
            if left <= 0:
                return tuple(tokens[: number + 1])
        return tuple(tokens)

    def _without_artificial(self, cut: Cut) -> Cut:
        """The cut without occurrences that begin in the space that the tokenizer puts before each text."""
        if cut.begin or not self._tokenizer.token_bytes(cut.tokens[0]).startswith(b" "):
            return cut
        first = self._counts.find((self._shards.separator, *cut.tokens)).count + self._at_ends(cut.tokens)
        return replace(cut, count=cut.count - first)

    def _at_ends(self, tokens: tuple[int, ...]) -> int:
        """Last documents of shards stored backwards that begin with these tokens: no separator is next to them."""
        found, first = 0, 0
        for shard in self._shards.shards:
            numbers = np.arange(first, first + shard.document_count)
            first += shard.document_count
            remaining = np.flatnonzero(~self._shards.is_left_out(numbers))
            if shard.reversed_text and len(remaining):
                # The first tokens of a reversed document are stored last.
                start, end = shard.document_bounds(int(remaining[-1]))
                stored = shard.stored(max(start, end - len(tokens)), end)
                found += tuple(stored[::-1].tolist()) == tokens
        return found
