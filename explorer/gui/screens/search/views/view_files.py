"""The views beside the lines as tables and figures, each with the facts about what it shows. No Qt.

Each function takes the answer of a view, which knows its lines or its options: those of the screen may be newer.
"""

from __future__ import annotations

from explorer.chart import Chart
from explorer.export.charts.other_charts import FacetMeasure, comparison_chart, facet_chart, spread_chart
from explorer.export.provenance import Facts, index_facts, match_facts, with_facts
from explorer.export.records.record import as_cells, column_names
from explorer.export.records.spread import ValueRecord, value_records
from explorer.export.reports.watched import watched_header, watched_rows
from explorer.export.tables import COMPARISON_HEADER, PARTS_HEADER, comparison_rows, parts_rows
from explorer.gui.screens.search.export_presenter import TableToSave
from explorer.gui.screens.search.views.compare_presenter import CompareState, Counted
from explorer.gui.screens.search.views.field_answer import DOCUMENTS, LINES, RATE, SHARE, TOKENS, Sorting, order_of
from explorer.gui.screens.search.views.state import BreakdownState, DispersionState, Grouped, Spread
from explorer.gui.screens.search.views.watch_presenter import WatchAnswer, WatchState
from explorer.gui.screens.search.work import LinesAnswer, facts_of
from explorer.gui.style.text_positions import short_text
from explorer.i18n import tr

_MEASURES: dict[int, FacetMeasure] = {
    LINES: "lines",
    SHARE: "share",
    RATE: "per million",
    DOCUMENTS: "documents",
    TOKENS: "tokens",
}
"""What a figure draws, by the column that was chosen."""


def facet_table(state: BreakdownState) -> TableToSave | None:
    """All values of a field, in the order of the screen; None without any."""
    shown = state.answer.value
    if shown is None:
        return None
    columns, order = column_names(ValueRecord), order_of(shown.found, None, state.sorting).tolist()
    records = tuple(value_records(shown.found.facet))
    return TableToSave(
        tr("Export values"),
        "values",
        columns,
        lambda: (as_cells(records[row], columns) for row in order),
        lambda: _facet_facts(shown, state.sorting),
    )


def facet_figures(state: BreakdownState) -> tuple[Chart, ...]:
    """The values that the screen shows, in its order; the chosen number comes first, then others."""
    shown = state.answer.value
    assert shown is not None
    title = tr("{query} in {name} by {field}", **_names(shown.lines), field=shown.found.facet.field)
    facet, order = shown.found.facet, order_of(shown.found, state.kept, state.sorting)
    sought = (("values that contain", state.sought),) if state.kept is not None else ()
    chosen = _MEASURES[state.sorting.drawn]
    other: FacetMeasure = "lines" if chosen == "per million" else "per million"
    charts = (facet_chart(title, facet, order.tolist(), measure) for measure in (chosen, other))
    return with_facts(charts, (*_facet_facts(shown, state.sorting), *sought))


def parts_table(state: DispersionState) -> TableToSave | None:
    """Lines by parts of the corpus; None without any."""
    shown = state.answer.value
    if shown is None:
        return None
    rows = parts_rows(shown.found)
    return TableToSave(tr("Export dispersion"), "dispersion", PARTS_HEADER, lambda: rows, lambda: _spread_facts(shown))


def spread_figures(shown: Spread) -> tuple[Chart, ...]:
    """Lines along the corpus."""
    title = tr("{query} across {name}", **_names(shown.lines))
    return with_facts((spread_chart(title, shown.found),), _spread_facts(shown))


def comparison_table(state: CompareState) -> TableToSave | None:
    """The counts of a comparison; None without any."""
    shown = state.counted
    if shown is None:
        return None
    rows = comparison_rows(shown.found)
    title = tr("Export comparison")
    return TableToSave(title, "comparison", COMPARISON_HEADER, lambda: rows, lambda: _compared_facts(shown))


def comparison_figures(shown: Counted) -> tuple[Chart, ...]:
    """The counts of a comparison."""
    chart = comparison_chart(tr("Queries in {name}", name=shown.indexes[0].name), shown.found)
    return with_facts((chart,), _compared_facts(shown))


def watched_table(state: WatchState) -> TableToSave | None:
    """The counts of a watch list; None without any."""
    shown = state.answer.value
    if shown is None:
        return None
    rows = watched_rows(shown.watched)
    header = watched_header(shown.listed)
    return TableToSave(tr("Export watch list"), "watched", header, lambda: rows, lambda: _watched_facts(shown))


def _names(lines: LinesAnswer) -> dict[str, str]:
    request = lines.request
    return {"query": f"“{short_text(request.found.query)}”", "name": request.corpus.index.name}


def _lines_facts(lines: LinesAnswer) -> Facts:
    return (*index_facts(lines.request.corpus.index), *facts_of(lines))


def _facet_facts(shown: Grouped, sorting: Sorting) -> Facts:
    facet = shown.found.facet
    return (
        *_lines_facts(shown.lines),
        ("by", facet.field),
        ("lines read", f"{facet.looked_at} of {facet.of}"),
        ("values", str(len(facet.bars))),
        ("sorted by", str(sorting)),
    )


def _spread_facts(shown: Spread) -> Facts:
    found = shown.found
    return (
        *_lines_facts(shown.lines),
        ("equal parts", str(len(found.bins))),
        ("lines read", f"{found.looked_at} of {found.of}"),
    )


def _compared_facts(shown: Counted) -> Facts:
    first, *others = shown.indexes
    beside = (("beside index", f"{each.name}, {each.fingerprint}, {'; '.join(each.sources)}") for each in others)
    reference = shown.found.indexes[0] if shown.found.by_index else shown.found.queries[0]
    return (
        *index_facts(first),
        *beside,
        *(("query", query) for query in shown.found.queries),
        *match_facts(shown.options),
        ("distance", str(shown.options.max_distance)),
        ("log ratio against", reference),
    )


def _watched_facts(shown: WatchAnswer) -> Facts:
    return (
        *index_facts(shown.corpus.index),
        ("watch list", str(shown.path)),
        ("patterns", str(len(shown.watched))),
        *match_facts(shown.options),
    )
