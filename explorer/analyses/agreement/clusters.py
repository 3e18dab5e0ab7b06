"""Shares of tokens that depend on each other: intervals and tests by clusters.

Tokens of one text are alike: a copied passage agrees in a run, a list of names does not agree at all. Formulas that
take them for independent give intervals that are too narrow. Here the unit is a cluster of tokens: a text, if there are
at least `LEAST_TEXTS`; otherwise a stretch of a text of about √N tokens, for N tokens in all (batch means). With
stretches, an interval tells how sure the share is for these texts, not for other texts of their source.

The variance of a share over clusters is the jackknife's, which leaves out one cluster at a time (J. W. Tukey, "Bias and
confidence in not-quite large samples", 1958; B. Efron and C. Stein, "The jackknife estimate of variance", 1981): a
single text that has most of the tokens makes it large. The interval is Wilson's of the effective number of tokens, with
Student's t for the number of clusters (E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small
expected number of positive counts", 1998).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Value
from explorer.core.proportions import NORMAL_95, wilson_interval

LEAST_TEXTS = 10
"""Texts from which the texts themselves are the clusters."""
TEXT, STRETCH = "text", "stretch"
_MOST_FREEDOM = 1_000
"""Degrees of freedom from which t is the normal distribution."""


@dataclass(frozen=True, eq=False)
class Share(Value):
    """A share of tokens, with an interval that allows for tokens that depend on each other.

    agreeing: How many of them agree.
    share: Their share, 0 to 1; nan without tokens.
    low: The lower end of its 95 % interval.
    high: The upper end of its 95 % interval.
    error: The standard error over the clusters; 0.0 with fewer than two.
    unit: What a cluster is: "text", or "stretch" for consecutive tokens of a text.
    """

    tokens: int
    agreeing: int
    share: float
    low: float
    high: float
    error: float
    clusters: int
    unit: str


NO_TOKENS = Share(0, 0, math.nan, 0.0, 1.0, 0.0, 0, TEXT)
"""The share of nothing."""


def cluster_numbers(sizes: Sequence[int]) -> tuple[NDArray[np.int64], str]:
    """Put the tokens of texts into clusters.

    Returns: The number of each token's cluster, from 0, int64 of the shape (tokens of all texts,); and what a cluster
        is.

    Examples
    --------
    >>> cluster_numbers([5, 4])[0].tolist()
    [0, 0, 0, 0, 0, 1, 1, 1, 1]
    """
    filled = [size for size in sizes if size]
    if len(filled) >= LEAST_TEXTS:
        return np.repeat(np.arange(len(filled)), filled), TEXT
    length = max(1, round(math.sqrt(sum(filled))))
    # The last stretch of a text takes what is left: one of a few tokens would be a cluster like the others.
    counts = [max(1, size // length) for size in filled]
    parts = [np.minimum(np.arange(size) // length, count - 1) for size, count in zip(filled, counts, strict=True)]
    firsts = np.cumsum([0, *counts])[:-1].tolist()
    none = [np.zeros(0, dtype=np.int64)]
    return np.concatenate(none + [part + first for part, first in zip(parts, firsts, strict=True)]), STRETCH


def share_of(agrees: NDArray[np.bool_], clusters: NDArray[np.int64], unit: str) -> Share:
    """Compute a share of tokens with its 95 % interval.

    clusters: The number of each token's cluster, int64 of the same shape.
    Returns: The share; its interval is Wilson's of the effective number of tokens.

    Notes
    -----
    The effective number is that of independent tokens with the same variance, and never more than there are. Where all
    tokens agree, or none does, the variance is unknown, and each cluster counts as one token.
    """
    tokens, agreeing = len(agrees), int(agrees.sum())
    sizes = np.bincount(clusters).astype(np.float64)
    hits = np.bincount(clusters, weights=agrees).astype(np.float64)
    sizes, hits = sizes[sizes > 0], hits[sizes > 0]
    if not tokens:
        return NO_TOKENS
    share, count = agreeing / tokens, len(sizes)
    error = math.sqrt(_jackknife(_without_each(sizes, hits))) if count > 1 else 0.0
    if 0 < agreeing < tokens and count > 1:
        # Clusters that are more alike than chance would have it do not make tokens count for more than one.
        effective = min(float(tokens), share * (1 - share) / error**2) if error else float(tokens)
        effective *= (NORMAL_95 / t_quantile(count - 1)) ** 2
    else:
        effective = float(count)
    low, high = wilson_interval(share * effective, effective)
    return Share(tokens, agreeing, share, low, high, error, count, unit)


def _without_each(sizes: NDArray[np.float64], hits: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share without each of the clusters in turn; nan where nothing remains."""
    with np.errstate(invalid="ignore"):
        return np.asarray((hits.sum() - hits) / (sizes.sum() - sizes))


def _jackknife(values: NDArray[np.float64]) -> float:
    """The variance of a value, from those without one cluster each."""
    return float(((values - values.mean()) ** 2).sum()) * (len(values) - 1) / len(values)


def difference_p(
    first: tuple[NDArray[np.float64], NDArray[np.float64]], second: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> tuple[float, int]:
    """Test whether two shares of tokens in the same clusters differ.

    first: Tokens and agreeing tokens of each cluster, float64; both shares have tokens.
    Returns: The two-sided p value of Student's t, and the number of clusters that have tokens of either share. 1.0
        where the clusters do not vary, or one of them has all tokens of a share.
    """
    used = (first[0] + second[0]) > 0
    count = int(used.sum())
    values = _without_each(first[0][used], first[1][used]) - _without_each(second[0][used], second[1][used])
    # What only one cluster shows cannot be told from a trait of that cluster.
    if count < 2 or np.isnan(values).any():
        return 1.0, count
    error = math.sqrt(_jackknife(values))
    difference = float(first[1].sum() / first[0].sum() - second[1].sum() / second[0].sum())
    return (t_two_sided(difference / error, count - 1) if error else 1.0), count


def t_two_sided(value: float, freedom: int) -> float:
    """Compute the two-sided p value of Student's t.

    freedom: Degrees of freedom, from 1.
    Returns: The probability of a value at least as far from 0.

    Notes
    -----
    The finite series for whole degrees of freedom: M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions",
    1964, 26.7.3 and 26.7.4. From 1,000 degrees on, the normal distribution.

    Examples
    --------
    >>> round(t_two_sided(2.228, 10), 3)
    0.05
    """
    if freedom >= _MOST_FREEDOM:
        return math.erfc(abs(value) / math.sqrt(2))
    angle = math.atan(abs(value) / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    # Each term follows from the one before it.
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for k in range(freedom // 2):
        total += term
        term *= cosine**2 * ((2 * k + 2) / (2 * k + 3) if odd else (2 * k + 1) / (2 * k + 2))
    inside = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return min(1.0, max(0.0, 1.0 - inside))


@lru_cache(maxsize=1 << 10)
def t_quantile(freedom: int) -> float:
    """Find the value that |t| exceeds with a probability of 5 %.

    freedom: Degrees of freedom, from 1.
    Returns: The 97.5th percentile of Student's t.

    Examples
    --------
    >>> round(t_quantile(4), 3)
    2.776
    """
    # The quantile is largest for one degree of freedom, with 12.7, and comes close to the normal one for many.
    low, high = NORMAL_95 - 1e-9, 13.0
    # The tail falls steadily, so halving finds it; 60 steps reach the precision of a float.
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_two_sided(middle, freedom) > 0.05 else (low, middle)
    return high
