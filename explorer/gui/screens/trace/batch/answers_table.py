"""The table of the answers of a file, which grows while they are traced, and its histogram."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTableView, QToolTip, QWidget

from explorer.analyses.trace.batch import BatchRow
from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.trace.batch.state import COLUMNS, MODEL, Bin, Order, cell_of, model_of
from explorer.gui.style.direction import in_its_order
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import chrome, em, font_of, qcolor
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.painting import ring, rounded
from explorer.gui.widgets.tables.keyed_header import KeyedHeader
from explorer.gui.widgets.tables.plain_table import TextDelegate, alignment, read_by_rows, value_of
from explorer.i18n import mark, numeral, tr, trn

_Index = QModelIndex | QPersistentModelIndex
_TEXT, _SOURCE = 1, 7
"""The columns of the answers, which take the room that is left, and of titles."""
_TEXT_LEAST, _SOURCE_LEAST = 12.0, 13.0
"""Their widths at least, in em, while there are columns that can be left out."""
_TEXT_CRAMPED = 6.0
"""The width of the answers at least, in em."""
_LOOKED_AT = 20
"""Rows that tell whether a file names models."""
_MODEL_LEAST = 9.0
_PAD, _ARROW = 1.3, 1.0
"""Room beside a text, and of the arrow that shows the order, in em."""
_FIGURES = "00,000"
"""A number that columns of numbers have room for."""
_NUMBERS = (0, 2, 3, 4, 5)
"""Columns of numbers."""
_COPY, _COPIED = 6, "000 of 000 tokens"
"""The column of copies, and a cell that it has room for."""
_SPARED = (2, 4, 5)
"""Columns that are left out where there is no room for all, the first of these first; never the warning of a copy."""


class AnswersModel(QAbstractTableModel):
    """Rows of answers; cells are written when they are painted."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._rows: tuple[BatchRow, ...] = ()

    def show(self, rows: tuple[BatchRow, ...]) -> None:
        """Show other rows; those that only follow the ones before are appended."""
        before = self._rows
        # While a file is traced in its own order, rows are only added. A reset would take away the current row.
        if len(rows) > len(before) > 0 and rows[: len(before)] == before:
            self.beginInsertRows(QModelIndex(), len(before), len(rows) - 1)
            self._rows = rows
            self.endInsertRows()
        elif rows != before:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    @property
    def names_models(self) -> bool:
        """Whether a row names the model that wrote its answer."""
        return any(map(model_of, self._rows[:_LOOKED_AT]))

    def cell(self, index: _Index) -> Cell:
        """The cell at an index."""
        return cell_of(self._rows[index.row()], index.column())

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the columns' names.

        Returns: The name, its alignment, or None.
        """
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(section in _NUMBERS)
        # Isolated: in a window from right to left, a sign at the end of the name would come before it.
        in_words = bool(self._rows) and self._rows[0].unit == "words"
        name = mark("Words") if section == 2 and in_words else COLUMNS[section][0]
        return in_its_order(tr(name)) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give text, alignment, color and tool tip of a cell."""
        if not index.isValid():
            return None
        return value_of(self.cell(index), role)


class AnswersTable(QTableView):
    """The answers; `sorted_by(int)`: the header of a column was clicked."""

    sorted_by = Signal(int)

    def __init__(self, model: AnswersModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self._answers = model
        header = KeyedHeader(self)
        read_by_rows(self, tr("Answers"))
        header.setSectionsMovable(True)
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        # Not Qt's own sorting: the presenter sorts, so that what is exported has the order that is seen.
        header.sectionClicked.connect(self.sorted_by)
        self.setItemDelegateForColumn(_TEXT, TextDelegate(self))
        # After the answer, which it wrote; the last column stays that of sources.
        header.moveSection(MODEL, _TEXT + 1)
        # The first rows tell whether there is one.
        for changed in (model.modelReset, model.rowsInserted):
            changed.connect(self._show_model)
        self.setColumnHidden(MODEL, True)
        # Widths that a person has chosen stay.
        self._fitting = self._dragged = False
        self._sorted: int | None = None
        header.sectionResized.connect(self._keep_widths)
        self._fit_rows()
        when_restyled(self, self._fit_rows)

    def _show_model(self) -> None:
        shown = self._answers.names_models
        if shown == self.isColumnHidden(MODEL):
            # Nobody drags a column that appears.
            self._fitting = True
            self.setColumnHidden(MODEL, not shown)
            self._fitting = False
            if not self._dragged:
                self._fit_columns()

    def _fit_rows(self) -> None:
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(1)
        rows.setDefaultSectionSize(max(chrome(26), QFontMetrics(font_of()).height() + 8))
        self._dragged = False
        self._fit_columns()

    def _keep_widths(self, column: int) -> None:
        # The last column is stretched by Qt as well.
        self._dragged = self._dragged or not (self._fitting or column == _SOURCE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the answers the room that the numbers leave."""
        super().resizeEvent(event)
        if not self._dragged:
            self._fit_columns()

    def _fit_columns(self) -> None:
        # By the font that the header will have: its own may still be the one before a change of the text size.
        names, figures = QFontMetrics(font_of(0.92, 500)), QFontMetrics(font_of()).horizontalAdvance(_FIGURES)
        least = [figures if column in _NUMBERS[1:] else 0 for column in range(len(COLUMNS))]
        least[_COPY] = QFontMetrics(font_of()).horizontalAdvance(_COPIED)
        widths = [
            max(names.horizontalAdvance(tr(COLUMNS[column][0])) + em(_ARROW), width) + em(_PAD)
            for column, width in enumerate(least)
        ]
        widths[MODEL] = max(widths[MODEL], em(_MODEL_LEAST)) if self._answers.names_models else 0
        title, widths[_SOURCE] = widths[_SOURCE], max(widths[_SOURCE], em(_SOURCE_LEAST))
        rest = self.viewport().width() - sum(widths) + widths[_TEXT]
        self._fitting = True
        # Not the column that the rows are sorted by: nobody could tell their order then.
        for column in _SPARED:
            hidden = rest < em(_TEXT_LEAST) and column != self._sorted
            self.setColumnHidden(column, hidden)
            rest += widths[column] if hidden else 0
        if rest < em(_TEXT_LEAST):
            # Before the table scrolls sideways, titles of sources get no more than their header needs.
            rest, widths[_SOURCE] = rest + widths[_SOURCE] - title, title
        widths[_TEXT] = max(rest, em(_TEXT_CRAMPED))
        for column, width in enumerate(widths):
            # A width would show a column again.
            if not self.isColumnHidden(column):
                self.setColumnWidth(column, width)
        self._fitting = False

    def show_order(self, order: Order) -> None:
        """Show the arrow of the sorted column."""
        header = self.horizontalHeader()
        if order.column != self._sorted:
            self._sorted = order.column
            if not self._dragged:
                self._fit_columns()
        header.setSortIndicatorShown(order.column is not None)
        if order.column is not None:
            down = Qt.SortOrder.DescendingOrder if order.largest_first else Qt.SortOrder.AscendingOrder
            header.setSortIndicator(order.column, down)


class Histogram(QWidget):
    """How many answers have a longest match of each length. `chosen(int)`: a bar was clicked."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bins: tuple[Bin, ...] = ()
        self._focused = 0
        self.setAccessibleName(tr("Answers by their longest match"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        when_restyled(self, self.updateGeometry)

    def show_bins(self, bins: tuple[Bin, ...]) -> None:
        """Show other numbers."""
        self._bins = bins
        # The keyboard continues from the bar that is the filter; without a filter it stays where it was.
        self._focused = next((number for number, one in enumerate(bins) if one.chosen), self._focused)
        counts = ", ".join(tr("{lengths}: {count:,}", lengths=one.name, count=one.count) for one in bins)
        self.setAccessibleDescription(counts)
        self.update()

    def sizeHint(self) -> QSize:
        """Five lines of text high."""
        return QSize(em(30), round(5.2 * QFontMetrics(font_of(0.92)).height()))

    def bar(self, number: int) -> QRectF:
        """The area of a bar with its texts, which can be clicked."""
        width = self.width() / max(1, len(self._bins))
        left = number * width
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left = self.width() - left - width
        return QRectF(left + 3, 0, width - 6, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a bar per length, with its count above and the lengths below."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font_of(0.92))
        metrics = painter.fontMetrics()
        line = metrics.height()
        most = max((one.count for one in self._bins), default=0)
        center = Qt.AlignmentFlag.AlignCenter
        for number, one in enumerate(self._bins):
            area = self.bar(number)
            room = area.height() - 2 * line - 4
            # A bar of a single answer must be seen beside one of thousands.
            height = max(2.0 if one.count else 0.0, room * one.count / max(1, most))
            base = area.bottom() - line - 2
            body = QRectF(area.left(), base - height, area.width(), height)
            rounded(painter, body, 2, "accent" if one.chosen else "bar")
            painter.setPen(qcolor("text"))
            painter.drawText(QRectF(area.left(), body.top() - line - 1, area.width(), line), center, numeral(one.count))
            painter.setPen(qcolor("accent" if one.chosen else "muted"))
            painter.drawText(
                QRectF(area.left(), base + 2, area.width(), line), center, self._label(one, metrics, area.width())
            )
            if self.hasFocus() and number == self._focused:
                ring(painter, area, 4)
        painter.end()

    @staticmethod
    def _label(one: Bin, metrics: QFontMetrics, room: float) -> str:
        text = one.name if metrics.horizontalAdvance(one.name) <= room else one.short
        # As an island: in a window from right to left, the larger end would come first, and the plus before its number.
        return f"\u2066{text}\u2069"

    def _bin_at(self, x: float) -> int:
        return next(
            (number for number in range(len(self._bins)) if self.bar(number).left() <= x <= self.bar(number).right()),
            -1,
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a bar filters by it."""
        number = self._bin_at(event.position().x())
        if number >= 0:
            self._focused = number
            self.chosen.emit(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move along the bars, Enter or Space filters."""
        # Bars are mirrored in a window from right to left, and so are the keys that move along them.
        forward = Qt.Key.Key_Right if self.layoutDirection() == Qt.LayoutDirection.LeftToRight else Qt.Key.Key_Left
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self._bins:
            self._focused = (self._focused + (1 if event.key() == forward else -1)) % len(self._bins)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._bins:
            self.chosen.emit(self._focused)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Tell what a bar counts."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            number = self._bin_at(event.pos().x())
            if number >= 0:
                one = self._bins[number]
                text = trn(
                    "{n:,} answer whose longest match has {lengths} tokens",
                    "{n:,} answers whose longest match has {lengths} tokens",
                    one.count,
                    lengths=one.name,
                )
                QToolTip.showText(event.globalPos(), tip(text), self)
            return True
        return super().event(event)
