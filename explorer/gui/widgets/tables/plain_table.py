"""A small table of prepared cells, some with a bar: for tens or hundreds of rows."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from explorer.gui.presenting.cells import Cell
from explorer.gui.style.direction import in_its_order, reads_right_to_left
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em, monospace, qcolor
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.tables.keyed_header import KeyedHeader

_Index = QModelIndex | QPersistentModelIndex
_BAR = 3
"""Em of a bar beside a figure, in a column that does not share the room of the others."""
_MEASURED = 10
"""Texts of a column that are measured for its width, of those with the most characters."""


def _characters(cells: Sequence[Cell], row: int) -> int:
    return len(cells[row].before) + len(cells[row].text)


class PlainModel(QAbstractTableModel):
    """Rows of cells under a header."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._header: tuple[str, ...] = ()
        self._rows: tuple[tuple[Cell, ...], ...] = ()
        self._tips: tuple[str, ...] = ()
        self.keeps_sides = False
        """Whether the columns run from left to right also in a right-to-left window."""
        self._longest: list[str] = []
        self._long_rows: list[tuple[int, ...]] = []

    def show(self, header: Sequence[str], rows: Sequence[tuple[Cell, ...]], tips: Sequence[str] = ()) -> None:
        """Show other rows.

        rows: As many cells per row.
        tips: What the columns mean, for their tool tips; empty for none.
        """
        self.beginResetModel()
        self._tips = tuple(tips)
        self._header, self._rows = tuple(header), tuple(rows)
        # Once for all rows: the delegate needs it for every bar that it paints.
        columns = zip(*self._rows, strict=True)
        self._longest, self._long_rows = [], []
        for cells in columns:
            self._longest.append(max((cell.text for cell in cells), key=len))
            places = heapq.nlargest(_MEASURED, range(len(cells)), key=partial(_characters, cells))
            self._long_rows.append(tuple(places))
        self.endResetModel()

    def longest(self, column: int) -> str:
        """The longest text of a column."""
        return self._longest[column] if column < len(self._longest) else ""

    def long_rows(self, column: int) -> tuple[int, ...]:
        """The rows with the longest texts of a column, at most ten."""
        return self._long_rows[column] if column < len(self._long_rows) else ()

    def long_cells(self, column: int) -> tuple[Cell, ...]:
        """The cells of those rows."""
        return tuple(self.cell(self.index(row, column)) for row in self.long_rows(column))

    def is_drawn(self, column: int) -> bool:
        """Whether a column has bars, ticks, or texts of two colors."""
        cells = (row[column] for row in self._rows)
        return any(cell.bar is not None or cell.ticks is not None or bool(cell.before) for cell in cells)

    def cell(self, index: _Index) -> Cell:
        """The cell at an index."""
        return self._rows[index.row()][index.column()]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Columns."""
        return 0 if parent.isValid() else len(self._header)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the columns' names, aligned as the first row's cells.

        Returns: The name, its alignment, or None.
        """
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._header):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = alignment(bool(self._rows) and self._rows[0][section].right)
            # Qt paints headers in the direction of the program, even those of a table that keeps its own.
            return side | int(Qt.AlignmentFlag.AlignAbsolute) if self.keeps_sides else side
        if role == Qt.ItemDataRole.ToolTipRole:
            # A name alone may have no room.
            return tip(self._tips[section] if section < len(self._tips) else _ordered(self._header[section]))
        return _ordered(self._header[section]) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give text, alignment, color and tool tip of a cell."""
        if not index.isValid():
            return None
        return value_of(self.cell(index), role)


def _ordered(name: str) -> str:
    """A column's name as Qt is to paint it: “Bits / char.” would end with its beginning from right to left."""
    # Qt paints headers in the direction of the program.
    turned = QGuiApplication.isRightToLeft() and not reads_right_to_left(name)
    return in_its_order(name) if turned else name


def value_of(cell: Cell, role: int) -> Any:
    """Give what a model answers about a cell.

    Returns: Its text, alignment, font, color or tool tip; None for other roles.
    """
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
        return cell.text
    if role == Qt.ItemDataRole.TextAlignmentRole:
        return alignment(cell.right)
    if role == Qt.ItemDataRole.FontRole and cell.code:
        return monospace()
    if role == Qt.ItemDataRole.ForegroundRole:
        return qcolor("muted") if cell.muted else None
    return tip(cell.tip) or None if role == Qt.ItemDataRole.ToolTipRole else None


def read_by_rows(table: QTableView, name: str) -> None:
    """Set a table up whose rows are chosen one at a time, and whose header is its first line."""
    table.setAccessibleName(name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setShowGrid(False)
    table.setWordWrap(False)
    # Tab leaves the table, which may have thousands of cells; the arrow keys move in it.
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    table.horizontalHeader().setHighlightSections(False)


def alignment(right: bool) -> int:
    """The side of a cell's text: the right one for numbers, whose digits line up there also in a window from right to
    left, or the one where the text begins.
    """
    number = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
    return int((number if right else Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter)


class TextDelegate(QStyledItemDelegate):
    """Keeps a text that runs from left to right in its own order in a right-to-left window: 17.9–23.2 and +0.40."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        """Isolate the text of the cell.

        option: What the style is told about the cell; it is changed here.
        """
        super().initStyleOption(option, index)
        # Only there: elsewhere, a text that is mixed keeps the direction of the window, as it always had.
        if option.direction == Qt.LayoutDirection.RightToLeft and not reads_right_to_left(option.text):
            option.text = in_its_order(option.text)


class BarDelegate(TextDelegate):
    """Draws a cell's bar beside its figure, or its ticks along a line; a cell without either is drawn by the style."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one cell: its text, and its bar or its ticks if it has any.

        option: The cell's rectangle, font and state.
        """
        model = index.model()
        assert isinstance(model, PlainModel)
        cell = model.cell(index)
        # The view draws all its cells with this painter, one after another.
        painter.save()
        self._paint(painter, option, index, cell, model)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Room for both texts of a cell.

        Returns: Pixels, with a gap between the texts.
        """
        size = super().sizeHint(option, index)
        model = index.model()
        assert isinstance(model, PlainModel)
        cell = model.cell(index)
        if cell.bar is not None and cell.text:
            # Beside a figure, a bar of some length.
            return size + QSize(em(_BAR), 0)
        before = cell.before
        return size + QSize(QFontMetrics(option.font).horizontalAdvance(before) + 12, 0) if before else size

    def _paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: _Index, cell: Cell, model: PlainModel
    ) -> None:
        # A painter has the direction of the program, which a table may not follow.
        painter.setLayoutDirection(option.direction)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(option.rect, qcolor("select"))
        if cell.bar is None and cell.ticks is None:
            if cell.right:
                super().paint(painter, option, index)
                return
            # Also without a text before it: the texts of a column begin at one place.
            _draw_with_before(painter, option, cell, selected)
            return
        area = option.rect.adjusted(8, 5, -10, -5)
        if cell.bar is not None:
            text_width = QFontMetrics(option.font).horizontalAdvance(model.longest(index.column())) + 2
            painter.setPen(qcolor("text"))
            figure = area.adjusted(0, -4, 0, 4)
            figure.setWidth(text_width)
            bar = area.adjusted(text_width + 10 if cell.text else 0, 0, 0, 0)
            # In a window from right to left, the figures are at the right, and bars grow from them to the left.
            figure, bar = (QStyle.visualRect(option.direction, area, part) for part in (figure, bar))
            painter.drawText(figure, alignment(right=True), cell.text)
            _draw_bar(painter, QRectF(bar), cell.bar, option.direction == Qt.LayoutDirection.RightToLeft)
            return
        painter.setPen(qcolor("line"))
        painter.drawLine(area.left(), area.center().y(), area.right(), area.center().y())
        painter.setPen(qcolor("accent"))
        for place in cell.ticks or ():
            x = area.left() + round(place * (area.width() - 1))
            painter.drawLine(x, area.top(), x, area.bottom())


def _draw_bar(painter: QPainter, room: QRectF, share: float, mirrored: bool) -> None:
    """A bar in the middle of its row; what occurs at all is at least two pixels long."""
    height = em(0.7)
    width = max(2.0 if share else 0.0, room.width() * share)
    bar = QRectF(room.right() - width if mirrored else room.left(), room.center().y() - height / 2, width, height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qcolor("bar"))
    painter.drawRoundedRect(bar, 2, 2)


def _draw_with_before(painter: QPainter, option: QStyleOptionViewItem, cell: Cell, selected: bool) -> None:
    """The text, bold in a row that is selected, and before it as much as there is room for."""
    area = option.rect.adjusted(8, 0, -8, 0)
    font = QFont(option.font)
    font.setWeight(QFont.Weight.DemiBold if selected else QFont.Weight.Normal)
    metrics, usual = QFontMetrics(font), QFontMetrics(option.font)
    room = area.width() - metrics.horizontalAdvance(cell.text)
    before = usual.elidedText(cell.before, Qt.TextElideMode.ElideLeft, room) if room > 0 else ""
    # Together they are one text, in its own direction.
    joined = cell.before + cell.text
    right = reads_right_to_left(joined) if cell.before else option.direction == Qt.LayoutDirection.RightToLeft
    painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight)
    flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
    painter.setFont(option.font)
    painter.setPen(qcolor("muted"))
    painter.drawText(area, flags, before)
    painter.setFont(font)
    painter.setPen(qcolor("muted" if cell.muted else "text"))
    shown = metrics.elidedText(cell.text, Qt.TextElideMode.ElideLeft, area.width())
    moved = usual.horizontalAdvance(before)
    painter.drawText(area.adjusted(0 if right else moved, 0, -moved if right else 0, 0), flags, shown)


class PlainTable(QTableView):
    """A table of a `PlainModel`.

    name: Its name for assistive technology.
    wide: Columns that share the room that the others leave.
    yielding: Columns that are narrower than their texts where the wide ones have no room for their titles. Their cells
        need tool tips.
    sortable: Whether its header takes clicks and keys, which sort the rows.
    """

    def __init__(
        self,
        model: PlainModel,
        name: str,
        wide: Sequence[int] = (),
        parent: QWidget | None = None,
        yielding: Sequence[int] = (),
        sortable: bool = False,
    ) -> None:
        super().__init__(parent)
        self._wide, self._yielding = tuple(wide), tuple(yielding)
        self._cells = model
        self.setModel(model)
        if sortable:
            # Before the columns are fitted for the first time: the header has to know them by then.
            KeyedHeader(self)
        self._bars, self._texts = BarDelegate(self), TextDelegate(self)
        # Of the texts in a column, until the font or the theme changes.
        self._widths: dict[int, tuple[tuple[Cell, ...], int]] = {}
        read_by_rows(self, name)
        self._fit_rows()
        when_restyled(self, self._fit_rows)
        model.modelReset.connect(self._fit)

    def _fit_rows(self) -> None:
        self._widths.clear()
        rows = self.verticalHeader()
        # Not by the header's own font, which is still the old one.
        rows.setMinimumSectionSize(1)
        rows.setDefaultSectionSize(QFontMetrics(QApplication.font()).height() + 12)
        self._yield_room()

    def leave_out(self, column: int, left_out: bool) -> None:
        """Leave out a column in which there is nothing, until other rows are shown."""
        self.setColumnHidden(column, left_out)
        self._yield_room()

    def room(self) -> int:
        """The width for columns in the present width of its parent. Its own follows later, if it is not visible."""
        parent = self.parentWidget()
        layout = None if parent is None else parent.layout()
        if parent is None or layout is None:
            return self.viewport().width()
        margins, bar = layout.contentsMargins(), self.verticalScrollBar()
        taken = margins.left() + margins.right() + 2 * self.frameWidth()
        return parent.width() - taken - (bar.sizeHint().width() if bar.isVisibleTo(self) else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make room for the wide columns."""
        super().resizeEvent(event)
        self._yield_room()

    def _yield_room(self) -> None:
        """Narrow the columns that yield, as far as the titles of the wide ones need it."""
        header = self.horizontalHeader()
        columns = [column for column in range(self._cells.columnCount()) if not self.isColumnHidden(column)]
        if not self._yielding or not columns:
            return
        titles = {column: header.sectionSizeHint(column) for column in columns}
        needed = {
            column: titles[column] if column in self._wide else max(titles[column], self.sizeHintForColumn(column) + 1)
            for column in columns
        }
        short = sum(needed.values()) - self.viewport().width()
        # The longest text gives up most.
        yielding = (column for column in self._yielding if column in needed)
        for column in sorted(yielding, key=lambda each: titles[each] - needed[each]):
            given = max(0, min(short, needed[column] - titles[column]))
            short -= given
            self.setColumnWidth(column, needed[column] - given)

    def changeEvent(self, event: QEvent) -> None:
        """Keep the titles over their columns, and the columns as wide as their texts in another font."""
        super().changeEvent(event)
        # The style may bring the font after `_fit_rows`. Qt already calls this from its own constructor.
        if event.type() == QEvent.Type.StyleChange and "_widths" in self.__dict__:
            self._widths.clear()
            self._fit()
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._cells.keeps_sides = self.layoutDirection() == Qt.LayoutDirection.LeftToRight

    def sizeHintForColumn(self, column: int) -> int:
        """Room for the longest texts. Qt would measure a thousand rows, which takes 0.3 s."""
        # A table is shown again with every move of a slider, mostly with the same texts.
        cells, (known, width) = self._cells.long_cells(column), self._widths.get(column, ((), 0))
        if cells and cells != known:
            rows = self._cells.long_rows(column)
            width = max(self.sizeHintForIndex(self._cells.index(row, column)).width() for row in rows)
            self._widths[column] = cells, width
        return width if cells else 0

    def _fit(self) -> None:
        header = self.horizontalHeader()
        for column in range(self._cells.columnCount()):
            wide = column in self._wide
            mode = QHeaderView.ResizeMode.Stretch if wide else QHeaderView.ResizeMode.ResizeToContents
            if column in self._yielding:
                mode = QHeaderView.ResizeMode.Fixed
            header.setSectionResizeMode(column, mode)
            # Only where it is needed: Qt's own delegate paints the other columns without calling Python.
            usual = self._texts if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else None
            drawn = self._cells.is_drawn(column)
            self.setItemDelegateForColumn(column, self._bars if drawn else usual)  # type: ignore[arg-type]
        self._yield_room()
