"""A header of a table that the keyboard reaches: arrows go from column to column, Enter sorts."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QTableView

from explorer.gui.widgets.painting import ring
from explorer.i18n import tr


class KeyedHeader(QHeaderView):
    """The horizontal header of a table whose columns can be sorted by a click.

    Parameters
    ----------
    table
        The table, which gets this header in place of its own; its settings have to be made again.
    """

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._current = 0
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Column headers"))
        table.setHorizontalHeader(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a column with the arrows; Enter or Space does what a click does."""
        key = Qt.Key(event.key())
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key in steps:
            # Columns are mirrored in a window from right to left, and so are the keys.
            side = -steps[key] if self.isRightToLeft() else steps[key]
            place = max(0, min(self.visualIndex(self._current) + side, self.count() - 1))
            self._current = self.logicalIndex(place)
            self.viewport().update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._current < self.count():
            self._sort()
        else:
            super().keyPressEvent(event)

    def _sort(self) -> None:
        table = self.parent()
        if isinstance(table, QTableView) and table.isSortingEnabled():
            # As Qt does at a click: the other direction, if the table is sorted by this column.
            same = self.sortIndicatorSection() == self._current
            down = same and self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
            self.setSortIndicator(self._current, Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder)
        self.sectionClicked.emit(self._current)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show which column keys are for."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Do not show it any more."""
        super().focusOutEvent(event)
        self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw a column's name, with a ring if keys are for it.

        Parameters
        ----------
        painter
            Where to draw.
        rect
            The place of the column.
        section
            Its number.
        """
        painter.save()
        super().paintSection(painter, rect, section)
        painter.restore()
        if self.hasFocus() and section == self._current:
            ring(painter, QRectF(rect), 4)
