"""Effective n, probability, agreement and sparsity of every token of a text.

Liu et al., "Infini-gram", 2024, sections 2 and 4: the ∞-gram predicts each token from the longest
suffix of what stands before it that occurs in the corpus; effective n is that suffix's length plus
one. A token agrees where its probability exceeds 0.5, and is sparse where every occurrence of the
suffix is followed by one and the same token.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.longest import find_in_text
from explorer.backends.shards import Ids, Index
from explorer.errors import QueryError
from explorer.i18n import tr
from explorer.index.shard import MappedShard
from explorer.jobs import CancelToken

AGREEMENT_THRESHOLD = 0.5


@dataclass(frozen=True)
class Agreement:
    """One entry a token; token i is predicted from the tokens before it.

    effective_n: 1 + tokens of context used; context_count, continuation_count: occurrences of that
    context, and of it with the token; probability: their ratio; sparse: only one token ever follows.
    """

    effective_n: NDArray[np.int64]
    context_count: NDArray[np.int64]
    continuation_count: NDArray[np.int64]
    probability: NDArray[np.float64]
    sparse: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.effective_n)

    @property
    def agrees(self) -> NDArray[np.bool_]:
        """Tokens whose probability exceeds 0.5."""
        return self.probability > AGREEMENT_THRESHOLD


def agreement(
    index: Index,
    ids: Ids,
    max_n: int | None = None,
    cancel: CancelToken | None = None,
    longest: NDArray[np.int64] | None = None,
) -> Agreement:
    """Agreement of every token of a text; with `max_n`, of an n-gram model with backoff (5: 5-gram).

    longest: the index's longest matches of these tokens, where they are known already. Cost: a few searches a
    token, all in the engine.
    """
    if max_n is not None and max_n < 1:
        raise QueryError(tr("n must be at least 1, not {max_n}.", max_n=max_n))
    array = index.check_ids(ids, allow_empty=True)
    ends = np.arange(len(array), dtype=np.int64)
    starts = context_starts(index.longest_matches(array, cancel) if longest is None else longest)
    if max_n is not None:
        starts = np.maximum(starts, ends - (max_n - 1))
    context = index.count_many(array, starts, ends, cancel)
    continuation = index.count_many(array, starts, ends + 1, cancel)
    return Agreement(
        effective_n=ends - starts + 1,
        context_count=context,
        continuation_count=continuation,
        probability=continuation / np.maximum(1, context),
        sparse=_sparse(index, array, starts, context, continuation, cancel),
    )


def context_starts(longest: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each token i, the first s for which the n-gram [s, i) occurs, given the longest matches.

    The end s + longest[s] never falls as s grows, since a part of what occurs occurs.
    """
    positions = np.arange(len(longest), dtype=np.int64)
    return np.searchsorted(positions + longest, positions, side="left").astype(np.int64)


def _sparse(
    index: Index,
    ids: NDArray[np.int64],
    starts: NDArray[np.int64],
    context: NDArray[np.int64],
    continuation: NDArray[np.int64],
    cancel: CancelToken | None,
) -> NDArray[np.bool_]:
    """Whether the same token follows every occurrence; context, continuation: counts of `agreement`."""
    ends = np.arange(len(ids), dtype=np.int64)
    if index.forward and not index.minus:
        return _nothing_else_follows(index, ids, starts, ends, cancel)
    # Otherwise the next tokens must be looked up, which costs more; the counts nearly always decide. Nothing follows an
    # occurrence at the end of a shard's text.
    unfollowed = len(index.shards) + len(index.minus) + len(index.subtraction.restored)
    sparse: NDArray[np.bool_] = (continuation > 0) & (continuation == context)
    open_ends = np.flatnonzero((continuation == 0) | (~sparse & (continuation >= context - unfollowed)))
    if index.minus:
        sparse[open_ends] = _one_follows(index, ids, starts[open_ends], open_ends, cancel)
    else:
        sparse[open_ends] = _nothing_else_follows(index, ids, starts[open_ends], open_ends, cancel)
    return sparse


def _one_follows(
    index: Index,
    ids: NDArray[np.int64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    cancel: CancelToken | None,
) -> list[bool]:
    """The answer from the counts of the next tokens; those of the empty context are read once."""

    def one_follows(start: int, end: int) -> bool:
        return len(index.next_tokens(index.find(ids[start:end]), cancel)[0]) == 1

    of_nothing = bool((starts == ends).any()) and one_follows(0, 0)
    pairs = zip(starts.tolist(), ends.tolist(), strict=True)
    return [one_follows(start, end) if start < end else of_nothing for start, end in pairs]


def _nothing_else_follows(
    index: Index,
    ids: NDArray[np.int64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    cancel: CancelToken | None,
) -> NDArray[np.bool_]:
    """The answer from two of the tokens that follow, in an index without subtracted folders."""
    smallest = np.full(len(starts), np.iinfo(np.int64).max)
    largest = np.full(len(starts), -1, dtype=np.int64)
    for shard in index.shards:
        low, high = _outer_next_tokens(shard, ids, starts, ends, cancel)
        for edge in (low, high):
            seen = edge >= 0
            smallest = np.where(seen, np.minimum(smallest, edge), smallest)
            largest = np.maximum(largest, edge)
    return np.asarray((largest >= 0) & (smallest == largest))


def _outer_next_tokens(
    shard: MappedShard,
    ids: NDArray[np.int64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    cancel: CancelToken | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Two of the tokens that follow each context (-1: none), which differ if any two do."""
    first, last = find_in_text(shard, ids, starts, ends, cancel)
    found = last > first
    lengths = ends - starts
    if shard.reversed_text:
        return _outer_reversed(shard, ids, starts, ends, first, last, cancel)
    limit = shard.token_count
    with shard.guarded() as engine:
        low = engine.tokens_after(np.where(found, first, limit), lengths)
        # Only the lowest rank can lack a next token: its suffix ends with the text.
        second = np.where(found & (low < 0) & (last - first > 1), first + 1, limit)
        low = np.maximum(low, engine.tokens_after(second, lengths))
        high = engine.tokens_after(np.where(found, last - 1, limit), lengths)
    return low, high


def _outer_reversed(
    shard: MappedShard,
    ids: NDArray[np.int64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    cancel: CancelToken | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """In a reversed text: take one token that follows, and see whether it follows everywhere."""
    low = np.full(len(starts), -1, dtype=np.int64)
    high = low.copy()
    for i in np.flatnonzero(last > first).tolist():
        if cancel is not None:
            cancel.check()
        start, end = int(starts[i]), int(ends[i])
        # Behind the empty context any token may stand, also the one that is there.
        before = 1 if start < end else 0
        position = int(shard.positions(first[i : i + 1])[0]) - before
        if position < 0:
            continue
        token = int(shard.stored(position, position + 1)[0])
        extended = shard.find(np.append(ids[start:end], token))
        low[i] = high[i] = token
        if extended[1] - extended[0] != last[i] - first[i]:
            high[i] = token + 1
    return low, high
