"""Where a text pattern occurs: n-grams that hold it, as rank ranges with the byte at which it begins."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.backends.local.patterns.text_finder import Finder
from explorer.backends.local.patterns.text_ranges import Finds
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.protocol.protocol import TextMatches
from explorer.core.jobs import CancelToken
from explorer.text.patterns.automaton import Automaton
from explorer.text.patterns.pattern import Pattern, any_of
from explorer.text.tokens.tokenizer import TextTokenizer


@dataclass(frozen=True)
class ShardTextMatches(TextMatches):
    """Occurrences of patterns, by shard; adjusting: those to subtract (-1) and to add again (1)."""

    shards: tuple[Finds, ...] = ()
    adjusting: tuple[tuple[Finds, int], ...] = ()


class TextFinder:
    """Finds text patterns in some shards; what the first search computes is kept for the others."""

    def __init__(self, shards: ShardSet) -> None:
        self._shards = shards
        self._finder: Finder | None = None

    def find(
        self, tokenizer: TextTokenizer, patterns: tuple[Pattern, ...], cancel: CancelToken | None = None
    ) -> ShardTextMatches:
        """Find all occurrences of a pattern, or of any of several.

        Raises `QueryError` if a pattern is not understood, or is too broad.

        Notes
        -----
        The cost grows with the vocabulary and with the n-grams that contain the pattern, hardly with the corpus.
        """
        # One automaton for all patterns: a place that several of them match is one occurrence.
        automaton = Automaton(any_of(patterns))
        # Two threads may make it at once; both are right, and the later one stays.
        finder = self._finder = self._finder or Finder(tokenizer)
        search = finder.search(automaton, cancel)
        # The beginnings within tokens do not depend on the shard: `search` finds them once.
        shards = tuple(search.find(shard) for shard in self._shards.shards)
        adjusting = tuple((search.find(shard), sign) for shard, sign in self._shards.adjusting)
        count = sum(finds.count for finds in shards) + sum(sign * finds.count for finds, sign in adjusting)
        return ShardTextMatches(patterns, count, shards, adjusting)
