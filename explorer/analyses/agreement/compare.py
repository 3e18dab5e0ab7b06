"""Sources of text side by side: what their agreement is, and how far two of them differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.analyses.agreement.clusters import Share, t_two_sided
from explorer.analyses.agreement.figure import AgreementFigure, Bin, Series
from explorer.analyses.agreement.tokens import Agreement
from explorer.core.arrays import Value
from explorer.core.proportions import TwoProportions, two_proportions, wilson_interval

FEW_TOKENS = 200
"""Tokens under which the figures of a source are marked as unsure."""
FEW_IN_BIN = 100
"""Tokens under which one dot is drawn hollow."""


@dataclass(frozen=True, eq=False)
class SourceSummary(Value):
    """One source in figures.

    tokens: The number of their tokens.
    agreeing: The number of tokens that agree.
    agreement: Their share, 0 to 1.
    low: The lower end of its 95 % interval, which allows for tokens that depend on each other.
    high: The upper end of its 95 % interval.
    share: The same with the clusters of tokens that the interval comes from.
    sparse: The share of sparse tokens, 0 to 1.
    few: Whether there are so few tokens that nothing should be read from them.
    """

    name: str
    texts: int
    tokens: int
    agreeing: int
    agreement: float
    low: float
    high: float
    share: Share
    mean_n: float
    median_n: float
    sparse: float
    few: bool


def summarize(name: str, texts: int, figure: AgreementFigure) -> SourceSummary:
    """Sum up one source.

    Returns: The agreement with its 95 % interval, effective n, and the share of sparse tokens.
    """
    whole = figure.infgram
    return SourceSummary(
        name=name,
        texts=texts,
        tokens=whole.tokens,
        agreeing=whole.agreeing,
        agreement=whole.overall,
        low=figure.share.low,
        high=figure.share.high,
        share=figure.share,
        mean_n=whole.mean_n,
        median_n=whole.median_n,
        sparse=figure.sparse.tokens / whole.tokens if whole.tokens else math.nan,
        few=whole.tokens < FEW_TOKENS,
    )


def compare_shares(first: Share, second: Share) -> TwoProportions | None:
    """Compare the agreement of two sources, whose tokens depend on each other within clusters.

    Returns: The difference with its 95 % interval, z, p (two-sided) and Cohen's h; None if one has no tokens.

    Notes
    -----
    p is Welch's, of the standard errors over the clusters, or that of independent tokens if it is larger. The interval
    is made of the two shares' intervals (G. Y. Zou and A. Donner, "Construction of confidence limits about effect
    measures", 2008).
    """
    found = two_proportions(first.agreeing, first.tokens, second.agreeing, second.tokens)
    if found is None:
        return None
    error = math.hypot(first.error, second.error)
    z = found.difference / error if error else 0.0
    # Where clusters do not vary, nothing is known of the error, and the tokens alone decide.
    p = max(found.p, t_two_sided(z, _freedom(first, second))) if error else found.p
    p1, p2 = first.share, second.share
    return TwoProportions(
        difference=found.difference,
        low=found.difference - math.hypot(p1 - first.low, second.high - p2),
        high=found.difference + math.hypot(first.high - p1, p2 - second.low),
        z=z,
        p=p,
        h=found.h,
    )


def _freedom(first: Share, second: Share) -> int:
    """Welch's degrees of freedom, rounded down."""
    parts = [(share.error**2, max(1, share.clusters - 1)) for share in (first, second)]
    sum_ = sum(variance for variance, _ in parts)
    return max(1, int(sum_**2 / sum(variance**2 / freedom for variance, freedom in parts)))


def by_count(parts: Sequence[Agreement]) -> Series:
    """Group tokens by how often their context occurs (Figure 7 of the infini-gram paper).

    Returns: Bin k has the contexts that occur 10^k to 10^(k+1) − 1 times; its `effective_n` is k.
    """
    # With an empty array in front, so that no texts give no bins.
    counts = np.concatenate([np.empty(0, dtype=np.int64), *(part.context_count for part in parts)])
    agrees = np.concatenate([np.empty(0, dtype=np.bool_), *(part.agrees for part in parts)])
    # The number of digits less one, without the rounding of a logarithm.
    # 10^18 is the largest power of ten that fits into 64 bits.
    magnitude = np.searchsorted(10 ** np.arange(1, 19, dtype=np.int64), counts, side="right")
    bins = []
    for k in np.unique(magnitude).tolist():
        mask = magnitude == k
        tokens, agreeing = int(mask.sum()), int(agrees[mask].sum())
        bins.append(Bin(k, tokens, agreeing, agreeing / tokens, *wilson_interval(agreeing, tokens)))
    # Without means of effective n: these bins are powers of ten.
    return Series("by count", tuple(bins), len(counts), int(agrees.sum()), math.nan, math.nan)
