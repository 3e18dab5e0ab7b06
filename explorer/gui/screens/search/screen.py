"""Search: a query, how often it occurs, and every occurrence in its context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from explorer.errors import CorpusError
from explorer.gui.figures.button import FigureButton, Make
from explorer.gui.history import PastQuery
from explorer.gui.matching import Matching, read_matching
from explorer.gui.query_history import connect_history
from explorer.gui.requests import DocumentListed, DocumentRequest, Request, SearchText
from explorer.gui.screen import Host, Notice, Screen, label, offer, tab_group
from explorer.gui.screens.search.answer_line import AnswerLine
from explorer.gui.screens.search.columns import ColumnsMenu, menu_button
from explorer.gui.screens.search.compare_view import CompareView
from explorer.gui.screens.search.describe import invitation, why_nothing
from explorer.gui.screens.search.filters import FilterControl
from explorer.gui.screens.search.footer import Footer
from explorer.gui.screens.search.history import HistoryKeeper, past_of
from explorer.gui.screens.search.later_facts import LaterFacts
from explorer.gui.screens.search.line_actions import Chosen, LineActions
from explorer.gui.screens.search.line_options import LineOptions, SortChoice
from explorer.gui.screens.search.model import KwicModel
from explorer.gui.screens.search.query_bar import QueryBar
from explorer.gui.screens.search.table import KwicTable
from explorer.gui.screens.search.views import COMPARE, FIELDS, LINES, SPREAD, VIEW_NAMES, WATCH, LineViews
from explorer.gui.screens.search.watch_view import WatchView
from explorer.gui.screens.search.work import (
    Layout,
    LinesAnswer,
    LinesRequest,
    PageRequest,
    QueryRequest,
    arrange_lines,
    fetch_rows,
    find,
    make_charts,
    prepare,
)
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.flow_layout import FlowLayout, side_by_side
from explorer.gui.widgets.scroll_areas import TallArea
from explorer.i18n import tr
from explorer.jobs import Kind
from explorer.search.arrange import LineSettings, merge_views
from explorer.search.find import QueryOptions, QueryResult
from explorer.search.language import quoted
from explorer.search.nearby import others_of
from explorer.search.needle import Needle

_DEBOUNCE_MS = 50


class SearchScreen(Screen):
    """Query, counts and concordance."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._searcher = self.make_runner("search")
        self._arranger = self.make_runner("arrange")
        self._fetcher = self.make_runner("lines", kind=Kind.QUICK)
        self._views = self.make_runner("views")
        self._sizes = self.make_runner("sizes", kind=Kind.LATER)
        self._writer = self.make_runner("export", kind=Kind.APART)
        self._comparer = self.make_runner("compare", kind=Kind.APART)
        self._charter = self.make_runner("charts")
        self._watcher = self.make_runner("watch", kind=Kind.APART)
        self.facts = LaterFacts(self.make_runner, self)
        self._found: QueryResult | None = None
        self._asked = QueryOptions()
        self._answer: LinesAnswer | None = None
        self._opened = -1
        self._debounce = QTimer(self, singleShot=True, interval=_DEBOUNCE_MS)
        self._debounce.timeout.connect(self.run)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._show_empty()

    # --- building the screen -------------------------------------------------------------------

    def _make_widgets(self) -> None:
        self.bar = QueryBar()
        self.query = self.bar.field
        self.answer = AnswerLine()
        self.count, self.details = self.answer.count, self.answer.details
        self.exact_button, self.compare_button = self.answer.exact, self.answer.compare
        self.notice = Notice()
        self.footer = Footer()
        self.job, self.message = self.footer.job, self.footer.message
        self.sort = SortChoice()
        self.options = LineOptions()
        self.options.hide()
        self.filters = FilterControl(self._views, self)
        self.model = KwicModel(self)
        self.table = KwicTable(self.model)
        self.figure_buttons = [FigureButton(self._charter, self._prepare_charts, self._fail) for _ in range(3)]
        self.views = LineViews(self._views, self._sizes, self.figure_buttons[:2], self)
        self.fields, self.spread = self.views.fields, self.views.spread
        self.old_views = self.views.old
        self.compare = CompareView(self._comparer, lambda: replace(self.bar.options(), node=0), self.figure_buttons[2])
        self.watch = WatchView(self._watcher, lambda: replace(self.bar.options(), node=None))
        self.empty = EmptyState("search")
        self.tabs = tab_group(self, tuple(map(tr, VIEW_NAMES)))
        self.view_button = QPushButton(tr("Options"))
        self.view_button.setCheckable(True)
        self.view_button.setToolTip(tr("Context width, font, sampling, and merging duplicates"))
        self.columns = ColumnsMenu(self.table, self)
        self.columns_button = self.columns.button
        self.export_button = menu_button(tr("Export"))
        self.history = HistoryKeeper(self._as_past, self)
        self.actions_of_lines = LineActions(self, self._writer, self._choose, self.say, self._fail)

    def _lay_out(self) -> None:
        self.tools = QWidget()
        tools = FlowLayout(self.tools, gap=8)
        tabs = side_by_side(*(self.tabs.button(number) for number in range(len(VIEW_NAMES))))
        sort = side_by_side(label(tr("Sort by"), "muted"), self.sort)
        self.line_tools: tuple[QWidget, ...] = (sort, self.view_button, self.columns_button, self.export_button)
        for widget in (tabs, side_by_side(self.filters.button), *self.line_tools):
            tools.addWidget(widget)
        lines = QWidget()
        beside = QHBoxLayout(lines)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(2)
        beside.addWidget(self.table, 1)
        beside.addWidget(self.table.bar)
        self.stack = QStackedWidget()
        self._pages: tuple[QWidget, ...] = (lines, self.fields, self.spread, self.compare, self.watch)
        for page in (*self._pages, self.empty):
            self.stack.addWidget(page)
        page = QWidget()
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(TallArea(page))
        layout = QVBoxLayout(page)
        layout.setContentsMargins(16, 16, 16, 12)
        layout.setSpacing(8)
        layout.addWidget(self.bar)
        layout.addWidget(self.answer)
        for part in (self.notice, self.tools, self.sort.levels, self.options, self.filters.chips):
            layout.addWidget(part)
        layout.addWidget(self.stack, 1)
        layout.addWidget(self.footer)
        answer = (self.count, self.answer.unit, self.details, self.answer.cuts, self.bar.read_as)
        self.old_answer = Dimmer(*answer, parent=self)
        self.old_lines = Dimmer(lines, self.empty, parent=self)

    def _connect(self) -> None:
        self.bar.edited.connect(self._edited)
        self.bar.options_changed.connect(self._options_changed)
        self.bar.entered.connect(self._entered)
        self.bar.history.chosen.connect(self.ask_again)
        self.exact_button.clicked.connect(lambda: self.run(exact=True))
        self.compare_button.clicked.connect(self._compare_this)
        self.sort.changed.connect(self._arrange)
        self.options.lines_changed.connect(self._arrange)
        self.options.layout_changed.connect(self._lay_lines_out)
        self.options.font_changed.connect(self.table.use_font)
        self.view_button.toggled.connect(self.options.setVisible)
        self.filters.changed.connect(self._arrange)
        self.filters.failed.connect(self._fail)
        self.facts.failed.connect(self._fail)
        self.facts.cut.connect(self.answer.show_cuts)
        self.facts.known.connect(self.answer.show_lines)
        self.facts.listed.connect(lambda number, listed: self.requested.emit(DocumentListed(number, listed)))
        self.model.wanted.connect(self._fetch)
        self.table.opened.connect(self.open_line)
        self.table.customContextMenuRequested.connect(self._show_line_menu)
        self.tabs.idClicked.connect(self.show_view)
        self.fields.field_chosen.connect(lambda _: self.views.show_fields(self._answer))
        self.fields.filter_chosen.connect(self.filters.add)
        self.views.failed.connect(self._fail)
        self.spread.document_chosen.connect(lambda number: self._open(number, 0, 0))
        self.compare.query_chosen.connect(self.search_for)
        self.watch.pattern_chosen.connect(self.search_for)
        self.watch.message.connect(self.say)
        self.compare.export_wanted.connect(lambda: self.actions_of_lines.export_comparison(self.compare.result))
        self.fields.export_wanted.connect(lambda: self.actions_of_lines.export_facet(self.fields.facet))
        self.columns.changed.connect(self._lay_lines_out)
        self.actions_of_lines.fill_export_menu(self.export_button.menu(), self.table.selected_lines)
        self._connect_jobs()
        self._connect_keys()

    def _connect_jobs(self) -> None:
        shown = (self._searcher, self._arranger, self._views, self._sizes, self._writer, self._comparer)
        runners = (*shown, self._watcher)
        for runner in runners:
            runner.progressed.connect(self.job.show_progress)
            runner.busy_changed.connect(lambda _: self.job.set_busy(any(r.busy for r in runners)))
        self.job.cancelled.connect(self._stop)

    def _connect_keys(self) -> None:
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(lambda: self.actions_of_lines.copy(self.table.selected_lines(), "text"))

    def use_host(self, host: Host) -> None:
        """Keep the history of queries in the settings."""
        connect_history(self, host.settings)

    def show_keys(self, key: Callable[[str], str]) -> None:
        """Show the shortcuts of the query bar."""
        self.bar.show_keys(key)

    def take(self, request: Request) -> None:
        """Search for a text that another screen names."""
        if isinstance(request, SearchText):
            # In quotes it is a phrase, whatever words it contains. Tokens may be parts of words.
            self.search_for(quoted(request.text), Matching("text", whole_words=False))
        else:
            super().take(request)

    def session(self) -> dict[str, Any]:
        """The query, its options, and the view."""
        return {
            "query": self.query.text(),
            "matching": self.bar.choice.matching().as_json(),
            "view": self.tabs.checkedId(),
            "compared": list(self.compare.queries),
        }

    def restore_session(self, values: dict[str, Any]) -> None:
        """Run the query again."""
        if isinstance(matching := values.get("matching"), dict):
            self.bar.set_options(read_matching(matching), None)
        if isinstance(compared := values.get("compared"), list):
            self.compare.queries = [query for query in compared if isinstance(query, str) and query.strip()]
            self.compare.run()
        if isinstance(query := values.get("query"), str) and query:
            self.search_for(query)
        if values.get("view") in range(len(self._pages)):
            self.show_view(values["view"])

    # --- asking --------------------------------------------------------------------------------

    def focus_input(self) -> None:
        """Focus the query, selected so that typing replaces it."""
        self.query.setFocus()
        self.query.selectAll()

    def search_for(self, text: str, matching: Matching | None = None) -> None:
        """Set a query and run it; matching: how its phrases are matched, None: as chosen."""
        self.bar.set_options(matching, None)
        self.query.setText(text)
        self.show_view(LINES)
        self.run()

    def corpus_changed(self) -> None:
        """Run the query in the new index."""
        fields = self.corpus.metadata_fields if self.corpus is not None else ()
        self._opened = -1
        self._offer()
        self.columns.set_fields(fields)
        self.filters.set_corpus(self.corpus)
        self.compare.set_corpus(self.corpus)
        self.watch.set_corpus(self.corpus)
        self.sort.show_fields(fields)
        self.fields.show_fields(fields)
        self._show_empty()
        self.run()

    def _offer(self) -> None:
        """Gray out what the open index cannot do, with the reason."""
        self.bar.offer_text(self.why_not("text_patterns"))
        self.sort.offer_words(self.why_not("sorting"))
        offer(self.options.collapse, self.why_not("sorting"))
        for number, capability in ((FIELDS, "metadata"), (SPREAD, "sizes")):
            offer(self.tabs.button(number), self.why_not(capability))
            if self.why_not(capability) and self.tabs.checkedId() == number:
                self.show_view(LINES)

    def ask_again(self, past: PastQuery) -> None:
        """Run an earlier query with its options."""
        self.bar.set_options(past.matching, past.distance)
        with QSignalBlocker(self.filters):
            self.filters.set(())
            self.filters.set_options(self.bar.options())
            self.filters.restore(past.filters)
        self.search_for(past.text)
        self.history.keep_now()

    def _as_past(self) -> PastQuery | None:
        """The query with its result, for the history; None while the result is unknown."""
        answer = self._answer
        current = replace(self._asked, exact=None) == self.bar.options()
        if answer is None or answer.request.found is not self._found or not current:
            return None
        return past_of(answer, self.query.text(), self.bar.choice.matching())

    def _edited(self) -> None:
        self.history.typing()
        self._debounce.start()

    def _options_changed(self) -> None:
        self.run()
        self.compare.run()
        self.watch.run()

    def _entered(self) -> None:
        self.history.keep_now()
        self.run()

    def run(self, exact: bool = False) -> None:
        """Run the query that the widgets describe."""
        self._debounce.stop()
        if self.corpus is None or not self.query.text().strip():
            self._cancel()
            self._show_empty()
            self._prepare()
            return
        request = QueryRequest(self.corpus, self.query.text(), self.bar.options(exact or None))
        self.filters.set_options(request.options)
        report = self._searcher.reporter()
        self.facts.forget()
        self._set_stale(at_once=False)
        self._searcher.run(
            lambda cancel: find(request, report, cancel),
            lambda found: self._show_found(found, request.options),
            self._fail_query,
        )

    def _prepare(self) -> None:
        """Read the vocabulary before the first query is typed."""
        if self.corpus is not None and not self.why_not("text_patterns"):
            index, report = self.corpus.index, self._searcher.reporter()
            self._searcher.run(lambda cancel: prepare(index, report, cancel), lambda _: None, self._fail)

    def _set_stale(self, at_once: bool) -> None:
        """The screen now shows the answer to another query."""
        if self._found is not None:
            for dimmer in (self.old_answer, self.old_lines, self.old_views):
                dimmer.set_stale(True, at_once)

    def _view(self) -> LineSettings:
        return merge_views(self.sort.view(), replace(self.options.view(), filters=self.filters.filters))

    def _arrange(self) -> None:
        """Request the lines of the hits."""
        if self.corpus is None or self._found is None:
            return
        request = LinesRequest(self.corpus, self._found, self._asked, self._view(), self._layout(self._found))
        report = self._arranger.reporter()
        # These counts hold the lock on the metadata, which a filter may need.
        self.facts.pause()
        self._sizes.cancel()
        self.answer.show_found(self._found, request.view)
        for dimmer in (self.old_lines, self.old_views):
            dimmer.set_stale(True, at_once=False)
        self._arranger.run(lambda cancel: arrange_lines(request, report, cancel), self._show_lines, self._fail_query)

    def _layout(self, found: QueryResult | None) -> Layout:
        layout = self.options.layout_of_lines(self.columns.shown)
        return layout if found is None else replace(layout, nearby=others_of(found, self._asked.max_distance))

    def _cancel(self) -> None:
        self.facts.forget()
        for runner in (self._searcher, self._arranger, self._views, self._sizes, self._writer, self._comparer):
            runner.cancel()

    def _stop(self) -> None:
        """The user stopped the work: the screen stays as it is, dimmed if it shows an old answer."""
        sorting, counting = self._arranger.busy, self._sizes.busy
        self._cancel()
        self._watcher.cancel()
        self.watch.stopped()
        if counting:
            self.fields.counting_stopped()
        again = tr("Stopped. Press Enter to start again, or sort by “Index order (fastest)”.")
        self.say(again if sorting else tr("Stopped."))

    def _fetch(self, request: PageRequest) -> None:
        self._fetcher.run(
            lambda cancel: fetch_rows(request), lambda rows: self.model.receive(request, rows), self._fail
        )

    def _lay_lines_out(self) -> None:
        """Show the same lines in another width, or with other columns."""
        if self._answer is not None:
            layout = self._layout(self._answer.request.found)
            self._answer = replace(self._answer, request=replace(self._answer.request, layout=layout))
            self.model.show(self._answer.lines, layout)

    # --- showing -------------------------------------------------------------------------------

    def _show_found(self, found: QueryResult, options: QueryOptions) -> None:
        self._found, self._asked = found, options
        self.answer.show_cuts((), 0)
        self.notice.show_text("")
        self.bar.show_result(found, options)
        self.old_answer.set_stale(False)
        self._arrange()

    def _show_lines(self, answer: LinesAnswer) -> None:
        self._answer = answer
        for dimmer in (self.old_answer, self.old_lines):
            dimmer.set_stale(False)
        self.notice.show_text("")
        self.filters.set_lines(answer.lines)
        levels = () if answer.lines.arranged.unsorted else answer.request.view.sort
        self.table.mark_levels(tuple(level.place for level in levels if level.place is not None))
        self.model.show(answer.lines, answer.request.layout, answer.first_rows)
        self.sort.show_direction(self.model.right_to_left)
        self.tools.show()
        if not len(answer.lines):
            self.empty.say(tr("Nothing found"), why_nothing(answer))
        self.show_view(self.tabs.checkedId())
        self.facts.count(answer, self._opened)
        self.answer.show_lines(answer, self.facts.facts)
        self.history.answered()

    def _fail_query(self, error: CorpusError) -> None:
        """There is no answer to the current query: the previous one is dimmed."""
        self._set_stale(at_once=True)
        self._fail(error)

    def _fail(self, error: CorpusError) -> None:
        if self.bar.show_error(error):
            self.notice.show_text("")
        else:
            self.notice.show_error(error)

    def say(self, text: str) -> None:
        """Show a short message that disappears by itself."""
        self.footer.say(text)

    def _show_empty(self) -> None:
        self._found = self._answer = None
        self.model.show(None, self._layout(None))
        self.answer.clear()
        for dimmer in (self.old_answer, self.old_lines, self.old_views):
            dimmer.set_stale(False)
        self.notice.show_text("")
        self.bar.clear_result()
        self.empty.say(*invitation(None if self.corpus is None else self.corpus.index.name))
        self.show_view(self.tabs.checkedId())

    def show_view(self, number: int) -> None:
        """Show the lines, fields, spread or comparison."""
        self.tabs.button(number).setChecked(True)
        self.tools.setVisible(self._answer is not None or bool(self.compare.queries) or number == WATCH)
        some = self._answer is not None and len(self._answer.lines) > 0
        for tool in self.line_tools:
            tool.setVisible(number == LINES)
        self.filters.button.setVisible(number not in (COMPARE, WATCH))
        self.sort.levels.setVisible(number == LINES and not self.sort.preset.currentData() and some)
        self.options.setVisible(number == LINES and self.view_button.isChecked())
        if number in (COMPARE, WATCH):
            self.stack.setCurrentWidget(self._pages[number])
            return
        self.stack.setCurrentWidget(self._pages[number] if some else self.empty)
        if number == FIELDS and some:
            self.views.show_fields(self._answer)
        elif number == SPREAD and some:
            self.views.show_spread(self._answer)

    def open_watch_list(self) -> None:
        """Ask for a file of patterns and count them."""
        self.show_view(WATCH)
        self.watch.ask()

    def show_field(self, field: str, shown: bool) -> None:
        """Show a metadata field as a column, or hide it."""
        self.columns.show_field(field, shown)

    # --- comparing and drawing -----------------------------------------------------------------

    def _compare_this(self) -> None:
        if self._found is not None:
            self.compare.add(self._found.query)
            self.show_view(COMPARE)

    def _prepare_charts(self) -> Make | None:
        """The charts of the view."""
        if self.corpus is None:
            return None
        view, answer = self.tabs.checkedId(), self._answer
        found = {FIELDS: self.fields.facet, SPREAD: self.spread.dispersion, COMPARE: self.compare.result}.get(view)
        return None if found is None else partial(make_charts, self.corpus, found, answer)

    # --- lines ---------------------------------------------------------------------------------

    def _choose(self, numbers: Sequence[int] | None) -> Chosen | None:
        if self._answer is None:
            return None
        return Chosen(self._answer, None if numbers is None else tuple(numbers))

    def _show_line_menu(self, place: QPoint) -> None:
        menu = QMenu(self.table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Open the document")).triggered.connect(lambda: self.open_line(self.table.current_line()))
        self.actions_of_lines.fill_line_menu(menu, self.table.selected_lines)
        menu.popup(self.table.viewport().mapToGlobal(place))

    def open_line(self, number: int) -> None:
        """Show the document of a line."""
        row = self.model.row(number - self.model.base)
        if row is not None:
            self._open(row.line.document, row.line.offset, row.line.length, row.line.begin)

    def _open(self, document: int, offset: int, length: int, begin: int = 0) -> None:
        if self._answer is not None:
            self._opened = document
            self.history.keep_now()
            needle = Needle.of(self._answer.request.found.parts)
            self.requested.emit(DocumentRequest(document, offset, length, needle, begin))

    def step(self, by: int) -> None:
        """Go to the next or previous line, and show its document."""
        if self.model.total:
            number = min(max(0, self.table.current_line() + by), self.model.total - 1)
            self.table.go_to(number)
            self.table.fetch_visible()
            self.open_line(number)
