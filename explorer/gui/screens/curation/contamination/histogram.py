"""How many items have a longest match of some length, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gui.theme import em, font_of, qcolor, scaled
from explorer.i18n import numeral, tr


class LengthBars(QWidget):
    """A bar for each range of lengths, with its count; heights are square roots, so that few items are seen, too."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Items by longest match"))
        self._bars: tuple[tuple[str, int], ...] = ()

    def show_bars(self, bars: Sequence[tuple[str, int]]) -> None:
        """Draw other counts.

        Parameters
        ----------
        bars
            Ranges of lengths with their counts.
        """
        self._bars = tuple(bars)
        self.setAccessibleDescription("; ".join(f"{name}: {numeral(count)}" for name, count in self._bars))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Bars, counts and ranges."""
        painter = QPainter(self)
        # Lengths grow from left to right everywhere.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setFont(font_of(0.85))
        most = max((count for _, count in self._bars), default=0)
        line, pad = em(1.3), scaled(16)
        room = (self.width() - 2 * pad) / max(1, len(self._bars))
        height = max(1.0, self.height() - 2 * line - scaled(8))
        for place, (name, count) in enumerate(self._bars):
            left = pad + place * room
            tall = max(1.0 if count else 0.0, height * sqrt(count / most)) if most else 0.0
            top = scaled(4) + line + height - tall
            painter.fillRect(QRectF(left + room * 0.12, top, room * 0.76, tall), qcolor("bar"))
            painter.setPen(qcolor("text"))
            painter.drawText(QRectF(left, top - line, room, line), Qt.AlignmentFlag.AlignCenter, numeral(count))
            painter.setPen(qcolor("muted"))
            below = QRectF(left, self.height() - line, room, line)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, name)
        painter.end()

    def sizeHint(self) -> QSize:
        """Twice as wide as high."""
        return QSize(em(22), em(10))

    def minimumSizeHint(self) -> QSize:
        """Room for the ranges."""
        return QSize(em(18), em(8))
