"""Agreement as charts: the infini-gram paper's Figures 3, 4, 5 and 7."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from explorer.analyses.agreement.compare import FEW_IN_BIN, FEW_TOKENS
from explorer.analyses.agreement.dips import TAIL
from explorer.analyses.agreement.figure import AgreementFigure, Bin, Series, pooled_from, shown_name
from explorer.analyses.agreement.neural import NeuralFigure
from explorer.chart import (
    Axis,
    Bars,
    Chart,
    Dots,
    Panel,
    Point,
    count_axis,
    named_axis,
    share_axis,
    short_number,
    whole_axis,
)
from explorer.i18n import mark, tr

_MANY = 16
"""Effective n above which the axis has a number at every fifth bin; up to it, at every one."""
_AROUND = 0.9
"""Room on an axis before the first and after the last bin: half a bar, and half a bin."""
AGREEMENT, TOKENS, EFFECTIVE_N = mark("Agreement"), mark("Tokens"), mark("Effective n")
BIN_HEADER = ("from", "to", "tokens", "agreeing", "agreement", "low_95", "high_95")

FIGURE_HEADER = (
    "group",
    "panel",
    "effective_n",
    "tokens",
    "agreeing",
    "agreement",
    "low_95",
    "high_95",
    "change",
    "p_change",
    "dip",
)
"""The last three are of the ∞-gram: the change from the effective n before, its p value, and whether it is a dip."""

Rows = Sequence[tuple[str, AgreementFigure]]


def agreement_chart(title: str, rows: Rows) -> Chart:
    """Draw figures as rows of three panels (Figure 3 of the infini-gram paper), all on the same axes (Figure 5).

    rows: Names and figures. The first of several pools the others, so it has a scale of tokens of its own, and names
        the columns.
    Returns: The chart; its table has a row per bin of every group.
    """
    x = n_axis([figure for _, figure in rows])
    # Groups share the scale of their column, so that heights can be compared down the page. The first row is the sum of
    # the others, and would flatten them.
    tops = [max((_tallest(figure.panels[i]) for _, figure in rows[1:]), default=1) for i in range(3)]
    made = []
    for number, (name, figure) in enumerate(rows):
        panels = []
        for column, series in enumerate(figure.panels):
            top = tops[column] if number else _tallest(series)
            # Only the first row names the columns; below it, the name of the group is what differs.
            row_title = name if number else shown_name(series)
            panels.append(_panel(f"{row_title}: {overall(series)}", x, series, top))
        made.append(tuple(panels))
    # The pooled row is left out of the table: whoever adds up its rows would count every token twice.
    groups = rows if len(rows) == 1 else rows[1:]
    return Chart(mark("agreement"), title, tuple(made), FIGURE_HEADER, tuple(figure_rows(groups)))


def overlay_chart(title: str, groups: Mapping[str, AgreementFigure]) -> Chart:
    """Draw the sources' agreement over each other, one line per source (Figure 5 of the infini-gram paper).

    groups: The figure of each source. Bins of few tokens are hollow dots apart from the line.
    Returns: The chart; its table has a row per bin of every source.
    """
    figures = list(groups.items())
    x, y = n_axis([figure for _, figure in figures]), share_axis(tr(AGREEMENT))
    panels = []
    for column in range(3):
        dots = tuple(
            layer
            for number, (name, figure) in enumerate(figures)
            for layer in _layers(name, figure.panels[column], number)
        )
        panels.append(Panel(shown_name(figures[0][1].panels[column]) if figures else "", x, y, dots=dots))
    return Chart(
        mark("agreement-overlaid"), title, (tuple(panels),), FIGURE_HEADER, tuple(figure_rows(figures)), legend=True
    )


def count_chart(title: str, by_count: Series) -> Chart:
    """Draw agreement by how often the context occurs, in powers of ten (Figure 7 of the infini-gram paper).

    by_count: Bins by the decimal logarithm of the number of occurrences.
    Returns: The chart; its table has a row per bin.
    """
    # `effective_n` holds the power of ten here: bin 2 has the tokens whose context occurs 100 to 999 times.
    bins = [b for b in by_count.bins if b.tokens]
    x = bins_axis(tr("Occurrences of the context"), [(b.effective_n, count_range(b.effective_n)) for b in bins])
    panel = _panel(overall(by_count), x, by_count, _tallest(by_count))
    rows = tuple(_bin_row(b, 10**b.effective_n, 10 ** (b.effective_n + 1) - 1) for b in bins)
    return Chart(mark("agreement-by-count"), title, ((panel,),), BIN_HEADER, rows)


def neural_chart(title: str, found: NeuralFigure) -> Chart:
    """Draw the ∞-gram's agreement in each tenth of a model's probabilities (Figure 4 of the infini-gram paper).

    found: Ten bins by the probability that the model gave the token.
    Returns: The chart; its table has a row per bin.
    """
    bins = tuple(b for b in found.bins if b.tokens)
    # The axis names all ten bins, also those without a token, so that figures of two models have the same axis.
    names = [(b.effective_n, tenth(b.effective_n)) for b in found.bins]
    # The mean and median of effective n mean nothing for bins of probabilities; no part of the chart reads the two
    # zeros.
    series = Series("", bins, found.tokens, sum(b.agreeing for b in bins), 0.0, 0.0)
    panel = _panel(overall(series), bins_axis(tr("Model probability"), names), series, _tallest(series))
    rows = tuple(_bin_row(b, b.effective_n / 10, (b.effective_n + 1) / 10) for b in bins)
    return Chart(mark("agreement-by-probability"), title, ((panel,),), BIN_HEADER, rows)


def drawn(series: Series) -> tuple[Bin, ...]:
    """The bins that are drawn: the tail is one of them, so that every token is in some bar."""
    return pooled_from(series.bins, TAIL)


def n_name(n: int) -> str:
    """The label of the bin of an effective n."""
    return f"{n}+" if n == TAIL else f"{n}"


def n_axis(figures: Sequence[AgreementFigure]) -> Axis:
    """The axis of effective n that has room for every bin of these figures, first and last as well."""
    found = [b.effective_n for figure in figures for panel in figure.panels for b in drawn(panel)]
    first, last = min(found, default=1), max(found, default=1)
    # From 1, the least effective n, even if the first bins are empty: figures of different texts begin alike.
    axis = whole_axis(tr(EFFECTIVE_N), min(1, first), last)
    if last <= _MANY:
        ticks = tuple((float(n), n_name(n)) for n in range(min(1, first), last + 1))
    else:
        # 1, and every fifth. The tail always has a label; a number too close to it has none.
        numbers = [1, *range(5, last + 1, 5)] if last < TAIL else [1, *range(5, TAIL - 4, 5), TAIL]
        ticks = tuple((float(n), n_name(n)) for n in numbers)
    return Axis(axis.label, min(1, first) - _AROUND, last + _AROUND, ticks)


def bins_axis(label: str, names: Sequence[tuple[float, str]]) -> Axis:
    """Make the axis of named bins, with the same room on both sides."""
    axis = named_axis(label, names)
    return replace(axis, low=axis.low + 0.5 - _AROUND, high=axis.high - 0.5 + _AROUND)


def is_few(series: Series) -> bool:
    """Whether there are too few tokens to draw a conclusion."""
    return series.tokens < FEW_TOKENS


def overall(series: Series) -> str:
    """A panel in a few words."""
    if not series.tokens:
        return tr("no tokens")
    return tr("{overall:.0%} of {tokens:,}", overall=series.overall, tokens=series.tokens) + (
        tr(" (uncertain)") if is_few(series) else ""
    )


def count_range(power: int) -> str:
    """The counts of a bin in words."""
    last = 10 ** (power + 1)
    # Above a thousand, short numbers would round 9,999 to 10k all the same.
    return f"{10**power}–{last - 1}" if power < 3 else f"{short_number(10**power)}–{short_number(last)}"


def tenth(bucket: int) -> str:
    """The probabilities of a bucket in words."""
    return tr("{begin:.1f}–{end:.1f}", begin=bucket / 10, end=(bucket + 1) / 10)


def _panel(title: str, x: Axis, series: Series, top: int) -> Panel:
    bins = drawn(series)
    bars = Bars(tr(TOKENS), tuple(Point(b.effective_n, b.tokens) for b in bins), right=True)
    dots = _layers(tr(AGREEMENT), series)
    return Panel(title, x, share_axis(tr(AGREEMENT)), count_axis(tr(TOKENS), top), (bars,), dots)


def is_sure(b: Bin, series: Series) -> bool:
    """Tell whether a dot has enough tokens to be drawn full.

    series: The series that it belongs to, which must have enough tokens as well.
    """
    return b.tokens >= FEW_IN_BIN and not is_few(series)


def _layers(name: str, series: Series, source: int | None = None) -> tuple[Dots, ...]:
    """Dots that are sure and dots that are not; joined by a line and without the latter's intervals for a source."""
    # Hollow dots of overlaid sources have no intervals: those of a few tokens span the whole axis and would hide the
    # other sources.
    sure = tuple(Point(b.effective_n, b.agreement, b.low, b.high) for b in drawn(series) if is_sure(b, series))
    ends = [(b.low, b.high) if source is None else (math.nan, math.nan) for b in drawn(series)]
    unsure = tuple(
        Point(b.effective_n, b.agreement, *end)
        for b, end in zip(drawn(series), ends, strict=True)
        if not is_sure(b, series)
    )
    color = source or 0
    layers = (Dots(name, sure, color, line=source is not None), Dots(name, unsure, color, unsure=True))
    # Layers without a dot would still get an entry in the legend.
    return tuple(layer for layer in layers if layer.points)


def _tallest(series: Series) -> int:
    return max((b.tokens for b in drawn(series)), default=1)


def _bin_row(b: Bin, first: float, last: float) -> tuple[float, ...]:
    return (first, last, b.tokens, b.agreeing, b.agreement, b.low, b.high)


def figure_rows(figures: Iterable[tuple[str, AgreementFigure]]) -> Iterator[tuple[Any, ...]]:
    """One row per bar and dot of agreement figures, each with the name of its group."""
    for group, figure in figures:
        # Of the other panels nothing is tested: their tokens are the same, or some of them.
        tested = {(figure.infgram.name, step.after): (step.change, step.p, step.is_dip) for step in figure.steps}
        for panel in figure.panels:
            for b in panel.bins:
                step = tested.get((panel.name, b.effective_n), (None, None, None))
                yield (group, panel.name, b.effective_n, b.tokens, b.agreeing, b.agreement, b.low, b.high, *step)
