"""Counts of several indexes together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.backends.defaults.by_counts import ByCounts
from explorer.backends.merged.parts import Parts
from explorer.backends.protocol.protocol import Followed, Ids, NextTokens, Numbers
from explorer.core.jobs import CancelToken


class MergedCounts(ByCounts):
    """Answers `explorer.backends.protocol.protocol.CountQuestions`: counts add up, and the longest match is that of
    any index.

    separator: The token before each document, the same in all of them.
    """

    def __init__(self, parts: Parts, separator: int) -> None:
        super().__init__(separator)
        self._parts = parts

    # --- one by one ----------------------------------------------------------------------------

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram."""
        return sum(self._parts.each(lambda part: part.counts.count(ids)))

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Occurrences of a context, and of it with a token after it."""
        pairs = self._parts.each(lambda part: part.counts.continuation(context, token))
        return sum(one for one, _ in pairs), sum(other for _, other in pairs)

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Length of the longest suffix that occurs, its count, and its count with the token."""
        ids = self.check_ids(context, allow_empty=True)
        length = self.longest_suffix(ids)
        return length, *self.continuation(ids[len(ids) - length :], token)

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs in any of the indexes."""
        return max(self._parts.each(lambda part: part.counts.longest_suffix(context)))

    # --- many ----------------------------------------------------------------------------------

    def count_many(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> Numbers:
        """Counts of the n-grams ids[starts[i]:ends[i]] of one text."""
        found = self._parts.each(lambda part: part.counts.count_many(ids, starts, ends, cancel))
        total: Numbers = np.sum(found, axis=0, dtype=np.int64)
        return total

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> Numbers:
        """The longest n-gram from each token on that occurs in any of the indexes."""
        longest: Numbers = np.max(self._parts.each(lambda part: part.counts.longest_matches(ids, cancel)), axis=0)
        return longest

    def followed(
        self, ids: Ids, orders: Sequence[int | None], longest: Numbers | None = None, cancel: CancelToken | None = None
    ) -> tuple[Followed, ...]:
        """One answer per order: most tokens of an n-gram, or None for the longest context that occurs."""
        array = self.check_ids(ids, allow_empty=True)
        # With the matches of all indexes, each of them looks at the same contexts.
        known = self.longest_matches(array, cancel) if longest is None else longest
        found = self._parts.each(lambda part: part.counts.followed(array, orders, known, cancel))
        return tuple(self._together(array, answers, cancel) for answers in zip(*found, strict=True))

    def _together(self, ids: Numbers, answers: Sequence[Followed], cancel: CancelToken | None) -> Followed:
        contexts = np.stack([each.context for each in answers])
        continuations = np.stack([each.continuation for each in answers])
        found = Followed(
            answers[0].starts,
            contexts.sum(axis=0),
            continuations.sum(axis=0),
            np.zeros(len(ids), dtype=np.bool_),
        )
        sure, doubtful = one_follows(contexts > 0, continuations > 0, np.stack([each.sparse for each in answers]))
        sparse = sure.copy()
        silent = (contexts > 0) & (continuations == 0) & ~np.stack([each.sparse for each in answers])
        for i in self._undecided(ids, found.starts, np.flatnonzero(doubtful), silent, cancel):
            sparse[i] = len(self.next_tokens(ids[found.starts[i] : i], cancel=cancel).tokens) == 1
        return replace(found, sparse=sparse)

    def _undecided(
        self, ids: Numbers, starts: Numbers, places: Numbers, silent: NDArray[np.bool_], cancel: CancelToken | None
    ) -> list[int]:
        """The doubtful places, but for those where an index that seems silent has several tokens that follow."""
        if not len(places):
            return []
        asked = self._parts.each(lambda part: part.counts.followers(ids, starts[places], places, cancel))
        speaks = np.stack([distinct for _, distinct in asked]) > 0
        undecided: list[int] = places[~(speaks & silent[:, places]).any(axis=0)].tolist()
        return undecided

    # --- what follows --------------------------------------------------------------------------

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        """The tokens that follow a context; an estimate looks at as large a share of the occurrences in each index.

        Raises `QueryError` if the limit is out of range.
        """
        ids = self._context(context, backoff, limit)
        if limit is None:
            return added(self._parts.each(lambda part: part.counts.next_tokens(ids, cancel=cancel)), len(ids))
        counts = self._parts.each(lambda part: part.counts.count(ids))
        total = max(1, sum(counts))
        limits = [max(1, -(-limit * count // total)) for count in counts]

        def sampled(number: int) -> NextTokens:
            return self._parts.backends[number].counts.next_tokens(ids, limit=limits[number], cancel=cancel)

        return added(self._parts.some(range(len(self._parts)), sampled), len(ids))

    def followers(
        self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Numbers]:
        """How often a token follows each of many contexts, and how many distinct ones do.

        Notes
        -----
        One question, and one more for each context that a token follows in several of the indexes.
        """
        found = self._parts.each(lambda part: part.counts.followers(ids, starts, ends, cancel))
        followed = np.stack([each for each, _ in found])
        distinct = np.max([each for _, each in found], axis=0)
        for i in np.flatnonzero((followed > 0).sum(axis=0) > 1).tolist():
            tokens = self.next_tokens(ids[starts[i] : ends[i]], cancel=cancel).tokens
            distinct[i] = np.count_nonzero(tokens != self._separator)
        return followed.sum(axis=0), distinct


def added(answers: Sequence[NextTokens], length: int) -> NextTokens:
    """Add up what follows a context in several indexes.

    Returns: What follows in all of them. It is exact if all of them are.

    Examples
    --------
    >>> one = NextTokens(np.array([5, 6]), np.array([2, 1]), 3, 1)
    >>> other = NextTokens(np.array([6]), np.array([4]), 4, 1)
    >>> found = added([one, other], 1)
    >>> found.tokens.tolist(), found.counts.tolist(), found.context_count
    ([6, 5], [5, 2], 7)
    """
    tokens, which = np.unique(np.concatenate([each.tokens for each in answers]), return_inverse=True)
    counts = np.zeros(len(tokens), dtype=np.int64)
    np.add.at(counts, which, np.concatenate([each.counts for each in answers]))
    order = np.lexsort((tokens, -counts))
    exact = all(each.exact for each in answers)
    sample = 0 if exact else sum(each.total if each.exact else each.sample_size for each in answers)
    total = sum(each.context_count for each in answers)
    return NextTokens(tokens[order], counts[order], total, length, exact, sample)


def one_follows(
    there: NDArray[np.bool_], with_token: NDArray[np.bool_], sparse: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell after which contexts the same token follows in all indexes.

    with_token: Whether the text's own token ever follows it.
    Returns: Where it does, and where this is not known: other tokens than the text's own follow, which may be one or
        several, or nothing follows in an index, because its text ends there.
    """
    silent = there & ~sparse & ~with_token
    may = there.any(axis=0) & (~there | sparse | silent).all(axis=0)
    # The text's own token follows in all of them, or in none.
    may &= (with_token == (there & ~silent)).all(axis=0) | ~with_token.any(axis=0)
    known = ~silent.any(axis=0) & (with_token.any(axis=0) | (there.sum(axis=0) == 1))
    return may & known, may & ~known
