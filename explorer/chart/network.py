"""A word with others around it, the stronger the nearer: what is drawn, and where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_WIDEST = math.radians(80)
"""How far from the horizontal a spoke may point: labels are at the sides."""


@dataclass(frozen=True)
class Spoke:
    """A word around the middle.

    Attributes
    ----------
    text
        The word.
    length
        How far it is from the middle, above 0 to 1 for the farthest.
    size
        The area of its disc, above 0 to 1 for the largest.
    note
        What is shown under the pointer; "" for the word.
    """

    text: str
    length: float
    size: float
    note: str = ""


@dataclass(frozen=True)
class Network:
    """A word with others around it.

    Attributes
    ----------
    title
        The text above it.
    center
        The word in the middle.
    spokes
        The others, the strongest first.
    """

    title: str
    center: str
    spokes: tuple[Spoke, ...]


@dataclass(frozen=True)
class PlacedSpoke:
    """Where a spoke is.

    Attributes
    ----------
    number
        Its place among the spokes.
    x, y
        The middle of its disc.
    label
        The middle of its label from above; None if it does not fit.
    left
        Whether it is in the left half.
    """

    number: int
    x: float
    y: float
    label: float | None
    left: bool


def place_spokes(spokes: Sequence[Spoke], radius: float, height: float, line: float) -> tuple[PlacedSpoke, ...]:
    """Place spokes around the middle of an area, by turns at the right and at the left.

    Parameters
    ----------
    spokes
        The spokes, the strongest first: these point most to the sides.
    radius
        How far the farthest is from the middle.
    height
        The height of the area, within which labels stay.
    line
        The height of a label.

    Returns
    -------
    tuple[PlacedSpoke, ...]
        The places, from the middle of the area. Distances are in proportion to lengths, in every direction.

    Examples
    --------
    >>> near, far = place_spokes((Spoke("a", 0.5, 1), Spoke("b", 1, 1)), 100, 200, 10)
    >>> (near.x, near.left), (far.x, far.left)
    ((50.0, False), (-100.0, True))
    """
    return (
        *_side(spokes, range(0, len(spokes), 2), radius, height, line),
        *_side(spokes, range(1, len(spokes), 2), -radius, height, line),
    )


def _side(
    spokes: Sequence[Spoke], numbers: Sequence[int], radius: float, height: float, line: float
) -> list[PlacedSpoke]:
    count = len(numbers)
    angles = [0.0] if count == 1 else [_WIDEST * (2 * at / (count - 1) - 1) for at in range(count)] if count else []
    # The strongest are the shortest: in the middle of the side they are not between others and the center.
    turned = zip(numbers, sorted(angles, key=abs), strict=True)
    at = sorted(
        (math.sin(angle) * abs(radius) * spokes[number].length, number, math.cos(angle)) for number, angle in turned
    )
    # Where all labels do not fit, those of the weakest are left out.
    fit = max(0, int(height // line))
    labelled = set(numbers[:fit])
    shown = [(y, number) for y, number, _ in at if number in labelled]
    apart = _apart([y for y, _ in shown], height, line)
    labels = {number: place for (_, number), place in zip(shown, apart, strict=True)}
    return [
        PlacedSpoke(number, radius * spokes[number].length * across, y, labels.get(number), radius < 0)
        for y, number, across in at
    ]


def _apart(wanted: Sequence[float], height: float, line: float) -> list[float]:
    """Places of labels, as near as can be to where they are wanted, ascending, a line apart and inside the height."""
    low, high = -height / 2 + line / 2, height / 2 - line / 2
    found: list[float] = []
    for at, place in enumerate(wanted):
        # Room is left for all that follow.
        last = high - line * (len(wanted) - 1 - at)
        found.append(min(last, max(place, found[-1] + line if found else low)))
    return found
