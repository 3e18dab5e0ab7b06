"""Spread, fields, comparisons and next tokens as charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from explorer.analyses.breakdown.facets import Bar, Dispersion, Facet
from explorer.analyses.compare.compare import Comparison
from explorer.analyses.next_tokens.profile import Rung
from explorer.chart import BarList, Bars, Chart, Panel, Point, Tree, count_axis, whole_axis
from explorer.export.tables import COMPARISON_HEADER, comparison_rows
from explorer.i18n import counted, mark, numeral, tr

_MOST_VALUES = 40
"""Values of a field that are drawn; the chart's table has all of them."""
# Next tokens, or words, that are drawn; the table of the chart has all of them.
_MOST_NEXT = 20


def spread_chart(title: str, found: Dispersion) -> Chart:
    """Draw hits in equal parts of the corpus.

    Returns: The chart; its table has a row per part, numbered from 1.
    """
    values = found.bins.tolist()
    # From 1, as people count parts; the table has the same numbers.
    bars = Bars(tr("Hits"), tuple(Point(i, value) for i, value in enumerate(values, start=1)), width=0.9)
    # Also in the picture: a saved figure is often shown without its table.
    about = tr("≈ from a sample · ") if found.looked_at < found.of else ""
    homes = counted("document", found.all_documents)
    told = (
        tr("no hits in {all_documents}", all_documents=homes)
        if found.deviation is None
        else tr(
            "{about}in {documents:,} of {all_documents}, DP {deviation:.2f}",
            about=about,
            documents=found.documents,
            all_documents=homes,
            deviation=found.deviation,
        )
    )
    panel = Panel(
        told,
        whole_axis(tr("Part of the corpus ({count} equal parts)", count=len(values)), 1, max(1, len(values))),
        count_axis(tr("Hits"), max(values, default=1)),
        bars=(bars,),
    )
    rows = tuple((i, value) for i, value in enumerate(values, start=1))
    return Chart(mark("spread"), title, ((panel,),), ("part", "hits"), rows)


FacetMeasure = Literal["lines", "share", "per million", "documents", "tokens"]
"""The numbers of a value that a bar can show."""


def facet_chart(title: str, found: Facet, order: Sequence[int] | None = None, measure: FacetMeasure = "lines") -> Chart:
    """Draw hits by the values of a field.

    order: The numbers of the values that are drawn, in their order; None for all, the most frequent first.
    measure: The number that is drawn. A value whose number is not known has no bar.
    Returns: The chart, with the first values only; its table has all of them.
    """
    bars = found.bars if order is None else tuple(found.bars[row] for row in order)
    rows = tuple((bar.label, *_facet_bar(found, bar, measure)) for bar in bars[:_MOST_VALUES])
    heading = _facet_heading(found, measure)
    if len(bars) > _MOST_VALUES:
        heading += tr("; the first {shown} of {values:,} values", shown=_MOST_VALUES, values=len(bars))
    # Numbers without signs and rounding, for programs; the bars have them as text.
    total = max(1, found.looked_at)
    data = tuple(
        (bar.label, bar.hits, bar.hits / total, bar.documents, bar.tokens, found.per_million(bar)) for bar in bars
    )
    header = ("value", "hits", "share", "documents", "tokens", "per_million")
    name = mark("fields") if measure != "per million" else mark("fields-per-million")
    return Chart(name, title, ((BarList(heading, rows),),), header, data)


def _facet_bar(found: Facet, bar: Bar, measure: FacetMeasure) -> tuple[float, str]:
    """The length of a bar, and its text."""
    # Shares of a sample are shares of what was looked at, not of all hits.
    share = bar.hits / max(1, found.looked_at)
    match measure:
        case "lines" | "share":
            return float(bar.hits), tr("{hits:,} ({share:.1%})", hits=bar.hits, share=share)
        case "documents":
            return float(bar.documents), numeral(bar.documents)
        case "tokens":
            return float(bar.tokens or 0), "–" if bar.tokens is None else numeral(bar.tokens)
        case "per million":
            rate = found.per_million(bar)
            text = "–" if rate is None else ("" if found.exact else "≈ ") + numeral(rate, ",.2f")
            return rate or 0.0, text


def _facet_heading(found: Facet, measure: FacetMeasure) -> str:
    about = tr("≈ from a sample") if found.looked_at < found.of else tr("all lines")
    fields: dict[str, Any] = {"field": found.field, "looked_at": found.looked_at, "about": about}
    match measure:
        case "documents":
            return tr("Documents with lines, by {field}: {looked_at:,} lines ({about})", **fields)
        case "tokens":
            return tr("Tokens of all documents, by {field}", field=found.field)
        case "per million":
            return tr("Lines per million tokens by {field}: {looked_at:,} lines ({about})", **fields)
    return tr("Lines by {field}: {looked_at:,} ({about})", **fields)


def comparison_chart(title: str, found: Comparison) -> Chart:
    """Draw frequencies per million tokens of several queries in one or several indexes.

    found: The counts; queries that failed are left out of the bars.
    """
    rows = [
        (
            # Where there is one index, its name is in the title.
            f"{query} · {name}" if found.by_index else query,
            cell.per_million,
            ("" if cell.exact else "≈ ") + numeral(cell.per_million, ",.2f"),
        )
        for query, cells in zip(found.queries, found.cells, strict=True)
        for name, cell in zip(found.indexes, cells, strict=True)
        # A failed query has no frequency. A bar of length 0 would state that it does not occur.
        if not cell.error
    ]
    # All queries, also the failed ones, with their errors: nothing that was asked disappears.
    data = tuple(comparison_rows(found))
    return Chart(
        mark("comparison"),
        title,
        ((BarList(tr("Occurrences per million tokens"), tuple(rows)),),),
        COMPARISON_HEADER,
        data,
    )


NextRows = Sequence[tuple[int, str, int, float]]


def next_chart(title: str, rows: NextRows, total: int) -> Chart:
    """Draw the likeliest next tokens.

    rows: Id, text, count and probability of each token, the likeliest first.
    Returns: The chart, with the first rows only; its table has all of them.
    """
    shown = tuple(
        (text, share, tr("{share:.2%} ({count:,})", share=share, count=count))
        # Without the id, which only the table has.
        for _, text, count, share in rows[:_MOST_NEXT]
    )
    heading = tr("the {count:,} most likely of {total:,} next tokens", count=len(shown), total=total)
    header = ("id", "token", "count", "probability")
    return Chart(mark("next-tokens"), title, ((BarList(heading, shown),),), header, tuple(tuple(row) for row in rows))


def next_words_chart(title: str, rows: Sequence[tuple[str, int, float]], different: int) -> Chart:
    """Draw the most likely next words.

    rows: Text, count and share of each word, the most frequent first.
    Returns: The chart, with the first rows only; its table has all of them.
    """
    shown = tuple(
        (text, share, tr("{share:.2%} ({count:,})", share=share, count=count))
        for text, count, share in rows[:_MOST_NEXT]
    )
    heading = tr("the {count:,} most likely of {total:,} next words", count=len(shown), total=different)
    return Chart(mark("next-words"), title, ((BarList(heading, shown),),), ("word", "count", "share"), tuple(rows))


TreeRows = Sequence[tuple[int, str, str, int, float]]


def tree_chart(title: str, tree: Tree, rows: TreeRows) -> Chart:
    """Draw a word tree.

    rows: Depth, whole text, last token, count and share of its parent, for each branch.
    """
    header = ("depth", "text", "token", "count", "share_of_parent")
    return Chart(mark("word-tree"), title, ((tree,),), header, tuple(tuple(row) for row in rows))


def ladder_chart(title: str, rungs: Sequence[Rung]) -> Chart:
    """Draw the entropy of the next token by the length of the context, with the counts of the contexts.

    rungs: The contexts from the shortest to the longest; entropy in bits.
    Returns: The chart; its table has a row per length.
    """
    rows = tuple(
        (
            tr("n = {n:,}", n=rung.n),
            rung.entropy,
            tr("{entropy:.2f} ({count})", entropy=rung.entropy, count=counted("occurrence", rung.context_count)),
        )
        for rung in rungs
    )
    header = ("n", "context_count", "distinct", "entropy_bits", "plateau")
    data = tuple((rung.n, rung.context_count, rung.distinct, rung.entropy, rung.plateau) for rung in rungs)
    return Chart(mark("ladder"), title, ((BarList(tr("Entropy of the next token (bits)"), rows),),), header, data)
