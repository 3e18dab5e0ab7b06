"""Very large and very small numbers, as people write them. No Qt."""

from __future__ import annotations

import math

from explorer.i18n import numeral, tr

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def ten_to(exponent: int) -> str:
    """A power of ten.

    Examples
    --------
    >>> ten_to(-10)
    '10⁻¹⁰'
    """
    return "10" + str(exponent).translate(_RAISED)


def scientific(value: float, digits: int = 3) -> str:
    """A number above 0 as a product with a power of ten.

    digits: The digits that are written, at least 1.

    Examples
    --------
    >>> scientific(2.06e-9, 2), scientific(9.999e6)
    ('2.1 × 10⁻⁹', '1.00 × 10⁷')
    """
    # Python rounds: with 9.999 and three digits, the exponent is one more than that of the number.
    factor, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return tr("{factor} × {power}", factor=numeral(float(factor), f".{digits - 1}f"), power=ten_to(int(exponent)))


def times_as(gain: float) -> str:
    """A factor with three digits that count, and with the zeros of a large one as people write them.

    Examples
    --------
    >>> times_as(0.18), times_as(9.4), times_as(-1.2)
    ('1.20', '12,100', '0.301')
    >>> times_as(50.0), times_as(-50.0)
    ('5.18 × 10²¹', '1.93 × 10⁻²²')
    """
    # Limited as floating-point numbers are.
    value = math.exp(max(-700.0, min(gain, 700.0)))
    # Zeros that a reader would have to count are a power.
    if not 1e-4 <= value < 1e9:
        return scientific(value)
    shown = float(f"{value:.2e}")
    return numeral(shown, f",.{max(0, 2 - math.floor(math.log10(shown)))}f")


def tick_words(tick: float) -> str:
    """A number at an axis.

    Examples
    --------
    >>> tick_words(10_000.0), tick_words(1e7), tick_words(2e7)
    ('10,000', '10⁷', '2 × 10⁷')
    """
    if tick < 1e6:
        return numeral(tick, ",g")
    exponent = round(math.log10(tick))
    return ten_to(exponent) if math.isclose(tick, 10.0**exponent) else scientific(tick, 1)
