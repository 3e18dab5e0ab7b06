"""Draws of a token from a distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.analyses.model.distribution import Distribution
from explorer.analyses.model.method import Shares
from explorer.backends.protocol.protocol import Numbers
from explorer.errors import QueryError
from explorer.i18n import mark


@dataclass(frozen=True)
class Draw:
    """How a token is drawn.

    temperature: 0 takes the most probable token; 1 draws by the probabilities p, others by p^(1/temperature).
    top_k: Only the k most probable tokens; 0 for all.
    top_p: Only the most probable tokens that together have this much of the probability, above 0 to 1.
    """

    temperature: float = 0.8
    top_k: int = 0
    top_p: float = 1.0

    def __post_init__(self) -> None:
        numbers = all(isinstance(value, (int, float)) for value in (self.temperature, self.top_p))
        if not numbers:
            raise QueryError(mark("The temperature and top-p must be numbers."), reason="not-a-number")
        if not (np.isfinite(self.temperature) and self.temperature >= 0):
            raise QueryError(mark("The temperature must be 0 or more."), reason="bad-temperature")
        if not 0 < self.top_p <= 1:
            raise QueryError(mark("top-p must be above 0 and at most 1."), reason="bad-top-p")
        if self.top_k < 0:
            raise QueryError(mark("top-k must be 0 or more."), reason="bad-top-k")


def draw(found: Distribution, how: Draw, random: np.random.Generator, vocabulary: Numbers) -> tuple[int, float]:
    """Draw a token.

    found: The distribution; its total must be above 0.
    vocabulary: Every token that there may be, int64.
    Returns: Its id, and its probability in the distribution as it was given.
    """
    tokens, shares = found.tokens, found.shares
    if found.other > 0:
        others = np.setdiff1d(vocabulary, tokens)
        tokens = np.concatenate([tokens, others])
        shares = np.concatenate([shares, np.full(len(others), found.other)])
        order = np.lexsort((tokens, -shares))
        tokens, shares = tokens[order], shares[order]
    kept = _kept(shares, how)
    chosen = 0 if how.temperature == 0 else _chosen(shares[:kept], how.temperature, random)
    return int(tokens[chosen]), float(shares[chosen])


def _kept(shares: Shares, how: Draw) -> int:
    """How many of the most probable tokens may be drawn."""
    possible = int(np.count_nonzero(shares))
    if how.top_p < 1:
        sums = np.cumsum(shares)
        # As many as are needed to reach the part, so at least one.
        possible = min(possible, int(np.searchsorted(sums, how.top_p * sums[-1] * (1 - 1e-12))) + 1)
    return min(possible, how.top_k) if how.top_k else possible


def _chosen(shares: Shares, temperature: float, random: np.random.Generator) -> int:
    # Logarithms, relative to the largest: a small temperature is a large power.
    weights = np.exp((np.log(shares) - np.log(shares[0])) / temperature)
    sums = weights.cumsum()
    return min(int(sums.searchsorted(random.random() * sums[-1], side="right")), len(sums) - 1)
