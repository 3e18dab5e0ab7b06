"""The hits of n-grams in some shards, numbered, none counted twice, and some places of many n-grams."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.local.counting import ShardMatches
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.longest import find_in_text
from explorer.backends.places import Located, Places, drawn
from explorer.backends.protocol.protocol import Numbers
from explorer.core.jobs import CancelToken


class NgramOccurrences:
    """The hits of n-grams, none of which extends another: see `explorer.backends.protocol.protocol.Occurrences`.

    Hit number 0 is the first rank of the first n-gram in the first shard.
    """

    def __init__(self, shards: ShardSet, ngrams: Sequence[ShardMatches]) -> None:
        self._shards = shards
        self._ngrams = tuple(ngrams)
        sizes = [sum(last - first for first, last in ngram.ranges) for ngram in self._ngrams]
        self._sizes = np.array(sizes, dtype=np.int64)
        # Hit numbers of n-gram i are [_ends[i] - _sizes[i], _ends[i]).
        self._ends = np.cumsum(self._sizes)
        self.total = int(self._sizes.sum())
        # Less than `total` if documents are subtracted: their hits keep their numbers and are sieved when they are
        # read.
        self.count = sum(ngram.count for ngram in self._ngrams)
        self.sieved = len(shards.subtraction.left_out) > 0

    def locate(self, numbers: Numbers) -> Located:
        """Places of these hits: a few reads each."""
        which = np.searchsorted(self._ends, numbers, side="right")
        documents, offsets, lengths = (np.empty(len(numbers), dtype=np.int64) for _ in range(3))
        for number in np.unique(which).tolist():
            ngram = self._ngrams[number]
            chosen = which == number
            # Numbers within the n-gram, as `ShardSet.places` counts them.
            local = numbers[chosen] - (self._ends[number] - self._sizes[number])
            places = self._shards.places(ngram.ranges, local, ngram.ids)
            documents[chosen], offsets[chosen], lengths[chosen] = places.documents, places.offsets, ngram.length
        return Located.of_tokens(documents, offsets, lengths)

    def shown(self, located: Located) -> NDArray[np.bool_]:
        """Which of the hits are not in subtracted documents."""
        return ~self._shards.is_left_out(located.documents)

    def measured(self, located: Located, cancel: CancelToken | None = None) -> Located:
        """The hits as they are: an n-gram ends with a token."""
        return located


def some_places(
    shards: ShardSet,
    ngrams: tuple[Numbers, Numbers, Numbers],
    most: int,
    seed: int,
    cancel: CancelToken | None = None,
) -> tuple[Numbers, Places]:
    """Draw some places of each of many n-grams of one text.

    ngrams: The text's tokens, and the first and the end of each n-gram.
    """
    # Where documents are left out, a second helping makes up for those that are dropped.
    # They are as many more as the documents that are left out have tokens.
    stored = sum(shard.token_count for shard in shards.shards)
    more = 4 * max(1, stored // max(1, shards.token_count))
    wanted = most * (more if len(shards.subtraction.left_out) else 1)
    which, places = _drawn_places(shards, ngrams, wanted, seed, cancel)
    kept = np.flatnonzero(~shards.is_left_out(places.documents))
    which = which[kept]
    # The places of an n-gram are consecutive: only the first few are wanted.
    few = np.arange(len(which)) - np.searchsorted(which, which) < most
    kept, which = kept[few], which[few]
    return which, places[kept]


def _drawn_places(
    shards: ShardSet, ngrams: tuple[Numbers, Numbers, Numbers], wanted: int, seed: int, cancel: CancelToken | None
) -> tuple[Numbers, Places]:
    """Places of each n-gram, those in subtracted documents too. Cost: one search per n-gram, one pass over the hits."""
    ids, starts, ends = ngrams
    ranges = [find_in_text(shard, ids, starts, ends, cancel) for shard in shards.shards]
    first = np.stack([low for low, _ in ranges])
    # upto[s, i]: occurrences of n-gram i in the shards up to s, so that a drawn number tells its shard.
    upto = np.cumsum(np.stack([high - low for low, high in ranges]), axis=0)
    chosen_of = [drawn(total, wanted, seed) for total in upto[-1].tolist()]
    which = np.repeat(np.arange(len(chosen_of)), [len(numbers) for numbers in chosen_of])
    numbers = np.concatenate([np.empty(0, dtype=np.int64), *chosen_of])
    # The shards that end at or below a number are those before its own, so their count is its shard.
    shard_of = (numbers >= upto[:, which]).sum(axis=0)
    documents, offsets = np.empty_like(numbers), np.empty_like(numbers)
    for shard in np.unique(shard_of).tolist():
        chosen = np.flatnonzero(shard_of == shard)
        before = upto[shard - 1][which[chosen]] if shard else 0
        ranks = first[shard][which[chosen]] + numbers[chosen] - before
        found = shards.rank_places(shard, ranks, (ends - starts)[which[chosen]], True)
        documents[chosen], offsets[chosen] = found.documents, found.offsets
    return which, Places(documents, offsets)
