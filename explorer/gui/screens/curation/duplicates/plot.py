"""How much goes at each length, drawn, with a marker that chooses the length."""

from __future__ import annotations

from math import log

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.chart import count_axis, log_ticks
from explorer.gui.charts.plot_axes import paint_axes, plot_area
from explorer.gui.presenting.cells import percent
from explorer.gui.screens.curation.duplicates.state import CopiesState
from explorer.gui.screens.curation.duplicates.work import LENGTHS, LONGEST, SHORTEST, CopiesCurve
from explorer.gui.style.theme import em, font_of, qcolor, scaled, width_of
from explorer.gui.widgets.painting import ring
from explorer.i18n import numeral, tr

_SPAN = log(LONGEST / SHORTEST)


class CopiesPlot(QWidget):
    """A line of what the rule cuts, a dashed one of all copies, and a marker.

    Signals: `moved(int)`, the user chose this length; it changes while the marker is dragged.
    """

    moved = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Removed share by the shortest repeat that counts"))
        self._curve: CopiesCurve | None = None
        self._total, self._length = 1, SHORTEST
        self._removed: int | None = None

    def show_state(self, state: CopiesState) -> None:
        """Draw other curves, or the marker elsewhere."""
        self._curve, self._length = state.curve.value, state.rule.length
        answer, current = state.answer.value, state.answer.current
        self._total = 1 if answer is None else max(1, answer.found.tokens)
        self._removed = None if current is None else current.found.tokens_removed
        shown = "" if self._removed is None else percent(self._removed / self._total)
        self.setAccessibleDescription(tr("{length} tokens: {share}", length=numeral(self._length), share=shown))
        self.setCursor(Qt.CursorShape.ArrowCursor if self._curve is None else Qt.CursorShape.SizeHorCursor)
        self.update()

    # --- the marker ----------------------------------------------------------------------------------

    def length_at(self, x: float) -> int:
        """The length at a place, in pixels from the left edge."""
        area = self._area()
        share = min(1.0, max(0.0, (x - area.left()) / area.width()))
        return round(float(SHORTEST * (LONGEST / SHORTEST) ** share))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the marker to the pointer."""
        if event.button() == Qt.MouseButton.LeftButton and self._curve is not None:
            self.moved.emit(self.length_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the marker."""
        if event.buttons() & Qt.MouseButton.LeftButton and self._curve is not None:
            self.moved.emit(self.length_at(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move the marker by a token, Page Up and Page Down by ten; Home and End to the ends."""
        keys = Qt.Key
        steps = {keys.Key_Left: -1, keys.Key_Right: 1, keys.Key_PageDown: -10, keys.Key_PageUp: 10}
        ends = {keys.Key_Home: SHORTEST, keys.Key_End: LONGEST}
        key = Qt.Key(event.key())
        if key not in steps and key not in ends:
            super().keyPressEvent(event)
            return
        length = ends.get(key, min(LONGEST, max(SHORTEST, self._length + steps.get(key, 0))))
        self.moved.emit(length)

    # --- painting ------------------------------------------------------------------------------------

    def _most(self) -> float:
        most = 0 if self._curve is None else int(self._curve.every.max())
        return 100 * max(most, self._removed or 0) / self._total

    def _area(self) -> QRectF:
        up = count_axis("", self._most())
        return plot_area(self.width(), self.height(), [_ticked(text) for _, text in up.ticks])

    def paintEvent(self, event: QPaintEvent) -> None:
        """Axes, both lines, and the marker."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # A plot is read from left to right everywhere, with its numbers left of the axis.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if self._curve is not None:
            self._paint(painter, self._curve)
        if self.hasFocus():
            ring(painter, QRectF(self.rect()), 6)
        painter.end()

    def _paint(self, painter: QPainter, curve: CopiesCurve) -> None:
        up, area = count_axis("", self._most()), self._area()

        def at(length: float, tokens: float) -> QPointF:
            x = area.left() + area.width() * log(length / SHORTEST) / _SPAN
            return QPointF(x, area.bottom() - area.height() * (100 * tokens / self._total) / up.high)

        paint_axes(
            painter,
            area,
            [(area.bottom() - area.height() * tick / up.high, _ticked(text)) for tick, text in up.ticks],
            [(at(tick, 0).x(), numeral(tick, ".0f")) for tick in (SHORTEST, *log_ticks(SHORTEST, LONGEST))],
            tr("Shortest repeat that counts, in tokens (drag, or press an arrow key)"),
        )
        kept, every = (
            [at(*each) for each in zip(LENGTHS, tokens.tolist(), strict=True)] for tokens in (curve.kept, curve.every)
        )
        wash = QColor(qcolor("accent"))
        wash.setAlphaF(0.08)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(wash)
        painter.drawPolygon(QPolygonF([at(SHORTEST, 0), *kept, at(LONGEST, 0)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(qcolor("muted"), max(1, scaled(1.5)), Qt.PenStyle.DashLine))
        painter.drawPolyline(QPolygonF(every))
        painter.setPen(QPen(qcolor("accent"), max(1, scaled(2))))
        painter.drawPolyline(QPolygonF(kept))
        self._paint_marker(painter, area, at(min(LONGEST, max(SHORTEST, self._length)), self._removed or 0))

    def _paint_marker(self, painter: QPainter, area: QRectF, at: QPointF) -> None:
        painter.setPen(QPen(qcolor("accent"), max(1, scaled(2))))
        painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()))
        grip = QRectF(at.x() - scaled(5), area.bottom() - scaled(13), scaled(10), scaled(15))
        painter.setBrush(qcolor("surface"))
        painter.drawRoundedRect(grip, scaled(3), scaled(3))
        if self._removed is None:
            return
        painter.setBrush(qcolor("accent"))
        painter.setPen(Qt.PenStyle.NoPen)
        if SHORTEST <= self._length <= LONGEST:
            painter.drawEllipse(at, scaled(4), scaled(4))
        told = tr("{length} tokens: {share}", length=numeral(self._length), share=percent(self._removed / self._total))
        painter.setFont(font_of(0.92, 600))
        painter.setPen(qcolor("text"))
        width, gap = width_of(told, 0.92, 600), scaled(10)
        left = at.x() + gap if at.x() + gap + width < area.right() else at.x() - gap - width
        painter.drawText(QRectF(left, area.top(), width + 2, em(1.4)), Qt.AlignmentFlag.AlignVCenter, told)

    def sizeHint(self) -> QSize:
        """Wider than high."""
        return QSize(em(40), em(13))

    def minimumSizeHint(self) -> QSize:
        """Room for the axes and the lines."""
        return QSize(em(20), em(10))


def _ticked(text: str) -> str:
    return tr("{percent} %", percent=text)
