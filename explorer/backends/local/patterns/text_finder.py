"""An automaton in one shard: where in tokens it begins, the walk from there, and what precedes."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.backends.local.patterns.text_preceding import Ngrams, Preceding, Ranges, read_ranges
from explorer.backends.local.patterns.text_ranges import Finds, chosen, join
from explorer.core.jobs import CancelToken
from explorer.index.guard import too_broad
from explorer.index.shard import MappedShard
from explorer.text.patterns.automaton import Automaton
from explorer.text.patterns.vocabulary import Vocabulary, read_vocabulary
from explorer.text.tokens.tokenizer import TextTokenizer

MOST_NGRAMS = 1 << 22
MOST_LOOKS = 1 << 23
"""The most n-grams of a pattern in a shard, and the most looks into its table: some two seconds."""


class _Key:
    """A tokenizer that equals every other of the same file."""

    def __init__(self, tokenizer: TextTokenizer) -> None:
        self.tokenizer = tokenizer
        # Raw bytes have no file, and so no fingerprint.
        self._identity = tokenizer.fingerprint or tokenizer.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)


_reading = threading.Lock()


# The tables take 0.1 s per 32,000 tokens, and are the same for every index with that tokenizer. The cache holds the
# tokenizer with its key, so only a few are kept.
@lru_cache(maxsize=4)
def _read(key: _Key) -> Vocabulary:
    return read_vocabulary(key.tokenizer)


def _vocabulary(tokenizer: TextTokenizer) -> Vocabulary:
    # The first searches of an index come together: one reads the tables, the others wait for them.
    with _reading:
        return _read(_Key(tokenizer))


class Finder:
    """What is computed once for an index: its vocabulary, and the rank range of each token in each shard."""

    def __init__(self, tokenizer: TextTokenizer) -> None:
        self.tokenizer = tokenizer
        self.vocabulary = _vocabulary(tokenizer)
        self._ranges: WeakKeyDictionary[MappedShard, Ranges] = WeakKeyDictionary()

    def ranges(self, shard: MappedShard, cancel: CancelToken | None = None) -> Ranges:
        """Give the ranks of every token in a shard; they are looked up once."""
        known = self._ranges.get(shard)
        if known is None:
            # Two threads may look them up at the same time; both find the same.
            known = self._ranges[shard] = read_ranges(shard, self.vocabulary.tables.token_count, cancel)
        return known

    def search(self, automaton: Automaton, cancel: CancelToken | None = None) -> Search:
        """Prepare the search for a pattern.

        Returns: A search that can be run in any of the shards.
        """
        return Search(self, automaton, cancel)


@dataclass(frozen=True)
class _Begins:
    """Where in a token a match can begin, as arrays of one length: see `_fastsa.Vocabulary.beginnings`.

    One walk serves every place in a token that leaves the automaton in the same state; walks: which one it is.
    walk_tokens, walk_states: what each walk begins with.
    """

    tokens: NDArray[np.int64]
    offsets: NDArray[np.int64]
    needs: NDArray[np.int64]
    walks: NDArray[np.int64]
    walk_tokens: NDArray[np.int64]
    walk_states: NDArray[np.int32]


def _begins(rows: NDArray[np.int32]) -> _Begins:
    tokens, offsets, states, needs = rows.astype(np.int64).T
    # Token and state as one number. Two is added because a state may be negative, as MATCH is.
    keys, walks = np.unique(tokens << 32 | states + 2, return_inverse=True)
    walk_states = ((keys & 0xFFFFFFFF) - 2).astype(np.int32)
    return _Begins(tokens, offsets, needs, walks.reshape(-1), keys >> 32, walk_states)


class Search:
    """One pattern, in any of an index's shards."""

    def __init__(self, finder: Finder, automaton: Automaton, cancel: CancelToken | None) -> None:
        self.finder = finder
        self.automaton = automaton
        self.cancel = cancel
        self._flag = cancel.flag if cancel else None
        self._places: _Begins | None = None

    def _begins(self) -> _Begins:
        if self._places is None:
            self._places = _begins(self.finder.vocabulary.tables.beginnings(self.automaton, self._flag))
        return self._places

    def find(self, shard: MappedShard) -> Finds:
        """The occurrences in one shard."""
        if self.cancel is not None:
            self.cancel.check()
        with shard.guarded() as engine:
            begins = self._begins()
            ranges = self.finder.ranges(shard, self.cancel)
            found = self._walk(shard, engine, begins, ranges)
        # Columns of `found`: the walk, first rank, one past the last rank, and tokens of the n-gram.
        row, begin = _expanded(begins, found[:, 0])
        firsts, lasts, lengths = found[row, 1], found[row, 2], found[row, 3]
        finds = Finds(firsts, lasts, lengths, np.zeros_like(row), begins.offsets[begin])
        texts, prefixes = self._prefixes(begins, begin)
        preceding = Preceding(shard, self.finder.tokenizer, self.finder.vocabulary, ranges, texts, self.cancel)
        return join(list(self._parts(preceding, finds, begins.tokens[begin], begins.needs[begin], prefixes)))

    def _walk(self, shard: MappedShard, engine: _fastsa.Shard, begins: _Begins, ranges: Ranges) -> NDArray[np.int64]:
        make = _fastsa.ReversedWalk if shard.reversed_text else _fastsa.Walk
        tables = self.finder.vocabulary.tables
        walk = make(engine, tables, self.automaton, shard.separator, MOST_NGRAMS, MOST_LOOKS)
        firsts, lasts = ranges.firsts[begins.walk_tokens], ranges.lasts[begins.walk_tokens]
        try:
            return walk.run(begins.walk_tokens, firsts, lasts, begins.walk_states, self._flag)
        except _fastsa.TooBroad as error:
            raise too_broad(error) from error

    def _prefixes(self, begins: _Begins, begin: NDArray[np.int64]) -> tuple[list[bytes], NDArray[np.int64]]:
        """What of its first token is before each find whose beginning needs to know, and which of these it is."""
        keys = np.where(begins.needs[begin] > 0, begins.tokens[begin] << 24 | begins.offsets[begin], 0)
        # Key 0 is the empty prefix, which is always in the list and comes first.
        keys[begins.offsets[begin] == 0] = 0
        distinct, which = np.unique(np.append(keys, 0), return_inverse=True)
        texts = [self.finder.tokenizer.token_bytes(key >> 24)[: key & 0xFFFFFF] for key in distinct.tolist()]
        return texts, which.reshape(-1)[:-1].astype(np.int64)

    def _parts(
        self,
        preceding: Preceding,
        finds: Finds,
        tokens: NDArray[np.int64],
        needs: NDArray[np.int64],
        prefixes: NDArray[np.int64],
    ) -> list[Finds]:
        """Those finds that hold whatever precedes, and those of the others that hold with what does."""
        # Some tokenizers put a space before every document. A match that begins with it is not in the text.
        spaced = self.finder.vocabulary.spaced[tokens] & (finds.offsets == 0) & self.finder.tokenizer.adds_space
        plain = needs == 0
        doubtful = chosen(finds, plain & spaced)
        some = chosen(finds, ~plain)
        ngrams = Ngrams(
            some.firsts, some.lasts, some.lengths, some.skipped, some.offsets,
            needs[~plain], prefixes[~plain], spaced[~plain],
        )  # fmt: skip
        sure = chosen(finds, plain, preceding.artificial(tokens[plain & spaced], doubtful))
        return [sure, *preceding.kept(ngrams)]


def _expanded(begins: _Begins, groups: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Finds of all beginnings, from those of the walks that they share: pairs of find and beginning."""
    order = np.argsort(begins.walks, kind="stable")
    sizes = np.bincount(begins.walks, minlength=1)
    starts = np.cumsum(sizes) - sizes
    repeats = sizes[groups]
    rows = np.repeat(np.arange(len(groups)), repeats)
    nth = np.arange(len(rows)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    return rows, order[starts[groups[rows]] + nth]
