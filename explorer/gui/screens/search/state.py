"""What the Search screen shows: its parts, and what follows from several of them. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import Any

from explorer.chart import Chart
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Freshness
from explorer.gui.presenting.hints import told, why_no_fields, why_unable
from explorer.gui.screens.search.around.clusters_state import ClustersState
from explorer.gui.screens.search.around.collocates_state import CollocatesState
from explorer.gui.screens.search.describe import MoreFacts, describe, headline, invitation, why_nothing
from explorer.gui.screens.search.facts_presenter import FactsState
from explorer.gui.screens.search.filters.presenter import FiltersState
from explorer.gui.screens.search.kept_search import written_search
from explorer.gui.screens.search.lines.columns_presenter import ColumnsState
from explorer.gui.screens.search.lines.state import LinesState
from explorer.gui.screens.search.marks.sets_state import SetsState
from explorer.gui.screens.search.marks.state import MarksState
from explorer.gui.screens.search.query.builder_presenter import BuilderState
from explorer.gui.screens.search.query.history_presenter import HistoryState, past_of
from explorer.gui.screens.search.query.pasted_text import why_not_found
from explorer.gui.screens.search.query.state import QueryState
from explorer.gui.screens.search.query.suggest_presenter import SuggestState
from explorer.gui.screens.search.views.compare_presenter import CompareState
from explorer.gui.screens.search.views.state import BreakdownState, DispersionState
from explorer.gui.screens.search.views.view_files import comparison_figures, facet_figures, spread_figures
from explorer.gui.screens.search.views.watch_presenter import WatchState
from explorer.gui.screens.search.work import LinesAnswer
from explorer.gui.settings.history import PastQuery
from explorer.gui.style.direction import isolated_phrases
from explorer.i18n import mark, tr


class View(IntEnum):
    """The tabs, in their order. The numbers are part of saved sessions."""

    LINES = 0
    BREAKDOWN = 1
    DISPERSION = 2
    COMPARE = 3
    WATCH = 4
    COLLOCATES = 5
    CLUSTERS = 6


VIEW_NAMES = (
    mark("Lines"),
    mark("Breakdown"),
    mark("Dispersion"),
    mark("Compare"),
    mark("Watch list"),
    mark("Collocates"),
    mark("Clusters"),
)
_NEEDS = {View.BREAKDOWN: "metadata", View.DISPERSION: "sizes"}
_APART = (View.COMPARE, View.WATCH)
"""Views that show other queries than the one in the field."""


@dataclass(frozen=True, eq=False)
class SearchState:
    """Search.

    query, builder, lines, columns, facts, filters, marks, sets: The states of the parts that make the lines, and of
        what is done with them.
    breakdown, dispersion, collocates, clusters, comparison, watch_list, suggest, history: The states of the other
        parts.
    error: Why something else that was asked for failed: a figure, an export, a filter.
    message: What was done last; "" after a while.
    """

    corpus: Corpus | None = None
    view: View = View.LINES
    query: QueryState = field(default_factory=QueryState)
    builder: BuilderState = field(default_factory=BuilderState)
    lines: LinesState = field(default_factory=LinesState)
    columns: ColumnsState = field(default_factory=ColumnsState)
    facts: FactsState = field(default_factory=FactsState)
    filters: FiltersState = field(default_factory=FiltersState)
    marks: MarksState = field(default_factory=MarksState)
    sets: SetsState = field(default_factory=SetsState)
    breakdown: BreakdownState = field(default_factory=BreakdownState)
    dispersion: DispersionState = field(default_factory=DispersionState)
    collocates: CollocatesState = field(default_factory=CollocatesState)
    clusters: ClustersState = field(default_factory=ClustersState)
    comparison: CompareState = field(default_factory=CompareState)
    watch_list: WatchState = field(default_factory=WatchState)
    suggest: SuggestState = field(default_factory=SuggestState)
    history: HistoryState = field(default_factory=HistoryState)
    error: CorpusError | None = None
    message: str = ""

    @property
    def listed(self) -> LinesAnswer | None:
        """The lines of the hits that the count is of; None until they are known."""
        # By identity: the same query asked again has other hits, whose lines are still to come.
        answer, found = self.lines.answer.current, self.query.found
        return answer if answer is not None and found is not None and answer.request.found is found else None

    @property
    def _more(self) -> MoreFacts:
        return self.facts.more if self.listed is not None else MoreFacts()

    @property
    def headline(self) -> tuple[str, str]:
        """The large number and its unit; "" without a query."""
        found = self.query.found
        if found is None:
            return "", ""
        # Until the lines are known, the number is that of the hits under the chosen view.
        view = self.lines.settings if self.listed is None else self.listed.request.view
        return headline(found, view, self.listed)

    @property
    def read_as(self) -> str:
        """How a query of several phrases was read; "" for one phrase."""
        read = self.query.read_as_full
        return tr("read as {parsed}", parsed=isolated_phrases(read)) if read else ""

    @property
    def details(self) -> str:
        """The text beside the number; "" without a query."""
        found = self.query.found
        return "" if found is None else describe(found, self.listed, self._more)

    @property
    def estimated(self) -> bool:
        """Whether the number is an estimate, which can be made exact."""
        return self.query.found is not None and not self.query.found.exact

    @property
    def lines_dimmed(self) -> bool:
        """Whether the lines belong to an earlier question."""
        lines = self.lines.answer
        return lines.value is not None and (lines.dimmed or self.query.answer.freshness is not Freshness.ANSWERED)

    @property
    def awaited(self) -> bool:
        """Whether the hits or their lines are on their way: then what is old is dimmed only after a while."""
        return self.query.answer.awaited or self.lines.answer.awaited

    @property
    def breakdown_dimmed(self) -> bool:
        """Whether the breakdown belongs to an earlier question."""
        return self.lines_dimmed or self.breakdown.dimmed

    @property
    def dispersion_dimmed(self) -> bool:
        """Whether the dispersion belongs to an earlier question."""
        return self.lines_dimmed or self.dispersion.dimmed

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing. What is wrong with the text of the query is shown at the query."""
        # The query first: what follows it failed because of it, or is about an earlier one.
        if self.query.notice:
            return self.query.notice
        errors = [self.lines.answer.error, self.error, self.facts.error]
        if self.view is View.BREAKDOWN:
            errors += [self.breakdown.answer.error, self.breakdown.error]
        elif self.view is View.DISPERSION:
            errors.append(self.dispersion.answer.error)
        return next((told(error) for error in errors if error is not None), "")

    def why_not(self, view: View) -> str:
        """Why the open index has nothing to show in a view; "" if it has."""
        if self.corpus is None or view not in _NEEDS:
            return ""
        missing = self.corpus.index.capabilities.missing(_NEEDS[view])
        if not missing and view is View.BREAKDOWN:
            return why_no_fields(self.corpus, tr("This index has no metadata to group by."))
        return missing

    @property
    def addable(self) -> str:
        """The query whose hits are known, if it is not in the comparison yet; "" for none."""
        found = self.query.found
        return "" if found is None or found.query in self.comparison.queries else found.query

    @property
    def page(self) -> View | None:
        """What is shown below the tabs; None for a sentence in place of lines."""
        # Comparison and watch list have queries of their own, and do not need lines.
        return self.view if self.view in _APART or self.lines.some else None

    @property
    def has_tools(self) -> bool:
        """Whether the tabs are offered: there is something to show in one of them."""
        return self.lines.answer.value is not None or bool(self.comparison.queries) or self.view in _APART

    @property
    def has_line_tools(self) -> bool:
        """Whether sorting, options, columns and export are offered."""
        return self.view is View.LINES

    @property
    def about_lines(self) -> bool:
        """Whether the view shows lines or what is counted of them, so that changes of the lines are undone in it."""
        return self.view not in _APART

    @property
    def has_filters(self) -> bool:
        """Whether filters are offered."""
        return self.view not in _APART and (self.query.found is not None or bool(self.filters.filters))

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of lines: a title, and what to do."""
        answer = self.lines.answer.value
        if answer is not None and not len(answer.lines):
            usual = tr("Nothing found"), why_nothing(answer)
            return why_not_found(self.query) or usual
        return invitation(None if self.corpus is None else self.corpus.index.name)

    @property
    def offers(self) -> tuple[str, ...]:
        """What can be asked with a click where there are no lines: examples, or what is nearest to the query."""
        # Without an answer nothing was asked in vain yet.
        shown = self.suggest.examples if self.lines.answer.value is None else self.suggest.nearest
        return tuple(suggestion.label for suggestion in shown)

    @property
    def waiting(self) -> bool:
        """Whether the first lines are on their way, so that there are no old ones to show."""
        # Old lines stay, dimmed, in place of a skeleton.
        return self.awaited and not self.lines.some and self.view not in _APART and self.query.asks

    @property
    def can_retry(self) -> bool:
        """Whether what failed can be asked again."""
        failed = self.lines.answer.error
        return bool(self.query.notice) or (failed is not None and not why_unable(failed))

    @property
    def past(self) -> PastQuery | None:
        """The query with its result, for the history; None while the result is unknown."""
        found, answer = self.query.current, self.lines.answer.value
        if found is None or answer is None or answer.request.found is not found.result:
            return None
        return past_of(answer, self.query.text, self.query.matched)

    @property
    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the charts of the view, off the interface thread; None if the view has none."""
        # A chart is made off the interface thread from these values, which are frozen.
        match self.view:
            case View.BREAKDOWN if self.breakdown.answer.value is not None:
                return partial(facet_figures, self.breakdown)
            case View.DISPERSION if self.dispersion.answer.value is not None:
                return partial(spread_figures, self.dispersion.answer.value)
            case View.COMPARE if self.comparison.counted is not None:
                return partial(comparison_figures, self.comparison.counted)
        return None

    def session(self) -> dict[str, Any]:
        """The query, all that decides about its lines, and the views, as JSON values."""
        opened = self.marks.opened
        return {
            **written_search(self.query, self.filters, self.lines, "" if opened is None else opened.name),
            "view": int(self.view),
            "compared": list(self.comparison.queries),
            "beside": self.comparison.session,
            "collocates": self.collocates.rule.session,
            "clusters": self.clusters.rule.session,
            "watched": "" if self.watch_list.path is None else str(self.watch_list.path.absolute()),
            "breakdown": self.breakdown.picked,
            "columns": self.columns.session,
            "layout": self.columns.current,
        }
