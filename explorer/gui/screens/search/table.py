"""The KWIC table: contexts that meet at the match, cut at their far ends."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from explorer.gui.screens.search.model import DOCUMENT, LEFT, MATCH, NUMBER, RIGHT, KwicModel
from explorer.gui.theme import monospace


class _ContextDelegate(QStyledItemDelegate):
    """Cuts the left context at its left end, the others at their right."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Fill in the side at which a cell is cut."""
        super().initStyleOption(option, index)
        left = index.column() == LEFT
        option.textElideMode = Qt.TextElideMode.ElideLeft if left else Qt.TextElideMode.ElideRight


class KwicTable(QTableView):
    """Shows a `KwicModel`; asks it for what is in view. `opened(int)`: a row was chosen."""

    opened = Signal(int)

    def __init__(self, model: KwicModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = model
        self.setModel(model)
        self.setItemDelegate(_ContextDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setAccessibleName("Concordance")
        self.verticalHeader().hide()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._set_font()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._timer = QTimer(self, singleShot=True, interval=15)
        self._timer.timeout.connect(self.fetch_visible)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._timer.start())
        model.modelReset.connect(self._reset)
        model.dataChanged.connect(lambda *_: self._fit_columns())
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))

    def _set_font(self) -> None:
        font = monospace()
        self.setFont(font)
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(QFontMetrics(font).height() + 9)

    def visible_rows(self) -> tuple[int, int]:
        """First row in view, and one past the last."""
        height = max(1, self.verticalHeader().defaultSectionSize())
        first = max(0, self.rowAt(0))
        return first, min(self._rows.rowCount(), first + self.viewport().height() // height + 2)

    def fetch_visible(self) -> None:
        """Ask for the rows in view."""
        self._rows.want(*self.visible_rows())

    def _reset(self) -> None:
        self.scrollToTop()
        self._fit_columns()
        self._timer.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share out the width again."""
        super().resizeEvent(event)
        self._fit_columns()
        self._timer.start()

    def _fit_columns(self) -> None:
        """Number and match as wide as they need, a fifth for the document, the contexts share the rest."""
        metrics = QFontMetrics(self.font())
        width = self.viewport().width()
        number = metrics.horizontalAdvance(f"{max(1000, self._rows.rowCount()):,}") + 22
        document = min(width // 5, 260)
        room = max(0, width - number - document)
        match = min(room // 3, max(90, self._widest_match(metrics) + 26))
        context = (room - match) // 2
        for column, size in ((NUMBER, number), (LEFT, context), (MATCH, match), (RIGHT, context), (DOCUMENT, document)):
            self.setColumnWidth(column, size)

    def _widest_match(self, metrics: QFontMetrics) -> int:
        """Width of the longest match among the rows in view."""
        first, last = self.visible_rows()
        texts = [str(self._rows.index(row, MATCH).data()) for row in range(first, last)]
        return int(1.08 * max((metrics.horizontalAdvance(text) for text in texts), default=0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the document of the current line."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)
