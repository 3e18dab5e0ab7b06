"""The parts of a chart on paper: title, legend, panels and lists of bars, in points.

One layout serves PNG, SVG and PDF, so that all have real text and lines of the same width at every scale.
The size of the text does not change with the size of the figure. Always on a light ground.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from explorer.chart import (
    LIST_ROW,
    Axis,
    BarList,
    Bars,
    Chart,
    Dots,
    Network,
    Panel,
    Part,
    Point,
    StripPlot,
    Tree,
    legend_entries,
)
from explorer.export.drawing.drawer import Area, Drawer, Place, Spot
from explorer.export.drawing.marks import draw_marker, draw_sample, fill_bar, has_markers
from explorer.export.drawing.network import draw_network
from explorer.export.drawing.strips import draw_strips
from explorer.export.drawing.tree import draw_tree

_EDGE, _GAP = 6.0, 10.0


def draw_chart(pens: Drawer, chart: Chart, width: float, height: float) -> None:
    """Draw a chart."""
    pens.fill(Area(0, 0, width, height), pens.colors.ground)
    top = _EDGE
    if chart.title:
        pens.text(Area(_EDGE, top, width - 2 * _EDGE, pens.line + 2), chart.title, larger=2, bold=True)
        top += pens.line + 6
    if chart.legend:
        top = _draw_legend(pens, chart, top, width)
    # Rows share what the title and the legend leave; the size of the text does not shrink with them.
    row_height = (height - top - _EDGE) / max(1, len(chart.rows))
    for number, row in enumerate(chart.rows):
        area = Area(_EDGE, top + number * row_height, width - 2 * _EDGE, row_height)
        _draw_row(pens, area, row)


def _draw_legend(pens: Drawer, chart: Chart, top: float, width: float) -> float:
    x = 2 * _EDGE
    for entry in legend_entries(chart):
        name = pens.fitting(entry.name, width / 3)
        needed = 22 + pens.width(name)
        # The first entry of a line is never moved to the next, or a name wider than the paper would move forever.
        if x + needed > width - _EDGE and x > 2 * _EDGE:
            x, top = 2 * _EDGE, top + pens.line + 3
        draw_sample(pens, Area(x, top, 14, pens.line), entry)
        pens.text(Area(x + 18, top, needed - 16, pens.line), name, side="left")
        x += needed + _GAP
    return top + pens.line + 4


@dataclass(frozen=True)
class _Margins:
    left: float
    right: float
    top: float
    bottom: float


def _margins(pens: Drawer, panel: Panel) -> _Margins:
    """Room for ticks and labels around a panel's plot; the labels of vertical axes are rotated."""

    def beside(axis: Axis | None) -> float:
        if axis is None:
            return 8.0
        # The widest number, one line for the label on its side, and gaps of 4 points on both sides of the numbers.
        return max((pens.width(text, smaller=1) for _, text in axis.ticks), default=0.0) + pens.line + 8

    return _Margins(beside(panel.left), beside(panel.right), pens.line + 6, 2 * pens.line + 8)


def _draw_row(pens: Drawer, area: Area, row: tuple[Part, ...]) -> None:
    width = (area.width - _GAP * (len(row) - 1)) / len(row)
    for number, part in enumerate(row):
        place = Area(area.left + number * (width + _GAP), area.top, width, area.height)
        draw_part(pens, place, part)


def draw_part(pens: Drawer, place: Area, part: Part) -> tuple[Spot, ...]:
    """Draw a part of a chart into a rectangle.

    Returns: Where its items are; nothing for parts whose items nothing asks for.
    """
    if isinstance(part, Network):
        return draw_network(pens, place, part)
    if isinstance(part, StripPlot):
        return draw_strips(pens, place, part)
    if isinstance(part, BarList):
        _draw_list(pens, place, part)
    elif isinstance(part, Tree):
        draw_tree(pens, place, part)
    else:
        _draw_panel(pens, place, part)
    return ()


def _draw_panel(pens: Drawer, place: Area, panel: Panel) -> None:
    margins = _margins(pens, panel)
    plot = place.inset(margins.left, margins.top, margins.right, margins.bottom)
    pens.text(Area(place.left, place.top + 2, place.width, pens.line), pens.fitting(panel.title, place.width))
    frame = _Frame(plot, panel)
    # From back to front: band, grid, bars, dots, frame.
    if panel.band:
        _draw_band(pens, frame, panel.band)
    _draw_scales(pens, place, frame)
    # 4 points more than the plot, so that a dot at 0 or 1 is a whole circle.
    with pens.clipped(plot.inset(-4, -4, -4, -4)):
        for bars in panel.bars:
            _draw_bars(pens, frame, bars)
        for dots in panel.dots:
            _draw_dots(pens, frame, dots)
    pens.frame(plot, pens.colors.ink, 0.7)


class _Frame:
    """Maps values of a panel to points on the paper."""

    def __init__(self, plot: Area, panel: Panel) -> None:
        self.plot, self.panel = plot, panel

    def x(self, value: float) -> float:
        axis = self.panel.x
        return self.plot.left + self.plot.width * (value - axis.low) / (axis.high - axis.low)

    def y(self, value: float, right: bool = False) -> float:
        # Paper counts from the top, values from the bottom: hence the minus below.
        axis = self.panel.right if right and self.panel.right else self.panel.left
        return self.plot.bottom - self.plot.height * (value - axis.low) / (axis.high - axis.low)

    def at(self, point: Point) -> Place:
        return Place(self.x(point.x), self.y(point.y))


def _draw_bars(pens: Drawer, frame: _Frame, bars: Bars) -> None:
    # A bar of height 0 would be a hairline, which looks like a small number.
    for point in (point for point in bars.points if point.y > 0):
        # Strong bars are narrower, so that the plain ones stay visible, also without color.
        half = bars.width / (4 if bars.look == "strong" else 2)
        left, right = frame.x(point.x - half), frame.x(point.x + half)
        top = frame.y(point.y, bars.right)
        fill_bar(pens, Area(left, top, right - left, frame.plot.bottom - top), bars)


def _draw_dots(pens: Drawer, frame: _Frame, dots: Dots) -> None:
    color = pens.colors.source(dots.color)
    if dots.line and len(dots.points) > 1:
        pens.lines([frame.at(point) for point in dots.points], color, 0.8, dots.dashed)
    for point in dots.points:
        # The ends of an interval that is not known are not finite.
        if math.isfinite(point.low):
            x = frame.x(point.x)
            pens.lines((Place(x, frame.y(point.low)), Place(x, frame.y(point.high))), color, 0.8)
    # Markers last: no interval crosses a neighbor's dot.
    for point in dots.points if has_markers(dots) else ():
        draw_marker(pens, frame.at(point), dots)


def _draw_band(pens: Drawer, frame: _Frame, band: tuple[float, float, str]) -> None:
    first, last, name = band
    area = Area(frame.x(first), frame.plot.top, frame.x(last) - frame.x(first), frame.plot.height)
    pens.fill(area, pens.colors.pale)
    pens.text(Area(area.left, area.top + 2, area.width, pens.line), pens.fitting(name, area.width), smaller=1)


def _draw_scales(pens: Drawer, place: Area, frame: _Frame) -> None:
    plot, panel = frame.plot, frame.panel
    for value, text in panel.left.ticks:
        y = frame.y(value)
        pens.lines((Place(plot.left, y), Place(plot.right, y)), pens.colors.grid, 0.4)
        label = Area(place.left, y - pens.line / 2, plot.left - place.left - 4, pens.line)
        pens.text(label, text, smaller=1, side="right")
    # Beside a second axis, the left label has the color of the dots that it measures.
    pens.upright(place.left, plot, panel.left.label, pens.colors.source(0) if panel.right else pens.colors.ink)
    if panel.right:
        for value, text in panel.right.ticks:
            label = Area(plot.right + 4, frame.y(value, True) - pens.line / 2, place.right - plot.right, pens.line)
            pens.text(label, text, smaller=1, side="left")
        pens.upright(place.right - pens.line, plot, panel.right.label, pens.colors.ink)
    _draw_bottom(pens, frame)
    label = Area(place.left, plot.bottom + pens.line + 5, place.width, pens.line)
    pens.text(label, pens.fitting(panel.x.label, place.width))


def _draw_bottom(pens: Drawer, frame: _Frame) -> None:
    """Ticks of the lower axis, without those that would touch the one before."""
    end = -math.inf
    for value, text in frame.panel.x.ticks:
        width, x = pens.width(text, smaller=1), frame.x(value)
        if x - width / 2 > end:
            pens.text(Area(x - width, frame.plot.bottom + 3, 2 * width, pens.line), text, smaller=1)
            end = x + width / 2 + 3


def _draw_list(pens: Drawer, place: Area, part: BarList) -> None:
    pens.text(Area(place.left, place.top + 2, place.width, pens.line), pens.fitting(part.title, place.width))
    # Bars are scaled to the largest value, not to 100 %: at a few percent they could not be told apart.
    most = max((value for _, value, _ in part.rows), default=0.0) or 1.0
    # Names get at most two fifths of the width; longer ones are cut.
    names = min(place.width * 0.4, max((pens.width(name) for name, _, _ in part.rows), default=0.0) + 6)
    figures = max((pens.width(shown) for _, _, shown in part.rows), default=0.0) + 6
    room = max(20.0, place.width - names - figures)
    height = min(LIST_ROW * pens.size / 8, (place.height - pens.line - 8) / max(1, len(part.rows)))
    for number, (name, value, shown) in enumerate(part.rows):
        top = place.top + pens.line + 6 + number * height
        label = Area(place.left, top, names - 6, height)
        pens.text(label, pens.fitting(name, names - 6), side="right")
        bar = Area(place.left + names, top + height * 0.16, room * value / most, height * 0.68)
        if value > 0:
            pens.fill(bar, pens.colors.bar)
        pens.text(Area(bar.right + 4, top, figures, height), shown, side="left")
