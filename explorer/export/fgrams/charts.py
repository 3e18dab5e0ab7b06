"""What tables of f-grams would match of a text, by K and by size, as a chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

from explorer.chart import Axis, Bars, Chart, Dots, Panel, Point, nice_step, share_axis, short_number, whole_axis
from explorer.export.records.fgrams import FgramCoverageRecord
from explorer.i18n import mark, numeral, tr

HEADER = ("max_n", "size", "cutoff", "kept", "mean_length", "coverage", "table_bytes")
"""The columns of the data, as in the records of the command `fgrams` with texts."""
Rows = Sequence[FgramCoverageRecord]
_Measure = Callable[[FgramCoverageRecord], float | None]


def coverage_chart(title: str, rows: Rows) -> Chart:
    """Draw match length and coverage by K and by size, with the gigabytes of the tables at the right.

    rows: The records: for each size, one for each K from 2.
    Returns: Match length and coverage by K, a line for each size; match length by size for the longest K. Bars are the
        gigabytes of the tables, by K those of the largest size. The data are the records.
    """
    sizes = sorted({row.size for row in rows})
    longest = max((row.max_n for row in rows), default=2)
    by_k = whole_axis(tr("K, tokens of the longest"), 2, longest)
    lengths = _length_axis(rows)
    largest = [(float(row.max_n), row) for row in rows if row.size in sizes[-1:]]
    # Sizes differ by factors, so each has a slot of its own.
    slots = Axis(
        tr("Size"), -0.5, max(1, len(sizes)) - 0.5, tuple((at, short_number(size)) for at, size in enumerate(sizes))
    )
    by_size = [(float(sizes.index(row.size)), row) for row in rows if row.max_n == longest]
    sized = Dots(f"K = {longest}", _points(by_size, _length), len(sizes), line=True)
    panels = (
        Panel(tr("Match length"), by_k, lengths, _axis_of(largest), (_bars(largest),), _by_k(sizes, rows, _length)),
        Panel(tr("Coverage"), by_k, share_axis(tr("Share of the tokens")), dots=_by_k(sizes, rows, _coverage)),
    )
    sized_panel = Panel(tr("Match length"), slots, lengths, _axis_of(by_size), (_bars(by_size),), (sized,))
    data = tuple(tuple(getattr(row, name) for name in HEADER) for row in rows)
    return Chart(mark("fgrams"), title, (panels, (sized_panel,)), HEADER, data, legend=True)


def _length(row: FgramCoverageRecord) -> float | None:
    return row.mean_length


def _coverage(row: FgramCoverageRecord) -> float | None:
    return row.coverage


def _points(rows: Sequence[tuple[float, FgramCoverageRecord]], measure: _Measure) -> tuple[Point, ...]:
    # What is unknown is not drawn.
    return tuple(Point(at, value) for at, row in rows if (value := measure(row)) is not None)


def _by_k(sizes: Sequence[int], rows: Rows, measure: _Measure) -> tuple[Dots, ...]:
    """A line for each size."""
    return tuple(
        Dots(
            tr("size {size}", size=short_number(size)),
            _points([(float(row.max_n), row) for row in rows if row.size == size], measure),
            color,
            line=True,
        )
        for color, size in enumerate(sizes)
    )


def _length_axis(rows: Rows) -> Axis:
    # From 1, which is a token without an f-gram.
    most = max([1.0, *(row.mean_length for row in rows if row.mean_length is not None)])
    step = nice_step(max(most - 1, 0.1), 4)
    steps = max(1, ceil(round((most - 1) / step, 6)))
    ticks = tuple((1 + at * step, numeral(round(1 + at * step, 6), "g")) for at in range(steps + 1))
    return Axis(tr("Mean match length"), 1.0, 1 + steps * step, ticks)


def _bars(rows: Sequence[tuple[float, FgramCoverageRecord]]) -> Bars:
    points = tuple(Point(at, row.table_bytes / 1e9) for at, row in rows)
    return Bars(tr("Table, GB"), points, right=True, width=0.5)


def _axis_of(rows: Sequence[tuple[float, FgramCoverageRecord]]) -> Axis:
    most = max([1e-6, *(row.table_bytes / 1e9 for _, row in rows)])
    step = nice_step(most, 4)
    ticks = tuple((at * step, numeral(float(f"{at * step:.6g}"), "g")) for at in range(ceil(most / step) + 1))
    # Room above the bars, so that they do not hide the lines.
    return Axis(tr("Table, GB"), 0.0, ticks[-1][0] * 1.6, ticks)
