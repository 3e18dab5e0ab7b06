"""The longest matches of a text in tables elsewhere."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from explorer.backends.bucket.search import Search
from explorer.backends.bucket.shards import FarShards, Numbers
from explorer.backends.defaults.ranked import Rank, Span
from explorer.backends.longest import starts_from_ends
from explorer.core.jobs import CancelToken

_FIRST_BYTES = 256
"""Bytes of the text that are compared at first; of matches that are longer, eight times as many, and so on."""
_LONGER = 8
_STARTS = 32
"""Starts that are searched from at once, if no more are needed."""


def longest_matches(shards: FarShards, search: Search, ids: Numbers, cancel: CancelToken | None = None) -> Numbers:
    """Find the longest n-gram from each token of a text on that occurs.

    ids: The text, in reading order, int64.
    Returns: Lengths in tokens, int64.
    Raises `DamagedIndexError` if a table makes no sense.
    Raises `RemoteError` if something cannot be read.
    """
    if not len(ids):
        return np.zeros(0, dtype=np.int64)
    # A reversed text has the matches of the reversed query; from a token on, they are those that end there.
    stored = ids[::-1] if shards.reversed_text else ids
    lengths = _by_parts(len(stored), lambda starts: _measured(shards, search, stored, starts, cancel))
    return starts_from_ends(lengths[::-1]) if shards.reversed_text else lengths


def _by_parts(count: int, measure: Callable[[list[int]], list[int]]) -> Numbers:
    """The lengths at all starts; the end of a match never falls from one start to the next.

    So where the matches of two starts end at the same token, those between them end there, too.
    """
    ends = np.zeros(count, dtype=np.int64)

    def look(starts: list[int]) -> None:
        for start, length in zip(starts, measure(starts), strict=True):
            ends[start] = start + length

    look(sorted({0, count - 1}))
    pairs = [(0, count - 1)]
    while pairs:
        for low, high in pairs:
            if ends[low] == ends[high]:
                ends[low:high] = ends[low]
        pairs = [(low, high) for low, high in pairs if ends[low] != ends[high] and high - low > 1]
        # Many at once: what is searched for together takes as many rounds as one.
        cuts = [_between(low, high, max(1, _STARTS // len(pairs))) for low, high in pairs]
        if cuts:
            look([start for some in cuts for start in some])
        edges = [[low, *some, high] for (low, high), some in zip(pairs, cuts, strict=True)]
        pairs = [pair for some in edges for pair in itertools.pairwise(some)]
    return ends - np.arange(count, dtype=np.int64)


def _between(low: int, high: int, most: int) -> list[int]:
    """Starts between two, evenly spread."""
    some = min(most, high - low - 1)
    return [low + (i + 1) * (high - low) // (some + 1) for i in range(some)]


def _measured(
    shards: FarShards, search: Search, stored: Numbers, starts: list[int], cancel: CancelToken | None
) -> list[int]:
    """The longest matches at some starts."""
    best = dict.fromkeys(starts, 0)
    open_ones: dict[Rank, Span] = {(shard, start): (-1, -1) for shard in range(len(shards.shards)) for start in starts}
    size = max(1, _FIRST_BYTES // shards.token_width)
    is_first = True
    while open_ones:
        texts = {start: shards.packed(stored[start : start + size]) for _, start in open_ones}
        queries = [(shard, texts[start]) for shard, start in open_ones]
        spans = search.find(queries, cancel, () if is_first else [*open_ones.values()])
        found = dict(zip(open_ones, spans, strict=True))
        whole = {at: span for at, span in found.items() if span[0] < span[1]}
        for (_, start), _span in whole.items():
            best[start] = max(best[start], len(texts[start]) // shards.token_width)
        # They do not occur as a whole: what they share with their neighbors in the order is their longest match.
        places = {at: span[0] for at, span in found.items() if at not in whole}
        for (_, start), shared in _shared(shards, places, texts, cancel):
            best[start] = max(best[start], shared)
        open_ones = {at: span for at, span in whole.items() if at[1] + size < len(stored)}
        size, is_first = size * _LONGER, False
    return [best[start] for start in starts]


def _shared(
    shards: FarShards, places: dict[Rank, int], texts: dict[int, bytes], cancel: CancelToken | None
) -> list[tuple[Rank, int]]:
    """Tokens that each query shares with the suffixes before and after its place in the order."""
    beside = [
        (at, rank)
        for at, place in places.items()
        for rank in (place - 1, place)
        if 0 <= rank < shards.shards[at[0]].token_count
    ]
    pointers = shards.pointers([(shard, rank) for (shard, _), rank in beside], cancel)
    wanted = [
        (shard, pointer, len(texts[start])) for ((shard, start), _), pointer in zip(beside, pointers, strict=True)
    ]
    found = zip(beside, shards.texts(wanted, cancel), strict=True)
    return [(at, _common(texts[at[1]], text) // shards.token_width) for (at, _), text in found]


def _common(one: bytes, other: bytes) -> int:
    """Bytes in which two begin alike."""
    size = min(len(one), len(other))
    differ = np.flatnonzero(np.frombuffer(one[:size], np.uint8) != np.frombuffer(other[:size], np.uint8))
    return int(differ[0]) if len(differ) else size
