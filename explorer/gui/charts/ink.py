"""The colors of charts in the window, and the pens that draw their parts there."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QFontInfo, QPainter
from PySide6.QtWidgets import QApplication

from explorer.export.drawing.drawer import PAPER, Area, Palette, Side
from explorer.gui.charts.export.ink import Pens
from explorer.gui.style.text_positions import one_line
from explorer.gui.style.theme import colors, font_of, is_dark

_POINTS = 8
"""The text size of a figure, for which its lengths are chosen."""
_SIZE = 0.92


class _WindowPens(Pens):
    """Writes each text on one line, with signs for controls in it."""

    def width(self, text: str, smaller: int = 0) -> float:
        return super().width(one_line(text), smaller)

    def fitting(self, text: str, width: float) -> str:
        return super().fitting(one_line(text), width)

    def text(
        self, area: Area, text: str, smaller: int = 0, larger: int = 0, bold: bool = False, side: Side = "center"
    ) -> None:
        super().text(area, one_line(text), smaller, larger, bold, side)

    def fill(self, area: Area, color: str) -> None:
        # Whole pixels: a tick is about one of them wide, and over two it would be pale.
        whole = self.painter.transform().mapRect(QRectF(area.left, area.top, area.width, area.height))
        self.painter.save()
        self.painter.resetTransform()
        size = max(1, round(whole.width())), max(1, round(whole.height()))
        self.painter.fillRect(QRect(round(whole.left()), round(whole.top()), *size), QColor(color))
        self.painter.restore()


def chart_colors() -> Palette:
    """The colors of exported figures; on a dark ground, lighter ones of the same hues."""
    if not is_dark():
        return PAPER
    shown = colors()
    return Palette(
        ink=shown.text,
        grid=shown.grid,
        bar=shown.bar,
        pale=shown.sunken,
        ground=shown.surface,
        sources=tuple(map(_lighter, PAPER.sources)),
    )


def _lighter(name: str) -> str:
    color = QColor(name)
    # Black would not be seen.
    return color.lighter(150).name() if color.value() else colors().text


def pixels_per_point() -> float:
    """How many pixels of the window are a point of a figure: all of it grows with the text."""
    return QFontInfo(font_of(_SIZE)).pixelSize() / _POINTS


def window_pens(painter: QPainter) -> Pens:
    """Let a figure's drawing go to a widget, in points.

    painter: The widget's; its scale is changed.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(pixels_per_point(), pixels_per_point())
    return _WindowPens(painter, _POINTS, chart_colors(), (QApplication.font().family(),))
