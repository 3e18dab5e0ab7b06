"""The n-gram profile of a token as a chart."""

from __future__ import annotations

import math

from explorer.analyses.ngram_profile.compute import NgramProfile
from explorer.chart import Axis, Bars, Chart, Panel, Point, short_number, whole_axis
from explorer.i18n import mark, tr

_MOST = 80
"""Lengths that are drawn; the chart's table has all of them."""
_BASE = 0.5
"""The height of a bar of 1, whose logarithm is 0."""


def profile_chart(title: str, token: str, found: NgramProfile) -> Chart:
    """Draw the count of each context of a token, and the part that the token follows, on a logarithmic axis.

    Returns: The chart, with up to 80 lengths; its table has a row per length. Plateaus are hatched.
    """
    drawn = list(zip(found.n.tolist(), found.count.tolist(), found.agreeing.tolist(), strict=True))[:_MOST]
    flat = found.plateau.tolist()
    whole = tuple(_point(n, count) for n, count, _ in drawn)
    part = tuple(_point(n, agreeing) for n, _, agreeing in drawn)
    # `flat` has all lengths, `whole` only those that are drawn.
    plateau = tuple(point for point, on in zip(whole, flat, strict=False) if on)
    bars = [Bars(tr("context occurs"), whole)]
    bars += [Bars(tr("plateau: 5 or more equal counts"), plateau, look="hatched")] * bool(plateau)
    # After the whole of which it is a part: later bars are painted over earlier ones.
    bars.append(Bars(tr("followed by “{token}”", token=token), part, look="strong"))
    heading = tr("the first {shown} of {all:,} lengths", shown=_MOST, all=len(found)) if len(found) > _MOST else ""
    panel = Panel(
        heading,
        whole_axis(tr("n (context of n − 1 tokens)"), 1, len(drawn)),
        # Counts never grow with n, so the first one is the largest.
        _log_axis(tr("Occurrences (logarithmic)"), max(1, int(found.count[0]))),
        bars=tuple(bars),
    )
    columns = (found.n, found.count, found.agreeing, found.share, found.plateau)
    rows = tuple(zip(*(column.tolist() for column in columns), strict=True))
    header = ("n", "count", "agreeing", "share", "plateau")
    return Chart(mark("n-gram-profile"), title, ((panel,),), header, rows, legend=True)


def _point(n: int, count: int) -> Point:
    return Point(n, math.log10(count) + _BASE if count else 0.0)


def _log_axis(label: str, most: int) -> Axis:
    """An axis of powers of ten, beginning below 1."""
    top = math.ceil(math.log10(most))
    # About five labels, however many powers of ten there are.
    each = max(1, round(top / 5))
    ticks = tuple((power + _BASE, short_number(10.0**power)) for power in range(0, top + 1, each))
    return Axis(label, 0.0, top + _BASE + 0.1, ticks)
