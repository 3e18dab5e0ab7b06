"""Figure 3 for paper: bars of token numbers and dots of agreement, painted in points.

Painted with QPainter so that PNG, SVG and PDF all come from one description, with real text and
lines of the same width at every scale. Always on a light ground.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from explorer.agreement.figure import AgreementFigure, Bin, Series

WIDTH = 540.0
HEIGHT = 210.0

_LEFT, _RIGHT, _TOP, _BOTTOM, _GAP = 46.0, 50.0, 40.0, 36.0, 44.0
_INK = QColor("#1a2030")
_GRID = QColor("#d9dde6")
_BAR = QColor("#a9bcdf")
_DOT = QColor("#b3400c")
_FAMILIES = ["Helvetica", "Arial", "Liberation Sans", "Noto Sans", "DejaVu Sans"]
_MOST_BINS = 32


def shown_bins(series: Series) -> tuple[Bin, ...]:
    """The bins that are drawn: the tail beyond effective n 32 is left to the tables."""
    return tuple(b for b in series.bins if b.effective_n <= _MOST_BINS)


def nice_step(span: float, parts: int) -> float:
    """A step of 1, 2 or 5 times a power of ten that divides a span into about so many parts."""
    rough = max(span, 1e-9) / max(1, parts)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)


def short_number(value: float) -> str:
    """A number of tokens for an axis: 950, 12k, 1.5M."""
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:g}{unit}"
    return f"{value:g}"


def largest_n(figure: AgreementFigure) -> int:
    """The largest effective n that is drawn."""
    return max((b.effective_n for series in figure.panels for b in shown_bins(series)), default=1)


def paint_agreement(painter: QPainter, figure: AgreementFigure, title: str, most_n: int = 0) -> None:
    """Paint the figure into WIDTH × HEIGHT points at the painter's origin; most_n: end of the axes, 0: its own."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRectF(0, 0, WIDTH, HEIGHT), Qt.GlobalColor.white)
    _text(painter, QRectF(0, 4, WIDTH, 14), title, 10, bold=True)
    panel = (WIDTH - _LEFT - _RIGHT - 2 * _GAP) / 3
    most_n = most_n or largest_n(figure)
    for number, series in enumerate(figure.panels):
        area = QRectF(_LEFT + number * (panel + _GAP), _TOP, panel, HEIGHT - _TOP - _BOTTOM)
        _paint_panel(painter, area, series, most_n)
    _side_label(painter, 4, "Agreement", _DOT)
    _side_label(painter, WIDTH - 16, "Tokens", _INK)


def _paint_panel(painter: QPainter, area: QRectF, series: Series, most_n: int) -> None:
    overall = "no tokens" if not series.tokens else f"{series.overall:.0%} of {series.tokens:,}"
    _text(painter, QRectF(area.left() - 20, area.top() - 18, area.width() + 40, 12), f"{series.name}: {overall}", 8)
    slot = area.width() / most_n
    tallest = max((b.tokens for b in shown_bins(series)), default=1)
    step = nice_step(tallest, 4)
    top = step * math.ceil(tallest / step)
    _paint_axes(painter, area, most_n, top, step)
    for b in shown_bins(series):
        centre = area.left() + (b.effective_n - 0.5) * slot
        height = area.height() * b.tokens / top
        painter.fillRect(QRectF(centre - 0.36 * slot, area.bottom() - height, 0.72 * slot, height), _BAR)
    for b in shown_bins(series):
        _paint_dot(painter, area, area.left() + (b.effective_n - 0.5) * slot, b)
    painter.setPen(QPen(_INK, 0.7))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area)


def _paint_dot(painter: QPainter, area: QRectF, x: float, b: Bin) -> None:
    def height(share: float) -> float:
        return area.bottom() - area.height() * share

    painter.setPen(QPen(_DOT, 0.8))
    painter.drawLine(QPointF(x, height(b.low)), QPointF(x, height(b.high)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_DOT)
    painter.drawEllipse(QPointF(x, height(b.agreement)), 2.0, 2.0)


def _paint_axes(painter: QPainter, area: QRectF, most_n: int, top: float, step: float) -> None:
    for tenths in range(0, 11, 2):
        y = area.bottom() - area.height() * tenths / 10
        painter.setPen(QPen(_GRID, 0.4))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        _text(painter, QRectF(area.left() - 24, y - 5, 21, 10), f"{tenths / 10:.1f}", 7, Qt.AlignmentFlag.AlignRight)
    for number in range(round(top / step) + 1):
        y = area.bottom() - area.height() * number * step / top
        label = short_number(number * step)
        _text(painter, QRectF(area.right() + 3, y - 5, 30, 10), label, 7, Qt.AlignmentFlag.AlignLeft)
    each = max(1, int(nice_step(most_n, 6)))
    for n in _ticks(most_n, each):
        x = area.left() + (n - 0.5) * area.width() / most_n
        _text(painter, QRectF(x - 12, area.bottom() + 3, 24, 10), str(n), 7)
    _text(painter, QRectF(area.left(), area.bottom() + 14, area.width(), 12), "Effective n", 8)


def _ticks(most: int, each: int) -> Sequence[int]:
    return [1, *range(each, most + 1, each)] if each > 1 else list(range(1, most + 1))


def _font(size: int, bold: bool) -> QFont:
    font = QFont()
    font.setFamilies(_FAMILIES)
    font.setPixelSize(size)
    font.setBold(bold)
    # Joined letters are other characters to who copies or searches the text of a PDF.
    font.setFeature(QFont.Tag("liga"), 0)
    return font


def _text(
    painter: QPainter,
    area: QRectF,
    text: str,
    size: int,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
    bold: bool = False,
) -> None:
    painter.setFont(_font(size, bold))
    painter.setPen(_INK)
    painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)


def _side_label(painter: QPainter, x: float, text: str, color: QColor) -> None:
    painter.save()
    painter.translate(x, _TOP + (HEIGHT - _TOP - _BOTTOM) / 2)
    painter.rotate(-90)
    painter.setFont(_font(8, False))
    painter.setPen(color)
    painter.drawText(QRectF(-60, 0, 120, 12), Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
