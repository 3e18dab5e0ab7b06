"""How far the frequencies of words differ between a corpus and a reference: one row per measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.analyses.keywords.likelihood import likelihood_term, signed_g2
from explorer.core.arrays import ArrayValue

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frequencies(ArrayValue):
    """How often words occur in a corpus and in its reference.

    Attributes
    ----------
    count, reference
        How often each word occurs in either, float64 [words].
    size, reference_size
        All words of either; above 0.

    Examples
    --------
    >>> pair = Frequencies.of([206523], 959641, [178174], 1562358)
    >>> float(round(KEYNESS["percent_difference"].compute(pair)[0], 3))
    88.71
    """

    count: Floats
    size: int
    reference: Floats
    reference_size: int

    @classmethod
    def of(cls, count: ArrayLike, size: int, reference: ArrayLike, reference_size: int) -> Frequencies:
        """Take counts of any kind."""
        return cls(np.asarray(count, np.float64), size, np.asarray(reference, np.float64), reference_size)

    @property
    def shares(self) -> tuple[Floats, Floats]:
        """The share of each word in the corpus and in the reference, 0 to 1, float64 [words] each."""
        return self.count / self.size, self.reference / self.reference_size


@dataclass(frozen=True)
class Keyness:
    """One measure of how far frequencies differ; above 0 or 1, a word is more frequent than in the reference.

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
    compute
        The measure over frequencies: float64 [words].
    """

    id: str
    label: str
    formula: str
    source: str
    compute: Callable[[Frequencies], Floats] = field(repr=False)


def _four_cells(pair: Frequencies) -> Floats:
    return signed_g2(pair.count, pair.size - pair.count, pair.reference, pair.reference_size - pair.reference)


def _two_terms(pair: Frequencies) -> Floats:
    """G² over the two cells of the word alone, without those of all other words."""
    both = (pair.count + pair.reference) / (pair.size + pair.reference_size)
    terms = likelihood_term(pair.count, pair.size * both) + likelihood_term(pair.reference, pair.reference_size * both)
    first, second = pair.shares
    return np.where(first >= second, 2, -2) * np.maximum(terms, 0)


def _bayes(pair: Frequencies) -> Floats:
    return np.asarray(np.abs(_four_cells(pair)) - np.log(pair.size + pair.reference_size), np.float64)


def _log_ratio(pair: Frequencies) -> Floats:
    # A count of 0 is taken as one half, so that the ratio exists.
    first, second = (np.where(count == 0, 0.5, count) for count in (pair.count, pair.reference))
    return np.log2((first / pair.size) / (second / pair.reference_size))


def _percent(pair: Frequencies) -> Floats:
    first, second = pair.shares
    with np.errstate(divide="ignore", invalid="ignore"):
        # Nothing to compare with: unknown rather than endless.
        return np.where(second > 0, 100 * (first - second) / second, np.nan)


def _odds(pair: Frequencies) -> Floats:
    inside, outside = pair.size - pair.count, pair.reference_size - pair.reference
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (pair.count / inside) / (pair.reference / outside)
        return np.where((pair.reference > 0) & (inside > 0), ratio, np.nan)


def simple_maths(pair: Frequencies, k: float = 1.0) -> Floats:
    """Compute the ratio of frequencies per million, each with a constant added.

    Parameters
    ----------
    pair
        The frequencies.
    k
        What is added; 1 prefers rare words, 100 and more frequent ones. Above 0.

    Returns
    -------
    Floats
        (per million + k) / (per million of the reference + k), float64 [words].

    Notes
    -----
    A. Kilgarriff, "Simple maths for keywords", 2009.

    Examples
    --------
    >>> float(round(simple_maths(Frequencies.of([35], 112289776, [263], 1559716979))[0], 4))
    1.1224
    """
    first, second = pair.shares
    return (first * 1e6 + k) / (second * 1e6 + k)


_ROWS = (
    Keyness("g2", "G²", "2·Σ O·ln (O / E) over four cells; negative if rarer", "Dunning 1993", _four_cells),
    Keyness(
        "g2_two_terms",
        "G² (two terms)",
        "2·Σ O·ln (O / E) over the word's two cells",
        "Rayson & Garside 2000",
        _two_terms,
    ),
    Keyness("bic", "BIC", "|G²| − ln (N₁ + N₂)", "Wilson 2013", _bayes),
    Keyness("log_ratio", "Log ratio", "log₂ ((O₁ / N₁) / (O₂ / N₂)); a count of 0 is 0.5", "Hardie 2014", _log_ratio),
    Keyness("percent_difference", "%DIFF", "100·(f₁ − f₂) / f₂", "Gabrielatos & Marchi 2011", _percent),
    Keyness("odds_ratio", "Odds ratio", "(O₁ / (N₁ − O₁)) / (O₂ / (N₂ − O₂))", "Everitt 1992", _odds),
    Keyness(
        "simple_maths",
        "Simple maths",
        "(per million + 1) / (per million of reference + 1)",
        "Kilgarriff 2009",
        simple_maths,
    ),
)
KEYNESS: Mapping[str, Keyness] = MappingProxyType({row.id: row for row in _ROWS})
"""The measures by id, in the order in which tables show them."""
