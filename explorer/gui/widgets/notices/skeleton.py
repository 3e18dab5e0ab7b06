"""What is shown where lines will come: pale bars in the places of words."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gui.style.theme import chrome, scaled
from explorer.gui.widgets.painting import rounded

Shape = Literal["lines", "concordance", "cards"]
_BAR, _RADIUS, _PAD = 10, 4, 16
_LENGTHS = (0.92, 0.74, 0.86, 0.61, 0.8, 0.69)
"""Lengths of the bars as shares of the room, repeated: words of a text are not all equally long either."""


class Skeleton(QWidget):
    """Bars that fill its area. It does not move: an animation would take the eye from the count above it.

    shape: "lines": a table or a text; "concordance": words on both sides of a match; "cards": framed passages.
    """

    def __init__(self, shape: Shape = "lines", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shape: Shape = shape
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        # Assistive technology is told that something is awaited by the progress, not by bars.
        self.setAccessibleName("")

    def bars(self) -> list[tuple[QRectF, str]]:
        """The bars and their colors, as fields of `Colors`, from top to bottom."""
        made: list[tuple[QRectF, str]] = []
        step = chrome(26) if self._shape != "cards" else scaled(22)
        top, number = float(scaled(_PAD)), 0
        while top + scaled(_BAR) <= self.height():
            made += self._line(top, _LENGTHS[number % len(_LENGTHS)])
            number += 1
            # Three bars make a card.
            top += step + (scaled(24) if self._shape == "cards" and number % 3 == 0 else 0)
        return made

    def _line(self, top: float, length: float) -> list[tuple[QRectF, str]]:
        left, width, high = scaled(_PAD), self.width() - 2 * scaled(_PAD), scaled(_BAR)
        if self._shape != "concordance":
            return [(QRectF(left, top, width * length, high), "skeleton")]
        number, side, match = width * 0.06, width * 0.38, width * 0.12
        before = side * length
        middle = left + number + side + width * 0.02
        after = QRectF(middle + match + width * 0.02, top, side * (1.5 - length), high)
        return [
            (QRectF(left, top, number * 0.8, high), "skeleton"),
            (QRectF(left + number + side - before, top, before, high), "skeleton"),
            (QRectF(middle, top, match, high), "accent_soft"),
            (after, "skeleton"),
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars, from the side where lines begin."""
        painter = QPainter(self)
        for area, color in self.bars():
            if self.isRightToLeft():
                area.moveLeft(self.width() - area.right())
            rounded(painter, area, _RADIUS, color)
        painter.end()
