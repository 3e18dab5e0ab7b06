"""The table of next tokens."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.gui.screens.next_token.work import NextRow
from explorer.gui.theme import monospace, qcolor
from explorer.i18n import mark, numeral, tr

TOKEN, PROBABILITY, COUNT, ID = range(4)
_HEADERS = (mark("Token"), mark("Probability"), mark("Count"), mark("Id"))
_Index = QModelIndex | QPersistentModelIndex


class NextTokenModel(QAbstractTableModel):
    """Rows of a next-token distribution, most frequent first."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._rows: tuple[NextRow, ...] = ()

    def show(self, rows: tuple[NextRow, ...]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def row(self, number: int) -> NextRow:
        """A row."""
        return self._rows[number]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Distinct next tokens."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Token, probability, count, id."""
        return 0 if parent.isValid() else len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the columns' names, aligned as their cells.

        Parameters
        ----------
        section
            The number of the column.
        orientation
            Only the horizontal header has names.
        role
            What Qt asks for.

        Returns
        -------
        Any
            The name, its alignment, or None.
        """
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(_HEADERS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(_HEADERS[section])
        return _alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give a cell; UserRole of the probability is the number itself.

        Parameters
        ----------
        index
            The cell.
        role
            What Qt asks for.

        Returns
        -------
        Any
            The value, or None.
        """
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.FontRole and column == TOKEN:
            return monospace()
        if role == Qt.ItemDataRole.ForegroundRole and column == ID:
            return qcolor("muted")
        # The delegate draws its bar from the number; the text of the cell is rounded and in the locale's format.
        if role == Qt.ItemDataRole.UserRole and column == PROBABILITY:
            return row.probability
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return (row.text, numeral(row.probability, ".2%"), numeral(row.count), str(row.token))[column]
        return None


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignLeft if column in (TOKEN, PROBABILITY) else Qt.AlignmentFlag.AlignRight
    return int(side | Qt.AlignmentFlag.AlignVCenter)


class ProbabilityDelegate(QStyledItemDelegate):
    """Draws a bar as long as the probability, with the figure before it."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one cell: the probability, and a bar of its length.

        Parameters
        ----------
        painter
            Where to draw.
        option
            The cell's rectangle, font and state.
        index
            The cell.
        """
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, qcolor("select"))
        share = float(index.data(Qt.ItemDataRole.UserRole) or 0.0)
        area = option.rect.adjusted(8, 6, -10, -6)
        text_width = option.fontMetrics.horizontalAdvance("100.00%") + 10
        painter.setPen(qcolor("text"))
        figure = area.adjusted(0, -4, 0, 4)
        figure.setWidth(text_width - 10)
        painter.drawText(figure, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(index.data()))
        bar = area.adjusted(text_width, 0, 0, 0)
        # At least two pixels: a token that follows once in a million times does follow.
        bar.setWidth(max(2, int(bar.width() * share)))
        painter.fillRect(bar, qcolor("bar"))
