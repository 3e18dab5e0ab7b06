"""The list of lines: its table, the scroll bar over all lines, and the menu of a line."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QWidget

from explorer.gui.help.topics import about
from explorer.gui.screens.search.lines.actions import LineActions
from explorer.gui.screens.search.lines.columns import open_header_menu
from explorer.gui.screens.search.lines.model import KwicModel
from explorer.gui.screens.search.lines.sorting import header_tip
from explorer.gui.screens.search.lines.state import LinesState
from explorer.gui.screens.search.lines.table import KwicTable
from explorer.gui.screens.search.lines.table_footer import TableFooter
from explorer.gui.screens.search.lines.texts import Look
from explorer.gui.screens.search.marks.line_footer import LineMarks
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.state import SearchState
from explorer.gui.style.theme import em
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.i18n import tr, trn


class LinesView(Panel):
    """The lines of a query in a frame: the table, the scroll bar over all lines, and the footer."""

    def __init__(self, presenter: SearchPresenter, actions: LineActions, parent: QWidget | None = None) -> None:
        self.footer = about(TableFooter(), "search#marks-notes-and-sets")
        super().__init__(footer=[self.footer], parent=parent)
        self._presenter, self._actions = presenter, actions
        self.model = KwicModel(self)
        self.model.header_tip = lambda key: header_tip(key, presenter.state.lines.why_no_words)
        self.table = KwicTable(self.model)
        self.marks = LineMarks(presenter, actions, self.table, self.footer)
        self.hold(self.table, self.table.bar)
        self._stale = Dimmer(self, parent=self)
        # -1: no line is to be opened when its row arrives.
        self._awaited = -1
        self._connect()

    def _connect(self) -> None:
        presenter, table, header = self._presenter, self.table, self.table.header
        self.model.wanted.connect(presenter.lines.fetch)
        table.opened.connect(self.open_line)
        table.room_changed.connect(presenter.lines.make_room)
        table.room_changed.connect(lambda _: presenter.columns.leave_out(table.without_room))
        table.customContextMenuRequested.connect(self._show_menu)
        table.selectionModel().currentChanged.connect(lambda *_: self._show_place())
        table.selectionModel().selectionChanged.connect(lambda *_: self.marks.offer_lines())
        header.sort_wanted.connect(presenter.lines.sort_by_header)
        header.moved.connect(presenter.columns.move)
        header.stepped.connect(presenter.columns.step)
        header.fit_wanted.connect(presenter.columns.fit)
        # Widths are kept in sizes of the text, so that they fit when the text is made larger.
        header.resized.connect(lambda sizes: presenter.columns.resize({key: px / em(1) for key, px in sizes.items()}))
        header.widened.connect(self._widen)
        header.menu_wanted.connect(lambda key, place: open_header_menu(self.table, presenter, key, place))
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), table)
        # On the table alone: in a field, the same key copies the selected text.
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(lambda: self._actions.presenter.copy(table.selected_lines(), "text"))

    def _widen(self, key: str, by: float) -> None:
        """Give a column more room, or less; its neighbor gives or gets it."""
        # All widths, so that the other columns keep theirs.
        sizes = {each: self.table.columnWidth(at) / em(1) for each, at in self.table.header.by_key().items()}
        order = list(sizes)
        beside = order[order.index(key) + 1] if key != order[-1] else order[-2]
        sizes[key], sizes[beside] = sizes[key] + by, sizes[beside] - by
        self._presenter.columns.resize(sizes)

    def _show_place(self) -> None:
        self.marks.offer_lines()
        # By line: the model's rows are a window on them.
        number, total = self.table.current_line(), self.model.total
        self.footer.place.setText(
            tr("Line {number:,} of {total:,}", number=number + 1, total=total)
            if number >= 0
            else trn("{n:,} line", "{n:,} lines", total)
        )

    def draw(self, state: SearchState, before: SearchState | None) -> None:
        """Show the lines.

        before: The one that was drawn before; None for the first.
        """
        lines, old = state.lines, None if before is None else before.lines
        if old is None or lines.options.fixed != old.options.fixed:
            self.table.use_font(lines.options.fixed)
        self.table.show_columns(state.columns.layout)
        # Before the look: marks belong to the lines that are shown.
        if old is None or lines.answer.value is not old.answer.value:
            self._show_answer(lines)
            self.marks.stay(state.marks)
        self.marks.draw(state, before)
        if before is not None and state.marks is not before.marks:
            self.table.fit_columns()
        self.table.show_look(Look(lines.marked_places, lines.options.rows))
        self.table.header.show_sorted(*lines.sorted_by)
        if lines.page is not None and (old is None or lines.page is not old.page):
            self.model.receive(lines.page.request, lines.page.rows)
            if self._awaited >= 0 and self.model.row(self._awaited - self.model.base) is not None:
                self.open_line(self._awaited)
        self._stale.set_stale(state.lines_dimmed, at_once=not state.awaited)

    def _show_answer(self, state: LinesState) -> None:
        answer = state.answer.value
        # A line that was to be opened had its number in the lines before.
        if self.model.concordance is not (None if answer is None else answer.lines):
            self._awaited = -1
        if answer is None:
            self.model.show(None, state.layout)
        else:
            self.model.show(answer.lines, answer.request.layout, answer.first_rows)
        self._show_place()

    def open_line(self, number: int) -> None:
        """Show the document of a line, once the line has been read."""
        row = self.model.row(number - self.model.base)
        # A line that is still being read is opened when it arrives.
        self._awaited = number if row is None else -1
        if row is not None:
            self._presenter.documents.of_line(row)

    def step(self, by: int) -> None:
        """Go to the next or previous line, and show its document."""
        if self.model.total:
            number = min(max(0, self.table.current_line() + by), self.model.total - 1)
            self.table.go_to(number)
            # At once: the timer of the table would only start to read in a moment.
            self.table.fetch_visible()
            self.open_line(number)

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self.table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Open the document")).triggered.connect(lambda: self.open_line(self.table.current_line()))
        self.marks.fill_menu(menu)
        self._actions.fill_line_menu(menu, self.table.selected_lines)
        menu.popup(self.table.viewport().mapToGlobal(place))
