"""A word with others around it, on paper: discs at the ends of lines, and labels at both sides."""

from __future__ import annotations

from math import sqrt

from explorer.chart import Network, PlacedSpoke, place_spokes
from explorer.export.drawing.drawer import Area, Drawer, Place, Side, Spot
from explorer.export.drawing.marks import draw_title

LARGEST = 7.0
"""The radius of the largest disc in points."""
_GAP, _SMALLEST = 6.0, 1.5


def draw_network(pens: Drawer, place: Area, network: Network) -> tuple[Spot, ...]:
    """Draw a network into a rectangle.

    Returns: Where the discs are, then the labels.
    """
    area = draw_title(pens, place, network.title).inset(0, 4, 0, 4)
    widest = max((pens.width(spoke.text) for spoke in network.spokes), default=0.0)
    names = min(widest, area.width / 4) + 2 * _GAP
    radius = max(10.0, min(area.width / 2 - names, area.height / 2) - LARGEST)
    middle = Place(area.left + area.width / 2, area.top + area.height / 2)
    placed = place_spokes(network.spokes, radius, area.height, pens.line + 0.5)
    # From back to front: lines, discs, labels, the middle.
    for spoke in placed:
        pens.lines((middle, Place(middle.x + spoke.x, middle.y + spoke.y)), pens.colors.bar, 0.7)
    discs: list[Spot] = []
    labels: list[Spot] = []
    for spoke in placed:
        size = max(_SMALLEST, LARGEST * sqrt(network.spokes[spoke.number].size))
        at = Place(middle.x + spoke.x, middle.y + spoke.y)
        pens.circle(at, size, pens.colors.bar, pens.colors.ground)
        discs.append(Spot(spoke.number, Area(at.x - size, at.y - size, 2 * size, 2 * size)))
        labels += _label(pens, middle, spoke, radius + LARGEST + _GAP, network.spokes[spoke.number].text, names)
    width = min(pens.width(network.center) + 12, area.width / 3)
    box = Area(middle.x - width / 2, middle.y - pens.line / 2 - 2, width, pens.line + 4)
    pens.fill(box, pens.colors.ground)
    pens.frame(box, pens.colors.ink, 0.7)
    pens.text(box, pens.fitting(network.center, width - 6))
    # A disc below the word in the middle is not seen.
    return (*(spot for spot in discs if not _touch(spot.area, box)), *labels)


def _touch(one: Area, other: Area) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


def _label(pens: Drawer, middle: Place, spoke: PlacedSpoke, column: float, text: str, room: float) -> tuple[Spot, ...]:
    """A label in the column of its side, and a hairline that leads to its disc; without room for it, none of both."""
    if spoke.label is None:
        return ()
    x, y = middle.x + (-column if spoke.left else column), middle.y + spoke.label
    pens.lines((Place(middle.x + spoke.x, middle.y + spoke.y), Place(x, y)), pens.colors.grid, 0.5)
    side: Side = "right" if spoke.left else "left"
    left = x - room if spoke.left else x + 2
    shown = pens.fitting(text, room - 2)
    pens.text(Area(left, y - pens.line / 2, room - 2, pens.line), shown, side=side)
    width = pens.width(shown)
    begin = left + room - 2 - width if spoke.left else left
    return (Spot(spoke.number, Area(begin, y - pens.line / 2, width, pens.line)),)
