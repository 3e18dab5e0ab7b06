"""The KWIC table: contexts that meet at the match, cut at their far ends; any number of lines."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QScrollBar, QTableView, QWidget

from explorer.gui.screen import named, text_order
from explorer.gui.screens.search.delegate import ContextDelegate
from explorer.gui.screens.search.model import DOCUMENT, FIXED, LEFT, MATCH, NUMBER, POSITION, RIGHT, KwicModel
from explorer.gui.surfaces import when_restyled
from explorer.gui.theme import monospace
from explorer.i18n import numeral, tr

_MOST_STEPS = 1 << 30
_NEAR = 400
"""Rows from an end of the model's window at which it is moved."""


class KwicTable(QTableView):
    """Shows a `KwicModel` and asks it for the rows in view. `opened(int)`: a line was chosen, by its number.

    `bar` is the scroll bar over all lines, next to the table.
    """

    opened = Signal(int)

    def __init__(self, model: KwicModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = model
        self._moving = False
        text_order(self)
        self.bar = named(QScrollBar(Qt.Orientation.Vertical), tr("Lines"))
        self.marks = ContextDelegate(self)
        self.setModel(model)
        self.setItemDelegateForColumn(LEFT, self.marks)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setAccessibleName(tr("Concordance"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.verticalHeader().hide()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._timer = QTimer(self, singleShot=True, interval=15)
        self._timer.timeout.connect(self.fetch_visible)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.bar.valueChanged.connect(self._bar_moved)
        model.modelReset.connect(self._reset)
        self._fit = QTimer(self, singleShot=True, interval=0)
        self._fit.timeout.connect(self._fit_columns)
        self._fit.timeout.connect(self._choose_delegate)
        model.dataChanged.connect(lambda *_: self._fit.start())
        self.doubleClicked.connect(lambda index: self.opened.emit(self._rows.base + index.row()))
        self.setColumnHidden(POSITION, True)
        self.use_font(True)
        when_restyled(self, lambda: self.use_font(self._fixed))

    def use_font(self, fixed: bool) -> None:
        """A font of fixed width, or the interface's."""
        self._fixed = fixed
        font = monospace() if fixed else QFont(QApplication.font())
        self.setFont(font)
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        # Not by the header's own font, which is still the old one.
        rows.setMinimumSectionSize(1)
        rows.setDefaultSectionSize(QFontMetrics(font).height() + 9)
        self._fit_columns()

    def mark_levels(self, places: tuple[int, ...]) -> None:
        """Mark the words that lines are sorted by."""
        self.marks.levels = places
        self._choose_delegate()
        self.viewport().update()

    def _choose_delegate(self) -> None:
        """Only if needed: Qt's own delegate paints the right context of plain lines without calling Python."""
        needed = any(place > 0 for place in self.marks.levels) or self._rows.has_marks()
        self.setItemDelegateForColumn(RIGHT, self.marks if needed else None)  # type: ignore[arg-type]
        joined = self._rows.has_joined()
        self.setItemDelegateForColumn(MATCH, self.marks if joined else None)  # type: ignore[arg-type]

    def page(self) -> int:
        """Rows that fit into the view."""
        return max(1, self.viewport().height() // max(1, self.verticalHeader().defaultSectionSize()))

    def visible_rows(self) -> tuple[int, int]:
        """First row of the model in view, and one past the last."""
        first = max(0, self.rowAt(0))
        return first, min(self._rows.rowCount(), first + self.page() + 2)

    def current_line(self) -> int:
        """Number of the current line, -1 if there is none."""
        index = self.currentIndex()
        return self._rows.base + index.row() if index.isValid() else -1

    def selected_lines(self) -> list[int]:
        """Numbers of the selected lines, in order."""
        return sorted(self._rows.base + index.row() for index in self.selectionModel().selectedRows())

    def fetch_visible(self) -> None:
        """Ask for the rows in view."""
        self._rows.want(*self.visible_rows())

    def go_to(self, line: int) -> None:
        """Make a line the current one and bring it into view."""
        if not 0 <= line < self._rows.total:
            return
        row = line - self._rows.base
        if not _NEAR <= row < self._rows.rowCount() - _NEAR:
            self._move_window(line)
            row = line - self._rows.base
        self.setCurrentIndex(self._rows.index(row, MATCH))
        self.scrollTo(self._rows.index(row, MATCH))
        self._timer.start()

    def _move_window(self, line: int) -> None:
        self._moving = True
        self._rows.move_window(line)
        self._moving = False

    def _scroll_to_top_line(self, line: int) -> None:
        row = line - self._rows.base
        if not (row >= _NEAR or self._rows.base == 0) or row + self.page() + _NEAR > self._rows.rowCount():
            self._move_window(line)
        self.verticalScrollBar().setValue(line - self._rows.base)

    def _scale(self) -> int:
        """Lines per step of the scroll bar: one, unless there are more than it can count."""
        return self._rows.total // _MOST_STEPS + 1

    def _bar_moved(self, value: int) -> None:
        self._scroll_to_top_line(min(value * self._scale(), max(0, self._rows.total - self.page())))
        self._timer.start()

    def _scrolled(self, row: int) -> None:
        self._timer.start()
        if self._moving:
            return
        line = self._rows.base + row
        at_end = row + self.page() + _NEAR > self._rows.rowCount() < self._rows.total - self._rows.base
        if at_end or (row < _NEAR and self._rows.base > 0):
            current = self.current_line()
            self._move_window(line)
            self._moving = True
            if 0 <= current - self._rows.base < self._rows.rowCount():
                self.setCurrentIndex(self._rows.index(current - self._rows.base, MATCH))
            self.verticalScrollBar().setValue(line - self._rows.base)
            self._moving = False
        self._follow(line)

    def _follow(self, line: int) -> None:
        with QSignalBlocker(self.bar):
            self.bar.setValue(line // self._scale())

    def _fit_bar(self) -> None:
        scale = self._scale()
        with QSignalBlocker(self.bar):
            self.bar.setRange(0, max(0, self._rows.total - self.page()) // scale)
            self.bar.setPageStep(max(1, self.page() // scale))
        self.bar.setVisible(self._rows.total > self.page())

    def _reset(self) -> None:
        if not self._moving:
            self.scrollToTop()
            self._follow(0)
        self._fit_bar()
        self._fit_columns()
        self._choose_delegate()
        self._timer.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Distribute the width again."""
        super().resizeEvent(event)
        self._fit_bar()
        self._fit_columns()
        self._timer.start()

    def setColumnHidden(self, column: int, hide: bool) -> None:
        """Show or hide a column, and share out the width again.

        Parameters
        ----------
        column
            The number of the column.
        hide
            Whether to hide it.
        """
        super().setColumnHidden(column, hide)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Number and match get the width they need, the document a fifth; the contexts share the rest."""
        metrics = QFontMetrics(self.font())
        width = self.viewport().width()
        extra = [c for c in range(POSITION, self._rows.columnCount()) if not self.isColumnHidden(c)]
        sizes = {column: min(self._widest(metrics, column, 70) + 18, width // 6) for column in extra}
        sizes[NUMBER] = max(
            metrics.horizontalAdvance(numeral(max(1000, self._rows.total))) + 22, self._widest(metrics, NUMBER, 0) + 22
        )
        sizes[DOCUMENT] = 0 if self.isColumnHidden(DOCUMENT) else min(width // 5, 260)
        room = max(0, width - sum(sizes.values()))
        sizes[MATCH] = min(room // 3, max(90, self._widest(metrics, MATCH, 0) * 27 // 25 + 26))
        sizes[LEFT] = (room - sizes[MATCH]) // 2
        sizes[RIGHT] = room - sizes[MATCH] - sizes[LEFT]
        narrow = max(1, metrics.horizontalAdvance("i"))
        self._rows.room = {column: size // narrow + 2 for column, size in sizes.items()}
        for column, size in sizes.items():
            self.setColumnWidth(column, size)

    def _widest(self, metrics: QFontMetrics, column: int, least: int) -> int:
        """Width of the longest text of a column among the rows in view, its header included."""
        first, last = self.visible_rows()
        texts = [self._rows.text(row, column) for row in range(first, last)]
        if column >= FIXED or column == POSITION:
            texts.append(str(self._rows.headerData(column, Qt.Orientation.Horizontal)))
        return max([least, *(metrics.horizontalAdvance(text) for text in texts)])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the document of the current line; Home and End go to the first and the last of all."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.current_line())
            return
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and self._rows.total:
            self.go_to(0 if event.key() == Qt.Key.Key_Home else self._rows.total - 1)
            return
        super().keyPressEvent(event)
