"""What is below the tabs: the views, or a sentence in place of lines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from explorer.gui.help.topics import about
from explorer.gui.screens.search.around.clusters_view import ClustersView
from explorer.gui.screens.search.around.collocates_view import CollocatesView
from explorer.gui.screens.search.lines.actions import LineActions
from explorer.gui.screens.search.lines.view import LinesView
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.state import SearchState, View
from explorer.gui.screens.search.views.compare_view import CompareView
from explorer.gui.screens.search.views.fields_view import FieldsView
from explorer.gui.screens.search.views.spread_view import SpreadView
from explorer.gui.screens.search.views.view_files import comparison_table, facet_table, parts_table, watched_table
from explorer.gui.screens.search.views.watch_view import WatchView
from explorer.gui.style.theme import em
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.layouts.stack import Stack
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.notices.empty_state import EmptyState
from explorer.gui.widgets.notices.skeleton import Skeleton


class Pages(Stack):
    """One page per view, and one without lines.

    presenter, actions: The screen's, and what exports.
    figures: The buttons for breakdown, dispersion and comparison.
    charter: Makes the figure of the collocates.
    """

    def __init__(
        self,
        presenter: SearchPresenter,
        actions: LineActions,
        figures: Sequence[QWidget],
        charter: Runner,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.lines = LinesView(presenter, actions)
        self.fields = FieldsView(presenter.views.breakdown, figures[0])
        self.spread = SpreadView(presenter, figures[1])
        self.compare = CompareView(presenter, figures[2])
        self.watch = WatchView(presenter.watch_list)
        self.collocates = CollocatesView(presenter.views.collocates, charter)
        self.clusters = ClustersView(presenter.views.clusters)
        self.empty = EmptyState("search")
        about(self.lines, "search#lines")
        for view in (self.fields, self.spread, self.compare, self.watch):
            about(view, "search#other-views")
        about(self.collocates, "search#collocates")
        about(self.clusters, "search#clusters")
        # By the numbers of the views.
        self._by_view: tuple[QWidget, ...] = (
            self.lines,
            self.fields,
            self.spread,
            self.compare,
            self.watch,
            self.collocates,
            self.clusters,
        )
        # Its sentence, the progress and the button that stops are in the line above.
        self.skeleton = Skeleton("concordance")
        for page in (*self._by_view, self.empty, self.skeleton):
            self.addWidget(page)
        self.currentChanged.connect(lambda _: self.updateGeometry())
        self._stale = Dimmer(self.empty, parent=self)
        self.empty.chosen.connect(presenter.suggest.choose)
        self.compare.query_chosen.connect(presenter.search_for)
        self._connect_exports(presenter, actions)

    def _connect_exports(self, presenter: SearchPresenter, actions: LineActions) -> None:
        # Read when a button is clicked: what is exported is what is shown then.
        self.fields.export_wanted.connect(lambda: actions.ask_table(facet_table(presenter.state.breakdown)))
        self.spread.export_wanted.connect(lambda: actions.ask_table(parts_table(presenter.state.dispersion)))
        self.compare.export_wanted.connect(lambda: actions.ask_table(comparison_table(presenter.state.comparison)))
        self.watch.export_wanted.connect(lambda: actions.ask_table(watched_table(presenter.state.watch_list)))

    def minimumSizeHint(self) -> QSize:
        """Narrow: rows of controls wrap, and tables scroll. As low as the page in front may be."""
        page = self.currentWidget()
        layout = None if page is None else page.layout()
        if page is None or layout is None:
            return QSize(em(24), 0)
        wraps = page.hasHeightForWidth()
        high = layout.minimumHeightForWidth(self.width()) if wraps else page.minimumSizeHint().height()
        return QSize(em(24), high)

    def hasHeightForWidth(self) -> bool:
        """Never: Qt would ask for the highest of all pages, and the lines would scroll for another page's sake."""
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Rows that wrap need another height in another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def export_buttons(self) -> Sequence[QAbstractButton]:
        """Of the pages with a table of their own."""
        views = (self.fields, self.spread, self.compare, self.watch, self.collocates, self.clusters)
        return tuple(view.export for view in views)

    def focus_result(self) -> None:
        """Give the focus to the table in front, with a chosen row."""
        page = self.currentWidget()
        if page is self.lines and self.lines.model.total:
            self.lines.table.go_to(max(0, self.lines.table.current_line()))
            self.lines.table.setFocus()
        for view in (self.fields, self.compare, self.watch, self.collocates, self.clusters):
            if page is view:
                view.table.setFocus()

    def open_watch_list(self) -> None:
        """Ask for a file of patterns and count them."""
        self._presenter.show_view(View.WATCH)
        self.watch.ask()

    def draw(self, state: SearchState, before: SearchState | None) -> None:
        """Show the page of the view.

        before: The one that was drawn before; None for the first.
        """
        self.lines.draw(state, before)
        self.fields.draw(state, before)
        self.spread.draw(state, before)
        self.compare.draw(state.comparison, None if before is None else before.comparison, state.addable)
        self.watch.draw(state.watch_list, None if before is None else before.watch_list)
        if before is None or state.collocates is not before.collocates:
            self.collocates.draw(state.collocates, None if before is None else before.collocates)
        if before is None or state.clusters is not before.clusters:
            self.clusters.draw(state.clusters, None if before is None else before.clusters)
        self.empty.say(*state.invitation, state.offers)
        self._stale.set_stale(state.lines_dimmed, at_once=not state.awaited)
        without = self.skeleton if state.waiting else self.empty
        self.setCurrentWidget(without if state.page is None else self._by_view[state.page])
