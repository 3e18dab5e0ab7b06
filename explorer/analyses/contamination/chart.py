"""How long the matches of a benchmark's items are, and what thresholds make of them, as charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, fields
from math import ceil, floor, nan

from explorer.analyses.contamination.table import GainRecord
from explorer.chart import Axis, Bars, Chart, Dots, Panel, Point, count_axis, share_axis
from explorer.chart.axes import nice_step
from explorer.i18n import mark, numeral, tr

HEADER = ("longest", "items")
"""The columns of the data."""
CURVE_HEADER = tuple(field.name for field in fields(GainRecord))
"""The columns of the data of the curves."""


def longest_chart(title: str, longest: Sequence[int], unit: str) -> Chart:
    """Draw how many items have a longest match of each length.

    unit: What is counted: words or tokens.
    Returns: The chart; its data are the lengths with the number of their items.
    """
    most = max(longest, default=1)
    found = Counter(longest)
    counts = [(length, found[length]) for length in range(most + 1)]
    step = max(1, int(nice_step(most, 8)))
    ticks = tuple((float(at), numeral(at)) for at in range(0, most + 1, step))
    name = tr("Longest match in words") if unit == "words" else tr("Longest match in tokens")
    bars = Bars(tr("items"), tuple(Point(length, count) for length, count in counts if count))
    panel = Panel(
        "",
        Axis(name, -0.5, most + 0.5, ticks),
        count_axis(tr("Items"), max((count for _, count in counts), default=1)),
        bars=(bars,),
    )
    return Chart(mark("contamination"), title, ((panel,),), HEADER, tuple(counts))


def shares_chart(title: str, shares: Sequence[float]) -> Chart:
    """Draw the share of an item in matches of at least each length.

    shares: The share in matches of at least 1, 2, 3 …
    Returns: The chart; its data are the lengths with their shares.
    """
    points = tuple(enumerate(shares, 1))
    step = max(1, int(nice_step(len(points) + 1, 8)))
    ticks = tuple((float(at), numeral(at)) for at in range(step, len(points) + 2, step))
    dots = Dots(tr("Share"), tuple(Point(length, share) for length, share in points), line=True)
    panel = Panel(
        "", Axis(tr("Shortest match that counts"), 0.0, len(points) + 1.0, ticks), share_axis(tr("Share")), dots=(dots,)
    )
    return Chart(mark("share"), title, ((panel,),), ("length", "share"), points)


def curves_chart(title: str, curves: Sequence[GainRecord], metric: str) -> Chart:
    """Draw how many items are above each threshold, and what a model's score gains by them.

    curves: The points of one benchmark or more.
    Returns: A row of panels per benchmark: the share of items for each metric, and the gain with its interval if there
        are scores. Its data are the points.
    """
    places = list(dict.fromkeys((row.index, row.file) for row in curves))
    rows = tuple(_row(name, curves, place, metric) for name, place in zip(_titles(places), places, strict=True))
    return Chart(mark("contamination"), title, rows, CURVE_HEADER, tuple(astuple(row) for row in curves), legend=True)


def _titles(places: Sequence[tuple[str, str]]) -> list[str]:
    """The file, without its folders, and the index if there are several."""
    several = len({index for index, _ in places}) > 1
    names = [file.replace("\\", "/").rpartition("/")[2] for _, file in places]
    return [f"{index}: {name}" if several else name for (index, _), name in zip(places, names, strict=True)]


def _row(name: str, curves: Sequence[GainRecord], place: tuple[str, str], metric: str) -> tuple[Panel, ...]:
    mine = [row for row in curves if (row.index, row.file) == place]
    metrics = list(dict.fromkeys(row.metric for row in mine))
    lines = tuple(
        Dots(
            each, tuple(Point(100 * row.threshold, 100 * row.share) for row in mine if row.metric == each), color, True
        )
        for color, each in enumerate(metrics)
    )
    most = max((100 * row.share for row in mine), default=1.0)
    shares = Panel(name, _thresholds(), count_axis(tr("Percent of the items"), most), dots=lines)
    gains = [row for row in mine if row.metric == metric and row.gain is not None]
    return (shares, _gains(gains, metric, metrics.index(metric))) if gains else (shares,)


def _thresholds() -> Axis:
    ticks = tuple((float(at), numeral(at)) for at in range(0, 101, 20))
    return Axis(tr("Threshold in percent of an item"), 0.0, 102.0, ticks)


def _gains(rows: Sequence[GainRecord], metric: str, color: int) -> Panel:
    points = tuple(
        Point(
            100 * row.threshold,
            row.gain or 0.0,
            nan if row.gain_low is None else row.gain_low,
            nan if row.gain_high is None else row.gain_high,
        )
        for row in rows
    )
    ends = [end for point in points for end in (point.y, point.low, point.high) if end == end]
    low, high = min(0.0, *ends), max(0.0, *ends)
    step = nice_step(max(high - low, 1e-9), 4)
    first, last = floor(low / step), max(floor(low / step) + 1, ceil(high / step))
    ticks = tuple((at * step, numeral(round(at * step, 9), "g")) for at in range(first, last + 1))
    left = Axis(tr("Gain of the score"), first * step, last * step, ticks)
    return Panel(
        tr("≈ gain by {metric}", metric=metric), _thresholds(), left, dots=(Dots(metric, points, color, True),)
    )
