"""Perplexity by method on a logarithmic axis: a dot and a number per method, a line through the levels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.gui.screens.model.large_numbers import tick_words
from explorer.gui.screens.model.perplexity.plot_places import PlotPlaces
from explorer.gui.screens.model.perplexity.state import PlotLine
from explorer.gui.screens.model.perplexity.words import figure
from explorer.gui.sources.marks import draw_mark
from explorer.gui.style.theme import em, font_of, qcolor, scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.painting import ring
from explorer.i18n import numeral, tr

_GAP = 6


class PerplexityPlot(QWidget):
    """`chosen(int)`: a method was clicked, or chosen by Enter after the arrow keys; its place among the methods."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Perplexity by method"))
        self._lines: tuple[PlotLine, ...] = ()
        self._label, self._marked, self._pointed = "", -1, -1

    def show_lines(self, lines: Sequence[PlotLine], marked: int, label: str) -> None:
        """Draw other figures.

        lines: The sources, what is chosen last.
        """
        # Drawn from scratch: there are at most a dozen dots per source.
        self._lines, self._marked, self._label = tuple(lines), marked, label
        self.setAccessibleDescription(self._described())
        self.update()

    def _described(self) -> str:
        return "; ".join(f"{dot.name} {figure(dot.value)}" for line in self._lines[-1:] for dot in line.dots)

    @property
    def _places(self) -> PlotPlaces:
        # Made at each use: it is a few numbers, and depends on the size and the text size of the moment.
        return PlotPlaces(self._lines, self.width(), self.height())

    def place_of(self, place: int) -> QPointF | None:
        """Where the dot of a method is; None if it has none."""
        return self._places.dot(place)

    # --- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Axes, lines, dots and their numbers."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # A plot is read from left to right everywhere, with its numbers left of the axis.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if self._lines:
            self._draw_axes(painter)
            # What is chosen comes last, so that it is above the others.
            for line in self._lines:
                self._draw_line(painter, line)
            self._draw_numbers(painter)
        if self.hasFocus():
            ring(painter, QRectF(self.rect()), 8)
        painter.end()

    def _draw_axes(self, painter: QPainter) -> None:
        area = self._places.area()
        painter.setFont(font_of(0.85))
        metrics = painter.fontMetrics()
        for tick in self._places.ticks(area.height()):
            y = self._places.at(0, tick).y()
            painter.setPen(QPen(qcolor("grid"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(qcolor("muted"))
            room = QRectF(0, y - metrics.height(), area.left() - scaled(8), 2 * metrics.height())
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, tick_words(tick))
        # Upwards along the axis: the label is longer than there is room beside it.
        painter.save()
        painter.translate(scaled(8), area.center().y())
        painter.rotate(-90)
        room = QRectF(-area.height() / 2 - scaled(20), 0, area.height() + scaled(40), metrics.height())
        words = metrics.elidedText(self._label, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)
        painter.restore()
        self._draw_names(painter, area)

    def _draw_names(self, painter: QPainter, area: QRectF) -> None:
        step = area.width() / max(1, self._places.count)
        for place, dot in enumerate(self._lines[-1].dots):
            on = place in (self._marked, self._pointed)
            painter.setFont(font_of(0.92, 600 if place == self._marked else 400))
            painter.setPen(qcolor("text" if on else "muted"))
            metrics = painter.fontMetrics()
            # Every second name is one line lower where they would touch.
            lower = metrics.height() if self._places.staggered and place % 2 else 0
            wide = (2 if self._places.staggered else 1) * step - scaled(4)
            middle = self._places.across(area, place)
            left = min(max(0.0, middle - wide / 2), self.width() - wide)
            room = QRectF(left, area.bottom() + scaled(8) + lower, wide, metrics.height())
            words = metrics.elidedText(dot.name, Qt.TextElideMode.ElideRight, int(wide))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)

    def _draw_line(self, painter: QPainter, line: PlotLine) -> None:
        color = "accent" if line.chosen else "ghost"
        found = [
            (self._places.at(place, dot.value), dot.joined)
            for place, dot in enumerate(line.dots)
            if dot.value is not None and dot.value > 0
        ]
        for (start, one), (end, other) in pairwise(found):
            # Only levels follow each other; a dotted line leads the eye to what is beside them.
            style = Qt.PenStyle.SolidLine if one and other else Qt.PenStyle.DotLine
            painter.setPen(QPen(qcolor(color), max(1, scaled(2 if line.chosen else 1.4)), style))
            painter.drawLine(start, end)
        # The dots after the lines, which end in their middle.
        for at, _ in found:
            side = scaled(14)
            area = QRectF(at.x() - side / 2, at.y() - side / 2, side, side)
            draw_mark(painter, area, line.place, color)

    def _draw_numbers(self, painter: QPainter) -> None:
        marks, drawn = self._marks_of_others(), list[QRectF]()
        # The chosen one first: where numbers would cover each other, the others are only in the table.
        for place, dot in sorted(enumerate(self._lines[-1].dots), key=lambda each: each[0] != self._marked):
            painter.setFont(font_of(0.92, 600))
            # A score, or infinite: no dot, but the reader must see that something is missing, and what.
            painter.setPen(qcolor("muted" if self._places.dot(place) is None else "text"))
            words = _dot_words(dot.value)
            rooms = self._rooms(place, painter.fontMetrics(), words)
            free = [room for room in rooms if not any(room.intersects(other) for other in drawn)]
            # Better over a mark of another source than nowhere: those are fainter, and numbers are read.
            clear = [room for room in free if not any(room.intersects(mark) for mark in marks)]
            if free:
                room = (clear or free)[0]
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)
                drawn.append(room)

    def _marks_of_others(self) -> list[QRectF]:
        """What the dots of the sources cover that are not chosen."""
        side = scaled(10)
        places = (
            self._places.at(place, dot.value)
            for line in self._lines[:-1]
            for place, dot in enumerate(line.dots)
            if dot.value is not None and dot.value > 0
        )
        return [QRectF(at.x() - side / 2, at.y() - side / 2, side, side) for at in places]

    def _rooms(self, place: int, metrics: QFontMetrics, words: str) -> list[QRectF]:
        """Where the number of a method may be, the best place first."""
        # Two pixels more: italic and bold letters reach beyond their width.
        wide, high, gap = metrics.horizontalAdvance(words) + 2.0, float(metrics.height()), scaled(_GAP)
        at = self._places.dot(place)
        if at is None:
            area = self._places.area()
            middle, top = self._places.across(area, place), area.bottom() - 2 * high - gap
            beside = scaled(14)
            lefts = (middle - wide / 2, middle + beside, middle - beside - wide)
            tops = (top, top, top)
        else:
            # Where no line comes from: above the dot, and right of it where the curve falls.
            left = at.x() - (0 if self._places.falls(place) else wide / 2)
            lefts, tops = (left, at.x() - wide / 2, at.x() - wide / 2), (at.y() - high - gap,) * 2 + (at.y() + gap,)
        return [
            QRectF(min(max(0.0, left), self.width() - wide), top, wide, high)
            for left, top in zip(lefts, tops, strict=True)
        ]

    # --- mouse and keys ------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Set off the method under the pointer."""
        self._point(self._places.under(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Set off none."""
        super().leaveEvent(event)
        self._point(-1)

    def _point(self, place: int) -> None:
        if place != self._pointed:
            self._pointed = place
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses the method under the pointer."""
        place = self._places.under(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place >= 0:
            self.chosen.emit(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End go to a method, Enter and the space bar choose it."""
        # The keys continue from where the pointer is, or from the chosen method.
        here = self._pointed if self._pointed >= 0 else self._marked
        last = self._places.count - 1
        steps = {
            Qt.Key.Key_Left: here - 1,
            Qt.Key.Key_Right: here + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if key in steps and last >= 0:
            self._point(min(max(0, steps[key]), last))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and here >= 0:
            self.chosen.emit(here)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Give the figures of all sources in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            # All sources, of which the picture has numbers for one only.
            place = self._places.under(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip(self._told(place)) if place >= 0 else "", self)
            return True
        return super().event(event)

    def _told(self, place: int) -> str:
        """The figures of all sources for a method."""
        found = [(line.name, line.dots[place]) for line in reversed(self._lines) if place < len(line.dots)]
        if len(found) < 2:
            return "\n".join(f"{dot.name}: {figure(dot.value)}" for _, dot in found)
        return "\n".join([found[0][1].name, *(f"{name}: {figure(dot.value)}" for name, dot in found)])

    def sizeHint(self) -> QSize:
        """Twice as wide as high."""
        return QSize(em(40), em(20))

    def minimumSizeHint(self) -> QSize:
        """Room for the axis and a few dots."""
        return QSize(em(18), em(13))


def _dot_words(value: float | None) -> str:
    # Of a large number, decimals would only cover the line; the table has them.
    return numeral(value, ",.0f") if value is not None and 1000 <= value < 1e9 else figure(value)
