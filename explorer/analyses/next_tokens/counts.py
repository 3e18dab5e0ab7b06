"""Counts, probabilities and next tokens, for a fixed context and for the longest that occurs (∞-gram).

∞-gram: Liu et al., "Infini-gram: Scaling Unbounded n-gram Language Models to a Trillion Tokens",
2024, section 2: the context backs off to its longest suffix that occurs in the corpus.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from explorer.analyses.search.limits import LARGEST, whole_number
from explorer.backends.protocol.protocol import Backend, Ids, Matches, NextTokens
from explorer.core.arrays import Value
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark


@dataclass(frozen=True, eq=False)
class Probability(Value):
    """The probability of a token after a context.

    Attributes
    ----------
    context_count
        Occurrences of the context.
    continuation_count
        Occurrences of the context with the token after it.
    probability
        Their ratio; nan if the context does not occur.
    context_length
        Tokens of context that were used.
    """

    context_count: int
    continuation_count: int
    probability: float
    context_length: int


def prob(index: Backend, context: Ids, token: int) -> Probability:
    """Give the probability of a token after exactly this context.

    context, token: As for `explorer.corpus.Corpus.prob`, which describes the answer, too.
    Returns: The counts and their ratio.
    Raises `QueryError` if an id is not one of the index.
    """
    # Both counts in one request. A context that does not occur tells nothing, which is not a probability of 0.
    before, continued = index.counts.continuation(context, token)
    return Probability(before, continued, continued / before if before else math.nan, len(context))


def infgram_prob(index: Backend, context: Ids, token: int) -> Probability:
    """Give the probability of a token after the longest suffix of the context that occurs.

    context, token: As for `explorer.corpus.Corpus.infgram_prob`, which describes the model, too.
    Returns: The counts and their ratio, and the length of the suffix.
    Raises `QueryError` if an id is not one of the index.
    """
    # The empty suffix always occurs, so nan is left for an index without tokens.
    length, before, continued = index.counts.backed_off(context, token)
    return Probability(before, continued, continued / before if before else math.nan, length)


def longest_suffix(index: Backend, context: Ids) -> Matches:
    """Find the longest suffix of a context that occurs; the empty suffix always does.

    context: Token ids; may be empty.
    Raises `QueryError` if an id is not one of the index.
    """
    # Not context[-length:], which would be the whole context if the length is 0.
    return index.hits.find(context[len(context) - index.counts.longest_suffix(context) :])


def next_tokens(
    index: Backend, context: Ids, limit: int | None = None, cancel: CancelToken | None = None
) -> NextTokens:
    """Count the tokens after exactly this context.

    context: Token ids; may be empty.
    limit: Occurrences to look at for an estimate, 1 or more; None for an exact answer.
    Returns: The tokens and their counts, most frequent first.
    Raises `QueryError` if an id is not one of the index, or the limit is out of range.

    Notes
    -----
    The cost grows with the number of distinct tokens, or with the limit.
    """
    return _next_tokens(index, context, False, limit, cancel)


def infgram_next_tokens(
    index: Backend, context: Ids, limit: int | None = None, cancel: CancelToken | None = None
) -> NextTokens:
    """Count the tokens after the longest suffix of the context that occurs.

    context: Token ids; may be empty.
    Returns: The tokens and their counts, most frequent first, and the length of the suffix.
    """
    return _next_tokens(index, context, True, limit, cancel)


def _next_tokens(
    index: Backend, context: Ids, backoff: bool, limit: int | None, cancel: CancelToken | None
) -> NextTokens:
    # Any whole number passes the first check, so that 0 and -1 get the sentence that explains the limit.
    if limit is not None and (limit := whole_number(limit, "limit", -LARGEST)) < 1:
        raise QueryError(
            mark("limit must be at least 1 occurrence, not {limit}."),
            reason="bad-limit",
            limit=limit,
        )
    return index.counts.next_tokens(context, backoff, limit, cancel)
