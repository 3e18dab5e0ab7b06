"""Whether agreement falls from one effective n to the next by more than chance.

The infini-gram paper (section 4.2) reports that for greedy decoding the agreement fluctuates as effective n increases,
and tests one drop with a two-proportion z test. Here every pair of neighboring bins is tested in two ways, and the
larger p value counts:

- by tokens: the score test of two proportions (the z test with the pooled share), or Fisher's exact test where fewer
  than five tokens of a kind are expected;
- by clusters (`explorer.analyses.agreement.clusters`), since tokens of one text depend on each other.

Both are two-sided. The p values of one figure are corrected by Holm's method (S. Holm, "A simple sequentially rejective
multiple test procedure", 1979), so that the probability of any false mark in a figure is at most 5 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.agreement.clusters import difference_p
from explorer.core.proportions import two_proportions

TAIL = 33
"""Effective n from this value on is drawn as one bin, "33+", on screen and on paper; the tables have every n."""
SIGNIFICANT = 0.05
"""The corrected p value below which a fall is a dip."""
LEAST_TOKENS = 20
"""Tokens that both bins must have; fewer could hardly show anything, and would only weaken the correction."""
SCORE, FISHER = "score", "fisher"


@dataclass(frozen=True)
class Step:
    """From one bin of effective n to the next.

    before: The effective n of the first bin.
    after: The effective n of the next bin, one more; `TAIL` for all from there on.
    change: The change in agreement, −1 to 1; a fall is negative.
    test: The test by tokens: "score" or "fisher".
    clusters: The number of clusters that have tokens in either bin.
    p: The larger of the two, corrected for the number of steps.
    """

    before: int
    after: int
    change: float
    test: str
    p_tokens: float
    p_clusters: float
    clusters: int
    p: float

    @property
    def is_dip(self) -> bool:
        """Whether agreement falls by more than chance."""
        return self.change < 0 and self.p < SIGNIFICANT


def find_steps(
    effective_n: NDArray[np.int64], agrees: NDArray[np.bool_], clusters: NDArray[np.int64], tail: int = TAIL
) -> tuple[Step, ...]:
    """Test the change of agreement between neighboring bins.

    effective_n: Effective n of each token, from 1, int64.
    agrees: Whether each token agrees, bool of the same shape.
    clusters: The number of each token's cluster, from 0, int64 of the same shape.
    tail: The effective n from which on all tokens are one bin, as in the figure.
    Returns: One for each two neighbors that both have at least `LEAST_TOKENS` tokens, ascending.

    Notes
    -----
    A pass over the tokens, and a table of the clusters by `tail` bins.
    """
    if not len(effective_n):
        return ()
    bins = np.minimum(effective_n, tail)
    count = int(clusters.max()) + 1
    # A table of clusters by bins, filled in one pass. Effective n counts from 1, so column 0 stays empty.
    places = clusters * (tail + 1) + bins
    shape = (count, tail + 1)
    tokens = np.bincount(places, minlength=count * (tail + 1)).reshape(shape).astype(np.float64)
    agreeing = np.bincount(places, weights=agrees, minlength=count * (tail + 1)).reshape(shape).astype(np.float64)
    enough = tokens.sum(axis=0) >= LEAST_TOKENS
    steps = [
        _step(n, (tokens[:, n], agreeing[:, n]), (tokens[:, n + 1], agreeing[:, n + 1]))
        # The last step leads to the bin of the tail.
        for n in range(1, tail)
        if enough[n] and enough[n + 1]
    ]
    return _corrected(steps)


Counts = tuple[NDArray[np.float64], NDArray[np.float64]]


def _step(n: int, before: Counts, after: Counts) -> Step:
    (of_first, first), (of_second, second) = ((int(tokens.sum()), int(hits.sum())) for tokens, hits in (before, after))
    test, p_tokens = tokens_p(first, of_first, second, of_second)
    p_clusters, clusters = difference_p(before, after)
    change = second / of_second - first / of_first
    return Step(n, n + 1, change, test, p_tokens, p_clusters, clusters, max(p_tokens, p_clusters))


def tokens_p(first: int, of_first: int, second: int, of_second: int) -> tuple[str, float]:
    """Test two shares of independent tokens.

    Returns: The test, "score" or "fisher", and its two-sided p value.

    Examples
    --------
    >>> name, p = tokens_p(3, 4, 1, 4)
    >>> name, round(p, 4)
    ('fisher', 0.4857)
    """
    agreeing, total = first + second, of_first + of_second
    least = min(of_first, of_second) * min(agreeing, total - agreeing) / total
    # Cochran's rule for the approximation, in its usual form: five expected in every cell.
    if least >= 5 and (found := two_proportions(first, of_first, second, of_second)) is not None:
        return SCORE, found.p
    return FISHER, fisher_p(first, of_first, second, of_second)


def fisher_p(first: int, of_first: int, second: int, of_second: int) -> float:
    """Compute the two-sided p value of Fisher's exact test.

    Returns: The probability, with the same margins, of all tables that are at most as likely as this one.

    Notes
    -----
    R. A. Fisher, "Statistical Methods for Research Workers", 5th edition, 1934, section 21.02. One term per possible
    table.

    Examples
    --------
    >>> round(fisher_p(10, 13, 2, 17), 6)
    0.000537
    """
    agreeing, total = first + second, of_first + of_second
    # Logarithms: factorials of token counts do not fit into a float.
    ways = math.lgamma(total + 1) - math.lgamma(agreeing + 1) - math.lgamma(total - agreeing + 1)

    def log_chance(k: int) -> float:
        return _log_choose(of_first, k) + _log_choose(of_second, agreeing - k) - ways

    seen = log_chance(first)
    tables = range(max(0, agreeing - of_second), min(of_first, agreeing) + 1)
    # Equally likely tables differ by rounding.
    return min(1.0, math.fsum(math.exp(each) for each in map(log_chance, tables) if each <= seen + 1e-7))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def holm(values: Sequence[float]) -> list[float]:
    """Correct p values for their number.

    Returns: The adjusted p values, in the same order.

    Examples
    --------
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    adjusted, largest = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda i: values[i])):
        # A larger p value never gets a smaller adjusted one.
        largest = max(largest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = largest
    return adjusted


def _corrected(steps: Sequence[Step]) -> tuple[Step, ...]:
    pairs = zip(steps, holm([step.p for step in steps]), strict=True)
    return tuple(replace(step, p=p) for step, p in pairs)
