"""Where a text pattern occurs: n-grams that hold it, as rank ranges with the byte at which it begins."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from explorer.backends.shards import Index
from explorer.backends.text_finder import Finder
from explorer.backends.text_ranges import Finds
from explorer.jobs import CancelToken
from explorer.patterns.automaton import Automaton
from explorer.patterns.pattern import Pattern, any_of


@dataclass(frozen=True)
class TextMatches:
    """Occurrences of patterns, by shard; adjusting: those to subtract (-1) and to add again (1) with `minus`."""

    patterns: tuple[Pattern, ...]
    shards: tuple[Finds, ...]
    adjusting: tuple[tuple[Finds, int], ...]

    @property
    def count(self) -> int:
        """Number of occurrences."""
        return sum(finds.count for finds in self.shards) + sum(sign * finds.count for finds, sign in self.adjusting)


def find_text(index: Index, *patterns: Pattern, cancel: CancelToken | None = None) -> TextMatches:
    """All occurrences of a pattern, or of any of several.

    Raises QueryError for a pattern that cannot be looked for, or is too broad.
    Cost: grows with the vocabulary and with the n-grams that hold the pattern, hardly with the corpus.
    """
    automaton = Automaton(any_of(patterns))
    search = _finder(index).search(automaton, cancel)
    shards = tuple(search.find(shard) for shard in index.shards)
    adjusting = tuple((search.find(shard), sign) for shard, sign in index.adjusting)
    return TextMatches(patterns, shards, adjusting)


_finders: WeakKeyDictionary[Index, Finder] = WeakKeyDictionary()


def _finder(index: Index) -> Finder:
    finder = _finders.get(index)
    if finder is None:
        finder = _finders[index] = Finder(index.tokenizer)
    return finder
