"""The longest words as a chart."""

from __future__ import annotations

from explorer.analyses.analysis import Found
from explorer.chart import Bars, Chart, Panel, Point, count_axis, whole_axis
from longest_words.question import LongestWordsQuestion
from longest_words.table import LongWordFacts, LongWordRecord


def longest_words_chart(
    title: str, question: LongestWordsQuestion, found: Found[LongWordRecord, LongWordFacts]
) -> Chart:
    """A bar for the length of each word."""
    bars = Bars("", tuple(Point(place, row.length) for place, row in enumerate(found.rows, 1)))
    most = max((row.length for row in found.rows), default=1)
    panel = Panel("", whole_axis("Word", 1, len(found.rows)), count_axis("Length", most), bars=(bars,))
    return Chart("longest-words", title, ((panel,),), ("form", "length"), tuple((r.form, r.length) for r in found.rows))
