"""The contexts of a generated text as a chart."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.chart import Bars, Chart, Panel, Point, count_axis, whole_axis
from explorer.i18n import mark, tr


def generation_chart(
    title: str, texts: Sequence[str], lengths: Sequence[int], places: Sequence[int], longest: tuple[int, int]
) -> Chart:
    """Draw how long the context was from which each token was drawn.

    longest: The first token of the longest stretch that occurs in the corpus as it is, and one past its last.
    Returns: The chart; its table has a row per token, numbered from 1.
    """
    first, end = longest
    # Numbered from 1, as in the window and in the table.
    points = [Point(number, length) for number, length in enumerate(lengths, start=1)]
    bars = (
        Bars(tr("Context"), tuple(points), width=1.0),
        Bars(tr("Longest copied stretch"), tuple(points[first:end]), width=1.0, look="strong"),
    )
    panel = Panel(
        tr("Context length used, left to right"),
        whole_axis(tr("Token of the text"), 1, max(1, len(points))),
        count_axis(tr("Tokens of context"), max(lengths, default=1)),
        bars=bars,
    )
    columns = zip(texts, lengths, places, strict=True)
    rows = tuple((i, *row, first < i <= end) for i, row in enumerate(columns, start=1))
    header = ("position", "text", "context_length", "places", "longest_copy")
    return Chart(mark("generated text"), title, ((panel,),), header, rows)
