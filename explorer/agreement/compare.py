"""Sources of text side by side: what their agreement is, and how far two of them differ.

Two proportions: the pooled z test and Newcombe's interval of the difference (method 10, from Wilson's), in
R. G. Newcombe, "Interval estimation for the difference between independent proportions", 1998. Effect size:
Cohen's h = 2·asin(√p) − 2·asin(√q); by his reckoning 0.2 is small, 0.5 medium, 0.8 large. Tokens of one text
depend on each other, so that the test is too confident if there are few texts; report this where it is shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.agreement.figure import AgreementFigure, Bin, Series, wilson_interval
from explorer.agreement.tokens import Agreement
from explorer.i18n import mark

FEW_TOKENS = 200
"""Tokens under which the figures of a source are marked as unsure."""
FEW_IN_BIN = 20
"""Tokens under which one dot is drawn hollow."""


@dataclass(frozen=True)
class SourceSummary:
    """One source in figures.

    Attributes
    ----------
    name
        The name of the source.
    texts
        The number of its texts.
    tokens
        The number of their tokens.
    agreeing
        The number of tokens that agree.
    agreement
        Their share, 0 to 1.
    low
        The lower end of its 95 % interval.
    high
        The upper end of its 95 % interval.
    mean_n
        The mean of effective n.
    median_n
        The median of effective n.
    sparse
        The share of sparse tokens, 0 to 1.
    few
        Whether there are so few tokens that nothing should be read from them.
    """

    name: str
    texts: int
    tokens: int
    agreeing: int
    agreement: float
    low: float
    high: float
    mean_n: float
    median_n: float
    sparse: float
    few: bool


@dataclass(frozen=True)
class TwoProportions:
    """How one share differs from another.

    Attributes
    ----------
    difference
        The first less the second.
    low
        The lower end of its 95 % interval.
    high
        The upper end of its 95 % interval.
    z
        The z value of the pooled test.
    p
        The two-sided p value.
    h
        Cohen's h.
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


def summarize(name: str, texts: int, figure: AgreementFigure) -> SourceSummary:
    """Sum up one source.

    Parameters
    ----------
    name
        Its name.
    texts
        The number of its texts.
    figure
        Its figure.

    Returns
    -------
    SourceSummary
        The agreement with its 95 % interval, effective n, and the share of sparse tokens.
    """
    whole = figure.infgram
    low, high = wilson_interval(whole.agreeing, whole.tokens)
    return SourceSummary(
        name=name,
        texts=texts,
        tokens=whole.tokens,
        agreeing=whole.agreeing,
        agreement=whole.overall,
        low=low,
        high=high,
        mean_n=whole.mean_n,
        median_n=whole.median_n,
        sparse=figure.sparse.tokens / whole.tokens if whole.tokens else math.nan,
        few=whole.tokens < FEW_TOKENS,
    )


def two_proportions(first: int, of_first: int, second: int, of_second: int) -> TwoProportions | None:
    """Compare two proportions.

    Parameters
    ----------
    first
        Successes of the first.
    of_first
        Trials of the first.
    second
        Successes of the second.
    of_second
        Trials of the second.

    Returns
    -------
    TwoProportions | None
        The difference with its 95 % interval, z, p (two-sided) and Cohen's h; None if one has no trials.

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


def by_count(parts: Sequence[Agreement]) -> Series:
    """Group tokens by how often their context occurs (Figure 7 of the infini-gram paper).

    Parameters
    ----------
    parts
        The agreement of some texts.

    Returns
    -------
    Series
        Bin k has the contexts that occur 10^k to 10^(k+1) − 1 times; its `effective_n` is k.
    """
    # With an empty array in front, so that no texts give no bins.
    counts = np.concatenate([np.empty(0, dtype=np.int64), *(part.context_count for part in parts)])
    agrees = np.concatenate([np.empty(0, dtype=np.bool_), *(part.agrees for part in parts)])
    # The number of digits less one, without the rounding of a logarithm.
    magnitude = np.searchsorted(10 ** np.arange(1, 19, dtype=np.int64), counts, side="right")
    bins = []
    for k in np.unique(magnitude).tolist():
        mask = magnitude == k
        tokens, agreeing = int(mask.sum()), int(agrees[mask].sum())
        bins.append(Bin(k, tokens, agreeing, agreeing / tokens, *wilson_interval(agreeing, tokens)))
    return Series("by count", tuple(bins), len(counts), int(agrees.sum()), math.nan, math.nan)
