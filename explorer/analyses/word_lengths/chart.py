"""The share of each word length as a chart."""

from __future__ import annotations

from explorer.analyses.analysis import Found
from explorer.analyses.word_lengths.question import WordLengthsQuestion
from explorer.analyses.word_lengths.table import WordLengthFacts, WordLengthRecord
from explorer.chart import Axis, Bars, Chart, Dots, Panel, Point, nice_step, whole_axis
from explorer.i18n import mark, numeral, tr

_LONGEST_DRAWN = 40
"""Longer words are rare; where there are any, they would leave the others no room. The data have all."""
HEADER = ("length", "word_count", "share", "type_count")


def word_lengths_chart(
    title: str, question: WordLengthsQuestion, found: Found[WordLengthRecord, WordLengthFacts]
) -> Chart:
    """Draw the share of each length, of the words in the text and of the different words."""
    drawn = [row for row in found.rows if row.length <= _LONGEST_DRAWN]
    words = tuple(Point(row.length, row.share) for row in drawn)
    types = tuple(Point(row.length, row.type_count / found.facts.type_count) for row in drawn)
    across = whole_axis(tr("Characters"), 1, max((row.length for row in drawn), default=1))
    up = _shares(max((point.y for point in (*words, *types)), default=1.0))
    panel = Panel(
        "",
        across,
        up,
        bars=(Bars(tr("words in the text"), words),),
        dots=(Dots(tr("different words"), types, line=True),),
    )
    data = tuple(tuple(getattr(row, name) for name in HEADER) for row in found.rows)
    return Chart(mark("word-lengths"), title, ((panel,),), HEADER, data, legend=True)


def _shares(most: float) -> Axis:
    step = nice_step(most, 5)
    steps = max(1, -int(-most // step))
    return Axis(
        tr("Share"),
        0.0,
        steps * step,
        tuple((i * step, f"{numeral(100 * i * step, '.3g')}%") for i in range(steps + 1)),
    )
