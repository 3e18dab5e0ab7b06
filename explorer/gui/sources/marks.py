"""The marks of sources: the same shapes in chips, plots and keys, and on paper. Filled, or hollow for few tokens."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from explorer.export.drawing.marks import marker_corners
from explorer.gui.style.theme import qcolor, scaled


def mark_path(place: int) -> QPainterPath:
    """The shape of a source, by its place, as pyqtgraph takes shapes: within a square of side 1 around 0, 0."""
    path = QPainterPath()
    # The corners are those of the figure on paper, at about 1 from the middle.
    corners = marker_corners(place)
    if corners:
        path.addPolygon(QPolygonF([QPointF(0.5 * x, 0.5 * y) for x, y in corners]))
        path.closeSubpath()
    else:
        path.addEllipse(QRectF(-0.5, -0.5, 1, 1))
    return path


def draw_mark(
    painter: QPainter, area: QRectF, place: int, color: str, line: Qt.PenStyle | None = None, hollow: bool = False
) -> None:
    """Draw a mark in the middle of an area, on a piece of its line.

    place: The place of the source; -1 for a line without a mark.
    line: The style of the line; None for no line.
    hollow: Whether only the outline is drawn.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = area.center()
    if line is not None:
        painter.setPen(QPen(qcolor(color), max(1, scaled(1.6)), line))
        painter.drawLine(QPointF(area.left(), middle.y()), QPointF(area.right(), middle.y()))
    if place < 0:
        return
    painter.setPen(QPen(qcolor(color), max(1, scaled(1.6))) if hollow else Qt.PenStyle.NoPen)
    painter.setBrush(qcolor("surface") if hollow else qcolor(color))
    side = scaled(8)
    painter.save()
    painter.translate(middle)
    painter.scale(side, side)
    if hollow:
        # The pen must not be scaled with the shape.
        pen = painter.pen()
        pen.setCosmetic(True)
        painter.setPen(pen)
    painter.drawPath(mark_path(place))
    painter.restore()
