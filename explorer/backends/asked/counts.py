"""Counts of an index on another machine."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.backends.asked.asker import Asker
from explorer.backends.defaults.ids import checked_ids
from explorer.backends.protocol.values import Followed, HintArrays, HintRule, Ids, Level, NextTokens, Numbers
from explorer.core.jobs import CancelToken


class AskedCounts:
    """The questions of `explorer.backends.protocol.protocol.CountQuestions`, which describes them; one request each.

    asker: asks the index. separator: its largest id, so that wrong ids are refused before anything is sent.
    """

    asks_elsewhere = True

    def __init__(self, asker: Asker, separator: int) -> None:
        self._asker = asker
        self._separator = separator

    def check_ids(self, ids: Ids, allow_empty: bool = False) -> Numbers:
        """The ids as an int64 array; asks nobody."""
        return checked_ids(ids, self._separator, allow_empty)

    def _ids(self, ids: Ids) -> Numbers:
        return self.check_ids(ids, allow_empty=True)

    def _token(self, token: int) -> int:
        return int(self.check_ids([token])[0])

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram."""
        return int(self._asker.ask("count", self._ids(ids)))

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Occurrences of a context, and of it with a token after it."""
        found: tuple[int, int] = self._asker.ask("continuation", self._ids(context), self._token(token))
        return found

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Length of the longest suffix that occurs, its count, and its count with the token."""
        found: tuple[int, int, int] = self._asker.ask("backed_off", self._ids(context), self._token(token))
        return found

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs."""
        return int(self._asker.ask("longest_suffix", self._ids(context)))

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        """The tokens that follow a context."""
        found: NextTokens = self._asker.ask("next_tokens", self._ids(context), backoff, limit, cancel=cancel)
        return found

    def count_many(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> Numbers:
        """Occurrences of many n-grams of one text."""
        found: Numbers = self._asker.many("count_many", len(starts), ids, starts, ends, cancel=cancel)
        return found

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> Numbers:
        """The longest n-gram from each token on that occurs."""
        array = self._ids(ids)
        found: Numbers = self._asker.many("longest_matches", len(array), array, cancel=cancel)
        return found

    def followed(
        self, ids: Ids, orders: Sequence[int | None], longest: Numbers | None = None, cancel: CancelToken | None = None
    ) -> tuple[Followed, ...]:
        """What each token of a text follows, for several models of it."""
        array = self._ids(ids)
        found: tuple[Followed, ...] = self._asker.many(
            "followed", len(orders), array, tuple(orders), longest, cancel=cancel
        )
        if any(len(one.starts) != len(array) for one in found):
            raise self._asker.wrong("followed")
        return found

    def followers(
        self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Numbers]:
        """How often contexts are followed, and by how many distinct tokens."""
        followed, distinct = self._asker.ask("followers", ids, starts, ends, cancel=cancel)
        if not len(followed) == len(distinct) == len(starts):
            raise self._asker.wrong("followers")
        return followed, distinct

    def levels(
        self, context: Ids, least: int, most: int | None, selective: bool, cancel: CancelToken | None = None
    ) -> tuple[tuple[Level, ...], bool]:
        """The suffixes of one context that a token follows, and what follows each."""
        found: tuple[tuple[Level, ...], bool] = self._asker.ask(
            "levels", self._ids(context), least, most, selective, cancel=cancel
        )
        return found

    def greedy(self, context: Ids, most: int, least: float, cancel: CancelToken | None = None) -> tuple[int, list[int]]:
        """The most frequent token each time, from the longest suffix that occurs."""
        found: tuple[int, list[int]] = self._asker.ask("greedy", self._ids(context), most, least, cancel=cancel)
        return found

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
        found: HintArrays = self._asker.ask("hints", ids, places, begins, numbers, rule, cancel=cancel)
        return found
