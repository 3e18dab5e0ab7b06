"""The share of an item in matches of each length, drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.chart.axes import nice_step
from explorer.gui.theme import em, qcolor, scaled
from explorer.gui.widgets.plot_axes import paint_axes, plot_area
from explorer.i18n import numeral, tr


class SharePlot(QWidget):
    """A line that falls in steps."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(tr("Share of the question in matches of at least each length"))
        self._shares: NDArray[np.float64] = np.empty(0)

    def show_shares(self, shares: NDArray[np.float64] | None) -> None:
        """Draw another item.

        shares: The share in matches of at least 1, 2, 3 …; None for none.
        """
        self._shares = np.empty(0) if shares is None else shares
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Axes and the line."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # A plot is read from left to right everywhere, with its numbers left of the axis.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if len(self._shares):
            self._paint(painter)
        painter.end()

    def _paint(self, painter: QPainter) -> None:
        ticks = [tr("{percent} %", percent=numeral(each)) for each in (0, 50, 100)]
        area = plot_area(self.width(), self.height(), ticks)
        longest = len(self._shares) + 1

        def at(length: float, share: float) -> QPointF:
            return QPointF(area.left() + area.width() * length / longest, area.bottom() - area.height() * share)

        step = max(1, int(nice_step(longest, 8)))
        paint_axes(
            painter,
            area,
            [(at(0, place / 2).y(), text) for place, text in enumerate(ticks)],
            [(at(length, 0).x(), numeral(length)) for length in range(step, longest + 1, step)],
            tr("Share of the question in matches of at least this length"),
        )
        points = [at(0, 1.0)]
        for length, share in enumerate(self._shares.tolist(), 1):
            points += [QPointF(points[-1].x(), at(length, share).y()), at(length, share)]
        points += [QPointF(points[-1].x(), at(0, 0).y()), at(longest, 0)]
        painter.setPen(QPen(qcolor("accent"), max(1, scaled(2))))
        painter.drawPolyline(QPolygonF(points[1:]))

    def sizeHint(self) -> QSize:
        """Low."""
        return QSize(em(30), em(9))

    def minimumSizeHint(self) -> QSize:
        """Room for the axes and the line."""
        return QSize(em(16), em(8))
