"""The legend of the shades and underlines of spans."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gui.screen import text_order
from explorer.gui.theme import RELEVANCE, qcolor
from explorer.i18n import mark, tr

_LEVELS = (
    (mark("high"), Qt.PenStyle.SolidLine),
    (mark("medium"), Qt.PenStyle.DashLine),
    (mark("low"), Qt.PenStyle.DotLine),
)
_TITLE = mark("Relevance")


class Legend(QWidget):
    """One line: a sample of each level's fill and underline, with its name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        text_order(self)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend"))
        self.setAccessibleDescription(
            tr("Relevance of the best document: solid underline high, dashed medium, dotted low")
        )

    def sizeHint(self) -> QSize:
        """The width of all three samples."""
        metrics = QFontMetrics(self.font())
        width = sum(metrics.horizontalAdvance(tr(name)) + 22 for name, _ in _LEVELS)
        return QSize(width + metrics.horizontalAdvance(tr(_TITLE)) + 16, metrics.height() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        metrics = QFontMetrics(self.font())
        painter.setPen(qcolor("muted"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, tr(_TITLE))
        left = metrics.horizontalAdvance(tr(_TITLE)) + 10
        for name, style in _LEVELS:
            width = metrics.horizontalAdvance(tr(name)) + 12
            area = self.rect().adjusted(left, 2, 0, -2)
            area.setWidth(width)
            painter.fillRect(area, qcolor(RELEVANCE[name]))
            painter.setPen(qcolor("text"))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, tr(name))
            painter.setPen(QPen(qcolor("accent"), 1.5, style))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
            left += width + 8
        painter.end()
