"""Rank and frequency of words or n-grams as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

import numpy as np

from explorer.analyses.spectrum.curves import PowerLaw
from explorer.analyses.wordlist.table import NgramRecord
from explorer.backends.protocol.protocol import NgramList
from explorer.chart import Axis, Chart, Dots, Panel, Point, log_ticks, short_number
from explorer.i18n import mark, numeral, tr

HEADER = ("form", "count", "documents", "per_million")
"""The columns of the data, as in the records of the command `wordlist`."""


def rank_chart(
    title: str, points: Sequence[tuple[int, int]], rows: Sequence[NgramRecord], slope: PowerLaw | None = None
) -> Chart:
    """Draw counts by rank, both axes logarithmic.

    slope: The straight line through ranks from 10 on; None for none.
    Returns: The chart; its data are the rows of the list.
    """
    data = tuple((row.form, row.count, row.documents, row.per_million) for row in rows)
    panel = rank_panel(points, slope, 10)
    return Chart(mark("words"), title, ((panel,),), HEADER, data, legend=slope is not None)


def rank_panel(points: Sequence[tuple[int, int]], slope: PowerLaw | None, first: int) -> Panel:
    """The counts, and the straight line through ranks from `first` on."""
    ranks, counts = (
        log_axis(tr("Rank"), [rank for rank, _ in points]),
        log_axis(tr("Hits"), [count for _, count in points]),
    )
    dots = Dots(tr("Hits"), tuple(Point(log10(rank), log10(count)) for rank, count in points), line=True)
    lines: tuple[Dots, ...] = (dots,)
    if slope is not None:
        ends = law_points(slope, (first, first - 1 + slope.points), 10**counts.high)
        name = tr(
            "Slope {slope}, ranks {first} to {last}",
            slope=numeral(slope.exponent, ".3f"), first=numeral(first), last=numeral(first - 1 + slope.points),
        )  # fmt: skip
        lines += (
            Dots(name, tuple(Point(log10(rank), log10(count)) for rank, count in ends), 1, line=True, dashed=True),
        )
    return Panel("", ranks, counts, dots=lines)


def log_axis(name: str, values: Sequence[int]) -> Axis:
    """A logarithmic axis from 1 to the greatest value."""
    # Two at least: an axis from 1 to 1 would have no length.
    most = max([2, *values])
    ticks = tuple((log10(tick), short_number(tick)) for tick in log_ticks(1, most, 7))
    return Axis(name, 0.0, log10(most), ticks, logarithmic=True)


def law_points(law: PowerLaw, places: Sequence[float], high: float) -> tuple[tuple[float, float], ...]:
    """Give points of a power law, without those above a plot: the line ends or begins at its upper edge.

    places: Where it is drawn, rising, above 0.
    high: The upper end of the axis, above 0.
    Returns: The points that are not above it, and that at the edge if the line crosses it.

    Examples
    --------
    >>> law_points(PowerLaw(2.0, 1.0, 3), (1.0, 2.0, 4.0), 9.0)
    ((1.0, 1.0), (2.0, 4.0), (3.0, 9.0))
    """
    found = [(place, law.factor * place**law.exponent) for place in places]
    inside = [point for point in found if point[1] <= high]
    if law.exponent and len(inside) < len(found):
        edge = (high / law.factor) ** (1 / law.exponent)
        if found[0][0] < edge < found[-1][0]:
            inside.append((edge, high))
    # Without a second one where the edge is one of them.
    return tuple(sorted(set(inside)))


def rank_points(found: NgramList, all_ranks: bool) -> tuple[tuple[int, int], ...]:
    """Ranks and counts: of the rows, and of rarer n-grams from how many there are of each count.

    all_ranks: Whether the rows have their ranks; otherwise some were left out for their documents or their words.
    Returns: By rank. A rank is the number of n-grams that are as frequent or more frequent.
    """
    counts = found.counts.tolist() if all_ranks else []
    points = dict(enumerate(counts, 1))
    # At m, how many occur m times or more; the last entry is of all greater counts.
    at_least = np.cumsum(found.spectrum[::-1])[::-1]
    for count in np.flatnonzero(found.spectrum[:-1]).tolist():
        if not counts or count <= counts[-1]:
            points[int(at_least[count])] = count
    return tuple(sorted(points.items()))
