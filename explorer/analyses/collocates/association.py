"""How strongly two words attract each other: measures over the four cells of a table, one row per measure.

Surface co-occurrence (S. Evert, "Corpora and collocations", 2008): a window around each hit of the node; a token
counts once however many windows it is in, and the node's own tokens are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.analyses.keywords.beta import logit_quantile
from explorer.analyses.keywords.likelihood import signed_g2
from explorer.core.arrays import ArrayValue

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cells(ArrayValue):
    """Observed counts of several words around one node.

    Attributes
    ----------
    observed
        O11: how often each word is in the windows, float64 [words]; above 0.
    window
        R1: the tokens of all windows.
    frequency
        C1: how often each word occurs outside the node, float64 [words]; at least `observed`.
    total
        N: the tokens that are not part of the node.
    node
        How often the node occurs; Dice and logDice take it instead of R1.
    tested
        The distinct words in the windows, of which these may be some; None: these are all.

    Examples
    --------
    >>> cells = Cells.of([269], 8407, [376], 202976, 887)
    >>> float(round(cells.expected[0], 4))
    15.5734
    """

    observed: Floats
    window: int
    frequency: Floats
    total: int
    node: int
    tested: int | None = None

    @classmethod
    def of(
        cls, observed: ArrayLike, window: int, frequency: ArrayLike, total: int, node: int, tested: int | None = None
    ) -> Cells:
        """Make cells of whole numbers of any kind."""
        return cls(np.asarray(observed, np.float64), window, np.asarray(frequency, np.float64), total, node, tested)

    @property
    def expected(self) -> Floats:
        """E11 = R1·C1/N: how often each word would be there if the node made no difference, float64 [words]."""
        return self.window * self.frequency / self.total

    @property
    def four(self) -> tuple[Floats, Floats, Floats, Floats]:
        """O11, O12, O21 and O22, float64 [words] each; for every word they sum to `total`."""
        o11 = self.observed
        o12, o21 = self.window - o11, self.frequency - o11
        return o11, o12, o21, self.total - self.window - o21


@dataclass(frozen=True)
class Association:
    """One measure of attraction.

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
        The measure over cells: float64 [words].
    """

    id: str
    label: str
    formula: str
    source: str
    compute: Callable[[Cells], Floats] = field(repr=False)


def _mutual_information(cells: Cells) -> Floats:
    return np.log2(cells.observed / cells.expected)


def _cubed(cells: Cells) -> Floats:
    return np.log2(cells.observed**3 / cells.expected)


def _t_score(cells: Cells) -> Floats:
    return (cells.observed - cells.expected) / np.sqrt(cells.observed)


def _z_score(cells: Cells) -> Floats:
    return (cells.observed - cells.expected) / np.sqrt(cells.expected)


def _log_likelihood(cells: Cells) -> Floats:
    return signed_g2(*cells.four)


def _dice(cells: Cells) -> Floats:
    return 2 * cells.observed / (cells.node + cells.frequency)


def _log_dice(cells: Cells) -> Floats:
    return 14 + np.log2(_dice(cells))


def _delta_p_word(cells: Cells) -> Floats:
    o11, o12, o21, o22 = cells.four
    return _share(o11, o11 + o12) - _share(o21, o21 + o22)


def _delta_p_node(cells: Cells) -> Floats:
    o11, o12, o21, o22 = cells.four
    return _share(o11, o11 + o21) - _share(o12, o12 + o22)


def _log_ratio(cells: Cells) -> Floats:
    o11, _, o21, _ = cells.four
    # An O21 of 0 is taken as one half, so that the ratio exists.
    outside = np.where(o21 == 0, 0.5, o21)
    return np.log2(_share(o11, np.float64(cells.window)) / _share(outside, np.float64(cells.total - cells.window)))


def _conservative_log_ratio(cells: Cells) -> Floats:
    o11, _, o21, _ = cells.four
    inside, outside = cells.window, cells.total - cells.window
    if not len(o11) or not outside:
        return np.full(len(o11), np.nan)
    # As many tests as words in the windows, listed or not, so that no value depends on what is listed; on both sides.
    p = _SIGNIFICANCE / 2 / (cells.tested or len(o11))
    attracted = o11 * outside >= o21 * inside
    # Odds of being in the windows, of one more token outside or inside: the ends of the interval of two Poisson counts.
    odds = logit_quantile(p, np.where(attracted, o11, o21), np.where(attracted, o21, o11) + 1)
    bound = np.where(attracted, odds, -odds) / math.log(2) + math.log2(outside / inside)
    # An interval that holds 0 tells nothing.
    return np.where(attracted, np.maximum(bound, 0), np.minimum(bound, 0))


def _share(part: Floats, whole: Floats | np.float64) -> Floats:
    """A share; nan where there is no whole, which tables show as unknown."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(whole) > 0, part / whole, np.nan)


_SIGNIFICANCE = 0.001
_ROWS = (
    Association("logdice", "logDice", "14 + log₂ (2·O₁₁ / (f(node) + C₁))", "Rychlý 2008", _log_dice),
    Association("mi", "MI", "log₂ (O₁₁ / E₁₁)", "Church & Hanks 1990", _mutual_information),
    Association("mi3", "MI³", "log₂ (O₁₁³ / E₁₁)", "Daille 1994", _cubed),
    Association("t", "t-score", "(O₁₁ − E₁₁) / √O₁₁", "Church et al. 1991", _t_score),
    Association("z", "z-score", "(O₁₁ − E₁₁) / √E₁₁", "after Berry-Rogghe 1973; Evert 2008", _z_score),
    Association(
        "g2", "G²", "2·Σ O·ln (O / E) over the four cells; negative if O₁₁ < E₁₁", "Dunning 1993", _log_likelihood
    ),
    Association("dice", "Dice", "2·O₁₁ / (f(node) + C₁)", "Dice 1945", _dice),
    Association("delta_p_word", "ΔP word", "O₁₁ / R₁ − O₂₁ / R₂", "Gries 2013", _delta_p_word),
    Association("delta_p_node", "ΔP node", "O₁₁ / C₁ − O₁₂ / C₂", "Gries 2013", _delta_p_node),
    Association("log_ratio", "Log ratio", "log₂ ((O₁₁ / R₁) / (O₂₁ / R₂)); O₂₁ of 0 is 0.5", "Hardie 2014", _log_ratio),
    Association(
        "conservative_log_ratio",
        "Conservative log ratio",
        "the end next to 0 of the log ratio's 99.9 % interval, corrected for all words in the windows; 0 if it holds 0",
        "Evert 2022",
        _conservative_log_ratio,
    ),
)
ASSOCIATIONS: Mapping[str, Association] = MappingProxyType({row.id: row for row in _ROWS})
"""The measures by id, in the order in which tables show them."""
