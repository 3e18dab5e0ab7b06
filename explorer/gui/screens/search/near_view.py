"""What the tabs that count around the query look like: settings, a sentence, the table, and something beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.asking.focus import enter_answer_once
from explorer.gui.found_lines.panel import LinesPanel
from explorer.gui.screen import Notice, label
from explorer.gui.screens.search.near_presenter import NearPresenter
from explorer.gui.screens.search.near_state import NearState
from explorer.gui.surfaces import split_page
from explorer.gui.theme import em
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.scroll_areas import at_least
from explorer.gui.widgets.splitter import Splitter
from explorer.gui.widgets.stack import LowStack
from explorer.i18n import tr

_FORM, _FORM_EMS, _WIDE_EMS = 1, 12, 8
_NARROW = 68
"""Width in em below which the table is above what is beside it."""


@dataclass(frozen=True)
class TableLook:
    """What the tables of the tabs differ in.

    name: Its name, for assistive technology.
    wide: The column that takes the room that is left.
    less_important: Columns to hide in a narrow table, the first one first: the tool tips have their numbers.
    """

    name: str
    wide: int
    less_important: tuple[int, ...]


class NearTable(Panel):
    """A row per word or n-gram.

    presenter: Gets the row that a user chooses, and the column that sorts.
    """

    def __init__(self, presenter: NearPresenter[Any], look: TableLook) -> None:
        super().__init__()
        self._look = look
        self.model = PlainModel(self)
        yielding = () if look.wide == _FORM else (_FORM,)
        self.table = PlainTable(self.model, look.name, wide=(look.wide,), yielding=yielding, sortable=True)
        self.hold(self.table)
        at_least(self, 20, 11)
        self.table.horizontalHeader().sectionClicked.connect(presenter.sort)
        self.table.clicked.connect(lambda at: presenter.choose_shown(at.row()))
        self.table.selectionModel().currentRowChanged.connect(lambda at, _: presenter.choose_shown(at.row()))
        self.table.activated.connect(lambda _: presenter.read())

    def draw(self, state: NearState[Any, Any]) -> None:
        """Show the rows in their order."""
        answer = state.listed
        rows = () if answer is None else tuple(answer.table[row] for row in state.order)
        self.model.show(state.header if rows else (), rows, state.columns[1])
        self._leave_out()

    def draw_row(self, state: NearState[Any, Any]) -> None:
        """Choose the chosen row."""
        chosen = self.table.selectionModel()
        if state.row not in state.order:
            chosen.clearSelection()
            return
        place = state.order.index(state.row)
        if chosen.currentIndex().row() != place or not chosen.isRowSelected(place):
            flags = QItemSelectionModel.SelectionFlag
            chosen.setCurrentIndex(self.model.index(place, 0), flags.ClearAndSelect | flags.Rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide columns that do not fit."""
        super().resizeEvent(event)
        self._leave_out()

    def _leave_out(self) -> None:
        header, columns = self.table.horizontalHeader(), range(self.model.columnCount())
        for column in columns:
            self.table.leave_out(column, False)
        widths = {
            column: max(header.sectionSizeHint(column), self.table.sizeHintForColumn(column) + 1) for column in columns
        }
        # The wide column takes what is left, and one long form does not take the room of numbers.
        if widths:
            wide = self._look.wide
            widths[wide] = max(em(_WIDE_EMS), header.sectionSizeHint(wide))
            widths[_FORM] = min(max(widths[_FORM], self.table.sizeHintForColumn(_FORM)), em(_FORM_EMS))
        room = self.table.room()
        for column in (column for column in self._look.less_important if column in widths):
            if sum(widths.values()) <= room:
                return
            self.table.leave_out(column, True)
            del widths[column]


class NearView(QWidget):
    """One tab: its own widgets are the settings on top, and what is beside the table.

    presenter: What the tab does.
    """

    def __init__(self, presenter: NearPresenter[Any], look: TableLook) -> None:
        super().__init__()
        split_page(self)
        self._presenter = presenter
        self.facts, self.notice, self.empty = label("", "muted"), Notice(), EmptyState("list")
        self.facts.setWordWrap(True)
        self.list, self.lines = NearTable(presenter, look), LinesPanel(presenter.lines)
        self.table = self.list.table

    def showEvent(self, event: QShowEvent) -> None:
        """Count if the words were made on another screen while this one was hidden."""
        super().showEvent(event)
        if self._presenter.state.missing:
            self._presenter.open()

    def frame(self, settings: QWidget, beside: QWidget, sizes: Sequence[int], dimmed: Sequence[QWidget]) -> None:
        """Lay out the tab.

        sizes: How the two share the width: proportions, not pixels.
        dimmed: What becomes pale with the table where it belongs to an earlier question.
        """
        self.halves = Splitter(Qt.Orientation.Horizontal)
        for half in (self.list, beside):
            self.halves.addWidget(half)
        self.halves.setSizes(list(sizes))
        self.stack = LowStack()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.halves)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for part in (settings, self.facts, self.notice):
            layout.addWidget(part)
        layout.addWidget(self.stack, 1)
        self.empty.chosen.connect(lambda _: self._make(settings))
        self._stale = Dimmer(self.facts, self.list, *dimmed, parent=self)

    def _make(self, settings: QWidget) -> None:
        """Make the words; the button that asked for it goes, and with it the focus."""
        enter_answer_once(self.stack, settings)
        self._presenter.make_words()

    def draw_frame(self, state: NearState[Any, Any], before: NearState[Any, Any] | None) -> bool:
        """Draw what the tabs have alike.

        before: The one that was drawn before; None for the first.
        Returns: Whether there are rows.
        """
        some = state.listed is not None and bool(state.listed.rows)
        self.facts.setText(state.facts)
        self.facts.setVisible(bool(state.facts))
        if before is None or state.notice != before.notice:
            again = [(tr("Try again"), self._presenter.run)] if state.answer.error is not None else []
            self.notice.show_notice(state.notice, kind="error", remedies=again)
        self.empty.say(*state.invitation, (tr("Make the word index"),) if state.missing else ())
        self.stack.setCurrentIndex(1 if some else 0)
        if before is None or state.listed is not before.listed or state.sort != before.sort:
            self.list.draw(state)
            self.list.draw_row(state)
        elif state.row != before.row:
            self.list.draw_row(state)
        self._stale.set_stale(state.dimmed, at_once=not state.answer.awaited)
        return some

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the table above the rest in a narrow window."""
        super().resizeEvent(event)
        narrow = self.width() < em(_NARROW)
        self.halves.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
