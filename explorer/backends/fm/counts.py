"""Counts of n-grams, and what follows them, in a compressed index.

The text is indexed backwards, so a search goes through a query from left to right, and what follows it is known at
once: next tokens are exact, also those of frequent contexts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.defaults.by_counts import FollowedByCounts
from explorer.backends.fm.parts import FmParts, as_bytes, joined
from explorer.backends.local.counting import added_up
from explorer.backends.protocol.protocol import Followed, Ids, NextTokens, Numbers
from explorer.core.jobs import CancelToken

_TOGETHER = 1 << 12
"""Contexts whose followers are counted at once: 8 MiB for their counts."""


class FmCounts(FollowedByCounts):
    """Answers `explorer.backends.protocol.protocol.CountQuestions`."""

    def __init__(self, parts: FmParts) -> None:
        super().__init__(parts.separator)
        self._parts = parts

    def _counts(self, ngrams: Sequence[Numbers], cancel: CancelToken | None = None) -> Numbers:
        firsts, lasts = self._parts.find_many(*joined(ngrams), cancel)
        return np.asarray((lasts - firsts).sum(axis=0))

    # --- one by one ----------------------------------------------------------------------------

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram; the empty one counts tokens."""
        query = as_bytes(self.check_ids(ids, allow_empty=True))
        if not len(query):
            return self._parts.token_count
        # One call of the engine for each part: what `find_many` prepares takes longer than a search.
        total = 0
        for part in self._parts.parts:
            with part.guarded() as engine:
                first, last = engine.find(query)
            total += last - first
        return total

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Occurrences of the context, and of it with the token after it."""
        ids = np.append(self.check_ids(context, allow_empty=True), self.check_ids([token]))
        before, with_it = self._counts([ids[:-1], ids]).tolist()
        return before, with_it

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Length of the longest suffix of the context that occurs, its count, and its count with the token."""
        near = self.check_ids(context, allow_empty=True)
        length = self.longest_suffix(near)
        return length, *self.continuation(near[len(near) - length :], token)

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs."""
        ids = self.check_ids(context, allow_empty=True)
        # Lengths are doubled, and then halved: a suffix of what occurs occurs.
        low, high = 0, 1
        while high <= len(ids) and self._counts([ids[len(ids) - high :]])[0]:
            low, high = high, 2 * high
        high = min(high, len(ids) + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._counts([ids[len(ids) - middle :]])[0] else (low, middle)
        return low

    # --- many ----------------------------------------------------------------------------------

    def count_many(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> Numbers:
        """Counts of the n-grams ids[starts[i]:ends[i]] of one text."""
        firsts, lasts = self._parts.find_many(as_bytes(ids), starts, ends, cancel)
        return np.asarray((lasts - firsts).sum(axis=0))

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> Numbers:
        """The longest n-gram from each token on that occurs."""
        query = as_bytes(self.check_ids(ids, allow_empty=True))
        lengths = np.zeros(len(query), dtype=np.int64)
        for part in self._parts.parts:
            with part.guarded() as engine:
                lengths = np.maximum(lengths, engine.longest(query, cancel.flag if cancel else None))
        return lengths

    def _of_contexts(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None) -> Followed:
        context = self.count_many(ids, starts, ends, cancel)
        continuation = self.count_many(ids, starts, ends + 1, cancel)
        # A token that follows every occurrence is the only one that does, and need not be looked for.
        sparse = (continuation > 0) & (continuation == context)
        unclear = np.flatnonzero(~sparse & (context > 0))
        for first in range(0, len(unclear), _TOGETHER):
            some = unclear[first : first + _TOGETHER]
            sparse[some] = (self._following(ids, starts[some], ends[some], cancel) > 0).sum(axis=1) == 1
        return Followed(starts, context, continuation, sparse)

    # --- what follows --------------------------------------------------------------------------

    def _following(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None) -> NDArray[np.int64]:
        """How often each byte follows each context, int64 [contexts, 256]."""
        firsts, lasts = self._parts.find_many(as_bytes(ids), starts, ends, cancel)
        # Of the empty context, the first byte of the text also follows.
        firsts[:, starts == ends] = 0
        totals = np.zeros((len(starts), self._parts.separator + 1), dtype=np.int64)
        for part, low, high in zip(self._parts.parts, firsts, lasts, strict=True):
            with part.guarded() as engine:
                rows = engine.children(low, high, cancel.flag if cancel else None)
            # Each pair of a context and a byte is there once.
            totals[rows[:, 0], rows[:, 1]] += rows[:, 3] - rows[:, 2]
        return totals

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        """The tokens that follow a context: always exact, since an estimate would take longer.

        Raises `QueryError` if the limit is out of range.
        """
        ids = self._context(context, backoff, limit)
        whole = np.array([len(ids)], dtype=np.int64)
        counts = self._following(ids, np.zeros_like(whole), whole, cancel)[0]
        tokens = np.flatnonzero(counts)
        return NextTokens(*added_up(tokens, counts[tokens]), self.count(ids), len(ids))

    def followers(
        self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Numbers]:
        """How often a token follows each of many contexts, and how many distinct ones do."""
        none = np.empty(0, dtype=np.int64)
        totals, distinct = [none], [none]
        for first in range(0, len(starts), _TOGETHER):
            some = slice(first, first + _TOGETHER)
            found = self._following(ids, starts[some], ends[some], cancel)[:, : self._parts.separator]
            totals.append(found.sum(axis=1))
            distinct.append((found > 0).sum(axis=1).astype(np.int64))
        return np.concatenate(totals), np.concatenate(distinct)
