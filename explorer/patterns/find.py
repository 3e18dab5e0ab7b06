"""Where a text pattern occurs: n-grams that hold it, as rank ranges with the byte at which it begins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

from explorer.backends.shards import Index
from explorer.errors import QueryError
from explorer.i18n import tr
from explorer.jobs import CancelToken
from explorer.patterns.automaton import Automaton
from explorer.patterns.finder import Finder
from explorer.patterns.finds import Finds
from explorer.patterns.syntax import Border, Choice, Node, Sequence, expression, literal

__all__ = ["LONGEST", "Finds", "Match", "Pattern", "TextMatches", "any_of", "find_text"]

Match = Literal["text", "regex"]
LONGEST = 2_000
"""Characters of a pattern."""


@dataclass(frozen=True)
class Pattern:
    """What is looked for. match: "text" (every character is itself) or "regex".

    ignore_case: characters that differ in case only are equal (simple folding, one to one). whole_words: no letter,
    mark, digit or connector before or after, unless its neighbor is of a script that is written without spaces.
    """

    text: str
    match: Match = "text"
    ignore_case: bool = False
    whole_words: bool = False

    def node(self) -> Node:
        """The tree of the pattern; raises QueryError for one that cannot be looked for."""
        if not self.text:
            raise QueryError(tr("The query is empty. Type a word or a phrase."))
        if len(self.text) > LONGEST:
            raise QueryError(
                tr("This pattern has {size:,} characters. The most is {most:,}.", size=len(self.text), most=LONGEST)
            )
        if wrong := re.search("[\ud800-\udfff]", self.text):
            raise QueryError(
                tr(
                    "Character {at:,} of this pattern is half of one (a lone surrogate): no text holds it. Delete it.",
                    at=wrong.start() + 1,
                )
            )
        make = expression if self.match == "regex" else literal
        node = make(self.text, self.ignore_case)
        return Sequence((Border("start"), node, Border("end"))) if self.whole_words else node


def any_of(patterns: tuple[Pattern, ...]) -> Node:
    """The tree of an OR: where several of the patterns begin at one place, it is one occurrence."""
    nodes = tuple(pattern.node() for pattern in patterns)
    return nodes[0] if len(nodes) == 1 else Choice(nodes)


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
