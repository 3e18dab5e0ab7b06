"""Colors and markers of the layers of a chart."""

from __future__ import annotations

from explorer.chart import Bars, Dots
from explorer.export.drawing.drawer import Area, Drawer, Place

_RADIUS = 2.0
_MARKED = 60
"""Dots of a line up to which each has a marker."""
# Corners of the markers after the circle, on a circle of radius 1: triangle, square, diamond, triangle down.
_CORNERS: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((0, -1.2), (1.1, 0.8), (-1.1, 0.8)),
    ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    ((0, 1.2), (1.1, -0.8), (-1.1, -0.8)),
)


def marker_corners(number: int) -> tuple[tuple[float, float], ...]:
    """Corners of a source's marker; empty for a circle."""
    return _CORNERS[number % len(_CORNERS)]


def draw_title(pens: Drawer, place: Area, title: str) -> Area:
    """Write the title of a part at its top; without one, nothing.

    Returns: The rest of the rectangle.
    """
    if not title:
        return place
    pens.text(Area(place.left, place.top + 2, place.width, pens.line), pens.fitting(title, place.width))
    return place.inset(0, pens.line + 2, 0, 0)


def fill_bar(pens: Drawer, area: Area, bars: Bars) -> None:
    """Fill a bar, or its sample in the legend.

    bars: Its layer, which decides the look.
    """
    pens.fill(area, pens.colors.source(0) if bars.look == "strong" else pens.colors.bar)
    if bars.look == "hatched":
        pens.hatch(area, pens.colors.ink)


def has_markers(dots: Dots) -> bool:
    """Whether each dot is drawn: not on a line that data are compared with, and not where dots would hide a line."""
    return not dots.line or (len(dots.points) <= _MARKED and not dots.dashed)


def draw_sample(pens: Drawer, area: Area, layer: Bars | Dots) -> None:
    """Draw how a layer looks, for the legend."""
    middle = Place(area.left + area.width / 2, area.top + area.height / 2)
    if isinstance(layer, Bars):
        fill_bar(pens, Area(area.left, middle.y - 3, area.width, 6), layer)
        return
    if layer.line:
        ends = (Place(area.left, middle.y), Place(area.right, middle.y))
        pens.lines(ends, pens.colors.source(layer.color), 1, layer.dashed)
    if has_markers(layer):
        draw_marker(pens, middle, layer)


def draw_marker(pens: Drawer, at: Place, dots: Dots) -> None:
    """Draw one dot in the color and the shape of its source: filled, or hollow if it is unsure."""
    color = pens.colors.source(dots.color)
    fill, edge = (pens.colors.ground, color) if dots.unsure else (color, "")
    corners = marker_corners(dots.color)
    if corners:
        pens.polygon([Place(at.x + _RADIUS * x, at.y + _RADIUS * y) for x, y in corners], fill, edge)
    else:
        pens.circle(at, _RADIUS, fill, edge)
