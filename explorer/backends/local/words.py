"""Words around hits, and what hits have around them, for sorting and for merging lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.places import Located
from explorer.backends.protocol.hit_questions import CASE_BITS
from explorer.core.jobs import CancelToken
from explorer.index.shard import MappedShard
from explorer.text.collation import collation_levels
from explorer.text.segments import classes
from explorer.text.tokens.tokenizer import TextTokenizer

_AT_ONCE = 1 << 16
"""Hits that are read between two looks at the cancel flag."""
_MATCH = 0
_NO_WORD = 0xFFFFFFFF
_FIRST_LETTERS = 2
_STEPS = 1 << 12


@dataclass(frozen=True)
class _Bounds:
    """Stored positions around hits: document's first token, hit's first, one past the hit's and the document's last.

    begins, rests: as in `Located`.
    """

    first: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    last: NDArray[np.int64]
    begins: NDArray[np.int64]
    rests: NDArray[np.int64]


def word_ranks(
    shards: ShardSet, tokenizer: TextTokenizer, located: Located, number: int, cancel: CancelToken | None = None
) -> NDArray[np.int64]:
    """Rank hits by a word next to them. What is left of a word that a match cuts is a word.

    number: The word: 1 is the first right of the match, -1 the first left of it, 0 the match itself.
    Returns: One rank per hit, equal for equal words, int64: see `HitQuestions.word_ranks`.
    """
    # A seed of its own for each run, as for an index of words.
    near = _fastsa.WordsNear(tokenizer.pieces, classes(), int.from_bytes(os.urandom(8), "little"))
    flag = cancel.flag if cancel else None

    def find(shard: MappedShard, at: _Bounds) -> NDArray[np.uint32]:
        # The engine walks over stored tokens; only their direction differs in a reversed shard.
        run = _run(shard.reversed_text, number, at)
        parts = at.rests if number > _MATCH else at.begins
        # Hits that begin and end with a token need no byte counts.
        whole = not (at.rests.any() or at.begins.any())
        with shard.guarded() as engine:
            return near.find(engine, *run, number, flag, *(() if whole else (parts, at.rests)))

    found = _by_shard(shards, located, find, (len(located),), np.dtype(np.uint32))
    data, begins, _ = near.spellings()
    raw = data.tobytes()
    # A match or a word may be cut at any byte.
    spellings = [raw[start:end].decode("utf-8", "replace") for start, end in pairwise(begins.tolist())]
    # One entry more, for hits without such a word: they come first.
    ranks = np.append(ranks_of(spellings, cancel), 0)
    return ranks[np.where(found == _NO_WORD, len(spellings), found)]


def ranks_of(spellings: Sequence[str], cancel: CancelToken | None = None) -> NDArray[np.int64]:
    """Rank words as a reader expects them to be sorted.

    Returns: A rank of each, from 2^32 on: the upper 32 bits by letters and marks, the lower ones by case.
    """
    keys: dict[str, list[tuple[str, str, int]]] = {}
    for number, spelling in enumerate(spellings):
        if cancel is not None and not number % _STEPS:
            cancel.check()
        letters, marks, case = collation_levels(spelling)
        key = f"{letters}\0{marks}"
        # By their first letters first: one sort of a million words would hold up the interface thread.
        keys.setdefault(key[:_FIRST_LETTERS], []).append((key, f"{case}\0{spelling}", number))
    ranks = np.zeros(len(spellings), dtype=np.int64)
    last, group, within = None, 0, 0
    for first in sorted(keys):
        if cancel is not None:
            cancel.check()
        for key, _, number in sorted(keys[first]):
            group, within = (group, within + 1) if key == last else (group + 1, 0)
            last = key
            ranks[number] = group << CASE_BITS | within
    return ranks


def _run(reversed_text: bool, number: int, at: _Bounds) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """(first token, where to stop, step) in stored order of what is on the wanted side of the hits.

    A token that a match cuts belongs to both.
    """
    if number == _MATCH:
        return (at.end - 1, at.start - 1, -1) if reversed_text else (at.start, at.end, 1)
    cut = (at.rests if number > _MATCH else at.begins) > 0
    if (number > 0) != reversed_text:
        return at.end - cut, at.last, 1
    return at.start - 1 + cut, at.first - 1, -1


def surroundings(
    shards: ShardSet, located: Located, width: int, cancel: CancelToken | None = None
) -> NDArray[np.uint64]:
    """Hash the tokens around hits: lines that read alike have equal hashes.

    Returns: One hash per hit, uint64.
    """
    flag = cancel.flag if cancel else None

    def hashes(shard: MappedShard, at: _Bounds) -> NDArray[np.uint64]:
        low, high = np.maximum(at.first, at.start - width), np.minimum(at.last, at.end + width)
        # Where the match is within its surroundings is part of the hash: equal tokens around another match are another
        # line.
        places = (at.start - low) << 32 | (at.end - at.start)
        with shard.guarded() as engine:
            return _fastsa.run_hashes(engine, low, high, places ^ at.begins << 48 ^ at.rests << 56, flag)

    result: NDArray[np.uint64] = _by_shard(shards, located, hashes, (len(located),), np.dtype(np.uint64))
    return result


_Work = Callable[[MappedShard, _Bounds], NDArray[Any]]


def _by_shard(
    shards: ShardSet, located: Located, work: _Work, shape: tuple[int, ...], kind: np.dtype[Any]
) -> NDArray[Any]:
    """Results of `work` for the hits of each shard."""
    result = np.zeros(shape, dtype=kind)
    # By parts, so that no single step is long: others want to run in between.
    for begin in range(0, len(located), _AT_ONCE):
        part, out = located[begin : begin + _AT_ONCE], result[begin : begin + _AT_ONCE]
        for shard, chosen, local in shards.by_shard(part.documents):
            first, last = shard.bounds(local)
            offsets, lengths = part.offsets[chosen], part.lengths[chosen]
            # In stored positions a reversed hit begins with its last token.
            start = last - offsets - lengths if shard.reversed_text else first + offsets
            # Never beyond the document, as a hit with a separator would be.
            end = np.minimum(start + lengths, last)
            begins, rests = part.begins[chosen], part.rests[chosen]
            out[chosen] = work(shard, _Bounds(first, np.maximum(start, first), end, last, begins, rests))
    return result
