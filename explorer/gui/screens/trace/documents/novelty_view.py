"""How much of the text is new: the share outside of matches by their length, and the longest match at each token."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.analyses.trace.measures.novelty import INDEX_LENGTHS, Novelty
from explorer.gui.style.theme import qcolor
from explorer.gui.style.untrusted import tip
from explorer.i18n import numeral, tr


class NoveltyPlot(QWidget):
    """Share of tokens outside of matches of L tokens or more, for L = 2…20; the index's range as a band."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._novelty: Novelty | None = None
        self.setAccessibleName(tr("Novelty by match length"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_novelty(self, novelty: Novelty | None) -> None:
        """Show other figures, or none."""
        self._novelty = novelty
        if novelty is not None:
            figures = ", ".join(
                tr("L {n}: {share:.0%}", n=n, share=share)
                for n, share in zip(novelty.lengths, novelty.uncovered, strict=True)
            )
            self.setAccessibleDescription(figures)
        self.update()

    def sizeHint(self) -> QSize:
        """A low plot, seven text lines high."""
        return QSize(260, round(7.4 * QFontMetrics(self.font()).height()))

    def _area(self) -> QRectF:
        metrics = QFontMetrics(self.font())
        # Half of the first and last labels reach beyond the axis, and half a line above it.
        left = metrics.horizontalAdvance("100%") + 6
        right, top = metrics.horizontalAdvance("20") / 2 + 2, metrics.height() / 2 + 1
        below = metrics.height() + 6
        return QRectF(left, top, max(10, self.width() - left - right), max(10, self.height() - top - below))

    def _x(self, length: int) -> float:
        area, novelty = self._area(), self._novelty
        assert novelty is not None
        first, last = novelty.lengths[0], novelty.lengths[-1]
        return area.left() + area.width() * (length - first) / max(1, last - first)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ground, grid, line and points."""
        if self._novelty is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self._area()
        # The lengths over which the index is a mean, so that the curve and the number explain each other.
        ground = QRectF(self._x(INDEX_LENGTHS[0]), area.top(), 0, area.height())
        ground.setRight(self._x(INDEX_LENGTHS[-1]))
        painter.fillRect(ground, qcolor("hover"))
        self._paint_axes(painter, area)
        points = [
            QPointF(self._x(length), area.bottom() - area.height() * share)
            for length, share in zip(self._novelty.lengths, self._novelty.uncovered, strict=True)
        ]
        painter.setPen(QPen(qcolor("accent"), 1.6))
        painter.drawPolyline(points)
        painter.setBrush(qcolor("accent"))
        for point in points:
            painter.drawEllipse(point, 2.2, 2.2)
        painter.end()

    def _paint_axes(self, painter: QPainter, area: QRectF) -> None:
        assert self._novelty is not None
        for share in (0.0, 0.5, 1.0):
            y = area.bottom() - area.height() * share
            painter.setPen(QPen(qcolor("grid"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(qcolor("muted"))
            line = painter.fontMetrics().height()
            where = QRectF(0, y - line / 2, area.left() - 6, line)
            painter.drawText(where, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, numeral(share, ".0%"))
        for length in (2, 5, 11, 15, 20):
            text = f"L = {length}" if length == 2 else str(length)
            half = painter.fontMetrics().horizontalAdvance(text) / 2 + 2
            where = QRectF(self._x(length) - half, area.bottom() + 3, 2 * half, self.height() - area.bottom() - 3)
            if length == 2:
                # From the axis on: to its left is the label of 0 %.
                where.moveLeft(area.left())
            painter.drawText(where, Qt.AlignmentFlag.AlignHCenter, text)

    def event(self, event: QEvent) -> bool:
        """Show a point's values in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._novelty is not None:
            novelty = self._novelty
            # By the horizontal distance alone: the points are too small to be aimed at.
            near = min(range(len(novelty.lengths)), key=lambda i: abs(self._x(novelty.lengths[i]) - event.pos().x()))
            text = tr(
                "{uncovered:.1%} of the tokens are outside matches of {lengths} or more",
                uncovered=novelty.uncovered[near],
                lengths=novelty.lengths[near],
            )
            QToolTip.showText(event.globalPos(), tip(text), self)
            return True
        return super().event(event)
