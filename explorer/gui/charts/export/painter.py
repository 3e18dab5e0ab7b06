"""A chart painted with Qt."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from explorer.chart import Chart
from explorer.export.drawing.panels import draw_chart
from explorer.gui.charts.export.ink import Pens


def paint_chart(painter: QPainter, chart: Chart, width: float, height: float, text_size: int = 8) -> None:
    """Paint a chart at the painter's origin.

    painter: Where to paint; one unit is one point.
    text_size: The size of labels; titles are larger, notes smaller.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_chart(Pens(painter, text_size), chart, width, height)
