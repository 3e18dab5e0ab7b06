"""How many items have some share, drawn, with a threshold that is dragged."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gui.screens.curation.contamination.items.judging import LEAST, MOST
from explorer.gui.style.theme import em, font_of, qcolor, scaled
from explorer.gui.widgets.painting import ring
from explorer.i18n import numeral, tr


class ShareBars(QWidget):
    """A bar for each range of shares; heights are square roots, so that few items are seen, too.

    Signals: `moved(int)`, the user chose this threshold in percent; it changes while the marker is dragged.
    """

    moved = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setToolTip(tr("Drag the threshold, or move it by the arrow keys. Heights are square roots."))
        self._name, self._told = name, ""
        self._counts: tuple[int, ...] = ()
        self._threshold = LEAST

    def show_counts(self, counts: Sequence[int]) -> None:
        """Draw the items of another benchmark.

        counts: How many items have each share; empty for none.
        """
        self._counts = tuple(counts)
        self.setCursor(Qt.CursorShape.SizeHorCursor if self._counts else Qt.CursorShape.ArrowCursor)
        self.update()

    def show_threshold(self, percent: int, told: str) -> None:
        """Draw the threshold elsewhere."""
        if (percent, told) != (self._threshold, self._told):
            self._threshold, self._told = percent, told
            self.setAccessibleDescription(told)
            self.update()

    # --- the threshold -------------------------------------------------------------------------------

    def percent_at(self, x: float) -> int:
        """The threshold at a place, in pixels from the left edge."""
        area = self._area()
        return min(MOST, max(LEAST, round(MOST * (x - area.left()) / area.width())))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the threshold to the pointer."""
        if event.button() == Qt.MouseButton.LeftButton and self._counts:
            self.moved.emit(self.percent_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the threshold."""
        if event.buttons() & Qt.MouseButton.LeftButton and self._counts:
            self.moved.emit(self.percent_at(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move the threshold by a percent, Page Up and Page Down by ten; Home and End to the ends."""
        keys = Qt.Key
        steps = {keys.Key_Left: -1, keys.Key_Right: 1, keys.Key_PageDown: -10, keys.Key_PageUp: 10}
        ends = {keys.Key_Home: LEAST, keys.Key_End: MOST}
        key = Qt.Key(event.key())
        if (key not in steps and key not in ends) or not self._counts:
            super().keyPressEvent(event)
            return
        self.moved.emit(ends.get(key, min(MOST, max(LEAST, self._threshold + steps.get(key, 0)))))

    # --- painting ------------------------------------------------------------------------------------

    def _area(self) -> QRectF:
        line, pad = em(1.3), scaled(16)
        top = scaled(6) + line
        return QRectF(pad, top, max(10.0, self.width() - 2 * pad), max(4.0, self.height() - top - line - scaled(2)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The bars, what the threshold comes to, and the threshold."""
        painter = QPainter(self)
        # Shares grow from left to right everywhere.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._paint_words(painter)
        if self._counts:
            self._paint_bars(painter)
            self._paint_threshold(painter)
        if self.hasFocus():
            ring(painter, QRectF(self.rect()), 6)
        painter.end()

    def _paint_words(self, painter: QPainter) -> None:
        area, line = self._area(), em(1.3)
        painter.setFont(font_of(0.85))
        painter.setPen(qcolor("muted"))
        below = area.bottom() + scaled(2)
        for percent in (0, 25, 50, 75, 100):
            x = area.left() + area.width() * percent / MOST
            room = QRectF(min(max(0.0, x - em(2)), self.width() - em(4)), below, em(4), line)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, tr("{percent} %", percent=numeral(percent)))
        above = QRectF(area.left(), scaled(3), area.width(), line)
        middle = Qt.AlignmentFlag.AlignVCenter
        metrics = painter.fontMetrics()
        told = metrics.horizontalAdvance(self._told)
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, max(0, int(above.width() - told - em(1))))
        painter.drawText(above, Qt.AlignmentFlag.AlignLeft | middle, name)
        painter.setFont(font_of(0.85, 600))
        painter.setPen(qcolor("text"))
        painter.drawText(above, Qt.AlignmentFlag.AlignRight | middle, self._told)

    def _paint_bars(self, painter: QPainter) -> None:
        area, most = self._area(), max(self._counts)
        width = area.width() / len(self._counts)
        limit = area.left() + area.width() * self._threshold / MOST
        for place, count in enumerate(self._counts):
            tall = max(2.0, area.height() * sqrt(count / most)) if count else 0.0
            left = area.left() + place * width
            bar = QRectF(left + width * 0.1, area.bottom() - tall, width * 0.8, tall)
            # A range that the threshold divides is drawn in both colors.
            before = QRectF(bar.left(), bar.top(), min(bar.width(), max(0.0, limit - bar.left())), tall)
            painter.fillRect(before, qcolor("bar"))
            painter.fillRect(QRectF(before.right(), bar.top(), bar.width() - before.width(), tall), qcolor("accent"))
        painter.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), qcolor("line_strong"))

    def _paint_threshold(self, painter: QPainter) -> None:
        area = self._area()
        x = area.left() + area.width() * self._threshold / MOST
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(qcolor("text"), max(1, scaled(1.5))))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        grip = QRectF(x - scaled(4), area.bottom() - scaled(6), scaled(8), scaled(12))
        painter.setBrush(qcolor("surface"))
        painter.drawRoundedRect(grip, scaled(3), scaled(3))

    def sizeHint(self) -> QSize:
        """Wider than high."""
        return QSize(em(22), em(8))

    def minimumSizeHint(self) -> QSize:
        """Room for the words and some of the bars."""
        return QSize(em(18), em(7))
