"""A header of a table that the keyboard reaches: arrows go from column to column, Enter sorts."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QTableView

from explorer.gui.widgets.painting import ring
from explorer.i18n import tr

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class KeyedHeader(QHeaderView):
    """The horizontal header of a table whose columns can be sorted by a click.

    table: The table, which gets this header in place of its own; its settings have to be made again.
    """

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._current = 0
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Column headers"))
        table.setHorizontalHeader(self)

    def shown(self) -> list[int]:
        """The numbers of the shown columns, from left to right."""
        order = (self.logicalIndex(visual) for visual in range(self.count()))
        return [logical for logical in order if not self.isSectionHidden(logical)]

    def current(self) -> int:
        """The column that keys are for; -1 if no column is shown."""
        shown = self.shown()
        # By its number and not its place, so that a column stays current while it is moved.
        return self._current if self._current in shown else next(iter(shown), -1)

    def choose_sort(self, section: int) -> None:
        """Sort by a column, as a click on its header does."""
        table = self.parent()
        if isinstance(table, QTableView) and table.isSortingEnabled():
            # As Qt does at a click: the other direction, if the table is sorted by this column.
            same = self.sortIndicatorSection() == section
            down = same and self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
            self.setSortIndicator(section, Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder)
        self.sectionClicked.emit(section)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a column with the arrows; Enter or Space does what a click does."""
        key, current = Qt.Key(event.key()), self.current()
        if current < 0:
            super().keyPressEvent(event)
        elif key in _STEPS:
            # Columns are mirrored in a window from right to left, and so are the keys.
            side = -_STEPS[key] if self.isRightToLeft() else _STEPS[key]
            shown = self.shown()
            self._current = shown[max(0, min(shown.index(current) + side, len(shown) - 1))]
            self.viewport().update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.choose_sort(current)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show which column keys are for."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Do not show it any more."""
        super().focusOutEvent(event)
        self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw a column's name, with a ring if keys are for it."""
        # The ring is drawn here for every header: it is the same everywhere.
        painter.save()
        self.draw_name(painter, rect, section)
        painter.restore()
        if self.hasFocus() and section == self.current():
            ring(painter, QRectF(rect), 4)

    def draw_name(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw a column's name as the style does.

        painter: Where to draw; what is set in it is restored afterwards.
        """
        super().paintSection(painter, rect, section)
