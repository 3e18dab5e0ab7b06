"""Rank and frequency, drawn: both axes logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.chart import short_number
from explorer.export.model_charts import log_ticks
from explorer.gui.screens.statistics.axes import paint_axes, plot_area
from explorer.gui.theme import em, qcolor, scaled
from explorer.i18n import tr


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
        ups, across = log_ticks(1, most, 5), log_ticks(1, most_rank, 6)
        area = plot_area(self.width(), self.height(), [short_number(tick) for tick in ups])

        def at(rank: float, count: float) -> QPointF:
            x = area.left() + area.width() * log10(rank) / log10(most_rank)
            return QPointF(x, area.bottom() - area.height() * log10(count) / log10(most))

        paint_axes(
            painter,
            area,
            [(at(1, tick).y(), short_number(tick)) for tick in ups],
            [(at(tick, 1).x(), short_number(tick)) for tick in across],
            tr("Hits by rank"),
        )
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
