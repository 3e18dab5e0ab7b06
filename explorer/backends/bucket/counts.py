"""Counts of n-grams, and what follows them, in an index folder elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.backends.bucket.followers import FarFollowers
from explorer.backends.bucket.longest import longest_matches
from explorer.backends.bucket.search import Search
from explorer.backends.bucket.shards import FarShards
from explorer.backends.defaults.by_counts import FollowedByCounts
from explorer.backends.defaults.ranked import Span, parts_of
from explorer.backends.protocol.protocol import Followed, Ids, NextTokens, Numbers
from explorer.core.jobs import CancelToken

_LENGTHS = 8
"""Suffixes of a context that are searched for in one go."""


class FarCounts(FollowedByCounts):
    """Answers `explorer.backends.protocol.protocol.CountQuestions`."""

    def __init__(self, shards: FarShards, search: Search) -> None:
        super().__init__(shards.separator)
        self._shards, self._search = shards, search
        self._after = FarFollowers(shards, search)

    def spans_of(self, ngrams: Sequence[Ids], cancel: CancelToken | None = None) -> list[list[Span]]:
        """Find n-grams in all shards, side by side.

        Returns: Per n-gram and shard, the first rank and the one past the last.
        """
        every = range(len(self._shards.shards))
        stored = [self._shards.stored(ids) for ids in ngrams]
        found = self._search.find([(shard, query) for query in stored for shard in every], cancel)
        return [found[at : at + len(every)] for at in range(0, len(found), len(every))]

    def _counts(self, ngrams: Sequence[Ids], cancel: CancelToken | None = None) -> list[int]:
        return [sum(last - first for first, last in spans) for spans in self.spans_of(ngrams, cancel)]

    # --- one by one ----------------------------------------------------------------------------

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram; the empty one counts tokens."""
        return self._counts([self.check_ids(ids, allow_empty=True)])[0]

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Occurrences of the context, and of it with the token after it."""
        ids = np.append(self.check_ids(context, allow_empty=True), self.check_ids([token]))
        before, with_it = self._counts([ids[:-1], ids])
        return before, with_it

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Length of the longest suffix of the context that occurs, its count, and its count with the token."""
        near = self.check_ids(context, allow_empty=True)
        length = self.longest_suffix(near)
        return length, *self.continuation(near[len(near) - length :], token)

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs: some at a time are searched for."""
        ids = self.check_ids(context, allow_empty=True)
        # A suffix of what occurs occurs: one of `low` tokens does, and none that is longer than `high`.
        low, high = 0, len(ids)
        while low < high:
            sizes = sorted({low + -(-(high - low) * (i + 1) // _LENGTHS) for i in range(_LENGTHS)})
            occurs = [bool(count) for count in self._counts([ids[len(ids) - size :] for size in sizes])]
            inside = occurs.index(False) if False in occurs else len(occurs)
            low, high = (sizes[inside - 1] if inside else low), (sizes[inside] - 1 if inside < len(sizes) else high)
        return low

    # --- many ----------------------------------------------------------------------------------

    def count_many(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> Numbers:
        """Counts of the n-grams ids[starts[i]:ends[i]] of one text, all side by side."""
        return np.array(self._counts(parts_of(ids, starts, ends), cancel), dtype=np.int64)

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> Numbers:
        """The longest n-gram from each token on that occurs."""
        return longest_matches(self._shards, self._search, self.check_ids(ids, allow_empty=True), cancel)

    def _of_contexts(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None) -> Followed:
        contexts = parts_of(ids, starts, ends)
        # All at once, so that this takes as many rounds as one search.
        spans = self.spans_of([*contexts, *parts_of(ids, starts, ends + 1)], cancel)
        counts = np.array([sum(last - first for first, last in each) for each in spans], dtype=np.int64)
        alone = self._after.alone(spans[: len(ids)], contexts, cancel)
        return Followed(starts, counts[: len(ids)], counts[len(ids) :], alone)

    # --- what follows --------------------------------------------------------------------------

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        """The tokens that follow a context: exact where few places must be read, and otherwise only from a sample.

        Raises `QueryError` if the limit is out of range.
        """
        ids = self._context(context, backoff, limit)
        return self._after.next_tokens(ids, self.spans_of([ids], cancel)[0], limit, cancel)

    def followers(
        self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Numbers]:
        """How often a token follows each of many contexts, and how many distinct ones do."""
        parts = parts_of(ids, starts, ends)
        answers = [
            self._after.next_tokens(part, spans, None, cancel)
            for part, spans in zip(parts, self.spans_of(parts, cancel), strict=True)
        ]
        kept = [found.counts[found.tokens != self._shards.separator] for found in answers]
        return (
            np.array([int(counts.sum()) for counts in kept], dtype=np.int64),
            np.array([len(counts) for counts in kept], dtype=np.int64),
        )
