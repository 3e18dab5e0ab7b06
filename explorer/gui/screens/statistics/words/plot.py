"""Rank and frequency, drawn: both axes logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.analyses.wordlist.chart import law_points
from explorer.chart import short_number
from explorer.export.model_charts import log_ticks
from explorer.gui.theme import em, font_of, qcolor, scaled
from explorer.gui.widgets.plot_axes import paint_axes, plot_area
from explorer.i18n import numeral, tr
from explorer.statistics.curves import PowerLaw


class RankPlot(QWidget):
    """How often the n-gram of each rank occurs."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Rank and frequency"))
        self._points: tuple[tuple[int, int], ...] = ()
        self._row = -1
        self._slope: PowerLaw | None = None

    def show_points(self, points: Sequence[tuple[int, int]], row: int, slope: PowerLaw | None = None) -> None:
        """Draw other ranks and counts.

        row: The place of the point that is set off; -1 for none.
        slope: The line through ranks 10 to 1,000; None for none.
        """
        self._points, self._row, self._slope = tuple(points), row, slope
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
            tr("Hits by rank, both axes logarithmic"),
        )
        painter.setPen(QPen(qcolor("accent"), max(1, scaled(2))))
        painter.drawPolyline(QPolygonF([at(*point) for point in self._points]))
        if self._slope is not None:
            last = 9 + self._slope.points
            ends = [at(*point) for point in law_points(self._slope, (10, last), most)]
            painter.setPen(QPen(qcolor("text"), max(1, scaled(1.5)), Qt.PenStyle.DashLine))
            painter.drawPolyline(QPolygonF(ends))
            painter.setFont(font_of(0.92))
            room = QRectF(area.left(), area.top(), area.width(), em(1.3))
            words = tr(
                "Slope {slope}, ranks 10 to {last}",
                slope=numeral(self._slope.exponent, ".3f"),
                last=numeral(last),
            )
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
            painter.setPen(QPen(qcolor("accent"), max(1, scaled(2))))
        if 0 <= self._row < len(self._points):
            painter.setBrush(qcolor("accent"))
            painter.drawEllipse(at(*self._points[self._row]), scaled(4), scaled(4))

    def sizeHint(self) -> QSize:
        """Twice as wide as high."""
        return QSize(em(30), em(15))

    def minimumSizeHint(self) -> QSize:
        """Room for the axes and the line."""
        return QSize(em(16), em(8))
