"""How long the matches of a benchmark's items are, as a chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from explorer.chart import Axis, Bars, Chart, Panel, Point, count_axis
from explorer.chart.axes import nice_step
from explorer.i18n import mark, numeral, tr

HEADER = ("longest", "items")
"""The columns of the data."""


def longest_chart(title: str, longest: Sequence[int], unit: str) -> Chart:
    """Draw how many items have a longest match of each length.

    Parameters
    ----------
    title
        The title of the chart.
    longest
        The longest match of each item.
    unit
        What is counted: words or tokens.

    Returns
    -------
    Chart
        The chart; its data are the lengths with the number of their items.
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
