"""Questions about counts that other questions about counts answer, for indexes without a faster way."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from explorer.backends.defaults.hints import hints_by_counts
from explorer.backends.defaults.ids import checked_ids
from explorer.backends.defaults.levels import greedy_by_counts, levels_by_counts
from explorer.backends.local.followed import context_starts
from explorer.backends.protocol.count_questions import CountQuestions
from explorer.backends.protocol.values import Followed, HintArrays, HintRule, Ids, Level, Numbers
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark


def check_limit(limit: int | None) -> None:
    """Raise QueryError for a number of occurrences that cannot be looked at; None means all."""
    if limit is not None and limit < 1:
        raise QueryError(mark("limit must be at least 1 occurrence, not {limit}."), reason="bad-limit", limit=limit)


class ByCounts(CountQuestions):
    """What all such indexes answer of `explorer.backends.protocol.count_questions.CountQuestions`; each adds the rest.

    separator: The token before each document.
    """

    def __init__(self, separator: int) -> None:
        self._separator = separator

    def check_ids(self, ids: Ids, allow_empty: bool = False) -> Numbers:
        """The ids as an int64 array; raises QueryError for what cannot be ids of this index."""
        return checked_ids(ids, self._separator, allow_empty)

    def _context(self, context: Ids, backoff: bool, limit: int | None) -> Numbers:
        """The ids whose next tokens are asked for: with `backoff`, those of the longest suffix that occurs."""
        check_limit(limit)
        ids = self.check_ids(context, allow_empty=True)
        return ids[len(ids) - self.longest_suffix(ids) :] if backoff else ids

    def levels(
        self, context: Ids, least: int, most: int | None, selective: bool, cancel: CancelToken | None = None
    ) -> tuple[tuple[Level, ...], bool]:
        """What follows each suffix of one context."""
        return levels_by_counts(self, self._separator, context, least, most, selective, cancel)

    def greedy(self, context: Ids, most: int, least: float, cancel: CancelToken | None = None) -> tuple[int, list[int]]:
        """The most likely tokens after the longest suffix of a context."""
        return greedy_by_counts(self, self._separator, context, most, least, cancel)

    def hints(
        self,
        ids: Numbers,
        places: Numbers,
        begins: Numbers,
        numbers: Numbers,
        rule: HintRule,
        cancel: CancelToken | None = None,
    ) -> HintArrays:
        """Samples of what follows the contexts of some tokens."""
        return hints_by_counts(self, self._separator, ids, places, begins, numbers, rule, cancel)


class FollowedByCounts(ByCounts):
    """Such an index that counts contexts wherever they begin."""

    def followed(
        self, ids: Ids, orders: Sequence[int | None], longest: Numbers | None = None, cancel: CancelToken | None = None
    ) -> tuple[Followed, ...]:
        """One answer per order: most tokens of an n-gram, or None for the longest context that occurs."""
        array = self.check_ids(ids, allow_empty=True)
        starts = context_starts(self.longest_matches(array, cancel) if longest is None else longest)
        ends = np.arange(len(array), dtype=np.int64)
        cut = (starts if order is None else np.maximum(starts, ends - (order - 1)) for order in orders)
        return tuple(self._of_contexts(array, each, ends, cancel) for each in cut)

    @abstractmethod
    def _of_contexts(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None) -> Followed:
        """What follows the contexts ids[starts[i]:ends[i]]: the token after each."""
