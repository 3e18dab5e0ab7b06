"""Charts in words: the values of an item under the pointer, and a whole part for a screen reader."""

from __future__ import annotations

import math

from explorer.chart.axes import Axis
from explorer.chart.network import Network
from explorer.chart.parts import Bars, Dots, Panel, Part, Point
from explorer.chart.strips import StripPlot
from explorer.i18n import trn

_DESCRIBED = 30
"""Places of the lower axis up to which a screen reader gets every value."""


def points_of(panel: Panel) -> tuple[Point, ...]:
    """All points of a panel: of its dots and its bars, one layer after the other."""
    return tuple(point for layer in _layers(panel) for point in layer.points)


def axis_of(panel: Panel, layer: Bars | Dots) -> Axis:
    """The axis at which a layer is read."""
    return panel.right if isinstance(layer, Bars) and layer.right and panel.right else panel.left


def stops(part: Part) -> list[int]:
    """The items of a part in the order in which keys go to them: of a panel, one of each value of its lower axis."""
    if isinstance(part, Panel):
        first: dict[float, int] = {}
        for place, point in enumerate(points_of(part)):
            first.setdefault(point.x, place)
        return [first[x] for x in sorted(first)]
    if isinstance(part, Network):
        return list(range(len(part.spokes)))
    return list(range(len(part.rows))) if isinstance(part, StripPlot) else []


def told(part: Part, place: int) -> str:
    """What an item shows, on some lines: of a panel, all layers at its value of the lower axis.

    place: The number of the item.
    """
    if isinstance(part, Panel):
        return _told_values(part, points_of(part)[place].x)
    if isinstance(part, Network):
        return part.spokes[place].note or part.spokes[place].text
    assert isinstance(part, StripPlot)
    row = part.rows[place]
    hits = (
        f"{word}: {trn('{n:,} hit', '{n:,} hits', len(ticks))}"
        for word, ticks in zip(part.words, row.ticks, strict=True)
    )
    return "\n".join((f"{row.name}: {row.note}", *hits))


def described(part: Part) -> str:
    """A part for a screen reader: of a panel, every value, or the first and the last of many."""
    if isinstance(part, Network):
        count = len(part.spokes)
        return trn("{n:,} word around “{query}”", "{n:,} words around “{query}”", count, query=part.center)
    if isinstance(part, StripPlot):
        parts = trn("{n:,} part with hits", "{n:,} parts with hits", len(part.rows))
        return f"{parts}: {', '.join(part.words)}"
    places = stops(part)
    chosen = places if len(places) <= _DESCRIBED else [places[0], places[-1]]
    return "; ".join(told(part, place).replace("\n", ", ") for place in chosen)


def _layers(panel: Panel) -> tuple[Bars | Dots, ...]:
    return (*panel.dots, *panel.bars)


def _told_values(panel: Panel, x: float) -> str:
    lines = [f"{panel.x.label}: {panel.x.text(x)}"]
    for layer in _layers(panel):
        up = axis_of(panel, layer)
        name = layer.name if len(panel.dots) > 1 and layer.name else up.label
        for point in layer.points:
            if point.x == x:
                interval = f" ({up.text(point.low)} – {up.text(point.high)})" if math.isfinite(point.low) else ""
                lines.append(f"{name}: {up.text(point.y)}{interval}")
    return "\n".join(lines)
