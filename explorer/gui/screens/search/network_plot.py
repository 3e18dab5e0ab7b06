"""The strongest collocates around the query, drawn; a click chooses one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot, sqrt

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.chart import Network, PlacedSpoke, place_spokes
from explorer.gui.theme import em, font_of, qcolor, scaled
from explorer.gui.untrusted import tip
from explorer.i18n import tr, trn

_LARGEST = 12
_LABEL_EMS = 9
"""The most room of a label in em."""


class NetworkPlot(QWidget):
    """The query in the middle, its strongest collocates around it.

    choose: Called with the place of the word that was clicked.
    """

    def __init__(self, choose: Callable[[int], None]) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Network of the strongest collocates"))
        self._choose = choose
        self._network = Network("", "", ())
        self._tips: tuple[str, ...] = ()
        self._chosen = -1

    def show_network(self, network: Network, tips: Sequence[str]) -> None:
        """Draw other words."""
        self._network, self._tips = network, tuple(tips)
        self.setAccessibleDescription(
            trn(
                "{n:,} word around “{query}”", "{n:,} words around “{query}”", len(network.spokes), query=network.center
            )
        )
        self.update()

    def show_chosen(self, number: int) -> None:
        """Set off one spoke; a number without one for none."""
        self._chosen = number
        self.update()

    def _room(self) -> float:
        """The width of the labels on either side."""
        metrics = QFontMetricsF(font_of(0.92))
        widest = max((metrics.horizontalAdvance(spoke.text) for spoke in self._network.spokes), default=0.0)
        return min(widest + 2, em(_LABEL_EMS), self.width() / 3.2)

    def _placed(self) -> tuple[float, tuple[PlacedSpoke, ...]]:
        """The radius, and the places from the middle."""
        height = self.height() - 2 * scaled(_LARGEST)
        radius = max(em(2), min(self.width() / 2 - self._room() - scaled(24), height / 2) - scaled(_LARGEST))
        line = QFontMetricsF(font_of(0.92)).height()
        return radius, place_spokes(self._network.spokes, radius, self.height() - scaled(8), line)

    def spoke_at(self, at: QPointF) -> int:
        """The number of the spoke whose disc or label is at a point; -1 for none."""
        middle = QPointF(self.width() / 2, self.height() / 2)
        radius, placed = self._placed()
        column, line = radius + scaled(_LARGEST + 10), QFontMetricsF(font_of(0.92)).height()
        x, y = at.x() - middle.x(), at.y() - middle.y()
        for spoke in placed:
            if hypot(spoke.x - x, spoke.y - y) <= self._size(spoke.number) + 2:
                return spoke.number
        for spoke in placed:
            outside = -x if spoke.left else x
            if spoke.label is not None and outside >= column - scaled(4) and abs(spoke.label - y) <= line / 2:
                return spoke.number
        return -1

    def _size(self, number: int) -> float:
        # Smaller in a small drawing, where discs would hide each other.
        largest = min(scaled(_LARGEST), min(self.width(), self.height()) / 20)
        return max(largest / 4, largest * sqrt(self._network.spokes[number].size))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Lines, discs and labels."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # The sides are those of the drawing, whatever the direction of the window.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if self._network.spokes:
            self._paint(painter)
        painter.end()

    def _paint(self, painter: QPainter) -> None:
        middle = QPointF(self.width() / 2, self.height() / 2)
        radius, placed = self._placed()
        # The chosen one is on top.
        placed = tuple(sorted(placed, key=lambda spoke: spoke.number == self._chosen))
        for spoke in placed:
            chosen = spoke.number == self._chosen
            painter.setPen(QPen(qcolor("accent" if chosen else "bar"), scaled(3 if chosen else 1)))
            painter.drawLine(middle, middle + QPointF(spoke.x, spoke.y))
        for spoke in placed:
            chosen = spoke.number == self._chosen
            self._paint_label(painter, middle, spoke, radius + scaled(_LARGEST + 10), chosen)
            size = self._size(spoke.number)
            painter.setPen(QPen(qcolor("surface"), 1))
            painter.setBrush(qcolor("accent" if chosen else "bar"))
            painter.drawEllipse(middle + QPointF(spoke.x, spoke.y), size, size)
        self._paint_center(painter, middle)

    def _paint_label(self, painter: QPainter, middle: QPointF, spoke: PlacedSpoke, column: float, chosen: bool) -> None:
        if spoke.label is None:
            return
        metrics, room = QFontMetricsF(font_of(0.92)), self._room()
        end = middle + QPointF(-column if spoke.left else column, spoke.label)
        painter.setPen(QPen(qcolor("grid"), 1))
        painter.drawLine(middle + QPointF(spoke.x, spoke.y), end)
        left = end.x() - room - scaled(3) if spoke.left else end.x() + scaled(3)
        area = QRectF(left, end.y() - metrics.height() / 2, room, metrics.height())
        side = Qt.AlignmentFlag.AlignRight if spoke.left else Qt.AlignmentFlag.AlignLeft
        painter.setFont(font_of(0.92, 600 if chosen else 400))
        painter.setPen(qcolor("text"))
        text = metrics.elidedText(self._network.spokes[spoke.number].text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)

    def _paint_center(self, painter: QPainter, middle: QPointF) -> None:
        font = font_of(1.0, 600)
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(self._network.center, Qt.TextElideMode.ElideRight, self.width() / 3)
        width, height = metrics.horizontalAdvance(shown) + scaled(20), metrics.height() + scaled(8)
        box = QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qcolor("accent"))
        painter.drawRoundedRect(box, height / 2, height / 2)
        painter.setFont(font)
        painter.setPen(qcolor("on_accent"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the word that is pressed."""
        number = self.spoke_at(event.position())
        if number >= 0:
            self._choose(number)

    def event(self, event: QEvent) -> bool:
        """Show the tip of the word below the pointer.

        event: Any event; only that which asks for a tip counts.
        """
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self.spoke_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip(self._tips[number]) if 0 <= number < len(self._tips) else "", self)
            return True
        return super().event(event)

    def sizeHint(self) -> QSize:
        """A square."""
        return QSize(em(28), em(24))

    def minimumSizeHint(self) -> QSize:
        """Room for the middle and a few labels on either side."""
        return QSize(em(20), em(16))
