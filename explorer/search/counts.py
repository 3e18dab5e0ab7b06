"""Counts, probabilities and next tokens, for a fixed context and for the longest that occurs (∞-gram).

∞-gram: Liu et al., "Infini-gram: Scaling Unbounded n-gram Language Models to a Trillion Tokens",
2024, section 2: the context backs off to its longest suffix that occurs in the corpus.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import Places
from explorer.backends.shards import Ids, Index, Matches
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


@dataclass(frozen=True)
class NextTokens:
    """Tokens that follow a context, most frequent first, with their counts.

    `exact` is False for an estimate from `sample_size` occurrences; counts are then those of the sample.
    The separator stands for the end of a document.
    """

    tokens: NDArray[np.int64]
    counts: NDArray[np.int64]
    context_count: int
    context_length: int
    exact: bool = True
    sample_size: int = 0

    @property
    def total(self) -> int:
        """Sum of the counts."""
        return int(self.counts.sum())

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Share of each token among all that follow."""
        return self.counts / max(1, self.total)


def prob(index: Index, context: Ids, token: int) -> Probability:
    """Probability of a token behind exactly this context."""
    before, continued = index.continuation(context, token)
    return Probability(before, continued, continued / before if before else math.nan, len(context))


def infgram_prob(index: Index, context: Ids, token: int) -> Probability:
    """Probability of a token behind the longest suffix of the context that occurs."""
    length, before, continued = index.backed_off(context, token)
    return Probability(before, continued, continued / before if before else math.nan, length)


def longest_suffix(index: Index, context: Ids) -> Matches:
    """Occurrences of the longest suffix of the context that occurs; the empty suffix always does."""
    return index.find(context[len(context) - index.longest_suffix(context) :])


def next_tokens(index: Index, context: Ids, limit: int | None = None, cancel: CancelToken | None = None) -> NextTokens:
    """Tokens behind exactly this context; with a `limit`, an estimate from so many occurrences."""
    return _next_tokens(index, context, False, limit, cancel)


def infgram_next_tokens(
    index: Index, context: Ids, limit: int | None = None, cancel: CancelToken | None = None
) -> NextTokens:
    """Tokens behind the longest suffix of the context that occurs."""
    return _next_tokens(index, context, True, limit, cancel)


def _next_tokens(
    index: Index, context: Ids, backoff: bool, limit: int | None, cancel: CancelToken | None
) -> NextTokens:
    if limit is not None:
        limit = whole_number(limit, "limit", -LARGEST)
    if limit is None and index.forward:
        length, count, tokens, counts = index.following(context, backoff, cancel)
        return NextTokens(tokens, counts, count, length)
    if limit is not None and limit < 1:
        raise QueryError(
            tr("limit must be at least 1 occurrence, not {limit}. Leave it out for exact counts.", limit=limit)
        )
    matches = longest_suffix(index, context) if backoff else index.find(context)
    if limit is None or matches.count <= limit:
        tokens, counts = index.next_tokens(matches, cancel)
        return NextTokens(tokens, counts, matches.count, matches.length)
    tokens, counts, looked_at = _sample_next_tokens(index, matches, limit)
    return NextTokens(tokens, counts, matches.count, matches.length, exact=False, sample_size=looked_at)


def _spread(index: Index, matches: Matches, limit: int) -> Places:
    """`limit` occurrences spread evenly over the ranks of all shards, or all of them if there are fewer."""
    total = sum(last - first for first, last in matches.ranges)
    drawn = limit
    while True:
        numbers = (np.arange(drawn, dtype=np.int64) * total) // drawn
        places = index.places(matches.ranges, numbers, matches.ids)
        kept = np.flatnonzero(~index.is_left_out(places.documents))
        if len(kept) >= limit or drawn >= total:
            break
        drawn = min(total, 2 * drawn)
    size = min(limit, len(kept))
    kept = kept[(np.arange(size, dtype=np.int64) * len(kept)) // max(1, size)]
    return Places(places.documents[kept], places.offsets[kept])


def _sample_next_tokens(index: Index, matches: Matches, limit: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Next tokens of `limit` occurrences with their counts, and how many occurrences were read."""
    places = _spread(index, matches, limit)
    tally: dict[int, int] = {}
    for document, offset in zip(places.documents.tolist(), places.offsets.tolist(), strict=True):
        after = index.document_tokens(document, offset + matches.length, offset + matches.length + 1)
        token = int(after[0]) if len(after) else index.separator
        tally[token] = tally.get(token, 0) + 1
    pairs = sorted(tally.items(), key=lambda pair: (-pair[1], pair[0]))
    array = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return np.ascontiguousarray(array[:, 0]), np.ascontiguousarray(array[:, 1]), len(places)
