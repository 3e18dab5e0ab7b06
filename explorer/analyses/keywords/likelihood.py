"""The log-likelihood ratio of four cells, its level of significance, and corrections for many tests."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def signed_g2(o11: ArrayLike, o12: ArrayLike, o21: ArrayLike, o22: ArrayLike) -> Floats:
    """Compute G² of tables of four cells, negative where the first cell is below what is expected.

    o11, o12, o21, o22: Observed counts of 0 or more [tables]; the first two are one row.
    Returns: 2·Σ O·ln(O/E) with E = row sum × column sum / total, float64 [tables]; 0 for a table that is as expected.

    Notes
    -----
    T. Dunning, "Accurate methods for the statistics of surprise and coincidence", 1993.

    Examples
    --------
    >>> round(float(signed_g2(269, 8407 - 269, 107, 202976 - 8407 - 107)), 3)
    1281.008
    """
    cells = [np.asarray(cell, np.float64) for cell in (o11, o12, o21, o22)]
    rows = (cells[0] + cells[1], cells[2] + cells[3])
    columns = (cells[0] + cells[2], cells[1] + cells[3])
    total = rows[0] + rows[1]
    expected = [row * column / total for row in rows for column in columns]
    g2 = 2 * sum(likelihood_term(seen, hoped) for seen, hoped in zip(cells, expected, strict=True))
    # Rounding alone may leave a table that is as expected a little below 0.
    return np.asarray(np.where(cells[0] >= expected[0], 1, -1) * np.maximum(g2, 0), np.float64)


def likelihood_term(observed: Floats, expected: Floats) -> Floats:
    """Compute what one cell adds to half of G².

    Parameters
    ----------
    observed, expected
        Counts of 0 or more, float64 [tables].

    Returns
    -------
    Floats
        O·ln(O/E), float64 [tables]; 0 for an empty cell, which is its limit.

    Examples
    --------
    >>> likelihood_term(np.array([0.0, 2.0]), np.array([1.0, 2.0])).tolist()
    [0.0, 0.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(observed > 0, observed * np.log(observed / expected), 0.0)


def significance(g2: ArrayLike) -> Floats:
    """Compute the probability of a G² at least as far from 0 by chance, with one degree of freedom.

    g2: G² of tables of four cells, of either sign [tables].
    Returns: erfc(√(|G²|/2)), 0 to 1, float64 [tables].

    Examples
    --------
    >>> round(float(significance(3.841459)), 4)
    0.05
    """
    roots = np.sqrt(np.abs(np.asarray(g2, np.float64)) / 2)
    return np.asarray(np.vectorize(math.erfc, otypes=[np.float64])(roots), np.float64)


def bonferroni(levels: ArrayLike, tests: ArrayLike | None = None) -> Floats:
    """Correct levels of significance by the number of tests.

    Parameters
    ----------
    levels
        Levels of all tests that were made, 0 to 1 [levels].
    tests
        How many tests each level is of [levels]; None for one each.

    Returns
    -------
    Floats
        Each times the number of tests, at most 1 [levels]; never below those of `holm`.

    Examples
    --------
    >>> bonferroni([0.01, 0.04, 0.5]).tolist()
    [0.03, 0.12, 1.0]
    """
    levels = np.asarray(levels, np.float64)
    return np.asarray(np.minimum(levels * _tests(levels, tests).sum(), 1), np.float64)


def holm(levels: ArrayLike, tests: ArrayLike | None = None) -> Floats:
    """Correct levels of significance so that the chance of any false one stays below the level.

    Parameters
    ----------
    levels
        Levels of all tests that were made, 0 to 1 [levels].
    tests
        How many tests each level is of [levels]; None for one each.

    Returns
    -------
    Floats
        The corrected levels, at most 1, in the same order [levels].

    Notes
    -----
    S. Holm, "A simple sequentially rejective multiple test procedure", 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    levels = np.asarray(levels, np.float64)
    order = np.argsort(levels, kind="stable")
    # Those at this level or above, of which the first one decides.
    left = np.cumsum(_tests(levels, tests)[order][::-1])[::-1]
    return _in_order(np.maximum.accumulate(levels[order] * left), order)


def false_discovery(levels: ArrayLike, tests: ArrayLike | None = None) -> Floats:
    """Correct levels of significance so that the share of false ones among those reported stays below the level.

    Parameters
    ----------
    levels
        Levels of all tests that were made, 0 to 1 [levels].
    tests
        How many tests each level is of [levels]; None for one each.

    Returns
    -------
    Floats
        The corrected levels, at most 1, in the same order [levels].

    Notes
    -----
    Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", 1995.

    Examples
    --------
    >>> false_discovery([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    levels = np.asarray(levels, np.float64)
    order = np.argsort(levels, kind="stable")
    # Those at this level or below, of which the last one decides.
    reached = np.cumsum(_tests(levels, tests)[order])
    steps = levels[order] * reached[-1:] / reached
    return _in_order(np.minimum.accumulate(steps[::-1])[::-1], order)


def _tests(levels: Floats, tests: ArrayLike | None) -> NDArray[np.int64]:
    return np.ones(len(levels), np.int64) if tests is None else np.asarray(tests, np.int64)


def _in_order(steps: Floats, order: NDArray[np.intp]) -> Floats:
    given = np.empty_like(steps)
    given[order] = np.minimum(steps, 1)
    return given
