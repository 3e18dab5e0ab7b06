"""The values of a bin, in a small frame beside it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.style.theme import scaled
from explorer.gui.widgets.painting import rounded

_PAD, _GAP = 12, 14


class HoverCard(QWidget):
    """A heading and some lines, above a plot; it takes no clicks."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.heading, self.lines = label("", "heading"), label("", "small")
        self._column = QVBoxLayout(self)
        self._column.setSpacing(2)
        self._column.addWidget(self.heading)
        self._column.addWidget(self.lines)
        self.hide()

    def say(self, heading: str, lines: str, at: QPoint) -> None:
        """Show values beside a point of the plot."""
        pad, gap = scaled(_PAD), scaled(_GAP)
        # At each call: the pixels depend on the text size.
        self._column.setContentsMargins(pad, pad // 2, pad, pad // 2)
        self.heading.setText(heading)
        self.lines.setText(lines)
        self.adjustSize()
        room = self._over.size()
        # On the other side of the point where there is no room.
        left = at.x() + gap if at.x() + gap + self.width() <= room.width() else at.x() - gap - self.width()
        top = min(max(0, at.y() - self.height() // 2), room.height() - self.height())
        self.move(max(0, left), max(0, top))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A surface with an outline."""
        painter = QPainter(self)
        rounded(painter, QRectF(self.rect()), 6, "surface", "line_strong")
        painter.end()
