"""Colors, markers and text of figures for paper."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from explorer.chart import Bars, Dots

# Written out, since paper does not follow the theme of the window.
INK = QColor("#1a2030")
GRID = QColor("#d9dde6")
BAR = QColor("#a9bcdf")
DOT = QColor("#b3400c")
PALE = QColor("#eef2fa")
SOURCES = tuple(QColor(name) for name in ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#000000"))
"""Distinguishable with color vision deficiency; after Okabe and Ito, "Color Universal Design", 2008."""

# The first of these that a machine has: figures look alike on Windows, macOS and Linux.
_FAMILIES = ["Helvetica", "Arial", "Liberation Sans", "Noto Sans", "DejaVu Sans"]
_RADIUS = 2.0
# Corners of the markers after the circle, on a circle of radius 1: triangle, square, diamond, triangle down.
_CORNERS = (
    (),
    ((0, -1.2), (1.1, 0.8), (-1.1, 0.8)),
    ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    ((0, 1.2), (1.1, -0.8), (-1.1, -0.8)),
)


def source_color(number: int) -> QColor:
    """The color of a source; together with the markers it distinguishes 35 sources."""
    return SOURCES[number % len(SOURCES)]


def marker_corners(number: int) -> tuple[tuple[float, float], ...]:
    """Corners of a source's marker; empty for a circle."""
    return _CORNERS[number % len(_CORNERS)]


def color_of(layer: Dots | Bars, by_source: bool) -> QColor:
    """Choose the color of a layer.

    Parameters
    ----------
    layer
        Dots or bars.
    by_source
        Whether dots have the color of their source.

    Returns
    -------
    QColor
        The color of the source, or the one color of all dots.
    """
    return source_color(layer.color) if by_source and isinstance(layer, Dots) else DOT


def fill_bar(painter: QPainter, area: QRectF, bars: Bars) -> None:
    """Fill a bar, or its sample in the legend.

    Parameters
    ----------
    painter
        The painter.
    area
        The bar, in points.
    bars
        Its layer, which decides the look.
    """
    painter.fillRect(area, SOURCES[0] if bars.look == "strong" else BAR)
    if bars.look == "hatched":
        painter.fillRect(area, QBrush(INK, Qt.BrushStyle.BDiagPattern))


def draw_marker(painter: QPainter, at: QPointF, dots: Dots, by_source: bool) -> None:
    """Draw one dot: filled, or hollow where it is unsure.

    Parameters
    ----------
    painter
        Where to draw; its pen and brush are changed.
    at
        The center, in points.
    dots
        The layer of the dot.
    by_source
        Whether its color and shape tell its source.
    """
    color = color_of(dots, by_source)
    painter.setPen(QPen(color, 0.8) if dots.unsure else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.GlobalColor.white if dots.unsure else color)
    corners = marker_corners(dots.color) if by_source else ()
    if corners:
        painter.drawPolygon(QPolygonF([QPointF(at.x() + _RADIUS * x, at.y() + _RADIUS * y) for x, y in corners]))
    else:
        painter.drawEllipse(at, _RADIUS, _RADIUS)


class Pens:
    """Writes text in one family at sizes around `size`."""

    def __init__(self, painter: QPainter, size: int) -> None:
        self.painter, self.size = painter, size
        self.line = QFontMetricsF(_font(size, False)).height()

    def width(self, text: str, smaller: int = 0) -> float:
        """Measure a text.

        Parameters
        ----------
        text
            The text, on one line.
        smaller
            How many points smaller the text is.

        Returns
        -------
        float
            Its width in points.
        """
        return QFontMetricsF(_font(self.size - smaller, False)).horizontalAdvance(text)

    def fitting(self, text: str, width: float) -> str:
        """Cut a text to a width.

        Parameters
        ----------
        text
            The text, on one line.
        width
            The room in points.

        Returns
        -------
        str
            The text, or its beginning with an ellipsis.
        """
        return QFontMetricsF(_font(self.size, False)).elidedText(text, Qt.TextElideMode.ElideRight, max(width, 10.0))

    def text(
        self,
        area: QRectF,
        text: str,
        smaller: int = 0,
        larger: int = 0,
        bold: bool = False,
        side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
    ) -> None:
        """Draw one line of text.

        Parameters
        ----------
        area
            Where to draw, in points.
        text
            The text.
        smaller
            How many points smaller the text is.
        larger
            How many points larger the text is.
        bold
            Whether it is bold.
        side
            Where in the area it is placed horizontally.
        """
        font = _font(self.size + larger - smaller, bold)
        self.painter.setFont(font)
        self.painter.setPen(INK)
        # A title is measured in its own font, which `fitting` does not know.
        if larger:
            text = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        self.painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)

    def upright(self, x: float, plot: QRectF, text: str, color: QColor) -> None:
        """Draw a text on its side, in the middle of a plot's height.

        Parameters
        ----------
        x
            The place of its left edge, in points.
        plot
            The area of the plot.
        text
            The text, cut if it is longer than the plot is high.
        color
            Its color.
        """
        self.painter.save()
        self.painter.translate(x, plot.center().y())
        self.painter.rotate(-90)
        self.painter.setFont(_font(self.size, False))
        self.painter.setPen(color)
        half = plot.height() / 2 + 10
        area = QRectF(-half, 0, 2 * half, self.line)
        self.painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.fitting(text, 2 * half))
        self.painter.restore()


def _font(size: int, bold: bool) -> QFont:
    font = QFont()
    font.setFamilies(_FAMILIES)
    # Units of the painter, which are points on paper: a size in points would depend on the device.
    font.setPixelSize(max(4, size))
    font.setBold(bold)
    # Ligatures would be different characters when the text of a PDF is copied or searched.
    font.setFeature(QFont.Tag("liga"), 0)
    return font
