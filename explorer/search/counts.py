"""Counts, probabilities and next tokens, for a fixed context and for the longest that occurs (∞-gram).

∞-gram: Liu et al., "Infini-gram: Scaling Unbounded n-gram Language Models to a Trillion Tokens",
2024, section 2: the context backs off to its longest suffix that occurs in the corpus.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from explorer.backends.protocol import Backend, Ids, Matches, NextTokens
from explorer.errors import QueryError
from explorer.i18n import tr
from explorer.jobs import CancelToken
from explorer.search.limits import LARGEST, whole_number


@dataclass(frozen=True)
class Probability:
    """How often a context occurs, how often the token follows, and their ratio (nan: unseen context).

    `context_length` is the number of tokens of context that were used.
    """

    context_count: int
    continuation_count: int
    probability: float
    context_length: int


def prob(index: Backend, context: Ids, token: int) -> Probability:
    """Probability of a token after exactly this context."""
    before, continued = index.continuation(context, token)
    return Probability(before, continued, continued / before if before else math.nan, len(context))


def infgram_prob(index: Backend, context: Ids, token: int) -> Probability:
    """Probability of a token after the longest suffix of the context that occurs."""
    length, before, continued = index.backed_off(context, token)
    return Probability(before, continued, continued / before if before else math.nan, length)


def longest_suffix(index: Backend, context: Ids) -> Matches:
    """Occurrences of the longest suffix of the context that occurs; the empty suffix always does."""
    return index.find(context[len(context) - index.longest_suffix(context) :])


def next_tokens(
    index: Backend, context: Ids, limit: int | None = None, cancel: CancelToken | None = None
) -> NextTokens:
    """Tokens after exactly this context; with a `limit`, an estimate from this number of occurrences."""
    return _next_tokens(index, context, False, limit, cancel)


def infgram_next_tokens(
    index: Backend, context: Ids, limit: int | None = None, cancel: CancelToken | None = None
) -> NextTokens:
    """Tokens after the longest suffix of the context that occurs."""
    return _next_tokens(index, context, True, limit, cancel)


def _next_tokens(
    index: Backend, context: Ids, backoff: bool, limit: int | None, cancel: CancelToken | None
) -> NextTokens:
    if limit is not None and (limit := whole_number(limit, "limit", -LARGEST)) < 1:
        raise QueryError(
            tr("limit must be at least 1 occurrence, not {limit}. Leave it out for exact counts.", limit=limit)
        )
    return index.next_tokens(context, backoff, limit, cancel)
