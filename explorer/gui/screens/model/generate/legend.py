"""What the shades of a generated text and the line under it mean."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gui.screens.model.generate.state import FILLS, SHADES
from explorer.gui.screens.screen import label
from explorer.gui.style.theme import font_of, qcolor, scaled
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.painting import draw_words
from explorer.i18n import tr

_COPIED = -1
"""The line under the longest copy, in place of a level."""
_SAMPLE, _GAP = 20, 6


class _Entry(QWidget):
    """One sample and its words."""

    def __init__(self, level: int, words: str) -> None:
        super().__init__()
        self._level, self._words = level, words
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """The sample and its words."""
        metrics = QFontMetrics(font_of(0.92))
        return QSize(scaled(_SAMPLE + _GAP) + metrics.horizontalAdvance(self._words) + 1, metrics.height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The sample at the side where lines begin, then the words."""
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        right = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        wide, high, lead = scaled(_SAMPLE), scaled(12), scaled(_SAMPLE + _GAP)
        area = QRectF(self.width() - wide if right else 0, (self.height() - high) // 2, wide, high)
        if self._level == _COPIED:
            painter.fillRect(QRectF(area.left(), area.bottom() - 2, wide, 2), qcolor("text"))
        else:
            painter.setPen(qcolor("line_strong"))
            painter.setBrush(qcolor(FILLS[self._level]))
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setFont(font_of(0.92))
        painter.setPen(qcolor("muted"))
        draw_words(painter, QRectF(0 if right else lead, 0, self.width() - lead, self.height()), self._words)
        painter.end()


class PlacesLegend(QWidget):
    """The shades and the line, in one row or in as many as are needed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self, gap=12)
        self._flow.addWidget(label(tr("Places of the context"), "small"))
        for level, words in (*SHADES, (_COPIED, tr("longest copy"))):
            # Each is a widget of its own, so that a row can end between any two.
            self._flow.addWidget(_Entry(level, tr(words)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the room of all its rows."""
        super().resizeEvent(event)
        # The splitter above asks only for the least height, and not for that of this width.
        self.setMinimumHeight(self._flow.heightForWidth(self.width()))
