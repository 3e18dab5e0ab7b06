"""A corpus mixed with a neural model as charts: by λ, by token, and by the size of the corpus."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, fields

from explorer.analyses.mix.mixing import CurvePoint, MixTotal, Mixture
from explorer.chart import Axis, Chart, Dots, Panel, Point, nice_step, share_axis, whole_axis
from explorer.export.records.mix import MixRecord, MixSizeRecord
from explorer.i18n import mark, numeral, tr

CURVE_HEADER = ("weight", "first", "second", "first_bits_per_character", "second_bits_per_character")
"""The columns of the curve's data: λ, and the perplexity and bits per character of both halves."""


def measure(total: MixTotal) -> float | None:
    """Choose the figure that two models are compared by.

    total: The sums over some units.
    Returns: The perplexity, or where units are not tokens the bits per character; None where a probability is 0.
    """
    return total.perplexity if total.per_token else total.bits_per_character


def curve_range(curve: Sequence[CurvePoint]) -> tuple[float, float]:
    """Choose the part of the vertical axis in which the best λ can be seen.

    Returns: The lowest value, and one that the curve may leave: near λ = 1 the corpus alone can be a hundred times as
        high.
    """
    values = [value for point in curve for value in (measure(point.first), measure(point.second)) if value is not None]
    if not values:
        return 0.0, 1.0
    alone = [value for value in (measure(curve[0].first), measure(curve[0].second)) if value is not None]
    low, usual = min(values), max(alone, default=max(values))
    high = min(max(values), max(usual * 1.3, low * 1.5))
    # A curve that is flat still has an axis.
    room = max((high - low) * 0.06, low * 0.01, 1e-6)
    return max(0.0, low - room), high + room


def value_ticks(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Choose round values of an axis.

    Examples
    --------
    >>> value_ticks(20.3, 29.8)
    (22.0, 24.0, 26.0, 28.0)
    """
    step = nice_step(high - low, most)
    first = math.ceil(low / step)
    # Multiples of whole numbers: added up, 0.1 would drift.
    return tuple(round(number * step, 10) for number in range(first, math.floor(high / step) + 1))


def mix_charts(
    name: str, found: Mixture, rows: Sequence[MixRecord], sizes: Sequence[MixSizeRecord] = ()
) -> tuple[Chart, ...]:
    """Draw a mixture.

    sizes: What parts of the corpus gain, the whole corpus first; empty for no such chart.
    Returns: The mixture by λ, and the gain of each token; with `sizes`, the gain by tokens of the corpus. Each has its
        data.
    """
    charts = (_by_weight(name, found), _by_token(name, rows))
    return (*charts, _by_size(name, sizes)) if sizes else charts


def _by_weight(name: str, found: Mixture) -> Chart:
    low, high = curve_range(found.curve)
    label = tr("Perplexity") if found.units.same_tokens else tr("Bits per character")
    axis = Axis(label, low, high, tuple((tick, numeral(tick, ",g")) for tick in value_ticks(low, high)))
    dots = tuple(
        Dots(title, tuple(_points(found.curve, half, high)), color=color, line=True)
        for color, (half, title) in enumerate(
            (("first", tr("First half (tuned on)")), ("second", tr("Second half (reported)")))
        )
    )
    weights = found.weights
    told = tr(
        "λ {sparse} where the corpus knows one next token only, {other} elsewhere",
        sparse=numeral(weights.sparse, ".3f"),
        other=numeral(weights.other, ".3f"),
    )
    panel = Panel(told, share_axis(tr("Part of the corpus (λ)")), axis, dots=dots)
    title = tr("A model mixed with {name}", name=name)
    data = tuple(
        (
            point.weight,
            point.first.perplexity,
            point.second.perplexity,
            point.first.bits_per_character,
            point.second.bits_per_character,
        )
        for point in found.curve
    )
    return Chart(mark("mixture"), title, ((panel,),), CURVE_HEADER, data, legend=True)


def _points(curve: Sequence[CurvePoint], half: str, high: float) -> list[Point]:
    found = [(point.weight, measure(getattr(point, half))) for point in curve]
    # What leaves the axis is in the data.
    return [Point(weight, value) for weight, value in found if value is not None and value <= high]


def _by_token(name: str, rows: Sequence[MixRecord]) -> Chart:
    gains = [(number, row.gain) for number, row in enumerate(rows, start=1) if row.gain is not None]
    most = max((abs(gain) for _, gain in gains), default=1.0) or 1.0
    # Both sides alike, so that no gain and no loss is in the middle.
    ticks = value_ticks(-most, most)
    axis = Axis(tr("Gain of the mixture (nats)"), -most, most, tuple((tick, numeral(tick, "g")) for tick in ticks))
    dots = (Dots(tr("Tokens"), tuple(Point(number, gain) for number, gain in gains)),)
    panel = Panel("", whole_axis(tr("Token of the text"), 1, max(1, len(rows))), axis, dots=dots)
    header = tuple(each.name for each in fields(MixRecord))
    title = tr("Where {name} helps a model", name=name)
    return Chart(mark("mixture by token"), title, ((panel,),), header, tuple(astuple(row) for row in rows))


def _by_size(name: str, sizes: Sequence[MixSizeRecord]) -> Chart:
    drawn = [(math.log2(max(1, row.token_count)), row.gain, row.token_count) for row in sizes if row.gain is not None]
    gains = [gain for _, gain, _ in drawn] or [0.0]
    low, high = min(0.0, *gains), max(*gains, 1e-6)
    across = [place for place, _, _ in drawn] or [0.0]
    x = Axis(
        tr("Tokens of the corpus (logarithmic)"), min(across) - 0.5, max(across) + 0.5,
        tuple((place, numeral(tokens)) for place, _, tokens in drawn[:: -(-len(drawn) // 5) or 1]),
    )  # fmt: skip
    ticks = tuple((tick, numeral(tick, "g")) for tick in value_ticks(low, high))
    left = Axis(tr("Bits per character saved"), low, high + (high - low) * 0.05, ticks)
    points = tuple(Point(place, gain) for place, gain, _ in reversed(drawn))
    panel = Panel("", x, left, dots=(Dots(tr("Second half"), points, line=True),))
    header = tuple(each.name for each in fields(MixSizeRecord))
    title = tr("Gain by size of {name}", name=name)
    return Chart(mark("mixture by size"), title, ((panel,),), header, tuple(astuple(row) for row in sizes))
