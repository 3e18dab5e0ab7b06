"""The longest match at each start of a text, in time that grows with the text's length.

A search compares a match to its end. If a whole text occurs in the corpus, the total length of the matches of all
starts is quadratic in the text. But they share their ends: start + length never decreases, since every part of an
occurring text occurs. So a match that is longer than a piece of the text is followed to its end once, and every start
before the next longer match gets its length from that end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.core.jobs import CancelToken
from explorer.index.shard import MappedShard

PIECE = 2048
"""Number of tokens that are searched at once; a shorter text is one piece."""
ROOM = 64
"""Overlap of the pieces in tokens: matches shorter than this are settled within a piece."""

Lengths = NDArray[np.int64]
Occurs = Callable[[int, int], bool]
"""Whether tokens [start, end) of the text occur."""
Statistics = Callable[[int, int], Lengths]
"""The longest matches at the starts of tokens [first, last) of the text, cut at `last`."""


def longest_matches(
    shards: Sequence[MappedShard], minus: Sequence[MappedShard], ids: Lengths, cancel: CancelToken | None = None
) -> Lengths:
    """Find the longest n-gram from each token of a text that occurs more often in some shards than in others.

    ids: The text's tokens, int64.
    Returns: Lengths in tokens, int64 of the text's length.

    Notes
    -----
    Matching statistics in time linear in the text, per shard; subtracted shards cost further searches.
    """
    if not len(ids):
        return np.zeros(0, dtype=np.int64)
    # A match does not run from one shard into the next: the longest of all shards is the longest.
    lengths = np.max([_in_shard(shard, ids, cancel) for shard in shards], axis=0).astype(np.int64)
    return _less(shards, minus, ids, lengths, cancel) if minus else lengths


def _in_shard(shard: MappedShard, ids: Lengths, cancel: CancelToken | None) -> Lengths:
    """The longest matches in one shard."""
    return in_pieces(
        ids,
        lambda first, last: _matching_statistics(shard, ids[first:last], cancel),
        _occurs([shard], [], ids),
        cancel,
    )


def in_pieces(ids: Lengths, statistics: Statistics, occurs: Occurs, cancel: CancelToken | None) -> Lengths:
    """Find the longest matches of a text from those within its pieces.

    ids: The text's tokens, int64.
    statistics: Gives the lengths of the longest matches within tokens [first, last).
    occurs: Tells whether tokens [start, end) of the text occur.
    Returns: Lengths in tokens, int64.
    """
    count = len(ids)
    lengths = np.zeros(count, dtype=np.int64)
    is_open = np.zeros(count, dtype=np.bool_)
    last = 0
    while last < count:
        # Each piece begins before the end of the previous one, and overwrites what was cut off there.
        first = max(0, last - ROOM)
        last = min(first + PIECE, count)
        found = statistics(first, last)
        lengths[first:last] = found
        # A match that reaches the end of its piece may continue, unless the text ends there, too.
        is_open[first:last] = (np.arange(last - first) + found == last - first) & (last < count)
    return settle(ids, lengths, is_open, occurs, cancel)


def settle(
    ids: Lengths, lengths: Lengths, is_open: NDArray[np.bool_], occurs: Occurs, cancel: CancelToken | None = None
) -> Lengths:
    """Complete the lengths of matches that may continue after the end of their piece; the others are final.

    ids: The text's tokens, int64.
    lengths: Lengths so far, int64; changed in place.
    occurs: Tells whether tokens [start, end) of the text occur.

    Notes
    -----
    For each different end of an open match, O(log length) searches of at most twice its length.
    """
    done = 0
    for start in np.flatnonzero(is_open).tolist():
        # Known already: this start has the same end as an earlier one, or repeats it.
        if start < done:
            continue
        if cancel is not None:
            cancel.check()
        end = _furthest_end(start, start + int(lengths[start]), len(lengths), occurs)
        done = _first_start(start, end, occurs) if end < len(lengths) else end
        # All starts before the next longer match share this end.
        lengths[start:done] = end - np.arange(start, done)
        if end < len(lengths):
            done = _repeat(ids, lengths, start, done, end)
    return lengths


def _repeat(ids: Lengths, lengths: Lengths, start: int, done: int, end: int) -> int:
    """Copy the lengths of [start, done) as long as the text repeats itself; returns where they are known up to.

    A match that ends at `end` is copied if its tokens, and the token that ended it, recur. Without this, each start in
    a text of equal lines has its own end.
    """
    period = done - start
    # Token m equals token m + period for all m in [start, same).
    same = start + _common(ids, start, done)
    if same <= end:
        return done
    # Only whole periods whose end is within the repetition: the token after the match must recur as well.
    times = (same - end - 1) // period + 1
    lengths[done : done + times * period] = np.tile(lengths[start:done], times)
    return done + times * period


def _common(ids: Lengths, one: int, other: int) -> int:
    """Number of tokens that the text has in common from two positions on; `other` is the later one."""
    at, size = 0, ROOM
    while other + at < len(ids):
        # Doubling comparisons: a short common part costs little, a long one few calls.
        size = min(size, len(ids) - other - at)
        differ = ids[one + at : one + at + size] != ids[other + at : other + at + size]
        if differ.any():
            return at + int(differ.argmax())
        at, size = at + size, 2 * size
    return at


def _furthest_end(start: int, low: int, limit: int, occurs: Occurs) -> int:
    """The last end up to `limit` for which [start, end) occurs, at least `low`: galloping, then halving."""
    high = low
    while high == low < limit:
        # Twice the length each time, so the cost stays proportional to the match that is found.
        high = min(limit, start + 2 * max(1, low - start))
        if occurs(start, high):
            low = high
    # Here [start, low) occurs, and [start, high) does not unless they are the same.
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if occurs(start, middle) else (low, middle)
    return low


def _first_start(start: int, end: int, occurs: Occurs) -> int:
    """The first position after `start` from which a match extends beyond `end`; `end` + 1 if there is none."""
    whole = end + 1
    size = 1
    while whole - size > start and occurs(whole - size, whole):
        size *= 2
    # From `high` on it occurs (or nothing is left), from `low` on it does not.
    low, high = max(start, whole - size), whole - size // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if occurs(middle, whole) else (middle, high)
    return high


def _occurs(shards: Sequence[MappedShard], minus: Sequence[MappedShard], ids: Lengths) -> Occurs:
    """Make a test of whether a part of the text occurs more often in `shards` than in `minus`; packs the text once."""
    # Once for all questions: they are slices of the same bytes.
    packed = [(shard, shard.query_bytes(ids), 1) for shard in shards]
    packed += [(shard, shard.query_bytes(ids), -1) for shard in minus]

    def occurs(start: int, end: int) -> bool:
        total = 0
        for shard, query, sign in packed:
            width = shard.widths.token
            # The packed text of a reversed shard is turned round, and so are the borders of its parts.
            first, last = (len(ids) - end, len(ids) - start) if shard.reversed_text else (start, end)
            with shard.guarded() as engine:
                found = engine.find(query[first * width : last * width])
            total += sign * (found[1] - found[0])
        return total > 0

    return occurs


def _less(
    shards: Sequence[MappedShard],
    minus: Sequence[MappedShard],
    ids: Lengths,
    longest: Lengths,
    cancel: CancelToken | None,
) -> Lengths:
    """The longest matches, shortened to what remains when the folders in `minus` are subtracted."""
    # A short text is halved from its full lengths; in a long one, matches longer than the overlap are followed by their
    # ends.
    most = longest if len(ids) <= PIECE else np.minimum(longest, ROOM)
    starts = np.arange(len(ids), dtype=np.int64)
    low, high = np.zeros(len(ids), dtype=np.int64), most.copy()
    while len(rest := np.flatnonzero(low < high)):
        # All starts are halved together: each round is one batch of searches instead of one search per start.
        middle = (low[rest] + high[rest] + 1) // 2
        held = _counts(shards, minus, ids, starts[rest], starts[rest] + middle, cancel) > 0
        low[rest[held]] = middle[held]
        high[rest[~held]] = middle[~held] - 1
    # Those that were cut at the overlap may be longer.
    return settle(ids, low, (low == most) & (most < longest), _occurs(shards, minus, ids), cancel)


def _counts(
    shards: Sequence[MappedShard],
    minus: Sequence[MappedShard],
    ids: Lengths,
    starts: Lengths,
    ends: Lengths,
    cancel: CancelToken | None,
) -> Lengths:
    totals = np.zeros(len(starts), dtype=np.int64)
    for group, sign in ((shards, 1), (minus, -1)):
        for shard in group:
            totals += sign * count_in_text(shard, ids, starts, ends, cancel)
    return totals


def count_in_text(
    shard: MappedShard, ids: Lengths, starts: Lengths, ends: Lengths, cancel: CancelToken | None = None
) -> Lengths:
    """Count n-grams of one text in one shard.

    ids: The text's tokens, int64.
    starts: The first token of each n-gram, int64.
    ends: One past the last token of each n-gram, int64.
    Returns: One count per n-gram, int64.

    Notes
    -----
    One search per n-gram. Consecutive n-grams with the same start and growing ends cost no more than the longest of
    them: in a forward text each is searched for among the places of the previous one, and in a reversed text only where
    counts change.
    """
    if shard.reversed_text:
        return _count_reversed(shard, ids, starts, ends, cancel)
    first, last = find_in_text(shard, ids, starts, ends, cancel)
    return last - first


def find_in_text(
    shard: MappedShard, ids: Lengths, starts: Lengths, ends: Lengths, cancel: CancelToken | None = None
) -> tuple[Lengths, Lengths]:
    """Find the ranks of n-grams of one text in one shard.

    ids: The text's tokens, int64.
    starts: The first token of each n-gram, int64.
    ends: One past the last token of each n-gram, int64.
    Returns: The first ranks, and those one past the last, both int64.
    """
    if shard.reversed_text:
        # `query_bytes` turns the whole text round, and every n-gram with it.
        starts, ends = len(ids) - ends, len(ids) - starts
    with shard.guarded() as engine:
        return engine.find_many(
            shard.query_bytes(ids),
            np.ascontiguousarray(starts),
            np.ascontiguousarray(ends),
            cancel.flag if cancel else None,
        )


def _count_reversed(
    shard: MappedShard, ids: Lengths, starts: Lengths, ends: Lengths, cancel: CancelToken | None
) -> Lengths:
    """As `count_in_text`: in a run with one start, counts never increase, so between two equal counts all are equal."""
    counts = np.zeros(len(starts), dtype=np.int64)
    if not len(starts):
        return counts
    # Only long n-grams form runs: a short one costs little to search for.
    same = (starts[1:] == starts[:-1]) & (ends[1:] >= ends[:-1]) & (ends[1:] - starts[1:] > ROOM)
    breaks = np.flatnonzero(~same) + 1
    lows = np.concatenate([[0], breaks])
    highs = np.concatenate([breaks, [len(starts)]]) - 1

    def look(numbers: Lengths) -> None:
        wanted = np.unique(numbers)
        first, last = find_in_text(shard, ids, starts[wanted], ends[wanted], cancel)
        counts[wanted] = last - first

    look(np.concatenate([lows, highs]))
    while len(lows):
        equal = counts[lows] == counts[highs]
        for low, high in zip(lows[equal].tolist(), highs[equal].tolist(), strict=True):
            # Counts never rise within a run, so equal counts at both ends fill what is between them.
            counts[low : high + 1] = counts[low]
        wide = ~equal & (highs - lows > 1)
        lows, highs = lows[wide], highs[wide]
        if len(middles := (lows + highs) // 2):
            look(middles)
        lows, highs = np.concatenate([lows, middles]), np.concatenate([middles, highs])
    return counts


def _matching_statistics(shard: MappedShard, ids: Lengths, cancel: CancelToken | None) -> Lengths:
    with shard.guarded() as engine:
        lengths = engine.longest_matches(shard.query_bytes(ids), cancel.flag if cancel else None)
    # The engine sees a reversed text: its matches from a token on are those that end there in reading order.
    return starts_from_ends(lengths[::-1]) if shard.reversed_text else lengths


def starts_from_ends(back: Lengths) -> Lengths:
    """Find the longest match from each token on, given the longest match that ends with each.

    back: The tokens of the longest match that ends with each token, int64.
    Returns: The tokens of the longest match from each token on, int64.

    Notes
    -----
    With the longest match up to and including token e being back[e] long, the n-gram [s, e] occurs exactly when
    s >= e + 1 - back[e], and that bound never falls as e grows.

    Examples
    --------
    >>> starts_from_ends(np.array([1, 2, 0, 1])).tolist()
    [2, 1, 0, 1]
    """
    starts = np.arange(len(back))
    ends = np.searchsorted(starts + 1 - back, starts, side="right")
    lengths: Lengths = np.maximum(ends - starts, 0)
    return lengths
