"""Lines by the values of a metadata field: all of them, sortable, with comparable rates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QVBoxLayout, QWidget

from explorer.analyses.breakdown.facets import Bar, Facet
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.screen import label, named
from explorer.gui.screens.search.state import SearchState
from explorer.gui.screens.search.views.field_answer import (
    DOCUMENTS,
    LINES,
    RATE,
    SHARE,
    TOKENS,
    VALUE,
    FieldAnswer,
    Sorting,
    order_of,
)
from explorer.gui.screens.search.views.presenter import BreakdownPresenter
from explorer.gui.style.direction import isolated
from explorer.gui.style.text_positions import cell_text
from explorer.gui.style.theme import em
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.tables.keyed_header import KeyedHeader
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable, alignment
from explorer.i18n import mark, numeral, tr

_HEADERS = (mark("Lines"), mark("Share"), mark("Per million tokens"), mark("Documents"), mark("Tokens"))
_LESS_IMPORTANT = (TOKENS, DOCUMENTS, SHARE)
"""Columns that are left out where there is no room, the first one first."""
_MEASURED = 2_000
"""Values among which the longest is looked for."""
_BAR_EMS = 9
"""The least width of the column with the bars."""
_TIPS = {
    SHARE: mark("Share of all lines"),
    RATE: mark("Hits per million tokens of the documents with this value"),
    DOCUMENTS: mark("Documents with this value that contain a line"),
    TOKENS: mark("Tokens in all documents with this value, whether or not they contain a line"),
}


class FieldModel(PlainModel):
    """The bars of a facet. A cell is created when it is viewed, so there can be any number of values."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._answer: FieldAnswer | None = None
        self._order: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.sorting = Sorting()
        self._most = 1
        self._counting = False
        self._kept: NDArray[np.int64] | None = None

    def show_answer(self, answer: FieldAnswer | None, counting: bool, kept: NDArray[np.int64] | None = None) -> None:
        """Show other values, in the chosen order.

        answer: The values; None for none.
        counting: Whether their tokens are still being counted.
        kept: The numbers of the values that are shown; None for all.
        """
        self.beginResetModel()
        self._kept = kept
        self._answer, self._counting = answer, counting
        # Of all values: a bar keeps its length while others are hidden by the text that is sought.
        self._most = max((bar.hits for bar in answer.facet.bars), default=1) if answer is not None else 1
        self._sort()
        self.endResetModel()

    def number(self, row: int) -> int | None:
        """The number of the bar in a row; None if there is no such row."""
        return int(self._order[row]) if 0 <= row < len(self._order) else None

    def bar(self, row: int) -> Bar | None:
        """The value in a row."""
        number = self.number(row)
        return None if self._answer is None or number is None else self._answer.facet.bars[number]

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column.

        column: The number of the column; -1 for the usual order: the most frequent first, years ascending.
        order: Ascending or descending; not used for -1.
        """
        self.layoutAboutToBeChanged.emit()
        self.sorting = self.sorting.by(column, order == Qt.SortOrder.DescendingOrder)
        self._sort()
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, max(0, self.columnCount() - 1))

    def _sort(self) -> None:
        nothing = np.empty(0, dtype=np.int64)
        self._order = nothing if self._answer is None else order_of(self._answer, self._kept, self.sorting)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's
        """Values."""
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's
        """Value, lines, share, rate, documents, tokens."""
        return 0 if parent.isValid() or self._answer is None else len(_HEADERS) + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the names of the columns, and explanations of the numbers.

        Returns: The name, its alignment, its tool tip, or None.
        """
        if orientation != Qt.Orientation.Horizontal or self._answer is None or not 0 <= section <= len(_HEADERS):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(section > LINES)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr(_TIPS[section]) if section in _TIPS else None
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        name = tr(_HEADERS[section - 1]) if section else isolated(self._answer.facet.field)
        if self.sorting.column != section:
            return name
        return f"{name} {'↓' if self.sorting.descending else '↑'}"

    def cell(self, index: QModelIndex | QPersistentModelIndex) -> Cell:
        """The cell at an index."""
        bar, column = self.bar(index.row()), index.column()
        if bar is None or self._answer is None:
            return Cell("")
        facet = self._answer.facet
        if column == VALUE:
            return Cell(isolated(cell_text(bar.label)), tip=bar.label)
        if column == LINES:
            return Cell(numeral(bar.hits), bar=bar.hits / self._most)
        return Cell(self._number(facet, bar, column), right=True, muted=column != RATE)

    def _number(self, facet: Facet, bar: Bar, column: int) -> str:
        if column == SHARE:
            return numeral(bar.hits / max(1, facet.looked_at), ".1%")
        if column == DOCUMENTS:
            return numeral(bar.documents)
        if bar.tokens is None:
            return "…" if self._counting else "–"
        if column == TOKENS:
            return numeral(bar.tokens)
        rate = facet.per_million(bar) or 0.0
        return ("" if facet.exact else "≈ ") + numeral(rate, ",.2f")

    def long_rows(self, column: int) -> tuple[int, ...]:
        """The row with the longest value, of the first ones, or with the largest number."""
        if self._answer is None or not len(self._order):
            return ()
        if column == VALUE:
            labels = [self._answer.facet.bars[number].label for number in self._order[:_MEASURED].tolist()]
            return (max(range(len(labels)), key=lambda row: len(labels[row])),)
        return (int(np.argmax(np.nan_to_num(self._answer.keys[column][self._order]))),)

    def longest(self, column: int) -> str:
        """The widest number of a column that is drawn beside its bar."""
        return numeral(self._most) if column == LINES else ""

    def is_drawn(self, column: int) -> bool:
        """Only the lines have bars."""
        return column == LINES


class FieldsView(QWidget):
    """Lines by the values of a field, as bars. `export_wanted()`."""

    export_wanted = Signal()

    def __init__(self, presenter: BreakdownPresenter, figure: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.field = named(QComboBox(), tr("Group by"))
        self.field.setMinimumWidth(180)
        self.sought = QLineEdit(placeholderText=tr("Find a value"))
        self.sought.setAccessibleName(tr("Find a value"))
        self.sought.textEdited.connect(presenter.seek)
        self.summary = label("", "muted")
        self.export = QPushButton(tr("Export …"))
        self.export.setToolTip(tr("Save all values and their counts to a file"))
        self.model = FieldModel(self)
        self.table = PlainTable(self.model, tr("Lines grouped by value"), wide=(LINES,))
        KeyedHeader(self.table)
        # Before sorting is enabled, which sorts by the indicated column at once.
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.table.setSortingEnabled(True)
        # The order is part of what is saved.
        self.table.horizontalHeader().sortIndicatorChanged.connect(
            lambda column, order: presenter.sort(column, order == Qt.SortOrder.DescendingOrder)
        )
        # Qt draws its arrow over the name; the model adds one beside it.
        self.table.horizontalHeader().setSortIndicatorShown(False)
        self.summary.setWordWrap(True)
        top = flowing(label(tr("Group by"), "muted"), self.field, self.sought, figure, self.export)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(top)
        layout.addWidget(self.summary)
        layout.addWidget(self.table, 1)
        self._stale = Dimmer(self.summary, self.table, parent=self)
        self.field.currentTextChanged.connect(presenter.choose)
        self.export.clicked.connect(self.export_wanted)
        self.table.activated.connect(lambda index: self.choose(index.row()))
        self.table.clicked.connect(lambda index: self.choose(index.row()))

    def draw(self, state: SearchState, before: SearchState | None) -> None:
        """Show the values of the field.

        before: The one that was drawn before; None for the first.
        """
        now, old = state.breakdown, None if before is None else before.breakdown
        with QSignalBlocker(self.field):
            if old is None or now.fields != old.fields:
                self.field.clear()
                self.field.addItems(list(now.fields))
            self.field.setCurrentIndex(self.field.findText(now.chosen))
        if old is None or now.sizing != old.sizing or now.shown is not old.shown or now.kept is not old.kept:
            self.model.show_answer(now.shown, now.sizing, now.kept)
            self._fit_columns()
        # Setting an equal text would move the cursor.
        if self.sought.text() != now.sought:
            self.sought.setText(now.sought)
        self.export.setEnabled(now.can_export)
        self.summary.setText(now.summary)
        at_once = not (state.awaited or now.answer.awaited)
        self._stale.set_stale(state.breakdown_dimmed, at_once=at_once)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many columns as have room."""
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Leave out columns for which there is no room, the least important first."""
        header = self.table.horizontalHeader()
        columns = range(self.model.columnCount())
        needed = {
            column: em(_BAR_EMS)
            if column == LINES
            else max(header.sectionSizeHint(column), self.table.sizeHintForColumn(column))
            for column in columns
        }
        room = self.table.room()
        for column in _LESS_IMPORTANT:
            if column in needed:
                hidden = sum(needed.values()) > room
                self.table.setColumnHidden(column, hidden)
                if hidden:
                    del needed[column]

    def choose(self, row: int) -> None:
        """Keep only the lines of the value in a row."""
        number = self.model.number(row)
        if number is not None:
            self._presenter.filter_by(number)
