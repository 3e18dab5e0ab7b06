"""A switch that slides: something is on or off at once, without a button to confirm it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from explorer.gui.style.theme import chrome, font_of, qcolor, scaled
from explorer.gui.widgets.painting import PaintedButton, draw_words, ring

_WIDTH, _HEIGHT, _EDGE, _GAP, _AROUND = 32, 18, 2, 8, 3


class Toggle(PaintedButton):
    """A track with a knob, and words after it; `toggled(bool)` when it changes.

    text: What is switched; "" where a label next to it names it, and then `setAccessibleName` is needed.
    on: Whether it is on at first.
    """

    def __init__(self, text: str = "", on: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setCheckable(True)
        self.setChecked(on)

    def sizeHint(self) -> QSize:
        """The track and the words."""
        words = scaled(_GAP) + self.metrics().horizontalAdvance(self.words) + 1 if self.words else 0
        return QSize(scaled(_WIDTH) + 2 * _AROUND + words, max(chrome(24), scaled(_HEIGHT) + 2 * _AROUND))

    def minimumSizeHint(self) -> QSize:
        """It is never cut."""
        return self.sizeHint()

    def draw(self, painter: QPainter) -> None:
        """The track, the knob at the start or the end, and the words."""
        width, height = scaled(_WIDTH), scaled(_HEIGHT)
        track = QRectF(_AROUND, (self.height() - height) / 2, width, height)
        on, enabled = self.isChecked(), self.isEnabled()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qcolor("line_strong" if not enabled else "accent" if on else "faint"))
        painter.drawRoundedRect(self.mirrored(track), height / 2, height / 2)
        side = height - 2 * scaled(_EDGE)
        left = track.right() - scaled(_EDGE) - side if on else track.left() + scaled(_EDGE)
        painter.setBrush(qcolor("on_accent" if on and enabled else "surface"))
        painter.drawEllipse(self.mirrored(QRectF(left, track.top() + scaled(_EDGE), side, side)))
        if self.hasFocus():
            around = track.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
            ring(painter, self.mirrored(around), around.height() / 2)
        painter.setFont(font_of())
        painter.setPen(qcolor("text" if enabled else "faint"))
        start = track.right() + scaled(_GAP)
        words = self.mirrored(QRectF(start, 0, self.width() - start, self.height()))
        draw_words(painter, words, self.words)
