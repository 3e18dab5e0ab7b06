"""Draws charts with Qt: what `explorer.export.drawing` places on paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from explorer.export.drawing.drawer import PAPER, Area, Palette, Place, Side
from explorer.export.drawing.svg import FAMILIES

_SIDES = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class Pens:
    """Draws with a painter; see `explorer.export.drawing.drawer.Drawer` for its methods.

    families: The fonts, of which the first is taken that the machine has.
    """

    def __init__(
        self, painter: QPainter, size: int, colors: Palette = PAPER, families: Sequence[str] = FAMILIES
    ) -> None:
        self.painter, self.size, self.colors = painter, size, colors
        self._families = list(families)
        self.line = QFontMetricsF(self._font(size, False)).height()

    def width(self, text: str, smaller: int = 0) -> float:
        """Measure a text.

        smaller: How many points smaller the text is.
        """
        return QFontMetricsF(self._font(self.size - smaller, False)).horizontalAdvance(text)

    def fitting(self, text: str, width: float) -> str:
        """Cut a text to a width."""
        return QFontMetricsF(self._font(self.size, False)).elidedText(
            text, Qt.TextElideMode.ElideRight, max(width, 10.0)
        )

    def text(
        self,
        area: Area,
        text: str,
        smaller: int = 0,
        larger: int = 0,
        bold: bool = False,
        side: Side = "center",
    ) -> None:
        """Draw one line of text.

        smaller: How many points smaller the text is.
        larger: How many points larger the text is.
        side: Where in the area it is placed horizontally.
        """
        font = self._font(self.size + larger - smaller, bold)
        self.painter.setFont(font)
        self.painter.setPen(QColor(self.colors.ink))
        # A title is measured in its own font, which `fitting` does not know.
        if larger:
            text = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width)
        flags = _SIDES[side] | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        self.painter.drawText(_rect(area), flags, text)

    def upright(self, x: float, plot: Area, text: str, color: str) -> None:
        """Draw a text on its side, in the middle of a plot's height.

        x: The place of its left edge, in points.
        text: The text, cut if it is longer than the plot is high.
        """
        self.painter.save()
        self.painter.translate(x, plot.top + plot.height / 2)
        self.painter.rotate(-90)
        self.painter.setFont(self._font(self.size, False))
        self.painter.setPen(QColor(color))
        half = plot.height / 2 + 10
        area = QRectF(-half, 0, 2 * half, self.line)
        self.painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.fitting(text, 2 * half))
        self.painter.restore()

    def fill(self, area: Area, color: str) -> None:
        """Fill an area."""
        self.painter.fillRect(_rect(area), QColor(color))

    def hatch(self, area: Area, color: str) -> None:
        """Fill an area with diagonal lines."""
        self.painter.fillRect(_rect(area), QBrush(QColor(color), Qt.BrushStyle.BDiagPattern))

    def frame(self, area: Area, color: str, width: float) -> None:
        """Draw the edges of an area."""
        self._pen(color, width)
        self.painter.drawRect(_rect(area))

    def lines(self, places: Sequence[Place], color: str, width: float, dashed: bool = False) -> None:
        """Join places by straight lines."""
        self._pen(color, width, Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine)
        points = [_point(place) for place in places]
        if len(points) == 2:
            self.painter.drawLine(*points)
        else:
            self.painter.drawPolyline(points)

    def curve(self, start: Place, end: Place, color: str, width: float) -> None:
        """Draw a curve that is level at both ends."""
        half = (start.x + end.x) / 2
        path = QPainterPath(_point(start))
        path.cubicTo(QPointF(half, start.y), QPointF(half, end.y), _point(end))
        self._pen(color, width)
        self.painter.drawPath(path)

    def circle(self, at: Place, radius: float, fill: str, edge: str) -> None:
        """Draw a disc."""
        self._ink(fill, edge)
        self.painter.drawEllipse(_point(at), radius, radius)

    def polygon(self, places: Sequence[Place], fill: str, edge: str) -> None:
        """Draw a polygon."""
        self._ink(fill, edge)
        self.painter.drawPolygon(QPolygonF([_point(place) for place in places]))

    @contextmanager
    def clipped(self, area: Area) -> Iterator[None]:
        """Draw only inside an area until the block ends."""
        self.painter.setClipRect(_rect(area))
        yield
        self.painter.setClipping(False)

    def _pen(self, color: str, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> None:
        self.painter.setPen(QPen(QColor(color), width, style))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def _ink(self, fill: str, edge: str) -> None:
        self.painter.setPen(QPen(QColor(edge), 0.8) if edge else Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(fill))

    def _font(self, size: int, bold: bool) -> QFont:
        font = QFont()
        font.setFamilies(self._families)
        # Units of the painter, which are points on paper: a size in points would depend on the device.
        font.setPixelSize(max(4, size))
        font.setBold(bold)
        # Ligatures would be different characters when the text of a PDF is copied or searched.
        font.setFeature(QFont.Tag("liga"), 0)
        return font


def _rect(area: Area) -> QRectF:
    return QRectF(area.left, area.top, area.width, area.height)


def _point(place: Place) -> QPointF:
    return QPointF(place.x, place.y)
