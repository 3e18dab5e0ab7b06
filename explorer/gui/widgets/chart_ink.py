"""The colors of charts in the window, and the pens that draw their parts there."""

from __future__ import annotations

from PySide6.QtGui import QColor, QFontInfo, QPainter
from PySide6.QtWidgets import QApplication

from explorer.export.drawing.drawer import PAPER, Palette
from explorer.gui.figures.ink import Pens
from explorer.gui.theme import colors, font_of, is_dark

_POINTS = 8
"""The text size of a figure, for which its lengths are chosen."""
_SIZE = 0.92


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
    return Pens(painter, _POINTS, chart_colors(), (QApplication.font().family(),))
