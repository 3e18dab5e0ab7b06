"""How long the context of each token was, left to right; the longest copied stretch has a strong color."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.chart import count_step
from explorer.gui.screens.model.generate.state import describe_token
from explorer.gui.screens.model.generate.work import WrittenText
from explorer.gui.style.theme import font_of, qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.painting import ring
from explorer.i18n import counted, numeral, tr

_LOW = 5.5
"""Lines of text that it is high at least."""


class ContextPlot(QWidget):
    """A bar per token. `token_chosen(int)`: one was clicked; `stepped(int)`: the arrow keys, by n tokens."""

    token_chosen = Signal(int)
    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text: WrittenText | None = None
        self._chosen = -1
        self.setAccessibleName(tr("Context length used, left to right"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        # A plot is read from left to right everywhere, as the text is that it shows.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def show_text(self, text: WrittenText | None, chosen: int) -> None:
        """Show the contexts of a text, and which token is chosen.

        text: The text; None for none.
        chosen: The token, from 0; -1 for none.
        """
        if text is not self._text and text is not None and text.tokens:
            first, end = text.longest
            longest = tr("longest copied stretch: {first:,} to {end:,}", first=first + 1, end=end)
            self.setAccessibleDescription(f"{counted('token', len(text.tokens))}; {longest}")
        self._text, self._chosen = text, chosen
        self.update()

    def sizeHint(self) -> QSize:
        """A plot of some height."""
        return QSize(scaled(300), round(10 * QFontMetrics(font_of()).height()))

    def minimumSizeHint(self) -> QSize:
        """High enough to see differences."""
        return QSize(scaled(120), round(_LOW * QFontMetrics(font_of()).height()))

    def _top(self) -> int:
        text = self._text
        longest = int(text.lengths.max(initial=1)) if text is not None else 1
        # Lengths are whole numbers, and so are the numbers of the axis.
        step = max(1, round(count_step(longest)))
        return max(step, -(-longest // step) * step)

    def area(self) -> QRectF:
        """Where the bars are: right of the numbers of the axis."""
        metrics = QFontMetrics(font_of(0.85))
        left, above = metrics.horizontalAdvance(numeral(self._top())) + scaled(8), metrics.height() / 2 + 1
        return QRectF(left, above, max(1.0, self.width() - left - 2.0), max(1.0, self.height() - 2 * above))

    def x_of(self, token: int) -> float:
        """The left edge of a token's bar."""
        area, count = self.area(), len(self._text.tokens) if self._text is not None else 1
        return area.left() + area.width() * token / max(1, count)

    def token_at(self, x: float) -> int:
        """The token at a position, -1 without a text."""
        if self._text is None or not self._text.tokens:
            return -1
        # A drag may leave the plot on either side.
        area, count = self.area(), len(self._text.tokens)
        return min(count - 1, max(0, int((x - area.left()) * count / area.width())))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The axis, the bars, the chosen token, and the ring of the focus."""
        painter = QPainter(self)
        if self._text is not None and self._text.tokens:
            area, top = self.area(), self._top()
            self._paint_axis(painter, area, top)
            self._paint_bars(painter, area, top, self._text)
            if self._chosen >= 0:
                self._paint_chosen(painter, area)
        if self.hasFocus():
            ring(painter, QRectF(self.rect()), 4)
        painter.end()

    def _paint_axis(self, painter: QPainter, area: QRectF, top: int) -> None:
        painter.setFont(font_of(0.85))
        line = QFontMetrics(font_of(0.85)).height()
        for value in (0, top // 2, top) if top > 1 else (0, top):
            y = area.bottom() - area.height() * value / top
            painter.fillRect(QRectF(area.left(), round(y), area.width(), 1), qcolor("grid"))
            painter.setPen(qcolor("muted"))
            where = QRectF(0, y - line / 2, area.left() - scaled(6), line)
            painter.drawText(where, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, numeral(value))

    def _paint_bars(self, painter: QPainter, area: QRectF, top: int, text: WrittenText) -> None:
        lengths, (first, end) = text.lengths, text.longest
        count = len(lengths)
        copied = np.zeros(count, dtype=np.bool_)
        copied[first:end] = True
        # Never more bars than pixels, however long the text is: each has the longest context of its tokens.
        columns = min(count, max(1, int(area.width())))
        starts = np.arange(columns, dtype=np.int64) * count // columns
        tall, dark = np.maximum.reduceat(lengths, starts), np.logical_or.reduceat(copied, starts)
        edges = np.rint(area.left() + area.width() * np.arange(columns + 1) / columns).astype(np.int64).tolist()
        plain, strong = qcolor("bar"), qcolor("accent")
        for number, (length, on) in enumerate(zip(tall.tolist(), dark.tolist(), strict=True)):
            height = area.height() * length / top
            wide = max(1, edges[number + 1] - edges[number])
            painter.fillRect(QRectF(edges[number], area.bottom() - height, wide, height), strong if on else plain)

    def _paint_chosen(self, painter: QPainter, area: QRectF) -> None:
        """A wedge under the bar: the bars are too narrow to be marked by a color."""
        middle = (self.x_of(self._chosen) + self.x_of(self._chosen + 1)) / 2
        # No higher than what is left below the axis.
        half, high = scaled(5), min(scaled(6), self.height() - area.bottom())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qcolor("text"))
        tops = QPointF(middle, area.bottom() + 1), area.bottom() + 1 + high
        painter.drawPolygon([tops[0], QPointF(middle - half, tops[1]), QPointF(middle + half, tops[1])])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the token at the pointer."""
        token = self.token_at(event.position().x())
        if event.button() == Qt.MouseButton.LeftButton and token >= 0:
            self.token_chosen.emit(token)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from token to token."""
        count = len(self._text.tokens) if self._text is not None else 0
        # Home and End by steps that are longer than any text.
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -count, Qt.Key.Key_End: count}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.stepped.emit(step)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show in a tool tip where a token is from."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._text is not None:
            token = self.token_at(event.pos().x())
            QToolTip.showText(event.globalPos(), tip(describe_token(self._text, token)) if token >= 0 else "", self)
            return True
        return super().event(event)
