"""The strongest collocates around a query as a chart."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.analyses.collocates.table import CollocateRecord
from explorer.chart import Chart, Network, Spoke
from explorer.i18n import mark, tr

DRAWN = 50
"""Collocates that are drawn."""
HEADER = ("form", "observed", "count", "expected", "logdice", "mi", "g2")
"""The columns of the data, as in the records of the command `collocates`."""


def network_of(query: str, rows: Sequence[CollocateRecord], notes: Sequence[str] = ()) -> Network:
    """The first collocates around a query.

    Parameters
    ----------
    query
        The text in the middle.
    rows
        The collocates, the strongest first.
    notes
        What is shown about each under the pointer; () for the word alone.

    Returns
    -------
    Network
        The first fifty. The area of a disc is in proportion to how often the word is near the query, the length of its
        line to 1 / logDice; a logDice below 1 is drawn as 1.
    """
    drawn = rows[:DRAWN]
    most = max((row.observed for row in drawn), default=1)
    lengths = [1 / max(1.0, row.logdice) for row in drawn]
    farthest = max(lengths, default=1.0)
    spokes = tuple(
        Spoke(row.form or "", length / farthest, row.observed / most, note)
        for row, length, note in zip(drawn, lengths, notes or [""] * len(drawn), strict=True)
    )
    return Network(tr("Line = 1 / logDice, area = hits near the match"), query, spokes)


def network_chart(title: str, query: str, rows: Sequence[CollocateRecord], notes: Sequence[str] = ()) -> Chart:
    """Draw the first collocates around a query.

    Parameters
    ----------
    title
        The title of the chart.
    query
        The text in the middle.
    rows
        The collocates, the strongest first.
    notes
        What is shown about each under the pointer; () for the word alone.

    Returns
    -------
    Chart
        The chart; its data are the rows that are drawn.
    """
    data = tuple(tuple(getattr(row, name) for name in HEADER) for row in rows[:DRAWN])
    return Chart(mark("collocates"), title, ((network_of(query, rows, notes),),), HEADER, data)
