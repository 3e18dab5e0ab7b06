"""A chart as data: panels, axes, bars, dots and the table of its data. Nothing here depends on how it is painted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.i18n import numeral

PANEL_WIDTH, PANEL_HEIGHT = 540.0, 190.0
"""Points that a row of panels takes unless another size is chosen."""
LIST_ROW = 15.0


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
    """

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Point:
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
    """

    name: str
    points: tuple[Point, ...]
    right: bool = False
    width: float = 0.72


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
    """

    name: str
    points: tuple[Point, ...]
    color: int = 0
    line: bool = False
    unsure: bool = False


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


Part = Panel | BarList | Tree


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
    # Margins, then a line for the title, and a line of legend for every four entries, in points.
    height = 16.0 + 16.0 * bool(chart.title) + 14.0 * bool(chart.legend) * math.ceil(len(legend_entries(chart)) / 4)
    for row in chart.rows:
        # A row of bars or of a tree is as high as it has lines; the highest part of a row decides.
        lists = [len(part.rows) for part in row if isinstance(part, BarList)]
        lists += [part.root.leaves for part in row if isinstance(part, Tree)]
        height += 26.0 + LIST_ROW * max(lists) if lists else PANEL_HEIGHT
    return PANEL_WIDTH, height


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
    return tuple(entry for name, entry in entries.items() if name)


def words_of(chart: Chart) -> tuple[str, ...]:
    """List the texts of a chart that may be changed: title, titles of panels, labels of axes, names in the legend.

    Parameters
    ----------
    chart
        The chart.

    Returns
    -------
    tuple[str, ...]
        The texts, each once.
    """
    found = [chart.title]
    for row in chart.rows:
        for panel in row:
            found.append(panel.title)
            if isinstance(panel, Panel):
                axes = (panel.x, panel.left, *((panel.right,) if panel.right else ()))
                found += [axis.label for axis in axes]
    if chart.legend:
        found += [entry.name for entry in legend_entries(chart)]
    return tuple(dict.fromkeys(text for text in found if text))


def reworded(chart: Chart, words: Mapping[str, str]) -> Chart:
    """Replace some texts of a chart.

    Parameters
    ----------
    chart
        The chart, which stays as it is.
    words
        New texts by the old ones; all others are kept. Titles, labels of axes and names of layers are replaced, not the
        table.

    Returns
    -------
    Chart
        The new chart.
    """

    def other(text: str) -> str:
        return words.get(text, text)

    def axis(old: Axis) -> Axis:
        return replace(old, label=other(old.label))

    def panel(old: Part) -> Part:
        if isinstance(old, BarList | Tree):
            return replace(old, title=other(old.title))
        return replace(
            old,
            title=other(old.title),
            x=axis(old.x),
            left=axis(old.left),
            right=axis(old.right) if old.right else None,
            bars=tuple(replace(layer, name=other(layer.name)) for layer in old.bars),
            dots=tuple(replace(layer, name=other(layer.name)) for layer in old.dots),
        )

    rows = tuple(tuple(panel(old) for old in row) for row in chart.rows)
    return replace(chart, title=other(chart.title), rows=rows)


# --- scales --------------------------------------------------------------------------------------


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
    rough = max(span, 1e-9) / max(1, parts)
    power = 10.0 ** math.floor(math.log10(rough))
    # The tolerance: a rounding error must not lead to the next larger step. 10 always fits, so `next` finds one.
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
    # Counts have no fractions: an axis up to 2 has the steps 0, 1, 2 and not 0.5.
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
    # An axis without hits still has a length, or its end would be its beginning.
    steps = max(1, math.ceil(most / step))
    return Axis(label, 0, steps * step, tuple((i * step, short_number(i * step)) for i in range(steps + 1)))


def share_axis(label: str) -> Axis:
    """Make an axis from 0 to 1, with ticks in fifths.

    Parameters
    ----------
    label
        The label of the axis.

    Returns
    -------
    Axis
        The axis.
    """
    return Axis(label, 0.0, 1.0, tuple((fifth / 5, numeral(fifth / 5, ".1f")) for fifth in range(6)))


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
    each = max(1, round(nice_step(last - first + 1, 6)))
    ticks = (
        sorted({first, *range(math.ceil(first / each) * each, last + 1, each)})
        if each > 1
        else [*range(first, last + 1)]
    )
    # The first number has a label always; one that would overlap it has none.
    if len(ticks) > 1 and ticks[1] - first < each / 2:
        del ticks[1]
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
    return Axis(label, min(values) - 0.5, max(values) + 0.5, tuple(names))
