"""The KWIC table: contexts that meet at the match, cut at their far ends; any number of lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QScrollBar, QTableView, QWidget

from explorer.gui.screens.screen import named, text_order
from explorer.gui.screens.search.lines.column_layout import CONTEXTS, ColumnLayout, Room, share_out
from explorer.gui.screens.search.lines.delegate import LineDelegate
from explorer.gui.screens.search.lines.header import LinesHeader
from explorer.gui.screens.search.lines.model import MATCH, NUMBER, KwicModel
from explorer.gui.screens.search.lines.texts import Look
from explorer.gui.screens.search.work import Row
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em, monospace
from explorer.i18n import numeral, tr

_MOST_STEPS = 1 << 30
_ROW_EMS, _PADDING_EMS, _MOST_EMS = 2.0, 1.5, 14.0
"""The height of a row, the room at the sides of a cell, and the most that a document or a field gets."""
_SIGNS_EMS, _WIDE_EMS = 2.6, 60.0
_BOLD = 1.08
"""How much wider bold text is."""
_NARROW = 0.75
"""The narrowest usual text, as a share of the mean width of a character."""
_MOST_MEASURED = 200
_MOST_NEW = 12
"""Rows that are laid out in one frame while the lines are scrolled."""
_NEAR = 400
"""Rows from an end of the model's window at which it is moved."""


class KwicTable(QTableView):
    """Shows a `KwicModel` and asks it for the rows in view.

    Signals: `opened(int)`, a line was chosen, by its number; `room_changed(int)`, characters that a context has room
    for. `bar` is the scroll bar over all lines, next to the table.
    """

    opened = Signal(int)
    room_changed = Signal(int)

    def __init__(self, model: KwicModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = model
        self._moving = False
        self._fixed = False
        # What is wanted; what there is room for follows from the width.
        self._layout = ColumnLayout()
        self._natural: dict[str, int] = {}
        self.keys: dict[str, Callable[[], object]] = {}
        """What further keys do, by their names."""
        self.without_room: tuple[str, ...] = ()
        """Columns that are wanted, but for which the window is too narrow."""
        text_order(self)
        self.bar = named(QScrollBar(Qt.Orientation.Vertical), tr("Lines"))
        self.delegate = LineDelegate(model, self)
        self.header = LinesHeader(model, self)
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        self.setMouseTracking(True)
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
        self._timer = QTimer(self, singleShot=True, interval=15)
        self._timer.timeout.connect(self.fetch_visible)
        self._scrolling = QTimer(self, singleShot=True, interval=100)
        self._next_frame = QTimer(self, singleShot=True, interval=10)
        self._next_frame.timeout.connect(self.viewport().update)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.bar.valueChanged.connect(self._bar_moved)
        model.modelReset.connect(self._reset)
        self._fit = QTimer(self, singleShot=True, interval=0)
        self._fit.timeout.connect(self.fit_columns)
        model.dataChanged.connect(lambda *_: self._fit.start())
        self.doubleClicked.connect(lambda index: self.opened.emit(self._rows.base + index.row()))
        self.use_font(False)
        when_restyled(self, lambda: self.use_font(self._fixed))

    def use_font(self, fixed: bool) -> None:
        """A font of fixed width, or the interface's."""
        self._fixed = fixed
        font = monospace() if fixed else QFont(QApplication.font())
        self.setFont(font)
        self.delegate.forget()
        self._fit_rows()
        self.fit_columns()

    def show_look(self, look: Look) -> None:
        """Mark the words that lines are sorted by, and let contexts take a number of lines of text."""
        if look == self.delegate.look:
            return
        self.delegate.show(look)
        self._fit_rows()
        self.fit_columns()
        self.viewport().update()

    def _fit_rows(self) -> None:
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        # Not by the header's own font, which is still the old one.
        rows.setMinimumSectionSize(1)
        line = QFontMetrics(self.font()).height()
        rows.setDefaultSectionSize(max(em(_ROW_EMS), line + 6) + (self.delegate.look.rows - 1) * line)

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

    def row_of(self, line: int) -> Row | None:
        """A line if it has been fetched."""
        return self._rows.row(line - self._rows.base)

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

    def _bar_moved(self, value: int) -> None:
        self._scroll_to_top_line(min(value * _lines_per_step(self._rows.total), max(0, self._rows.total - self.page())))
        self._timer.start()

    def _scrolled(self, row: int) -> None:
        self._timer.start()
        self._scrolling.start()
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
            self.bar.setValue(line // _lines_per_step(self._rows.total))

    def _fit_bar(self) -> None:
        scale = _lines_per_step(self._rows.total)
        with QSignalBlocker(self.bar):
            self.bar.setRange(0, max(0, self._rows.total - self.page()) // scale)
            self.bar.setPageStep(max(1, self.page() // scale))
        self.bar.setVisible(self._rows.total > self.page())

    def _reset(self) -> None:
        if not self._moving:
            self.scrollToTop()
            self._follow(0)
            self._natural.clear()
        self._fit_bar()
        self.fit_columns()
        self._timer.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Distribute the width again."""
        super().resizeEvent(event)
        self._fit_bar()
        self.fit_columns()
        self._timer.start()

    def show_columns(self, layout: ColumnLayout) -> None:
        """Show these columns."""
        if layout != self._layout:
            self._layout = layout
            self._natural.clear()
            self.fit_columns()

    def fit_columns(self) -> None:
        """Distribute the width, and tell how much text a context has room for."""
        metrics = QFontMetrics(self.font())
        known = self._rows.keys()
        # The model gets the columns of new fields together with their lines.
        layout = replace(self._layout, fields=self._rows.layout_of_lines.fields)
        for key in layout.shown:
            if key not in CONTEXTS:
                self._natural[key] = max(self._natural.get(key, 0), self._needed(metrics, known.index(key)))
        # A pure function decides; here its answer is only applied.
        widths = share_out(Room(self.viewport().width(), em(1)), layout, self._natural)
        self.header.place(widths)
        self.without_room = tuple(key for key in layout.shown if key not in widths)
        widest = max((width for key, width in widths.items() if key in CONTEXTS), default=0)
        # After the columns have their widths: rows are read for the wider context.
        self.room_changed.emit(self.delegate.look.rows * round(widest / (_NARROW * max(1, metrics.averageCharWidth()))))

    def _needed(self, metrics: QFontMetrics, column: int) -> int:
        """The width that a column needs for its header and the rows in view, within limits."""
        first, last = self.visible_rows()
        texts = [self._rows.text(row, column) for row in range(first, last)]
        if column == NUMBER:
            texts.append(numeral(max(1000, self._rows.total)))
        else:
            texts.append(str(self._rows.headerData(column, Qt.Orientation.Horizontal)) + " ↑")
        wider = _BOLD if column == MATCH else 1.0
        widest = max((metrics.horizontalAdvance(text[:_MOST_MEASURED]) for text in texts), default=0)
        room = round(wider * widest) + em(_PADDING_EMS)
        if column == NUMBER and (self.viewport().width() >= em(_WIDE_EMS) or self._signed(first, last)):
            # Room for the signs of a mark and a note before the number; in a narrow table, only beside some.
            room += em(_SIGNS_EMS)
        return room if column in (NUMBER, MATCH) else min(room, em(_MOST_EMS), self.viewport().width() // 4)

    def _signed(self, first: int, last: int) -> bool:
        return any(self.delegate.signs_of(self._rows.base + row) for row in range(first, last))

    def viewportEvent(self, event: QEvent) -> bool:
        """Follow the pointer: the row below it is shown."""
        painting = event.type() == QEvent.Type.Paint
        if painting:
            # While rows are scrolled, so few new ones that a frame is painted in time.
            self.delegate.most_new = _MOST_NEW if self._scrolling.isActive() else self._rows.rowCount()
            self.delegate.begin()
        elif event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._hover(self.rowAt(round(event.position().y())))
        elif event.type() in (QEvent.Type.Leave, QEvent.Type.HoverLeave):
            self._hover(-1)
        handled = super().viewportEvent(event)
        if painting and self.delegate.late:
            self._next_frame.start()
        return handled

    def _hover(self, row: int) -> None:
        before, self.delegate.hovered = self.delegate.hovered, row
        # Two rows are painted again, not the page.
        if row != before:
            height = self.verticalHeader().defaultSectionSize()
            for each in {before, row} - {-1}:
                top = self.rowViewportPosition(each)
                self.viewport().update(0, top, self.viewport().width(), height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the document of the current line; Home and End go to the first and the last of all."""
        if act := self.keys.get(QKeySequence(event.keyCombination()).toString()):
            act()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.current_line())
            return
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and self._rows.total:
            self.go_to(0 if event.key() == Qt.Key.Key_Home else self._rows.total - 1)
            return
        super().keyPressEvent(event)


def _lines_per_step(total: int) -> int:
    """Lines per step of the scroll bar: one, unless there are more than it can count."""
    return total // _MOST_STEPS + 1
