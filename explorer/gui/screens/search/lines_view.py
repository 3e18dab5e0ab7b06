"""The list of lines: its table, the scroll bar over all lines, and the menu of a line."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from explorer.gui.screens.search.line_actions import LineActions
from explorer.gui.screens.search.lines_state import LinesState
from explorer.gui.screens.search.model import DOCUMENT, POSITION, KwicModel
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.state import SearchState
from explorer.gui.screens.search.table import KwicTable
from explorer.gui.widgets.dimmed import Dimmer
from explorer.i18n import tr


class LinesView(QWidget):
    """The lines of a query."""

    def __init__(self, presenter: SearchPresenter, actions: LineActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter, self._actions = presenter, actions
        self.model = KwicModel(self)
        self.table = KwicTable(self.model)
        beside = QHBoxLayout(self)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(2)
        beside.addWidget(self.table, 1)
        beside.addWidget(self.table.bar)
        self._stale = Dimmer(self, parent=self)
        self.model.wanted.connect(presenter.lines.fetch)
        self.table.opened.connect(self.open_line)
        self.table.customContextMenuRequested.connect(self._show_menu)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(lambda: actions.copy(self.table.selected_lines(), "text"))

    def draw(self, state: SearchState, before: SearchState | None) -> None:
        """Show the lines.

        Parameters
        ----------
        state
            The state.
        before
            The one that was drawn before; None for the first.
        """
        lines, old = state.lines, None if before is None else before.lines
        if old is None or lines.options.fixed != old.options.fixed:
            self.table.use_font(lines.options.fixed)
        for column, shown in ((DOCUMENT, lines.options.document), (POSITION, lines.options.position)):
            if self.table.isColumnHidden(column) == shown:
                self.table.setColumnHidden(column, not shown)
        if old is None or lines.answer.value is not old.answer.value:
            self._show_answer(lines)
        if lines.page is not None and (old is None or lines.page is not old.page):
            self.model.receive(lines.page.request, lines.page.rows)
        self._stale.set_stale(state.lines_dimmed, at_once=not state.awaited)

    def _show_answer(self, state: LinesState) -> None:
        answer = state.answer.value
        self.table.mark_levels(state.marked_places)
        if answer is None:
            self.model.show(None, state.layout)
        else:
            self.model.show(answer.lines, answer.request.layout, answer.first_rows)

    def open_line(self, number: int) -> None:
        """Show the document of a line, once the line has been read."""
        row = self.model.row(number - self.model.base)
        if row is not None:
            self._presenter.open_line(row)

    def step(self, by: int) -> None:
        """Go to the next or previous line, and show its document."""
        if self.model.total:
            number = min(max(0, self.table.current_line() + by), self.model.total - 1)
            self.table.go_to(number)
            self.table.fetch_visible()
            self.open_line(number)

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self.table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Open the document")).triggered.connect(lambda: self.open_line(self.table.current_line()))
        self._actions.fill_line_menu(menu, self.table.selected_lines)
        menu.popup(self.table.viewport().mapToGlobal(place))
