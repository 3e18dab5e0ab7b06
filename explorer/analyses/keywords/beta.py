"""Quantiles of the beta distribution, which bound a share that was observed in few cases."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_STEPS = 200
_TERMS = 20_000
_CLOSE = 1e-13


def logit_quantile(p: float, a: Floats, b: Floats) -> Floats:
    """Compute low quantiles of beta distributions, as log odds.

    Parameters
    ----------
    p
        The probability below the quantile, above 0 and below a half.
    a, b
        The parameters, above 0; float64 [rows].

    Returns
    -------
    Floats
        ln (x / (1 − x)) of the x with I_x(a, b) = p, float64 [rows].

    Notes
    -----
    Newton's method on ln I as a function of the log odds, which is concave, so that the steps come from the left. I is
    the continued fraction of DLMF 8.17.22, which converges quickly below the mean.

    Examples
    --------
    >>> odds = logit_quantile(0.025, np.array([3.0]), np.array([8.0]))
    >>> float(np.round(1 / (1 + np.exp(-odds[0])), 4))
    0.0667
    """
    # ln (a·B(a, b)); numpy has no gamma function.
    scale = np.array([math.lgamma(x + 1) + math.lgamma(y) - math.lgamma(x + y) for x, y in zip(a, b, strict=True)])
    # Below the mean, where the fraction converges.
    at = np.log(a / b) - 1e-9
    for _ in range(_STEPS):
        # The logarithms of x and 1 − x, exact also where one of them is tiny.
        low, high = -np.logaddexp(0, -at), -np.logaddexp(0, at)
        # d ln I / d log odds is x^a (1 − x)^b / (B(a, b) I), and all but a of it is in the fraction.
        fraction = _fraction(np.exp(low), a, b)
        step = (a * low + b * high - scale + np.log(fraction) - math.log(p)) * fraction / a
        at = at - step
        if (np.abs(step) <= _CLOSE * np.maximum(1, np.abs(at))).all():
            break
    return at


def _fraction(x: Floats, a: Floats, b: Floats) -> Floats:
    """The continued fraction, from the front (Lentz)."""
    found, upper, lower = np.ones_like(x), np.ones_like(x), np.zeros_like(x)
    for number in range(1, _TERMS):
        half = number // 2
        if number % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / (1 + term * lower)
        upper = 1 + term / upper
        found = found * (upper * lower)
        if (np.abs(upper * lower - 1) <= 1e-15 * 4).all():
            break
    return 1 / found
