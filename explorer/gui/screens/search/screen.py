"""Search: a query, how often it occurs, and every occurrence in its context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.analyses.search.language import quoted
from explorer.core.jobs import Kind
from explorer.errors import CorpusError
from explorer.gui.app.host import Host, HostedScreen
from explorer.gui.charts.export.button import FigureButton
from explorer.gui.chrome.undo_keys import undo_keys
from explorer.gui.help.topics import about
from explorer.gui.presenting.requests import Request, SearchText, TraceText
from explorer.gui.screens.screen import KeyButtons, Notice
from explorer.gui.screens.search.export_presenter import ExportOutlets, ExportPresenter
from explorer.gui.screens.search.lines.actions import LineActions
from explorer.gui.screens.search.marks.line_footer import follow_project
from explorer.gui.screens.search.pages import Pages
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.query.answer_line import AnswerLine
from explorer.gui.screens.search.query.bar import QueryBar
from explorer.gui.screens.search.query.pasted_text import offered
from explorer.gui.screens.search.query.stored_history import connect_history
from explorer.gui.screens.search.recipes import recipe_of
from explorer.gui.screens.search.state import SearchState
from explorer.gui.screens.search.tools import Tools
from explorer.gui.settings.matching import Matching
from explorer.gui.widgets.layouts.scroll_areas import TallArea
from explorer.i18n import tr
from explorer.recipes import Recipe, Source
from explorer.text.patterns.equates import EQUATES


class SearchScreen(HostedScreen):
    """The widgets of the Search screen: they draw the presenter's state and hand on what a person does.

    `query_kept(PastQuery, str)`: save this query; it replaces the other one, an intermediate text of the same query,
    unless that is "".
    """

    query_kept = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        about(self, "search")
        self.presenter = SearchPresenter(self.lanes, self.requested.emit, self.query_kept.emit)
        self._make_widgets()
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.bar = QueryBar(presenter)
        self.query = self.bar.field
        self.answer = AnswerLine(presenter)
        self.count = self.answer.count
        self.notice, self.text = Notice(), Notice()
        self.tools = Tools(presenter)
        self.tabs = self.tools.tabs
        self.exporter = ExportPresenter(
            self.lanes.slot("export", kind=Kind.APART),
            lambda: presenter.state.lines.answer.value,
            ExportOutlets(QGuiApplication.clipboard().setText, self.requested.emit, presenter.say, presenter.fail),
            lambda: presenter.state.marks.lines,
        )
        self.actions_of_lines = LineActions(self, self.exporter)
        # Before the lane of the figures, whose progress their own dialog shows.
        self.answer.activity.follow(self.lanes.waited_for())
        charter = self.lanes.slot("charts")
        # One slot for all three: only one of their views is in front.
        figures = [FigureButton(charter, lambda: presenter.state.charts, presenter.fail) for _ in range(3)]
        self.pages = Pages(presenter, self.actions_of_lines, figures, charter)
        self.table, self.model = self.pages.lines.table, self.pages.lines.model
        self.actions_of_lines.fill_export_menu(self.tools.export_menu, self.table.selected_lines)
        for stop in (self.exporter.stop, presenter.stop):
            self.answer.activity.job.cancelled.connect(stop)
        # In every view of the lines: a filter is also added in the breakdown, and is in force in all of them.
        self._undo_keys = undo_keys(self, presenter.marks.undo, presenter.marks.redo)
        # From the query to its lines with one key, past the controls in between.
        self.query.down_pressed.connect(self.pages.focus_result)
        _stack(self, (self.bar, self.answer, self.notice, self.text, self.tools), self.pages)

    def use_host(self, host: Host) -> None:
        """Keep the history of queries in the settings, marks and sets in the project; begin as new windows do."""
        follow_project(self.presenter, host.projects)
        connect_history(self.bar.history, self.query_kept, host.settings, self.presenter.history.show)
        get = host.settings.get
        switches = {"whole_words": get("whole_words"), "ignore_case": get("ignore_case")}
        self.presenter.query.choose(**switches, equate=() if get("as_typed") else EQUATES)
        self.presenter.lines.choose(unit=get("context_unit"))

    def show_keys(self, key: Callable[[str], str]) -> None:
        """Show the shortcuts of the query bar."""
        self.bar.show_keys(key)

    def take(self, request: Request) -> None:
        """Search for a text that another screen names."""
        if isinstance(request, SearchText):
            # Its own way of counting, for this query only: it is not what a person chose here.
            exact = Matching("tokens", variants=())
            self.presenter.query.lend(exact if request.tokens else Matching("text", whole_words=False, equate=()))
            # In quotes it is a phrase, whatever words it contains. Tokens may be parts of words.
            self.search_for(quoted(request.text))
        else:
            super().take(request)

    def warn(self, error: CorpusError) -> None:
        """Report something about the open index."""
        self.presenter.fail(error)

    def recipe(self, source: Source) -> Recipe | None:
        """The count and its lines, or what the view adds up."""
        return recipe_of(self.presenter.state, source)

    def pressed_by_keys(self) -> KeyButtons:
        """What saves the lines, or the table in front."""
        return KeyButtons(exports=(self.tools.export, *self.pages.export_buttons()))

    def focus_input(self) -> None:
        """Focus the query, selected so that typing replaces it."""
        self.query.setFocus()
        self.query.selectAll()

    def session(self) -> dict[str, Any]:
        """The query, its options, and the view."""
        return self.presenter.state.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """Ask again."""
        self.presenter.restore(values)

    def theme_changed(self) -> None:
        """Draw the network in the new colors."""
        self.pages.collocates.theme_changed()

    def corpus_changed(self) -> None:
        """Ask the new index."""
        self.presenter.use_corpus(self.corpus)

    def search_for(self, text: str, matching: Matching | None = None) -> None:
        """Ask a query, and show its lines.

        matching: How its phrases are matched; None: as chosen.
        """
        self.presenter.search_for(text, matching)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: SearchState, before: SearchState | None) -> None:
        self.bar.draw(state)
        for key in self._undo_keys:
            key.setEnabled(state.about_lines)
        self.answer.draw(state, before)
        if before is None or (state.notice, state.can_retry) != (before.notice, before.can_retry):
            remedies = [(tr("Try again"), self.presenter.try_again)] if state.can_retry else []
            self.notice.show_notice(state.notice, kind="error" if state.can_retry else "warn", remedies=remedies)
        if before is None or state.query is not before.query:
            sentence = offered(state.query)
            remedies = [(tr("Trace this text"), self._trace)] if sentence else []
            self.text.show_notice(sentence, kind="info", remedies=remedies)
        self.tools.draw(state, before)
        self.pages.draw(state, before)

    def _trace(self) -> None:
        self.requested.emit(TraceText(self.presenter.state.query.text))


def _stack(screen: QWidget, above: Sequence[QWidget], pages: QWidget) -> None:
    """Lay out a screen: its controls, and below them the pages, which get all the room."""
    page = QWidget()
    around = QVBoxLayout(screen)
    around.setContentsMargins(0, 0, 0, 0)
    around.addWidget(TallArea(page))
    layout = QVBoxLayout(page)
    # Small gaps: the first line begins within the upper quarter of a window of 1280 × 800.
    layout.setContentsMargins(16, 8, 16, 16)
    layout.setSpacing(4)
    for part in above:
        layout.addWidget(part)
    layout.addWidget(pages, 1)
