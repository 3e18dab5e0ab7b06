"""Perplexity by method as a chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.chart import Axis, BarList, Chart, Dots, Panel, Point
from explorer.i18n import mark, numeral, tr
from explorer.model.drafting import DraftFigures
from explorer.model.scoring import Total

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


def log_ticks(low: float, high: float, most: int = 9) -> tuple[float, ...]:
    """Choose round values for a logarithmic axis: 1, 2 or 5 times powers of ten.

    low, high: The smallest and the largest value that is drawn, above 0.
    most: The most ticks that have room, from 1.
    Returns: Ascending; fewer of each power of ten where all would be too many.

    Examples
    --------
    >>> log_ticks(4.6, 97.7)
    (5.0, 10.0, 20.0, 50.0)
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for factors in ((1, 2, 5), (1, 5), (1,)):
        found = [factor * 10.0**power for power in powers for factor in factors]
        found = [value for value in found if low * 0.999 <= value <= high * 1.001]
        if len(found) <= most:
            return tuple(found)
    # A number of any size fits on paper: every second power, every third, …
    # Rounded up: one tick too many would touch its neighbor.
    step = -(-len(found) // most)
    return tuple(found[::step])


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


DRAFT_HEADER = (
    "source",
    "token_count",
    "written",
    "steps",
    "tokens_per_step",
    "drafted",
    "accepted",
    "accept_rate",
)
"""The columns of the data, as in the records of the command `draft`."""


def draft_chart(title: str, rows: Sequence[tuple[str, DraftFigures]]) -> Chart:
    """Draw tokens per step by source."""
    # A source without tokens that a model writes has no bar.
    bars = tuple(
        (name, found.tokens_per_step, numeral(found.tokens_per_step, ".2f"))
        for name, found in rows
        if found.tokens_per_step is not None
    )
    data = tuple(
        (
            name,
            found.token_count,
            found.written,
            found.steps,
            found.tokens_per_step,
            found.drafted,
            found.accepted,
            found.accept_rate,
        )
        for name, found in rows
    )
    return Chart(mark("drafts"), title, ((BarList(tr("Tokens per call of the model"), bars),),), DRAFT_HEADER, data)
