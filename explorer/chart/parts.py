"""What a chart consists of: panels with bars and dots, lists of bars, trees, and the table of its data."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from explorer.chart.axes import Axis
from explorer.chart.network import Network
from explorer.chart.strips import StripPlot
from explorer.core.arrays import Value

PANEL_WIDTH, PANEL_HEIGHT = 540.0, 190.0
"""Points that a row of panels takes unless another size is chosen."""
# Points that one bar of a list, or one line of a tree, takes.
LIST_ROW = 15.0
NETWORK_HEIGHT = 360.0
"""Points that a network takes, in which fifty words have labels."""


@dataclass(frozen=True, eq=False)
class Point(Value):
    """A value of a chart.

    Attributes
    ----------
    x
        Where it is.
    y
        How high it is.
    low
        The lower end of its interval; nan for none.
    high
        The upper end of its interval; nan for none.
    """

    x: float
    y: float
    # nan, so that a point without an interval needs no other type; painters skip it.
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class Bars:
    """Upright bars from 0.

    Attributes
    ----------
    name
        Their name in the legend.
    points
        One per bar.
    right
        Whether they are read at the right axis.
    width
        The width of a bar in units of x.
    look
        "plain", "strong" for the part that matters, in front of plain bars, or "hatched".
    """

    name: str
    points: tuple[Point, ...]
    right: bool = False
    # Less than 1, so that there is a gap between the bars of neighboring whole numbers.
    width: float = 0.72
    look: str = "plain"


@dataclass(frozen=True)
class Dots:
    """Dots that are read at the left axis.

    Attributes
    ----------
    name
        Their name in the legend.
    points
        One per dot.
    color
        The number of the source, which decides color and shape.
    line
        Whether a line joins them.
    unsure
        Whether they are hollow.
    dashed
        Whether their line is dashed, as what data are compared with.
    """

    name: str
    points: tuple[Point, ...]
    color: int = 0
    line: bool = False
    unsure: bool = False
    dashed: bool = False


@dataclass(frozen=True)
class Panel:
    """Bars and dots over the same axes.

    Attributes
    ----------
    title
        The text above it.
    x
        The bottom axis.
    left
        The left axis.
    right
        The right axis; None for none.
    bars
        Layers of bars.
    dots
        Layers of dots, above the bars.
    band
        A part of x that is set off: first value, last value and name. None for none.
    """

    title: str
    x: Axis
    left: Axis
    right: Axis | None = None
    bars: tuple[Bars, ...] = ()
    dots: tuple[Dots, ...] = ()
    band: tuple[float, float, str] | None = None


@dataclass(frozen=True)
class BarList:
    """Horizontal bars.

    Attributes
    ----------
    title
        The text above them.
    rows
        Name, length, and length as text.
    """

    title: str
    rows: tuple[tuple[str, float, str], ...]


@dataclass(frozen=True)
class Twig:
    """A branch of a tree.

    Attributes
    ----------
    text
        Its text.
    note
        What is written beside it.
    share
        Its share of the parent branch, 0 to 1.
    twigs
        Its own branches.
    """

    text: str
    note: str
    share: float
    twigs: tuple[Twig, ...] = ()

    @property
    def leaves(self) -> int:
        """The number of lines that it takes."""
        # A twig without branches takes the line of its own text.
        return max(1, sum(twig.leaves for twig in self.twigs))


@dataclass(frozen=True)
class Tree:
    """A tree of the texts that follow a text, or precede it.

    Attributes
    ----------
    title
        The text above it.
    root
        The text.
    leftwards
        Whether the branches precede the text.
    """

    title: str
    root: Twig
    leftwards: bool = False


Part = Panel | BarList | Tree | Network | StripPlot


@dataclass(frozen=True)
class Chart:
    """Rows of panels under a title, and the figures that are drawn as a table.

    Attributes
    ----------
    name
        What a file of it is called.
    title
        The title.
    rows
        The panels, row by row.
    header
        The names of the table's columns.
    data
        The rows of the table.
    legend
        Whether the names of bars and dots are listed.
    facts
        What it was computed from (see `export.provenance`).
    """

    name: str
    title: str
    rows: tuple[tuple[Part, ...], ...]
    header: tuple[str, ...]
    data: tuple[tuple[Any, ...], ...]
    legend: bool = False
    facts: tuple[tuple[str, str], ...] = field(default=())


def chart_size(chart: Chart) -> tuple[float, float]:
    """Choose the size that suits a chart.

    Parameters
    ----------
    chart
        The chart.

    Returns
    -------
    tuple[float, float]
        Width and height in points.
    """
    # Margins, a title, and a line of legend for every four names.
    height = 16.0 + 16.0 * bool(chart.title) + 14.0 * bool(chart.legend) * math.ceil(len(legend_entries(chart)) / 4)
    for row in chart.rows:
        # A row is as high as its highest part; only panels beside another part adapt to it.
        others = [part_height(part) for part in row if not isinstance(part, Panel)]
        height += max(others, default=PANEL_HEIGHT)
    return PANEL_WIDTH, height


def part_height(part: Part) -> float:
    """Choose the height that suits a part of a chart.

    Parameters
    ----------
    part
        The part.

    Returns
    -------
    float
        Its height in points.
    """
    if isinstance(part, StripPlot):
        return 36.0 + part.row_height * len(part.rows)
    if isinstance(part, BarList):
        return 26.0 + LIST_ROW * len(part.rows)
    if isinstance(part, Tree):
        return 26.0 + LIST_ROW * part.root.leaves
    return NETWORK_HEIGHT if isinstance(part, Network) else PANEL_HEIGHT


def legend_entries(chart: Chart) -> tuple[Bars | Dots, ...]:
    """Each name of bars or dots once."""
    entries: dict[str, Bars | Dots] = {}
    for row in chart.rows:
        for panel in row:
            if isinstance(panel, Panel):
                layers: tuple[Bars | Dots, ...] = (*panel.bars, *panel.dots)
                for layer in layers:
                    # Hollow and full dots of one source share its name and appear once, as the full ones, which come
                    # first.
                    entries.setdefault(layer.name, layer)
    # A layer without a name is explained by its axis alone.
    return tuple(entry for name, entry in entries.items() if name)
