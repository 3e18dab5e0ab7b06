"""The rank of each token of a text among all tokens that might come next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.analyses.model.distribution import Distribution, distribution
from explorer.analyses.model.method import Method
from explorer.analyses.model.scoring import Scorable, TextScores, Vocabulary
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Progress, Report, no_report


@dataclass(frozen=True)
class Ranked:
    """A token among those that might have come next.

    share: Its probability, or its score where the method is not normalized.
    rank: How many tokens are more probable; None where it has a probability of 0.
    best: The id of the most probable token, of equal ones the lowest; None where the method knows no next token, or
        gives all tokens the same.
    """

    token: int
    share: float
    rank: int | None
    best: int | None

    @property
    def is_best(self) -> bool:
        """Whether it is the most probable token."""
        return self.token == self.best


def ranked_tokens(
    index: Backend, method: Method, text: Scorable, vocabulary: Vocabulary, cancel: CancelToken | None = None
) -> Iterator[Ranked]:
    """Rank the tokens of a text that are scored, each after all tokens of its text before it.

    Notes
    -----
    Cost: that of one distribution per token, some milliseconds where the method uses the empty context.
    """
    for place in range(text.first, len(text.ids)):
        token = int(text.ids[place])
        found = distribution(index, method, text.ids[:place], vocabulary.size, cancel)
        may_be = vocabulary.every or bool(
            index.counts.count_many(text.ids, np.array([place]), np.array([place + 1]))[0]
        )
        yield _ranked(found, token, may_be)


def with_hits(
    index: Backend,
    method: Method,
    texts: Sequence[Scorable],
    scores: Sequence[TextScores],
    vocabulary: Vocabulary,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> list[TextScores]:
    """Add to scores how many tokens were the most probable ones."""
    made, done, total = [], 0, sum(map(len, scores))
    for text, found in zip(texts, scores, strict=True):
        hits = 0
        for token in ranked_tokens(index, method, text, vocabulary, cancel):
            hits, done = hits + token.is_best, done + 1
            report(Progress("Finding the most probable tokens", done, total, "tokens"))
        made.append(replace(found, hits=hits))
    return made


def _ranked(found: Distribution, token: int, may_be: bool) -> Ranked:
    at = np.flatnonzero(found.tokens == token)
    share = float(found.shares[at[0]]) if len(at) else found.other if may_be else 0.0
    # Tokens that are not listed are as probable as each other, and mostly less so than any that is listed.
    above = int(np.count_nonzero(found.shares > share)) + (found.other_count if found.other > share else 0)
    # With equal shares for all, no token is a guess of the method.
    best = int(found.tokens[0]) if len(found.tokens) and found.shares[0] > found.other else None
    return Ranked(token, share, above if share else None, best)
