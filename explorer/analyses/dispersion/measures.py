"""How evenly a word is spread over the parts of a corpus: one row per measure.

Parts are documents, values of a field, or equal slices. DP and DPnorm are 0 for an even word and near 1 for one that is
in a single part; the others run the other way. They tell little about rare words: show range and frequency beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.arrays import ArrayValue

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Spread(ArrayValue):
    """How often a word occurs in each part.

    Attributes
    ----------
    counts
        Its frequency in each part, float64 [parts]; their sum is above 0.
    sizes
        The words of each part, float64 [parts]; each above 0.

    Examples
    --------
    >>> DISPERSIONS["dp"].compute(Spread.of([2, 2, 6], [5, 3, 2])).__round__(3)
    0.4
    """

    counts: Floats
    sizes: Floats

    @classmethod
    def of(cls, counts: ArrayLike, sizes: ArrayLike) -> Spread:
        """Take counts of any kind."""
        return cls(np.asarray(counts, np.float64), np.asarray(sizes, np.float64))

    @property
    def rates(self) -> Floats:
        """The share of the word in each part, 0 to 1, float64 [parts]."""
        return self.counts / self.sizes

    @property
    def shares(self) -> Floats:
        """The share of each part in the corpus, 0 to 1, float64 [parts]."""
        return np.asarray(self.sizes / self.sizes.sum(), np.float64)


@dataclass(frozen=True)
class Dispersion:
    """One measure of evenness.

    Attributes
    ----------
    id
        Its name in commands and tables.
    label
        Its name on the screen.
    formula
        How it is computed, as people write it.
    source
        Who proposed it.
    even
        Its value for a word that is spread evenly; None for the range.
    compute
        The measure of a spread; None where it is not defined, such as over one part.
    """

    id: str
    label: str
    formula: str
    source: str
    even: float | None
    compute: Callable[[Spread], float | None] = field(repr=False)


def _range(spread: Spread) -> float:
    return float(np.count_nonzero(spread.counts))


def _deviation(spread: Spread) -> float:
    """Gries's DP: half the sum of the differences between the word's shares and those of the parts."""
    return float(np.abs(spread.counts / spread.counts.sum() - spread.shares).sum() / 2)


def _normalized_deviation(spread: Spread) -> float | None:
    return _deviation(spread) / (1 - float(spread.shares.min())) if len(spread.counts) > 1 else None


def _burch(spread: Spread) -> float | None:
    """D_A: mean difference of all pairs of rates; sorted, a rate's place tells how often it is added or taken away."""
    parts = len(spread.counts)
    if parts < 2:
        return None
    rates = np.sort(spread.rates)
    places = 2 * np.arange(1, parts + 1) - parts - 1
    mean_difference = (places * rates).sum() / (parts * (parts - 1) / 2)
    return float(1 - mean_difference / (2 * rates.mean()))


def _juilland(spread: Spread) -> float | None:
    parts, rates = len(spread.counts), spread.rates
    return float(1 - rates.std() / rates.mean() / np.sqrt(parts - 1)) if parts > 1 else None


def _carroll(spread: Spread) -> float | None:
    if len(spread.counts) < 2:
        return None
    shares = spread.rates[spread.counts > 0] / spread.rates.sum()
    # An even word gives exactly ln k, and one in a single part 0, not its negative.
    return float(abs((shares * np.log(shares)).sum()) / np.log(len(spread.counts)))


def _rosengren(spread: Spread) -> float:
    return float(np.sqrt(spread.shares * spread.counts).sum() ** 2 / spread.counts.sum())


_ROWS = (
    Dispersion("range", "Range", "parts with the word", "surveyed by Gries 2008", None, _range),
    Dispersion("dp", "DP", "½·Σ |vᵢ / f − sᵢ|", "Gries 2008", 0.0, _deviation),
    Dispersion("dp_norm", "DPnorm", "DP / (1 − smallest sᵢ)", "Lijffijt & Gries 2012", 0.0, _normalized_deviation),
    Dispersion(
        "d_a", "D_A", "1 − mean |rᵢ − rⱼ| of all pairs / (2·mean rᵢ)", "Burch, Egbert & Biber 2017", 1.0, _burch
    ),
    Dispersion("juilland", "Juilland's D", "1 − CV(r) / √(k − 1)", "Juilland & Chang-Rodríguez 1964", 1.0, _juilland),
    Dispersion("carroll", "Carroll's D₂", "−Σ pᵢ·ln pᵢ / ln k, p = r / Σr", "Carroll 1970", 1.0, _carroll),
    Dispersion("rosengren", "Rosengren's S", "(Σ √(sᵢ·vᵢ))² / f", "Rosengren 1971", 1.0, _rosengren),
)
DISPERSIONS: Mapping[str, Dispersion] = MappingProxyType({row.id: row for row in _ROWS})
"""The measures by id, in the order in which tables show them."""


def average_reduced_frequency(places: ArrayLike, size: int) -> float:
    """Compute how often a word would occur if its clusters counted as little more than once.

    Parameters
    ----------
    places
        The places of the word in the corpus, rising, 0 to size − 1 [hits]; at least one.
    size
        The words of the corpus, which is taken as a circle.

    Returns
    -------
    float
        Σ min(dᵢ, v) / v with the distances dᵢ between neighbors and v = size / hits: 1 to the number of hits.

    Notes
    -----
    P. Savický and J. Hlaváčová, "Measures of word commonness", 2002.

    Examples
    --------
    >>> average_reduced_frequency([0, 25], 50), average_reduced_frequency([0, 1], 50)
    (2.0, 1.04)
    """
    distances = _distances(places, size)
    even = size / len(distances)
    return float(np.minimum(distances, even).sum() / even)


def average_waiting_time(places: ArrayLike, size: int) -> float:
    """Compute how many words one reads, from a place drawn at random, until the word comes.

    Parameters
    ----------
    places
        The places of the word, rising, 0 to size − 1 [hits]; at least one.
    size
        The words of the corpus, which is taken as a circle.

    Returns
    -------
    float
        ½·(1 + Σ dᵢ² / size) with the distances dᵢ between neighbors.

    Notes
    -----
    P. Savický and J. Hlaváčová, "Measures of word commonness", 2002.

    Examples
    --------
    >>> average_waiting_time([0, 25], 50)
    13.0
    """
    return (1 + float((_distances(places, size) ** 2).sum()) / size) / 2


def _distances(places: ArrayLike, size: int) -> Floats:
    """From each hit to the next one; the last is followed by the first, across the end."""
    places = np.asarray(places, np.int64)
    return np.diff(places, append=places[:1] + size).astype(np.float64)
