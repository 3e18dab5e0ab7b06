"""Rank and frequency, drawn: both axes logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log10

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.chart import short_number
from explorer.export.model_charts import log_ticks
from explorer.gui.theme import em, font_of, qcolor, scaled, width_of
from explorer.i18n import tr


def apart(ticks: Sequence[float], places: Sequence[float], least: float) -> list[float]:
    """The ticks whose labels do not touch, from the lowest on.

    Parameters
    ----------
    ticks
        Values of an axis, ascending.
    places
        Where each is, in pixels, ascending.
    least
        The least distance of two labels in pixels.

    Returns
    -------
    list[float]
        The first tick, and each that is so far from the one before it.
    """
    kept: list[float] = []
    last = -inf
    for tick, place in zip(ticks, places, strict=True):
        if place - last >= least:
            kept.append(tick)
            last = place
    return kept


class RankPlot(QWidget):
    """How often the n-gram of each rank occurs."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Rank and frequency"))
        self._points: tuple[tuple[int, int], ...] = ()
        self._row = -1

    def show_points(self, points: Sequence[tuple[int, int]], row: int) -> None:
        """Draw other ranks and counts.

        Parameters
        ----------
        points
            Ranks and counts, by rank.
        row
            The place of the point that is set off; -1 for none.
        """
        self._points, self._row = tuple(points), row
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Axes, the line, and the chosen row."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # A plot is read from left to right everywhere, with its numbers left of the axis.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if self._points:
            self._paint(painter)
        painter.end()

    def _paint(self, painter: QPainter) -> None:
        most_rank, most = max(2, self._points[-1][0]), max(2, self._points[0][1])
        ups, line = log_ticks(1, most, 5), em(1.3)
        left = max(width_of(short_number(tick), 0.85) for tick in ups) + scaled(14)
        area = QRectF(left, scaled(12), max(10.0, self.width() - left - em(1.6)), max(10.0, self.height() - 3.3 * line))

        def at(rank: float, count: float) -> QPointF:
            x = area.left() + area.width() * log10(rank) / log10(most_rank)
            return QPointF(x, area.bottom() - area.height() * log10(count) / log10(most))

        painter.setFont(font_of(0.85))
        for tick in apart(ups, [-at(1, tick).y() for tick in ups], line):
            y = at(1, tick).y()
            painter.setPen(QPen(qcolor("grid"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(qcolor("muted"))
            room = QRectF(0, y - line, left - scaled(8), 2 * line)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, short_number(tick))
        across = log_ticks(1, most_rank, 6)
        widest = max(width_of(short_number(tick), 0.85) for tick in across)
        for tick in apart(across, [at(tick, 1).x() for tick in across], widest + scaled(6)):
            room = QRectF(at(tick, 1).x() - em(3), area.bottom() + scaled(3), em(6), line)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, short_number(tick))
        room = QRectF(area.left(), area.bottom() + scaled(3) + line, area.width(), line)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, tr("Hits by rank"))
        painter.setPen(QPen(qcolor("accent"), max(1, scaled(2))))
        painter.drawPolyline(QPolygonF([at(*point) for point in self._points]))
        if 0 <= self._row < len(self._points):
            painter.setBrush(qcolor("accent"))
            painter.drawEllipse(at(*self._points[self._row]), scaled(4), scaled(4))

    def sizeHint(self) -> QSize:
        """Twice as wide as high."""
        return QSize(em(30), em(15))

    def minimumSizeHint(self) -> QSize:
        """Room for the axes and the line."""
        return QSize(em(16), em(8))
