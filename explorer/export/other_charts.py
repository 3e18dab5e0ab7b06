"""Novelty, matches along a text, spread, fields, comparisons and next tokens as charts."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.export.chart import BarList, Bars, Chart, Dots, Panel, Point, count_axis, share_axis, whole_axis
from explorer.export.tables import COMPARISON_HEADER, comparison_rows
from explorer.search.compare import Comparison
from explorer.search.facets import Dispersion, Facet
from explorer.search.profile import Rung
from explorer.trace.novelty import INDEX_LENGTHS, Novelty

_MOST_BARS = 500
"""Bars of a strip along a text: more cannot be told apart on paper."""
_MOST_NEXT = 20


def novelty_chart(title: str, novelty: Novelty) -> Chart:
    """Share of tokens outside of matches of L tokens or more, for each L."""
    points = tuple(Point(n, share) for n, share in zip(novelty.lengths, novelty.uncovered, strict=True))
    x = whole_axis("Length of match L (tokens)", novelty.lengths[0], novelty.lengths[-1])
    band = (INDEX_LENGTHS[0] - 0.5, INDEX_LENGTHS[-1] + 0.5, f"novelty index {novelty.index:.0%}")
    dots = Dots("Share outside of matches", points, line=True)
    panel = Panel("", x, share_axis("Share of tokens outside"), dots=(dots,), band=band)
    rows = tuple(zip(novelty.lengths, novelty.uncovered, strict=True))
    return Chart("novelty", title, ((panel,),), ("match_length", "share_outside"), rows)


def matches_chart(title: str, lengths: Sequence[int]) -> Chart:
    """The longest match that contains each token, from the text's beginning to its end."""
    width = max(1, -(-len(lengths) // _MOST_BARS))
    bars = tuple(
        Point(first + (min(width, len(lengths) - first) + 1) / 2, max(lengths[first : first + width]))
        for first in range(0, len(lengths), width)
    )
    left = count_axis("Longest match (tokens)", max(lengths, default=1))
    panel = Panel(
        "",
        whole_axis("Token of the text", 1, max(1, len(lengths))),
        left,
        bars=(Bars("Longest match", bars, width=width),),
    )
    rows = tuple(enumerate(lengths, start=1))
    return Chart("matches", title, ((panel,),), ("token", "longest_match"), rows)


def spread_chart(title: str, found: Dispersion) -> Chart:
    """Hits in equal parts of the corpus."""
    values = found.bins.tolist()
    bars = Bars("Hits", tuple(Point(i, value) for i, value in enumerate(values, start=1)), width=0.9)
    about = "≈ from a sample · " if found.looked_at < found.of else ""
    panel = Panel(
        f"{about}in {found.documents:,} of {found.all_documents:,} documents, DP {found.deviation:.2f}",
        whole_axis(f"Part of the corpus, of {len(values)} equal ones", 1, max(1, len(values))),
        count_axis("Hits", max(values, default=1)),
        bars=(bars,),
    )
    rows = tuple((i, value) for i, value in enumerate(values, start=1))
    return Chart("spread", title, ((panel,),), ("part", "hits"), rows)


def facet_chart(title: str, found: Facet) -> Chart:
    """Hits by the values of a field."""
    total = max(1, found.looked_at)
    rows = tuple((bar.label, float(bar.hits), f"{bar.hits:,} ({bar.hits / total:.1%})") for bar in found.bars)
    about = "≈ from a sample" if found.looked_at < found.of else "all of them"
    heading = f"Lines by {found.field}: {found.looked_at:,}, {about}"
    data = tuple((bar.label, bar.hits, bar.hits / total, bar.documents) for bar in found.bars)
    header = ("value", "hits", "share", "documents")
    return Chart("fields", title, ((BarList(heading, rows),),), header, data)


def comparison_chart(title: str, found: Comparison) -> Chart:
    """Frequencies per million tokens of several queries in one or several indexes."""
    rows = [
        (
            f"{query} · {name}" if found.by_index else query,
            cell.per_million,
            f"{'' if cell.exact else '≈ '}{cell.per_million:,.2f}",
        )
        for query, cells in zip(found.queries, found.cells, strict=True)
        for name, cell in zip(found.indexes, cells, strict=True)
        if not cell.error
    ]
    data = tuple(comparison_rows(found))
    return Chart(
        "comparison", title, ((BarList("Occurrences per million tokens", tuple(rows)),),), COMPARISON_HEADER, data
    )


NextRows = Sequence[tuple[int, str, int, float]]


def next_chart(title: str, rows: NextRows, total: int) -> Chart:
    """The likeliest next tokens; a row is id, text, count and probability. total: distinct next tokens."""
    shown = tuple((text, share, f"{share:.2%} ({count:,})") for _, text, count, share in rows[:_MOST_NEXT])
    heading = f"the likeliest {len(shown):,} of {total:,} next tokens"
    header = ("id", "token", "count", "probability")
    return Chart("next-tokens", title, ((BarList(heading, shown),),), header, tuple(tuple(row) for row in rows))


def ladder_chart(title: str, rungs: Sequence[Rung]) -> Chart:
    """Entropy of the next token by the length of the context, with the counts of the contexts."""
    rows = tuple(
        (f"n = {rung.n:,}", rung.entropy, f"{rung.entropy:.2f} ({rung.context_count:,} occurrences)") for rung in rungs
    )
    header = ("n", "context_count", "distinct", "entropy_bits", "plateau")
    data = tuple((rung.n, rung.context_count, rung.distinct, rung.entropy, rung.plateau) for rung in rungs)
    return Chart("ladder", title, ((BarList("Entropy of the next token (bits)", rows),),), header, data)
