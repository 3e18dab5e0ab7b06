"""What follows a context, from an index of infini-gram's protocol, which samples above 1,000 occurrences."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.defaults.by_counts import check_limit
from explorer.backends.protocol.protocol import NextTokens, Numbers
from explorer.backends.remote.longest import suffix_length
from explorer.backends.remote.service import Service
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError
from explorer.i18n import tr

_FEW = 10
"""Occurrences that are looked at to see whether one token follows all."""

_ENDS = ("</s>", "<|endoftext|>", "<|end_of_text|>", "<eos>")
"""What a service calls the end of a document: the token of its tokenizer that ends a text."""

Pair = tuple[Numbers, Numbers]


class FollowerReader:
    """Asks what follows.

    separator: The token before each document.
    end: The id that ends of documents have; None to know it by its name.
    """

    def __init__(self, service: Service, separator: int, end: int | None = None) -> None:
        self._service, self._separator, self._end = service, separator, end

    def next_tokens(self, ids: Numbers, backoff: bool, limit: int | None, cancel: CancelToken | None) -> NextTokens:
        """The tokens that follow a context.

        backoff: Whether to take the longest suffix that occurs.
        limit: Occurrences to look at; None for an exact answer.
        Raises `CapabilityError` without a limit, if the service counts a sample only.
        """
        check_limit(limit)
        most = self._service.limits
        support = min(limit or most.max_support, most.max_support)
        if backoff and len(ids) > most.tokens:
            length = suffix_length(self._service, ids, cancel)
            ids = ids[len(ids) - length :]
        kind = "infgram_ntd" if backoff else "ntd"
        answer = self._service.ask(kind, ids, cancel, max_support=support)
        if answer["approx"] and limit is None:
            raise CapabilityError(self.why_not, capability="next_tokens")
        length = answer["suffix_len"] if backoff else len(ids)
        return self._read(answer, length, support)

    @property
    def why_not(self) -> str:
        """Why what follows is not always exact."""
        return tr(
            "{host} counts what follows from a sample of {most:,} occurrences.",
            host=self._service.host,
            most=self._service.limits.max_support,
        )

    def counts_of(self, ids: Numbers, cancel: CancelToken | None) -> Numbers:
        """How often each token follows a context, separators left out; raises CapabilityError for a sample."""
        found = self.next_tokens(ids, False, None, cancel)
        counts: Numbers = found.counts[found.tokens != self._separator]
        return counts

    def _read(self, answer: dict[str, Any], length: int, support: int) -> NextTokens:
        rows = answer["result_by_token_id"]
        pairs = [(self._token(int(token), row["token"]), row["cont_cnt"]) for token, row in rows.items()]
        total = answer["prompt_cnt"]
        if answer["approx"]:
            pairs = _unscaled(pairs, total, support)
        tokens, counts = _summed(pairs)
        order = np.lexsort((tokens, -counts))
        sample = int(counts.sum()) if answer["approx"] else 0
        return NextTokens(tokens[order], counts[order], total, length, not answer["approx"], sample)

    def _token(self, token: int, text: str) -> int:
        # The engine gives the end of a document the id of the token that ends texts; older ones give the separator.
        is_end = text in _ENDS if self._end is None else token == self._end
        return self._separator if is_end else token

    def alone(self, ids: Numbers, contexts: Pair, counts: Pair, cancel: CancelToken | None) -> NDArray[np.bool_]:
        """Tell whether the same token follows every occurrence of each context.

        contexts: The first tokens of the contexts, and those one past their last.
        """
        (starts, ends), (context, continuation) = contexts, counts
        sparse: NDArray[np.bool_] = (continuation > 0) & (continuation == context)
        # Another token follows where this one does not always. Where it never does, one other token may always do so.
        # Nothing follows the last occurrence of a shard, which is too rare to be asked about.
        unknown = np.flatnonzero((continuation == 0) & (context > 0))
        parts = [ids[starts[i] : ends[i]] for i in unknown.tolist()]
        asked = [self._service.question("ntd", part, max_support=_FEW) for part in parts]
        seen = [self._read(answer, 0, _FEW).tokens for answer in self._service.ask_many(asked, cancel)]
        one = [number for number, tokens in enumerate(seen) if len(tokens) == 1]
        # One token in the sample: it follows everywhere if it does so as often as the context occurs.
        with_it = [self._service.question("prob", np.append(parts[number], seen[number])) for number in one]
        for number, answer in zip(one, self._service.ask_many(with_it, cancel), strict=True):
            sparse[unknown[number]] = answer["cont_cnt"] == answer["prompt_cnt"]
        return sparse


def _unscaled(pairs: list[tuple[int, int]], total: int, support: int) -> list[tuple[int, int]]:
    """Counts of the sample: the engine multiplies them by what one occurrence of the sample represents."""
    if sum(count for _, count in pairs) <= support:
        return pairs
    unit = 1
    while total > unit * support:
        unit *= 2
    return [(token, max(1, round(count / unit))) for token, count in pairs]


def _summed(pairs: list[tuple[int, int]]) -> Pair:
    found: dict[int, int] = {}
    for token, count in pairs:
        found[token] = found.get(token, 0) + count
    return np.array([*found], dtype=np.int64), np.array([*found.values()], dtype=np.int64)
