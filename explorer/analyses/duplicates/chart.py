"""How much of a corpus repeats, as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from explorer.chart import Axis, Chart, Dots, Panel, Point, count_axis, log_ticks
from explorer.i18n import mark, numeral, tr

HEADER = ("length", "tokens_removed", "share", "tokens_removed_all", "share_all")
"""The columns of the data."""


def duplicates_chart(
    title: str, lengths: Sequence[int], kept: Sequence[int], every: Sequence[int], total: int
) -> Chart:
    """Draw how much goes by the length of the shortest repeat that counts.

    lengths: The lengths, ascending, at least two.
    kept: Tokens that a rule cuts at each of them.
    every: Tokens that go if no copy is kept.
    Returns: The chart; its data are both counts with their shares.
    """
    percent = [[100 * count / max(1, total) for count in counts] for counts in (kept, every)]
    lines = tuple(
        Dots(name, tuple(map(Point, map(log10, lengths), shares)), color, line=True, dashed=color > 0)
        for color, (name, shares) in enumerate(zip((tr("by the rule"), tr("all copies")), percent, strict=True))
    )
    low, high = lengths[0], lengths[-1]
    across = Axis(
        tr("Shortest repeat that counts, in tokens"),
        log10(low),
        log10(high),
        tuple((log10(tick), numeral(tick, ".0f")) for tick in log_ticks(low, high)),
    )
    panel = Panel("", across, count_axis(tr("Percent of the tokens"), max(percent[1], default=1.0)), dots=lines)
    data = tuple(
        (at, count, count / max(1, total), both, both / max(1, total))
        for at, count, both in zip(lengths, kept, every, strict=True)
    )
    return Chart(mark("duplicates"), title, ((panel,),), HEADER, data, legend=True)
