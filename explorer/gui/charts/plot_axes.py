"""The axes of a plot as they are painted: lines of the grid, and labels that do not touch."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.gui.style.theme import em, font_of, qcolor, scaled, width_of

Ticks = Sequence[tuple[float, str]]
"""Places in pixels with their labels, by place."""


def apart(places: Sequence[float], least: float) -> list[int]:
    """The ticks whose labels do not touch, from the first on.

    least: The least distance of two labels in pixels.
    Returns: The number of the first tick, and of each that is so far from the one before it.
    """
    kept: list[int] = []
    last = -inf
    for number, place in enumerate(places):
        if place - last >= least:
            kept.append(number)
            last = place
    return kept


def plot_area(width: int, height: int, labels: Sequence[str]) -> QRectF:
    """The part of a plot in which the data are, beside its axes."""
    left = max((width_of(label, 0.85) for label in labels), default=0) + scaled(14)
    return QRectF(left, scaled(12), max(10.0, width - left - em(1.6)), max(10.0, height - 3.3 * em(1.3)))


def paint_axes(painter: QPainter, area: QRectF, ups: Ticks, across: Ticks, name: str) -> None:
    """Paint grid and labels.

    area: The part of the plot with the data.
    ups: The ticks of the axis at the left, from the bottom on.
    """
    line = em(1.3)
    painter.setFont(font_of(0.85))
    for number in apart([-place for place, _ in ups], line):
        y, text = ups[number]
        painter.setPen(QPen(qcolor("grid"), 1))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        painter.setPen(qcolor("muted"))
        room = QRectF(0, y - line, area.left() - scaled(8), 2 * line)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
    painter.setPen(qcolor("muted"))
    widest = max((width_of(text, 0.85) for _, text in across), default=0)
    for number in apart([place for place, _ in across], widest + scaled(6)):
        x, text = across[number]
        room = QRectF(x - em(3), area.bottom() + scaled(3), em(6), line)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
    room = QRectF(area.left(), area.bottom() + scaled(3) + line, area.width(), line)
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, name)
