"""Colors and markers of the layers of a chart."""

from __future__ import annotations

from explorer.chart import Bars, Dots
from explorer.export.drawing.drawer import BAR, DOT, INK, SOURCES, WHITE, Area, Drawer, Place

_RADIUS = 2.0
# Corners of the markers after the circle, on a circle of radius 1: triangle, square, diamond, triangle down.
_CORNERS: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((0, -1.2), (1.1, 0.8), (-1.1, 0.8)),
    ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    ((0, 1.2), (1.1, -0.8), (-1.1, -0.8)),
)


def source_color(number: int) -> str:
    """The color of a source; together with the markers it distinguishes 35 sources."""
    return SOURCES[number % len(SOURCES)]


def marker_corners(number: int) -> tuple[tuple[float, float], ...]:
    """Corners of a source's marker; empty for a circle."""
    return _CORNERS[number % len(_CORNERS)]


def color_of(layer: Dots | Bars, by_source: bool) -> str:
    """Choose the color of a layer.

    by_source: Whether dots have the color of their source.
    """
    return source_color(layer.color) if by_source and isinstance(layer, Dots) else DOT


def fill_bar(pens: Drawer, area: Area, bars: Bars) -> None:
    """Fill a bar, or its sample in the legend.

    bars: Its layer, which decides the look.
    """
    pens.fill(area, SOURCES[0] if bars.look == "strong" else BAR)
    if bars.look == "hatched":
        pens.hatch(area, INK)


def draw_marker(pens: Drawer, at: Place, dots: Dots, by_source: bool) -> None:
    """Draw one dot: filled, or hollow where it is unsure.

    by_source: Whether its color and shape tell its source.
    """
    color = color_of(dots, by_source)
    fill, edge = (WHITE, color) if dots.unsure else (color, "")
    corners = marker_corners(dots.color) if by_source else ()
    if corners:
        pens.polygon([Place(at.x + _RADIUS * x, at.y + _RADIUS * y) for x, y in corners], fill, edge)
    else:
        pens.circle(at, _RADIUS, fill, edge)
