"""What the paper's Figure 3 draws: tokens and agreement by effective n."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.agreement.clusters import NO_TOKENS, Share, cluster_numbers, share_of
from explorer.analyses.agreement.dips import Step, find_steps
from explorer.analyses.agreement.tokens import Agreement
from explorer.core.arrays import Value
from explorer.core.proportions import wilson_interval
from explorer.i18n import mark, tr

INFGRAM, SPARSE = mark("∞-gram"), mark("∞-gram, sparse only")


@dataclass(frozen=True, eq=False, slots=True)
class Bin(Value):
    """Tokens of one effective n.

    effective_n: The effective n, or another number by which tokens are grouped.
    agreeing: How many of them agree.
    agreement: Their share, 0 to 1.
    low: The lower end of its 95 % interval.
    high: The upper end of its 95 % interval.
    """

    effective_n: int
    tokens: int
    agreeing: int
    agreement: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Series(Value):
    """One panel of the figure.

    bins: One bin per effective n, ascending.
    agreeing: How many of them agree.
    mean_n: The mean of effective n; nan without tokens.
    median_n: The median of effective n; nan without tokens.
    """

    name: str
    bins: tuple[Bin, ...]
    tokens: int
    agreeing: int
    mean_n: float
    median_n: float

    @property
    def overall(self) -> float:
        """Share of agreeing tokens."""
        return self.agreeing / self.tokens if self.tokens else math.nan


def make_series(name: str, effective_n: NDArray[np.int64], agrees: NDArray[np.bool_]) -> Series:
    """Group tokens by effective n.

    effective_n: Effective n of each token, int64.
    Returns: One bin per effective n that occurs, ascending.
    """
    # Bins by number from 0, of which those without tokens are left out below.
    size = int(effective_n.max()) + 1 if len(effective_n) else 0
    # Plain numbers: a text of the corpus has as many bins as tokens, and numpy is slow for single numbers.
    tokens = np.bincount(effective_n, minlength=size).tolist()
    agreeing = np.bincount(effective_n, weights=agrees, minlength=size).astype(np.int64).tolist()
    bins = tuple(
        Bin(n, tokens[n], agreeing[n], agreeing[n] / tokens[n], *wilson_interval(agreeing[n], tokens[n]))
        for n in range(size)
        if tokens[n]
    )
    return Series(
        name=name,
        bins=bins,
        tokens=len(effective_n),
        agreeing=int(agrees.sum()),
        mean_n=float(effective_n.mean()) if size else math.nan,
        median_n=float(np.median(effective_n)) if size else math.nan,
    )


def pooled_from(bins: Sequence[Bin], first: int) -> tuple[Bin, ...]:
    """Merge the bins of large effective n into one; no token is lost."""
    # Sums of counts, and a new interval: the mean of shares would weigh every bin alike.
    tail = [b for b in bins if b.effective_n >= first]
    if not tail:
        return tuple(bins)
    tokens, agreeing = sum(b.tokens for b in tail), sum(b.agreeing for b in tail)
    pooled = Bin(first, tokens, agreeing, agreeing / tokens, *wilson_interval(agreeing, tokens))
    return (*(b for b in bins if b.effective_n < first), pooled)


@dataclass(frozen=True)
class AgreementFigure:
    """The three panels of Figure 3 of the infini-gram paper, for some texts together.

    n: n of the n-gram model.
    infgram: The longest contexts that occur.
    sparse: The sparse tokens of these.
    share: The agreement of the longest contexts, with an interval that allows for tokens that depend on each other.
    steps: How it changes from one effective n to the next, tested.
    """

    n: int
    ngram: Series
    infgram: Series
    sparse: Series
    share: Share = NO_TOKENS
    steps: tuple[Step, ...] = ()

    @property
    def panels(self) -> tuple[Series, ...]:
        """The panels from left to right."""
        return (self.ngram, self.infgram, self.sparse)


def make_figure(ngram: list[Agreement], infgram: list[Agreement], n: int) -> AgreementFigure:
    """Pool the agreement of several texts.

    ngram: The texts with contexts of an n-gram model.
    infgram: The texts with the longest contexts that occur.
    Returns: The three series of the figure: n-gram, ∞-gram, and the sparse tokens of the ∞-gram.
    """

    def joined(parts: list[Agreement], sparse_only: bool = False) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        # One mask per text. Texts are concatenated, so a long one counts for more: the unit is the token.
        keep = [part.sparse if sparse_only else np.ones(len(part), dtype=np.bool_) for part in parts]
        lengths = [part.effective_n[mask] for part, mask in zip(parts, keep, strict=True)]
        agrees = [part.agrees[mask] for part, mask in zip(parts, keep, strict=True)]
        return np.concatenate([np.empty(0, dtype=np.int64), *lengths]), np.concatenate([np.zeros(0, np.bool_), *agrees])

    lengths, agrees = joined(infgram)
    # Numbered text by text, in the order in which `joined` puts the tokens.
    clusters, unit = cluster_numbers([len(part) for part in infgram])
    return AgreementFigure(
        n=n,
        ngram=make_series(f"{n}-gram", *joined(ngram)),
        infgram=make_series(INFGRAM, lengths, agrees),
        sparse=make_series(SPARSE, *joined(infgram, sparse_only=True)),
        share=share_of(agrees, clusters, unit),
        steps=find_steps(lengths, agrees, clusters),
    )


def shown_name(series: Series) -> str:
    """What people are shown for a series' name, which stays the same in every table that is written."""
    # Names are written to files as they are, so they are not translated where they are made.
    n, hyphen, _ = series.name.partition("-")
    return tr("{n}-gram", n=n) if hyphen and n.isdecimal() else tr(series.name)
