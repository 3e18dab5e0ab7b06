"""Proportions of independent trials: Wilson's interval, and how far two proportions differ.

Two proportions: the pooled z test and Newcombe's interval of the difference (method 10, from Wilson's), in
R. G. Newcombe, "Interval estimation for the difference between independent proportions", 1998. Effect size:
Cohen's h = 2·asin(√p) − 2·asin(√q); by his reckoning 0.2 is small, 0.5 medium, 0.8 large.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from explorer.i18n import mark

NORMAL_95 = 1.959963984540054
"""The 97.5th percentile of the normal distribution: 95 % between it and its negative."""


@lru_cache(maxsize=1 << 12)
def wilson_interval(successes: float, trials: float) -> tuple[float, float]:
    """Compute the 95 % score interval of a proportion.

    trials: The number of trials, which may be an effective one and not whole.
    Returns: The ends of the interval, within 0 to 1; (0, 1) without trials.

    Notes
    -----
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.

    Examples
    --------
    >>> low, high = wilson_interval(50, 100)
    >>> round(low, 3), round(high, 3)
    (0.404, 0.596)
    """
    # Nothing is known, so every share is possible.
    if trials == 0:
        return 0.0, 1.0
    # A score interval stays within 0 and 1 and has a width even for 0 of n; rounding alone can leave the range.
    share, z2 = successes / trials, NORMAL_95**2
    center = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = NORMAL_95 * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    return max(0.0, center - half), min(1.0, center + half)


@dataclass(frozen=True)
class TwoProportions:
    """How one share differs from another.

    difference: The first less the second.
    low: The lower end of its 95 % interval.
    high: The upper end of its 95 % interval.
    z: The z value of the pooled test.
    """

    difference: float
    low: float
    high: float
    z: float
    p: float
    h: float

    @property
    def size(self) -> str:
        """The effect in a word."""
        value = abs(self.h)
        if value < 0.5:
            return mark("negligible") if value < 0.2 else mark("small")
        return mark("medium") if value < 0.8 else mark("large")


def two_proportions(first: int, of_first: int, second: int, of_second: int) -> TwoProportions | None:
    """Compare two proportions.

    Returns: The difference with its 95 % interval, z, p (two-sided) and Cohen's h; None if one has no trials.

    Notes
    -----
    The interval is Newcombe's (1998, method 10), made of Wilson's intervals; z is that of the pooled test.

    Examples
    --------
    >>> round(two_proportions(60, 100, 40, 100).difference, 2)
    0.2
    """
    if not of_first or not of_second:
        return None
    p, q = first / of_first, second / of_second
    # The test assumes one proportion for both, the interval does not; near the border the two may disagree.
    pooled = (first + second) / (of_first + of_second)
    error = math.sqrt(pooled * (1 - pooled) * (1 / of_first + 1 / of_second))
    # No error: both proportions are 0, or both are 1.
    z = (p - q) / error if error else 0.0
    low_p, high_p = wilson_interval(first, of_first)
    low_q, high_q = wilson_interval(second, of_second)
    return TwoProportions(
        difference=p - q,
        # Each bound takes, of both intervals, the halves that point in its direction.
        low=p - q - math.hypot(p - low_p, high_q - q),
        high=p - q + math.hypot(high_p - p, q - low_q),
        z=z,
        # The area of the normal distribution on both sides beyond |z|.
        p=math.erfc(abs(z) / math.sqrt(2)),
        h=2 * math.asin(math.sqrt(p)) - 2 * math.asin(math.sqrt(q)),
    )
