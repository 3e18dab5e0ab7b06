"""What the shades and underlines of spans mean."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gui.theme import qcolor

_LEVELS = (("high", Qt.PenStyle.SolidLine), ("medium", Qt.PenStyle.DashLine), ("low", Qt.PenStyle.DotLine))
_TITLE = "Relevance"


class Legend(QWidget):
    """One line: a sample of each level's fill and underline, with its name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend")
        self.setAccessibleDescription("Relevance of the best document: solid underline high, dashed medium, dotted low")

    def sizeHint(self) -> QSize:
        """Wide enough for all three."""
        metrics = QFontMetrics(self.font())
        width = sum(metrics.horizontalAdvance(name) + 22 for name, _ in _LEVELS)
        return QSize(width + metrics.horizontalAdvance(_TITLE) + 16, metrics.height() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        metrics = QFontMetrics(self.font())
        painter.setPen(qcolor("muted"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, _TITLE)
        left = metrics.horizontalAdvance(_TITLE) + 10
        for name, style in _LEVELS:
            width = metrics.horizontalAdvance(name) + 12
            area = self.rect().adjusted(left, 2, 0, -2)
            area.setWidth(width)
            painter.fillRect(area, qcolor(name))
            painter.setPen(qcolor("text"))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, name)
            painter.setPen(QPen(qcolor("accent"), 1.5, style))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
            left += width + 8
        painter.end()
