"""How much of the text is new: the share outside of matches by their length, and the longest match at each token."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.gui.theme import qcolor, scaled
from explorer.gui.untrusted import tip
from explorer.i18n import counted, numeral, tr, trn
from explorer.measures.novelty import INDEX_LENGTHS, Novelty


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
        left = metrics.horizontalAdvance("100 %") + 6
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


class MatchRibbon(QWidget):
    """The longest match that contains each token, over the whole text: the height is its length.

    `clicked(int)`: a token.
    """

    clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lengths: Sequence[int] = ()
        self._most = 0
        self.setAccessibleName(tr("Longest match at each token"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_lengths(self, lengths: Sequence[int]) -> None:
        """Show other lengths."""
        self._lengths = lengths
        self._most = most = max(lengths, default=0)
        self.setAccessibleDescription(
            trn(
                "{n:,} token; the longest match has {most:,}",
                "{n:,} tokens; the longest match has {most:,}",
                len(lengths),
                most=most,
            )
        )
        self.update()

    def sizeHint(self) -> QSize:
        """A strip."""
        return QSize(200, scaled(40))

    def _token_at(self, x: int) -> int:
        return min(len(self._lengths) - 1, max(0, x * len(self._lengths) // max(1, self.width())))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw one column per pixel, as high as the longest match under it (on a square-root scale)."""
        if not self._lengths:
            return
        painter = QPainter(self)
        most = max(1, self._most) ** 0.5
        # Gray: in the text, color means relevance; here only the height means length.
        fill = qcolor("muted")
        count, height = len(self._lengths), self.height() - 2
        at = 0
        while at < self.width():
            token = at * count // self.width()
            end = max(at + 1, (token + 1) * self.width() // count)
            upto = max(token + 1, (at + 1) * count // self.width())
            length = max(self._lengths[token:upto], default=0)
            high = round(height * length**0.5 / most)
            painter.fillRect(QRect(at, self.height() - 1 - high, end - at, high), fill)
            at = end
        painter.setPen(qcolor("line_strong"))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click chooses a token."""
        if self._lengths:
            self.clicked.emit(self._token_at(int(event.position().x())))

    def event(self, event: QEvent) -> bool:
        """Show a token's longest match in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._lengths:
            token = self._token_at(event.pos().x())
            text = tr(
                "token {token:,}: in a match of {lengths}",
                token=token + 1,
                lengths=counted("token", self._lengths[token]),
            )
            QToolTip.showText(event.globalPos(), tip(text), self)
            return True
        return super().event(event)
