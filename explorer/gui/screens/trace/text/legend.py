"""The legend of the shades and underlines of spans."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gui.screens.screen import text_order
from explorer.gui.style.theme import RELEVANCE, qcolor
from explorer.i18n import mark, tr

_LEVELS = (
    (mark("high"), Qt.PenStyle.SolidLine),
    (mark("medium"), Qt.PenStyle.DashLine),
    (mark("low"), Qt.PenStyle.DotLine),
)
_TITLE = mark("Relevance")
_PAD, _GAP = 12, 8
"""Pixels beside a name in its sample, and between samples."""


class Legend(QWidget):
    """One line: a sample of each level's fill and underline, with its name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        text_order(self)
        self._titled = True
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend"))
        self.setAccessibleDescription(
            tr("Relevance of the best document: solid underline high, dashed medium, dotted low")
        )

    def show_title(self, titled: bool) -> None:
        """Show what the levels are of, or leave it to the tool tip where there is little room."""
        if titled != self._titled:
            self._titled = titled
            self.updateGeometry()
            self.update()

    def width_of(self, titled: bool) -> int:
        """The width of all three samples, with their title or without, in pixels."""
        metrics = QFontMetrics(self.font())
        samples = sum(metrics.horizontalAdvance(tr(name)) + _PAD for name, _ in _LEVELS) + _GAP * (len(_LEVELS) - 1)
        return samples + (metrics.horizontalAdvance(tr(_TITLE)) + _GAP if titled else 0)

    def sizeHint(self) -> QSize:
        """The width of what is shown."""
        return QSize(self.width_of(self._titled), QFontMetrics(self.font()).height() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        metrics = QFontMetrics(self.font())
        left = 0
        if self._titled:
            painter.setPen(qcolor("muted"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, tr(_TITLE))
            left = metrics.horizontalAdvance(tr(_TITLE)) + _GAP
        for name, style in _LEVELS:
            width = metrics.horizontalAdvance(tr(name)) + _PAD
            area = self.rect().adjusted(left, 2, 0, -2)
            area.setWidth(width)
            painter.fillRect(area, qcolor(RELEVANCE[name]))
            painter.setPen(qcolor("text"))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, tr(name))
            painter.setPen(QPen(qcolor("accent"), 1.5, style))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
            left += width + _GAP
        painter.end()
