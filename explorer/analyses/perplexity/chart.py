"""Perplexity by method as a chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.analyses.model.scoring import Total
from explorer.chart import Axis, Chart, Dots, Panel, Point, log_ticks
from explorer.i18n import mark, numeral, tr

HEADER = (
    "method",
    "source",
    "token_count",
    "character_count",
    "byte_count",
    "zeros",
    "unknown_count",
    "floor",
    "perplexity",
    "perplexity_of_rest",
    "bits_per_character",
    "score",
    "tuned_on",
    "tuned_tokens",
)
"""The columns of the data, as in the records of the command `perplexity`."""


@dataclass(frozen=True)
class MethodTotals:
    """The figures of a method.

    normalised: Whether it gives probabilities; scores are in the data, but not in the plot.
    totals: The sums of each source.
    """

    title: str
    normalised: bool
    tuned_on: str | None
    tuned_tokens: int
    totals: tuple[Total, ...]


def perplexity_chart(title: str, label: str, sources: Sequence[str], rows: Sequence[MethodTotals]) -> Chart:
    """Draw perplexity by method, on a logarithmic axis.

    label: The label of the axis, such as "Perplexity per byte".
    Returns: The chart; its data have a row per method and source, with every figure.
    """
    drawn = [
        (place, row, [total.perplexity if row.normalised else None for total in row.totals])
        for place, row in enumerate(rows)
    ]
    # One method may have no perplexity at all, so the axis has a scale of its own then.
    values = [value for _, _, found in drawn for value in found if value is not None]
    low, high = min(values, default=1.0), max(values, default=10.0)
    # Charts have straight axes: what is drawn is the logarithm, and the ticks have the numbers.
    axis = Axis(
        tr("{label} (logarithmic)", label=label),
        math.log10(low) - 0.1,
        math.log10(high) + 0.1,
        tuple((math.log10(tick), numeral(tick, "g")) for tick in log_ticks(low, high)),
    )
    across = Axis(tr("Method"), -0.5, len(rows) - 0.5, tuple((place, row.title) for place, row, _ in drawn))
    dots = tuple(
        Dots(
            name,
            tuple(Point(place, math.log10(found[at])) for place, _, found in drawn if found[at] is not None),  # type: ignore[arg-type]
            color=at,
        )
        for at, name in enumerate(sources)
    )
    panel = Panel("", across, axis, dots=dots)
    data = tuple(_values(row, name, total) for row in rows for name, total in zip(sources, row.totals, strict=True))
    return Chart(mark("perplexity"), title, ((panel,),), HEADER, data, legend=len(sources) > 1)


def _values(row: MethodTotals, source: str, total: Total) -> tuple[object, ...]:
    figures = (total.perplexity, total.perplexity_of_rest, total.bits_per_character)
    return (
        row.title,
        source,
        total.tokens,
        total.characters,
        total.bytes,
        total.zeros,
        total.unknown,
        total.floor,
        *(figures if row.normalised else (None,) * 3),
        None if row.normalised else total.perplexity,
        row.tuned_on,
        row.tuned_tokens,
    )
