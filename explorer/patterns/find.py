"""Where a text pattern occurs: n-grams that hold it, as rank ranges with the byte at which it begins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.corpus.index import Index
from explorer.corpus.shard import MappedShard
from explorer.corpus.tokenizer import TextTokenizer
from explorer.errors import QueryError
from explorer.jobs import CancelToken
from explorer.patterns.automaton import Automaton
from explorer.patterns.charset import OTHER
from explorer.patterns.syntax import Border, Choice, Node, Sequence, expression, literal
from explorer.patterns.vocabulary import UNKNOWN, Vocabulary, last_kind, read_vocabulary
from explorer.words import tr

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
        make = expression if self.match == "regex" else literal
        node = make(self.text, self.ignore_case)
        return Sequence((Border("start"), node, Border("end"))) if self.whole_words else node


def any_of(patterns: tuple[Pattern, ...]) -> Node:
    """The tree of an OR: where several of the patterns begin at one place, it is one occurrence."""
    nodes = tuple(pattern.node() for pattern in patterns)
    return nodes[0] if len(nodes) == 1 else Choice(nodes)


@dataclass(frozen=True)
class Finds:
    """Occurrences in one shard, as int64 arrays of one length.

    firsts, lasts: rank ranges of n-grams. lengths: tokens of each n-gram. skipped: its tokens before the first one of
    the occurrence. offsets: bytes of that token before the occurrence. No occurrence is in two of them.
    """

    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    skipped: NDArray[np.int64]
    offsets: NDArray[np.int64]

    @property
    def count(self) -> int:
        """Number of occurrences."""
        return int((self.lasts - self.firsts).sum())


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
    finder = _finder(index)
    shards = tuple(finder.find(shard, automaton, cancel) for shard in index.shards)
    adjusting = tuple((finder.find(shard, automaton, cancel), sign) for shard, sign in index.adjusting)
    return TextMatches(patterns, shards, adjusting)


_finders: WeakKeyDictionary[Index, _Finder] = WeakKeyDictionary()


def _finder(index: Index) -> _Finder:
    finder = _finders.get(index)
    if finder is None:
        finder = _finders[index] = _Finder(index.tokenizer)
    return finder


class _Key:
    """A tokenizer that equals every other of the same file."""

    def __init__(self, tokenizer: TextTokenizer) -> None:
        self.tokenizer = tokenizer
        self._identity = tokenizer.fingerprint or tokenizer.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)


@lru_cache(maxsize=4)
def _vocabulary(key: _Key) -> Vocabulary:
    return read_vocabulary(key.tokenizer)


class _Finder:
    """What is computed once for an index: its vocabulary, and the rank range of each token in each shard."""

    def __init__(self, tokenizer: TextTokenizer) -> None:
        self.tokenizer = tokenizer
        self.vocabulary = _vocabulary(_Key(tokenizer))
        self._ranges: dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}

    def ranges(self, shard: MappedShard) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """First ranks, and one past the last, of every token."""
        known = self._ranges.get(id(shard))
        if known is None:
            tokens = np.arange(min(self.vocabulary.tables.token_count, shard.separator), dtype=np.int64)
            # A query of a reversed shard is turned round; here each token is a query of its own.
            query = shard.query_bytes(tokens[::-1] if shard.reversed_text else tokens)
            with shard.guarded() as engine:
                known = engine.find_many(query, tokens, tokens + 1)
            missing = np.zeros(self.vocabulary.tables.token_count - len(tokens), dtype=np.int64)
            known = (np.concatenate([known[0], missing]), np.concatenate([known[1], missing]))
            self._ranges[id(shard)] = known
        return known

    def find(self, shard: MappedShard, automaton: Automaton, cancel: CancelToken | None) -> Finds:
        """The occurrences in one shard."""
        if cancel is not None:
            cancel.check()
        begins = self.vocabulary.tables.beginnings(automaton)
        # One walk serves every place in a token that leaves the automaton in the same state.
        walks, which = np.unique(begins[:, [0, 2]], axis=0, return_inverse=True)
        which = which.reshape(-1)
        firsts, lasts = (ranks[walks[:, 0]] for ranks in self.ranges(shard))
        tokens, states = walks[:, 0].astype(np.int64), np.ascontiguousarray(walks[:, 1])
        with shard.guarded() as engine:
            make = _fastsa.ReversedWalk if shard.reversed_text else _fastsa.Walk
            walk = make(engine, self.vocabulary.tables, automaton, shard.separator)
            try:
                found = walk.run(tokens, firsts, lasts, states, cancel.flag if cancel else None)
            except _fastsa.TooBroad as error:
                raise QueryError(
                    tr("This pattern is too broad: millions of different n-grams hold it. Say more of it.")
                ) from error
        return self._expand(shard, begins, which, found, cancel)

    def _expand(
        self,
        shard: MappedShard,
        begins: NDArray[np.int32],
        which: NDArray[np.intp],
        found: NDArray[np.int64],
        cancel: CancelToken | None,
    ) -> Finds:
        """Finds of all beginnings, from those of the walks that they share."""
        order = np.argsort(which, kind="stable")
        sizes = np.bincount(which)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        repeats = sizes[found[:, 0]]
        rows = np.repeat(np.arange(len(found)), repeats)
        nth = np.arange(len(rows)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
        begin = order[starts[found[rows, 0]] + nth]
        needs = begins[begin, 3]
        plain = needs == 0
        parts = [_finds(found[rows[plain]], begins[begin[plain], 1])]
        for row, offset, need in zip(*(a[~plain].tolist() for a in (rows, begins[begin, 1], needs)), strict=True):
            if cancel is not None:
                cancel.check()
            parts.append(self._preceded(shard, found[row], offset, need))
        return _join(parts)

    def _preceded(self, shard: MappedShard, find: NDArray[np.int64], offset: int, need: int) -> Finds:
        """Those occurrences of an n-gram before which a character of one of the kinds in `need` is."""
        _, first, last, length = find.tolist()
        ranks = np.arange(first, last, dtype=np.int64)
        with shard.guarded() as engine:
            positions = engine.positions(ranks)
        kinds = self._kinds_before(shard, positions, length, offset)
        kept = ranks[(need >> kinds & 1).astype(np.bool_)]
        zeros = np.zeros(len(kept), dtype=np.int64)
        return Finds(kept, kept + 1, zeros + length, zeros, zeros + offset)

    def _kinds_before(
        self, shard: MappedShard, positions: NDArray[np.int64], length: int, offset: int
    ) -> NDArray[np.int64]:
        """Kind of the character before each occurrence, which begins `offset` bytes into an n-gram's first token."""
        tokens = _tokens_before(shard, positions, length)
        known = np.append(self.vocabulary.last_kinds, OTHER)
        kinds = known[np.minimum(tokens[:, 0], len(known) - 1)].astype(np.int64)
        unclear = np.arange(len(kinds)) if offset else np.flatnonzero(kinds == UNKNOWN)
        if len(unclear):
            first = positions[unclear] + (length - 1 if shard.reversed_text else 0)
            rows = np.column_stack([shard.tokens[first].astype(np.int64), tokens[unclear]])
            distinct, which = np.unique(rows, axis=0, return_inverse=True)
            found = np.array([self._decoded_kind(row.tolist(), offset, shard.separator) for row in distinct])
            kinds[unclear] = found[which.reshape(-1)]
        return kinds

    def _decoded_kind(self, row: list[int], offset: int, separator: int) -> int:
        """Kind of the character before `offset` bytes of a token, from its bytes and those of the tokens before it."""
        data = self.tokenizer.token_bytes(row[0])[:offset]
        for token in row[1:]:
            if token == separator:
                break
            data = self.tokenizer.token_bytes(token) + data
        return last_kind(data)


_CHARACTER = 4
"""Bytes of the longest character, so that as many tokens before a place hold the one before it."""


def _tokens_before(shard: MappedShard, positions: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """The tokens before each occurrence of an n-gram, nearest first; at a document's beginning the separator."""
    back = np.arange(1, _CHARACTER + 1)
    steps = length - 1 + back if shard.reversed_text else -back
    places = positions[:, None] + steps
    inside = (places >= 0) & (places < len(shard.tokens))
    tokens: NDArray[np.int64] = shard.tokens[np.where(inside, places, 0)].astype(np.int64)
    tokens[~inside] = shard.separator
    return tokens


def _finds(found: NDArray[np.int64], offsets: NDArray[np.int32]) -> Finds:
    return Finds(found[:, 1], found[:, 2], found[:, 3], np.zeros(len(found), dtype=np.int64), offsets.astype(np.int64))


def _join(parts: list[Finds]) -> Finds:
    names = ("firsts", "lasts", "lengths", "skipped", "offsets")
    return Finds(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))
