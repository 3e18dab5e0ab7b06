"""Where words are in the parts of a corpus, as a chart."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.analyses.dispersion.strips import Strip
from explorer.analyses.dispersion.table import StripRecord
from explorer.chart import Chart, StripPlot, StripRow
from explorer.derive.table import columns_of
from explorer.i18n import mark, numeral, tr

DRAWN = 50
"""Parts that are drawn."""
HEADER = tuple(columns_of(StripRecord))


def strip_chart(title: str, forms: Sequence[str], strips: Sequence[Strip], met: int) -> Chart:
    """Draw one line per part, with a tick for each hit.

    strips: The parts that are drawn, in their order.
    Returns: The chart; its data are the counts of the parts that are drawn.
    """
    rows = tuple(StripRow(strip.title, _note(strip), strip.ticks) for strip in strips)
    about = tr(
        "{drawn} of {met} parts with hits; hits, and hits per million words",
        drawn=numeral(len(strips)),
        met=numeral(met),
    )
    data = tuple(
        (strip.title, strip.words, form, len(ticks), 1e6 * len(ticks) / strip.words)
        for strip in strips
        for form, ticks in zip(forms, strip.ticks, strict=True)
        if ticks
    )
    return Chart(mark("dispersion"), title, ((StripPlot(about, tuple(forms), rows),),), HEADER, data)


def _note(strip: Strip) -> str:
    return f"{numeral(strip.hits)} ({numeral(strip.per_million, ',.0f')})"
