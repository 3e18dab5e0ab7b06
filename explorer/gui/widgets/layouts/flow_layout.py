"""A layout that wraps: each line has as many widgets as fit."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QLayoutItem, QStyle, QWidget


def flowing(*widgets: QWidget, gap: int = 8) -> QWidget:
    """Put widgets into a row that wraps.

    widgets: The widgets in their order.
    """
    holder = QWidget()
    layout = FlowLayout(holder, gap)
    for widget in widgets:
        layout.addWidget(widget)
    return holder


def side_by_side(*widgets: QWidget) -> QWidget:
    """Widgets in a row that does not wrap, as one widget."""
    group = QWidget()
    group.setMinimumHeight(38)
    layout = QHBoxLayout(group)
    layout.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        layout.addWidget(widget)
    return group


def together(*widgets: QWidget, gap: int = 8) -> QWidget:
    """Put widgets that wrap as one into a row, such as a box and its name.

    widgets: The widgets in their order.
    """
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(gap)
    for widget in widgets:
        row.addWidget(widget)
    return holder


class FlowLayout(QLayout):
    """Puts widgets side by side, in the `middle` or at the top of each line; a full line begins a new one.

    `centered`: each line is in the middle of the width.
    """

    def __init__(
        self, parent: QWidget | None = None, gap: int = 10, middle: bool = True, centered: bool = False
    ) -> None:
        super().__init__(parent)
        self._middle, self._centered = middle, centered
        self._items: list[QLayoutItem] = []
        self._gap = gap
        # Heights by widths, until something changes: one change of a page asks for the same ones dozens of times.
        self._heights: dict[int, int] = {}
        self.setContentsMargins(0, 0, 0, 0)

    @property
    def gap(self) -> int:
        """Pixels between two widgets."""
        return self._gap

    def addItem(self, item: QLayoutItem) -> None:
        """Take a widget's item."""
        self._items.append(item)

    def count(self) -> int:
        """Number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """An item, or None beyond the last."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove an item and return it."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It expands in no direction."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The height depends on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines at this width."""
        # Qt asks for many widths while it lays out; measuring must not move anything.
        if width not in self._heights:
            self._heights[width] = self._place(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def invalidate(self) -> None:
        """Measure again: a widget was added, shown, hidden, or has another size."""
        self._heights.clear()
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:
        """Place the widgets."""
        # Qt's own first: it keeps the rectangle, by which `geometry` answers.
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        """The minimum size; the height follows from the width."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """The largest single widget."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, move: bool) -> int:
        """The height of all lines; `move`: place the widgets."""
        y = rect.y()
        for line in self._lines(rect.width()):
            high = max(size.height() for _, size in line)
            # In a window that runs from right to left, `visualRect` mirrors each place below.
            spare = rect.width() - sum(size.width() for _, size in line) - self._gap * (len(line) - 1)
            x = rect.x() + (max(0, spare) // 2 if self._centered else 0)
            for item, size in line if move else ():
                below = (high - size.height()) // 2 if self._middle else 0
                item.setGeometry(QStyle.visualRect(self._direction(), rect, QRect(QPoint(x, y + below), size)))
                x += size.width() + self._gap
            y += high + self._gap // 2
        return max(0, y - self._gap // 2 - rect.y())

    def _direction(self) -> Qt.LayoutDirection:
        """The direction in which lines run: that of the window's language."""
        holder = self.parentWidget()
        return holder.layoutDirection() if holder is not None else Qt.LayoutDirection.LeftToRight

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """The items of each line with their sizes; one that is too wide gets its own line, cut to the width."""
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        room = 0
        # What is hidden takes no room, and no gap either.
        for item in (each for each in self._items if not each.isEmpty()):
            size = item.sizeHint()
            # The first item begins a line even if it is 0 wide, and so fits into no room.
            if not lines or size.width() > room:
                lines.append([])
                room = width
            size.setWidth(min(size.width(), max(width, item.minimumSize().width())))
            lines[-1].append((item, size))
            room -= size.width() + self._gap
        return lines
