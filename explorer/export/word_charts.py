"""Rank and frequency of words or n-grams as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from explorer.chart import Axis, Chart, Dots, Panel, Point, short_number
from explorer.export.model_charts import log_ticks
from explorer.export.records.words import WordRecord
from explorer.i18n import mark, tr

HEADER = ("form", "count", "documents", "per_million")
"""The columns of the data, as in the records of the command `wordlist`."""


def rank_chart(title: str, points: Sequence[tuple[int, int]], rows: Sequence[WordRecord]) -> Chart:
    """Draw counts by rank, both axes logarithmic.

    Parameters
    ----------
    title
        The title of the chart.
    points
        Ranks and counts, by rank.
    rows
        The list.

    Returns
    -------
    Chart
        The chart; its data are the rows of the list.
    """
    ranks, counts = _axis(tr("Rank"), [rank for rank, _ in points]), _axis(tr("Hits"), [count for _, count in points])
    dots = Dots("", tuple(Point(log10(rank), log10(count)) for rank, count in points), line=True)
    data = tuple((row.form, row.count, row.documents, row.per_million) for row in rows)
    return Chart(mark("words"), title, ((Panel("", ranks, counts, dots=(dots,)),),), HEADER, data)


def _axis(name: str, values: Sequence[int]) -> Axis:
    # Two at least: an axis from 1 to 1 would have no length.
    most = max([2, *values])
    return Axis(name, 0.0, log10(most), tuple((log10(tick), short_number(tick)) for tick in log_ticks(1, most, 7)))
