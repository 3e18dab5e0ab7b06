"""Counts of n-grams, and what follows them, from an index of infini-gram's protocol."""

from __future__ import annotations

import numpy as np

from explorer.backends.defaults.by_counts import FollowedByCounts
from explorer.backends.defaults.ranked import parts_of
from explorer.backends.protocol.protocol import (
    Followed,
    Ids,
    NextTokens,
    Numbers,
)
from explorer.backends.remote.followers import FollowerReader
from explorer.backends.remote.longest import longest_matches, suffix_length
from explorer.backends.remote.service import Service
from explorer.core.jobs import CancelToken


class RemoteCounts(FollowedByCounts):
    """Answers `explorer.backends.protocol.protocol.CountQuestions`.

    separator: The token before each document.
    end: The id under which next tokens have the end of a document; None if that is not known.
    """

    def __init__(self, service: Service, separator: int, end: int | None = None) -> None:
        super().__init__(separator)
        self._service = service
        self._after = FollowerReader(service, separator, end)

    # --- one by one ----------------------------------------------------------------------------

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram; the empty one counts tokens. One request."""
        count: int = self._service.ask("count", self.check_ids(ids, allow_empty=True))["count"]
        return count

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Occurrences of the context, and of it with the token after it. One request."""
        answer = self._service.ask("prob", self._with(context, token))
        return answer["prompt_cnt"], answer["cont_cnt"]

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Length of the longest suffix of the context that occurs, its count, and its count with the token."""
        ids = self._with(context, token)
        most = self._service.limits.tokens
        if len(ids) > most:
            length = self.longest_suffix(ids[:-1])
            return length, *self.continuation(ids[len(ids) - 1 - length : -1], token)
        answer = self._service.ask("infgram_prob", ids)
        return answer["suffix_len"], answer["prompt_cnt"], answer["cont_cnt"]

    def _with(self, context: Ids, token: int) -> Numbers:
        return np.append(self.check_ids(context, allow_empty=True), self.check_ids([token]))

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs. One request."""
        return suffix_length(self._service, self.check_ids(context, allow_empty=True))

    # --- many ----------------------------------------------------------------------------------

    def count_many(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> Numbers:
        """Counts of the n-grams ids[starts[i]:ends[i]] of one text. One request per different n-gram."""
        parts = parts_of(ids, starts, ends)
        answers = self._service.ask_many([self._service.question("count", part) for part in parts], cancel)
        return np.array([answer["count"] for answer in answers], dtype=np.int64)

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> Numbers:
        """The longest n-gram from each token on that occurs. At most one request per token."""
        return longest_matches(self._service, self.check_ids(ids, allow_empty=True), cancel)

    def _of_contexts(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None) -> Followed:
        parts = parts_of(ids, starts, ends + 1)
        answers = self._service.ask_many([self._service.question("prob", part) for part in parts], cancel)
        pairs = [(answer["prompt_cnt"], answer["cont_cnt"]) for answer in answers]
        context, continuation = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        sparse = self._after.alone(ids, (starts, ends), (context, continuation), cancel)
        return Followed(starts, context, continuation, sparse)

    # --- what follows --------------------------------------------------------------------------

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        """The tokens that follow a context: exact up to 1,000 occurrences, and an estimate above. One request."""
        return self._after.next_tokens(self.check_ids(context, allow_empty=True), backoff, limit, cancel)

    def followers(
        self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Numbers]:
        """How often a token follows each of many contexts, and how many distinct ones do."""
        parts = parts_of(ids, starts, ends)
        found = [self._after.counts_of(part, cancel) for part in parts]
        return (
            np.array([int(counts.sum()) for counts in found], dtype=np.int64),
            np.array([len(counts) for counts in found], dtype=np.int64),
        )
