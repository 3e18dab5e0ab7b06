"""What the Search screen does: it leads from the query to its lines, and from the lines to everything else. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from explorer.analyses.search.arrange import Filter
from explorer.analyses.search.find import QueryOptions
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.presenting.requests import DocumentListed, Request
from explorer.gui.screens.search.facts_presenter import FactsPresenter
from explorer.gui.screens.search.filters.presenter import FiltersPresenter
from explorer.gui.screens.search.kept_search import KeptSearch, read_search
from explorer.gui.screens.search.lines.columns_presenter import ColumnsPresenter
from explorer.gui.screens.search.lines.opened_documents import OpenedDocuments
from explorer.gui.screens.search.lines.presenter import LinesPresenter
from explorer.gui.screens.search.marks.line_edits import LineEdits
from explorer.gui.screens.search.marks.presenter import MarksPresenter
from explorer.gui.screens.search.marks.sets_presenter import SetsPresenter
from explorer.gui.screens.search.query.builder_presenter import BuilderPresenter
from explorer.gui.screens.search.query.history_presenter import HistoryPresenter
from explorer.gui.screens.search.query.presenter import QueryPresenter
from explorer.gui.screens.search.query.state import Found
from explorer.gui.screens.search.query.suggest_presenter import Suggestion, SuggestPresenter
from explorer.gui.screens.search.state import SearchState, View
from explorer.gui.screens.search.views.compare_presenter import ComparePresenter
from explorer.gui.screens.search.views.line_views import LineViews
from explorer.gui.screens.search.views.watch_presenter import WatchPresenter
from explorer.gui.screens.search.work import LinesAnswer, QueryRequest
from explorer.gui.settings.history import PastQuery
from explorer.gui.settings.matching import Matching
from explorer.i18n import tr
from explorer.project import Query

_SAID_MS = 6_000
_PARTS = (
    "query",
    "builder",
    "lines",
    "columns",
    "facts",
    "filters",
    "marks",
    "sets",
    "breakdown",
    "dispersion",
    "collocates",
    "clusters",
    "comparison",
    "watch_list",
    "suggest",
    "history",
)
"""The fields of the state that are states of parts, named as the presenters that change them."""
_VIEWS = ("breakdown", "dispersion", "collocates", "clusters")


class SearchPresenter(Presenter[SearchState]):
    """The screen without its widgets. Each part has a presenter, whose state is part of the screen's.

    request: Asks another part of the window for something: to show a document, and whether lines are in it.
    keep: Saves a query in place of another, an intermediate text of the same query; "" for none.
    """

    def __init__(
        self, services: Services, request: Callable[[Request], None], keep: Callable[[PastQuery, str], None]
    ) -> None:
        super().__init__(SearchState())
        # In the order in which answers flow: hits, lines, then what is counted of them.
        self.query = QueryPresenter(services, self._ask_query, self._take_found, self._ask_anew)
        self.builder = BuilderPresenter(self.typed)
        self.lines = LinesPresenter(services, self._ask_lines, self._take_lines, lambda: self.marks.state.handled)
        self.columns = ColumnsPresenter(self.lines.show_fields)
        self.facts = FactsPresenter(services, lambda number, listed: request(DocumentListed(number, listed)))
        self.filters = FiltersPresenter(services, self._filter_by, self.fail)
        self.marks = MarksPresenter(self.lines.relist, self.filters.put, self.say)
        self.edits = LineEdits(services, self.marks, self.say, self.fail)
        self.sets = SetsPresenter(self.marks, self.edits, self._open_query, self.say, self.fail)
        self.views = LineViews(services, self.filters.add, request)

        def first() -> QueryOptions:
            # The chosen clause is one of the query in the field; other queries have clauses of their own.
            return replace(self.query.state.options(), node=0)

        self.comparison = ComparePresenter(services, first)
        self.watch_list = WatchPresenter(
            services, lambda: replace(self.query.state.options(), node=None), self.search_for
        )
        self.suggest = SuggestPresenter(services, first, self._take_suggestion)
        self.history = HistoryPresenter(services, lambda: self.state.past, keep)
        self._silence = services.delay(_SAID_MS, partial(self.change, message=""), asks=False)
        self.documents = OpenedDocuments(self.lines, self.views.dispersion, self.history, request)
        for name in _PARTS:
            # Typed as Any: the parts have states of different types.
            part: Any = getattr(self.views if name in _VIEWS else self, name)
            part.watch(lambda state, _, name=name: self.change(**{name: state}))

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Ask another index."""
        # All parts change, one after another; drawing each of these states held the window for 50 ms.
        self._drawing = True
        try:
            self.edits.forget()
            for part in (
                self.marks,
                self.query,
                self.lines,
                self.columns,
                self.filters,
                self.comparison,
                self.watch_list,
                self.suggest,
            ):
                part.use_corpus(corpus)
            self.change(corpus=corpus, error=None)
            self.views.use_fields(self.state.lines.fields)
            if self.state.why_not(self.state.view):
                self.show_view(View.LINES)
            self.query.run()
        finally:
            self._drawing = False
            self.change()

    def typed(self, text: str) -> None:
        """Take another query."""
        if text != self.query.state.text:
            self.history.typing()
            self.query.typed(text)

    def enter(self) -> None:
        """Ask now; the query is saved as soon as its answer is known."""
        self.history.keep_now()
        self.query.run()

    def search_for(self, text: str, matching: Matching | None = None) -> None:
        """Ask a query, and show its lines.

        matching: How its phrases are matched; None: as chosen.
        """
        self.query.set_options(matching, None)
        if text != self.query.state.text:
            self.history.typing()
        self.query.put(text)
        self.show_view(View.LINES)
        self.query.run()

    def ask_again(self, past: PastQuery) -> None:
        """Ask an earlier query with its options."""
        self.query.set_options(past.matching, past.distance)
        self.filters.replace(past.filters, self.query.state.options())
        self.search_for(past.text)
        self.history.keep_now()

    def _open_query(self, query: Query) -> None:
        """Ask the query of a saved set; its filters are left out, since a set has its own lines."""
        matching = Matching(query.match, query.ignore_case, query.whole_words, query.variants, query.equate)
        self.query.set_options(matching, query.distance)
        self.filters.replace((), self.query.state.options())
        self.search_for(query.text)
        if query.node:
            self.query.choose_center(query.node)

    def _filter_by(self, filters: tuple[Filter, ...], ask: bool = True) -> None:
        self.marks.filters_changed(filters)
        self.lines.filter_by(filters, ask)

    def _take_suggestion(self, suggestion: Suggestion) -> None:
        if suggestion.unfiltered:
            self.filters.put((), ask=False)
        self.search_for(suggestion.text, suggestion.matching)

    def try_again(self) -> None:
        """Ask once more what failed."""
        self.change(error=None)
        self.query.run()

    def _ask_query(self, request: QueryRequest | None) -> None:
        self.suggest.forget()
        if request is None:
            self.suggest.run()
            self.marks.cleared()
            self.lines.list_hits(None)
            self.facts.clear()
            self._use_lines(None)
            self.change(error=None)
        else:
            self.facts.forget()
            self.filters.use_options(request.options)

    def _ask_anew(self) -> None:
        """Other options were chosen: ask everything that depends on them."""
        self.builder.read(self.query.state.text, self.query.state.match)
        for part in (self.query, self.comparison, self.watch_list):
            part.run()

    def _take_found(self, found: Found) -> None:
        self.facts.clear()
        self.change(error=None)
        # Before the lines are asked for, which depend on what was done with them.
        self.marks.found(Query.of(found.request.text, found.request.options).hits)
        # The lines of earlier hits stay until these arrive.
        self.lines.list_hits(found)

    def _ask_lines(self) -> None:
        # These counts hold the lock on the metadata, which a filter may need.
        self.facts.pause()
        self.views.breakdown.pause()

    def _take_lines(self, answer: LinesAnswer) -> None:
        self.change(error=None)
        self.marks.listed(answer)
        # The visible view first: other counts wait for the lock that it needs.
        self._use_lines(answer)
        self.views.open(self.state.view)
        self.facts.count(answer, self.lines.state.opened)
        self.suggest.look_near(answer, self.query.state.text, self.query.state.matched)
        self.history.answered()

    def _use_lines(self, answer: LinesAnswer | None) -> None:
        self.filters.use_lines(None if answer is None else answer.lines)
        self.views.use_lines(answer)

    def stop(self) -> None:
        """Stop all that is asked: the screen stays as it is, dimmed where it shows an old answer."""
        # Read before `stop`, after which nothing is awaited.
        sorting = self.lines.state.answer.awaited
        views = (self.views, self.comparison, self.watch_list)
        for part in (self.query, self.lines, self.facts, self.filters, *views):
            part.stop()
        again = tr("Stopped. Press Enter to start again, or sort by “Index order”.")
        self.say(again if sorting else tr("Stopped."))

    def show_view(self, view: int) -> None:
        """Show a view, by its number or as a `View`."""
        self.change(view=View(view))
        if self.lines.state.some:
            self.views.open(self.state.view)

    def compare(self) -> None:
        """Add the query whose hits are shown to the comparison, and show that."""
        if self.state.query.found is not None:
            self.comparison.add(self.state.query.found.query)
            self.show_view(View.COMPARE)

    def say(self, text: str) -> None:
        """Show a short message that disappears by itself."""
        self.change(message=text)
        self._silence.start()

    def fail(self, error: CorpusError) -> None:
        """Show why something failed that leaves the answer as it is."""
        self.change(error=error)

    def restore(self, values: dict[str, Any]) -> None:
        """Restore a session; missing or invalid values are left unchanged."""
        kept = read_search(values)
        self.query.set_options(kept.matching, kept.distance)
        self.lines.restore(*kept.arranged(self.lines.state))
        self.columns.restore(values.get("columns"), values.get("layout"))
        self.comparison.restore(values.get("compared"), values.get("beside"))
        self.watch_list.restore(values.get("watched"))
        self.views.collocates.restore(values.get("collocates"))
        self.views.clusters.restore(values.get("clusters"))
        self.views.breakdown.restore(values.get("breakdown"))
        if kept.text:
            _ask_kept(self, kept)
        if values.get("view") in list(View):
            self.show_view(values["view"])


def _ask_kept(presenter: SearchPresenter, kept: KeptSearch) -> None:
    """Ask the query of a session, whose options and order are chosen already."""
    presenter.history.typing()
    presenter.show_view(View.LINES)
    if kept.filters is not None:
        presenter.filters.replace(kept.filters, presenter.query.state.options())
    # With these conditions, and before the query is asked: its answer closes every other set.
    presenter.sets.restore(kept.opened)
    presenter.query.restore(kept.text, kept.node, kept.exact)
