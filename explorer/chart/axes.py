"""Axes of charts: which values have a tick, and how they are written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.i18n import numeral


@dataclass(frozen=True)
class Axis:
    """A straight scale.

    Attributes
    ----------
    label
        Its label.
    low
        The value at its lower end.
    high
        The value at its upper end.
    ticks
        Values with their texts.
    logarithmic
        Whether the values are logarithms to base 10 of what they represent.
    named
        Whether values have no meaning but the text of their tick.
    share
        Whether values are shares, which are written in percent.
    """

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    logarithmic: bool = False
    named: bool = False
    share: bool = False

    def text(self, value: float) -> str:
        """Write a value: the text of its tick if it is named, otherwise the number that it represents.

        Examples
        --------
        >>> Axis("Hits", 0, 3, (), logarithmic=True).text(2.0)
        '100'
        """
        if self.named:
            return min(self.ticks, key=lambda tick: abs(tick[0] - value))[1] if self.ticks else ""
        if self.share:
            return numeral(value, ".1%")
        represented = 10.0**value if self.logarithmic else value
        nearest = round(represented) if math.isfinite(represented) else 0
        whole = math.isclose(represented, nearest, rel_tol=1e-9, abs_tol=1e-9)
        return numeral(nearest) if whole else numeral(represented, ",.4g")


def nice_step(span: float, parts: int) -> float:
    """Find a round step for the ticks of an axis.

    Parameters
    ----------
    span
        The length of the axis.
    parts
        The approximate number of steps.

    Returns
    -------
    float
        1, 2 or 5 times a power of ten; the axis has at most about `parts` of them.

    Examples
    --------
    >>> nice_step(430, 5)
    100.0
    """
    # A span of 0 has no logarithm, and any tick is right for it.
    rough = max(span, 1e-9) / max(1, parts)
    power = 10.0 ** math.floor(math.log10(rough))
    # 10 is always enough. The factor below 1 forgives the rounding of the logarithm, by which a step of exactly 1 could
    # become 2.
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)


def short_number(value: float) -> str:
    """Write a number for an axis.

    Parameters
    ----------
    value
        The number.

    Returns
    -------
    str
        The number with k, M or G for thousands, millions and thousands of millions.

    Examples
    --------
    >>> short_number(950), short_number(12_000), short_number(1.5e6)
    ('950', '12k', '1.5M')
    """
    # The largest unit that leaves a number of 1 or more.
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return numeral(value / limit, "g") + unit
    return numeral(value, "g")


def count_step(most: float) -> float:
    """Choose a round step for an axis of counts.

    Parameters
    ----------
    most
        The largest count.

    Returns
    -------
    float
        A whole number; the axis has about four steps.

    Examples
    --------
    >>> count_step(37)
    10.0
    """
    # Half an occurrence cannot be counted.
    return max(1.0, nice_step(most or 1, 4))


def count_axis(label: str, most: float) -> Axis:
    """Make an axis from 0 to a round number not below the largest count.

    Parameters
    ----------
    label
        The label of the axis.
    most
        The largest count.

    Returns
    -------
    Axis
        The axis, with about four ticks at whole numbers.

    Examples
    --------
    >>> count_axis("Hits", 37).high
    40.0
    """
    step = count_step(most)
    # At least one step, so that an axis without counts still has a length.
    steps = max(1, math.ceil(most / step))
    # One tick more than there are steps: both ends have one.
    return Axis(label, 0, steps * step, tuple((i * step, short_number(i * step)) for i in range(steps + 1)))


def share_axis(label: str) -> Axis:
    """Make an axis from 0 to 1, with ticks in fifths, which are written in percent.

    Parameters
    ----------
    label
        The label of the axis.

    Returns
    -------
    Axis
        The axis.
    """
    # As fractions of whole numbers: 0.2 added three times is not 0.6.
    return Axis(label, 0.0, 1.0, tuple((fifth / 5, numeral(fifth / 5, ".0%")) for fifth in range(6)), share=True)


def whole_axis(label: str, first: int, last: int) -> Axis:
    """Make an axis of whole numbers, with half a unit of room on both sides.

    Parameters
    ----------
    label
        The label of the axis.
    first
        The first number.
    last
        The last number.

    Returns
    -------
    Axis
        The axis, with about six ticks.

    Examples
    --------
    >>> whole_axis("n", 1, 4).ticks
    ((1, '1'), (2, '2'), (3, '3'), (4, '4'))
    """
    # Both ends are values, hence the 1: from 1 to 4 there are four.
    each = max(1, round(nice_step(last - first + 1, 6)))
    ticks = (
        # The first value always has a tick, since an axis seldom begins at a round number.
        sorted({first, *range(math.ceil(first / each) * each, last + 1, each)})
        if each > 1
        else [*range(first, last + 1)]
    )
    # Otherwise the texts of the first two ticks could overlap.
    if len(ticks) > 1 and ticks[1] - first < each / 2:
        del ticks[1]
    # Half a unit on both sides is the room of the first and the last bar.
    return Axis(label, first - 0.5, last + 0.5, tuple((n, numeral(n)) for n in ticks))


def named_axis(label: str, names: Sequence[tuple[float, str]]) -> Axis:
    """Make an axis with one slot per named value.

    Parameters
    ----------
    label
        The label of the axis.
    names
        Values and their texts.

    Returns
    -------
    Axis
        The axis, with a tick at each value and half a unit of room on both sides.
    """
    # An axis without names is drawn empty, not refused.
    values = [value for value, _ in names] or [0.0]
    return Axis(label, min(values) - 0.5, max(values) + 0.5, tuple(names), named=True)


def log_ticks(low: float, high: float, most: int = 9) -> tuple[float, ...]:
    """Choose round values for a logarithmic axis: 1, 2 or 5 times powers of ten.

    Parameters
    ----------
    low, high
        The smallest and the largest value that is drawn, above 0.
    most
        The maximum number of ticks, from 1.

    Returns
    -------
    tuple[float, ...]
        Ascending; fewer of each power of ten if all would be too many.

    Examples
    --------
    >>> log_ticks(4.6, 97.7)
    (5.0, 10.0, 20.0, 50.0)
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for factors in ((1, 2, 5), (1, 5), (1,)):
        found = [factor * 10.0**power for power in powers for factor in factors]
        found = [value for value in found if low * 0.999 <= value <= high * 1.001]
        if len(found) <= most:
            return tuple(found)
    # A number of any size fits on paper: every second power, every third, …
    # Rounded up: one tick too many would touch its neighbor.
    step = -(-len(found) // most)
    return tuple(found[::step])
