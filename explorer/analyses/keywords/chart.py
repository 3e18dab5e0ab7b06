"""Keywords as a chart: the log ratio as their effect, G² as the evidence for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields
from math import ceil, floor, log10

from explorer.analyses.keywords.table import KeywordRecord
from explorer.chart import Axis, Chart, Dots, Panel, Point, nice_step, short_number
from explorer.i18n import mark, numeral, tr


def evidence_ticks(least: float, most: float) -> list[float]:
    """Choose values of a logarithmic axis: 1, 2 and 5 times powers of ten.

    least, most: The least and the greatest value, above 0.
    Returns: Ticks from the last one not above the least value to the first one not below the greatest.

    Examples
    --------
    >>> evidence_ticks(30, 340)
    [20.0, 50.0, 100.0, 200.0, 500.0]
    """
    powers = range(floor(log10(least)) - 1, ceil(log10(most)) + 2)
    ticks = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
    first = max(place for place, tick in enumerate(ticks) if tick <= least)
    last = min(place for place, tick in enumerate(ticks) if tick >= most)
    return ticks[first : last + 1]


def keyword_chart(title: str, rows: Sequence[KeywordRecord]) -> Chart:
    """Draw keywords and negative keywords by log ratio and G².

    rows: The keywords; those without evidence (G² = 0) have no dot, but a row of the data.
    Returns: The chart; its data are the rows with all measures.
    """
    drawn = [row for row in rows if row.g2]
    ticks = evidence_ticks(min(abs(row.g2) for row in drawn), max(abs(row.g2) for row in drawn)) if drawn else [1.0, 10]
    reach = max(1.0, *(abs(row.log_ratio) for row in drawn), 1.0) * 1.05
    step = nice_step(2 * reach, 8)
    steps = range(ceil(-reach / step), floor(reach / step) + 1)
    across = Axis(
        tr("Log ratio (+1 = twice as frequent)"),
        -reach,
        reach,
        tuple((step * k, numeral(step * k, "+g") if k else "0") for k in steps),
    )
    up = Axis(tr("G²"), log10(ticks[0]), log10(ticks[-1]), tuple((log10(tick), short_number(tick)) for tick in ticks))
    sides = tuple(
        Dots(name, tuple(Point(row.log_ratio, log10(abs(row.g2))) for row in drawn if row.positive is side), place)
        for place, (name, side) in enumerate(((tr("More frequent here"), True), (tr("Less frequent here"), False)))
    )
    header = tuple(each.name for each in fields(KeywordRecord))
    data = tuple(astuple(row) for row in rows)
    return Chart(mark("keywords"), title, ((Panel("", across, up, dots=sides),),), header, data, legend=True)
