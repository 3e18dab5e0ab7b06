"""How many n-grams a corpus has, how its vocabulary grows, and how frequency falls with rank, as charts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log10

from explorer.analyses.spectrum.curves import PowerLaw, RankCurve, VocabularyGrowth
from explorer.analyses.spectrum.table import SpectrumRecord
from explorer.analyses.wordlist.chart import law_points, log_axis, rank_panel
from explorer.chart import Axis, Chart, Dots, Panel, Point, count_axis, share_axis
from explorer.i18n import mark, numeral, tr

HEADER = ("n", "at", "ngrams", "share")
"""The columns of the data, as in the records of the command `spectrum`."""
# Dots per power of ten.
_STEPS = 30


def spectrum_chart(view: str, title: str, rows: Sequence[SpectrumRecord]) -> Chart:
    """Draw a view of the command `spectrum`.

    view: "distinct", "counts", "above" or "growth".
    """
    panel = _VIEWS[view](rows)
    data = tuple((row.n, row.at, row.ngrams, row.share) for row in rows)
    return Chart(mark("spectrum"), title, ((panel,),), HEADER, data, legend=True)


def _distinct(rows: Sequence[SpectrumRecord]) -> Panel:
    longest = max([row.n for row in rows], default=1)
    ticks = tuple((float(n), str(n)) for n in range(1, longest + 1, max(1, -(-longest // 12))))
    dots = (
        Dots(tr("distinct"), tuple(Point(row.n, row.ngrams) for row in rows), 0, line=True),
        Dots(tr("occurrences"), tuple(Point(row.n, row.at) for row in rows), 1, line=True),
    )
    most = max([row.at for row in rows], default=1)
    return Panel("", Axis(tr("n"), 0.5, longest + 0.5, ticks), count_axis(tr("n-grams"), most), dots=dots)


def _counts(rows: Sequence[SpectrumRecord]) -> Panel:
    # Counts that would share a dot are drawn as one, the lowest of them; the data file has them all. Dots are not
    # joined: neighboring counts differ by chance.
    drawn = {(row.n, int(log10(row.at) * _STEPS)): row for row in reversed(rows)}
    dots = _lines(list(reversed(drawn.values())), lambda row: Point(log10(row.at), log10(row.ngrams)), joined=False)
    across = log_axis(tr("Count"), [row.at for row in rows])
    return Panel("", across, log_axis(tr("n-grams"), [row.ngrams for row in rows]), dots=dots)


def _above(rows: Sequence[SpectrumRecord]) -> Panel:
    # From 1: 0 has no place on a logarithmic axis, and everything occurs more than 0 times.
    shown = [row for row in rows if row.at > 0]
    dots = _lines(shown, lambda row: Point(log10(row.at), row.share or 0.0))
    across = log_axis(tr("More often than"), [row.at for row in shown])
    return Panel("", across, share_axis(tr("Share of the n-grams")), dots=dots)


def _growth(rows: Sequence[SpectrumRecord]) -> Panel:
    dots = _lines(rows, lambda row: Point(row.at, row.ngrams))
    across = count_axis(tr("Size of the corpus"), max([row.at for row in rows], default=1))
    return Panel("", across, count_axis(tr("n-grams"), max([row.ngrams for row in rows], default=1)), dots=dots)


def _lines(
    rows: Sequence[SpectrumRecord], point: Callable[[SpectrumRecord], Point], joined: bool = True
) -> tuple[Dots, ...]:
    """The dots of each n."""
    return tuple(
        Dots(f"n = {n}", tuple(point(row) for row in rows if row.n == n), color, line=joined)
        for color, n in enumerate(sorted({row.n for row in rows}))
    )


_VIEWS: dict[str, Callable[[Sequence[SpectrumRecord]], Panel]] = {
    "distinct": _distinct,
    "counts": _counts,
    "above": _above,
    "growth": _growth,
}


def zipf_chart(title: str, curve: RankCurve) -> Chart:
    """Draw frequency by rank, both axes logarithmic, with the straight line that is fitted to it."""
    points = tuple(zip(curve.ranks.tolist(), curve.counts.tolist(), strict=True))
    panel = rank_panel(points, curve.law, curve.first)
    return Chart(mark("zipf"), title, ((panel,),), ("rank", "count"), points, legend=curve.law is not None)


def growth_chart(title: str, growth: VocabularyGrowth, heaps: PowerLaw | None) -> Chart:
    """Draw how the vocabulary grows with the text.

    heaps: The power law that is fitted to it; None for none.
    """
    words, types = growth.words.tolist(), growth.types.tolist()
    # A text that is shorter than a step has no point.
    across = count_axis(tr("Words"), max(words, default=1))
    up = count_axis(tr("Different words"), max(types, default=1))
    lines: tuple[Dots, ...] = (Dots(tr("Different words"), tuple(map(Point, words, types)), line=True),)
    if heaps is not None:
        fitted = tuple(Point(*each) for each in law_points(heaps, words, up.high))
        name = tr("Heaps' law, exponent {exponent}", exponent=numeral(heaps.exponent, ".3f"))
        lines += (Dots(name, fitted, 1, line=True, dashed=True),)
    data = tuple(zip(words, types, strict=True))
    return Chart(mark("growth"), title, ((Panel("", across, up, dots=lines),),), ("words", "types"), data, legend=True)
