"""What each token of a text follows: its contexts, their counts, and whether one token follows them everywhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.local.shard_set import ShardSet
from explorer.backends.longest import find_in_text
from explorer.backends.protocol.protocol import CountQuestions, Followed, Ids, Numbers
from explorer.core.jobs import CancelToken
from explorer.index.shard import MappedShard


def context_starts(longest: Numbers) -> Numbers:
    """Find the longest context of each token that occurs.

    Returns: For each token i, the first s for which the n-gram [s, i) occurs.

    Notes
    -----
    The end s + longest[s] never falls as s grows, since a part of what occurs occurs.

    Examples
    --------
    >>> context_starts(np.array([2, 1, 2, 1])).tolist()
    [0, 0, 0, 2]
    """
    positions = np.arange(len(longest), dtype=np.int64)
    return np.searchsorted(positions + longest, positions, side="left").astype(np.int64)


class Follower:
    """Answers `explorer.backends.protocol.protocol.CountQuestions.followed` for some shards."""

    def __init__(self, shards: ShardSet, counts: CountQuestions) -> None:
        self._shards = shards
        self._counts = counts

    def followed(
        self, ids: Ids, orders: Sequence[int | None], longest: Numbers | None = None, cancel: CancelToken | None = None
    ) -> tuple[Followed, ...]:
        """One answer per order: most tokens of an n-gram, or None for the longest context that occurs."""
        array = self._counts.check_ids(ids, allow_empty=True)
        starts = context_starts(self._counts.longest_matches(array, cancel) if longest is None else longest)
        return tuple(self._of_order(array, starts, order, cancel) for order in orders)

    def _of_order(self, ids: Numbers, starts: Numbers, order: int | None, cancel: CancelToken | None) -> Followed:
        ends = np.arange(len(ids), dtype=np.int64)
        if order is not None:
            # A model of order n looks at up to n - 1 tokens, and never at more than occur.
            starts = np.maximum(starts, ends - (order - 1))
        context = self._counts.count_many(ids, starts, ends, cancel)
        continuation = self._counts.count_many(ids, starts, ends + 1, cancel)
        return Followed(starts, context, continuation, self._sparse(ids, starts, context, continuation, cancel))

    def _sparse(
        self, ids: Numbers, starts: Numbers, context: Numbers, continuation: Numbers, cancel: CancelToken | None
    ) -> NDArray[np.bool_]:
        """Whether the same token follows every occurrence of each context."""
        ends = np.arange(len(ids), dtype=np.int64)
        are_sums = not self._shards.subtraction.minus
        if self._shards.is_forward and are_sums:
            return self._nothing_else_follows(ids, starts, ends, cancel)
        # Otherwise the next tokens must be looked up, which costs more; the counts nearly always decide. Nothing
        # follows an occurrence at the end of a shard's text.
        # At most one occurrence per shard is at the end of its text, so a larger difference is another next token.
        unfollowed = len(self._shards.signed)
        sparse: NDArray[np.bool_] = (continuation > 0) & (continuation == context)
        open_ends = np.flatnonzero((continuation == 0) | (~sparse & (continuation >= context - unfollowed)))
        decide = self._nothing_else_follows if are_sums else self._one_follows
        sparse[open_ends] = decide(ids, starts[open_ends], open_ends, cancel)
        return sparse

    def _one_follows(
        self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None
    ) -> NDArray[np.bool_]:
        """The answer from the counts of the next tokens; those of the empty context are read once."""

        def one_follows(start: int, end: int) -> bool:
            return len(self._counts.next_tokens(ids[start:end], cancel=cancel).tokens) == 1

        of_nothing = bool((starts == ends).any()) and one_follows(0, 0)
        pairs = zip(starts.tolist(), ends.tolist(), strict=True)
        found = [one_follows(start, end) if start < end else of_nothing for start, end in pairs]
        return np.array(found, dtype=np.bool_)

    def _nothing_else_follows(
        self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None
    ) -> NDArray[np.bool_]:
        """The answer from two of the tokens that follow, where nothing is subtracted."""
        # The next tokens of all shards are alike if the smallest and the largest of them are. -1: nothing follows.
        smallest = np.full(len(starts), np.iinfo(np.int64).max)
        largest = np.full(len(starts), -1, dtype=np.int64)
        for shard in self._shards.shards:
            low, high = _outer_next_tokens(shard, ids, starts, ends, cancel)
            for edge in (low, high):
                seen = edge >= 0
                smallest = np.where(seen, np.minimum(smallest, edge), smallest)
                largest = np.maximum(largest, edge)
        return np.asarray((largest >= 0) & (smallest == largest))


def _outer_next_tokens(
    shard: MappedShard, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None
) -> tuple[Numbers, Numbers]:
    """Two of the tokens that follow each context (-1: none), which differ if any two do."""
    first, last = find_in_text(shard, ids, starts, ends, cancel)
    found = last > first
    lengths = ends - starts
    if shard.reversed_text:
        return _outer_reversed(shard, ids, (starts, ends), (first, last), cancel)
    limit = shard.token_count
    with shard.guarded() as engine:
        # Ranks are sorted by what follows, so the first and the last occurrence differ if any two do. Rank `limit` has
        # no suffix: it marks a context that does not occur.
        low = engine.tokens_after(np.where(found, first, limit), lengths)
        # Only the lowest rank can lack a next token: its suffix ends with the text.
        second = np.where(found & (low < 0) & (last - first > 1), first + 1, limit)
        low = np.maximum(low, engine.tokens_after(second, lengths))
        high = engine.tokens_after(np.where(found, last - 1, limit), lengths)
    return low, high


def _outer_reversed(
    shard: MappedShard,
    ids: Numbers,
    contexts: tuple[Numbers, Numbers],
    ranges: tuple[Numbers, Numbers],
    cancel: CancelToken | None,
) -> tuple[Numbers, Numbers]:
    """In a reversed text: take one token that follows, and see whether it follows everywhere."""
    (starts, ends), (first, last) = contexts, ranges
    low = np.full(len(starts), -1, dtype=np.int64)
    high = low.copy()
    for i in np.flatnonzero(last > first).tolist():
        if cancel is not None:
            cancel.check()
        start, end = int(starts[i]), int(ends[i])
        # Any token may follow the empty context, also the one at the position itself.
        before = 1 if start < end else 0
        # Nothing follows an occurrence at the beginning of the stored text. It does not count, and may have any rank.
        unfollowed = before and int(np.array_equal(shard.stored(0, end - start)[::-1], ids[start:end]))
        if last[i] - first[i] == unfollowed:
            continue
        # What follows in reading order is stored before the occurrence. One of two occurrences is surely followed.
        places = shard.positions(np.arange(first[i], min(first[i] + 2, last[i]), dtype=np.int64)) - before
        position = int(places.max())
        token = int(shard.stored(position, position + 1)[0])
        extended = shard.find(np.append(ids[start:end], token))
        low[i] = high[i] = token
        if extended[1] - extended[0] != last[i] - first[i] - unfollowed:
            # Any other number would do: it only has to differ.
            high[i] = token + 1
    return low, high
