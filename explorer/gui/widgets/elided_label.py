"""A label that takes the room it is given: what does not fit is cut at the end, and shown in the tool tip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from explorer.gui.untrusted import Label


class ElidedLabel(Label):
    """One line of text, however little room there is."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        # Before the base class, whose constructor sets the text, and with it the tool tip.
        self._about = ""
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def setText(self, text: str) -> None:
        """Set the text."""
        super().setText(text)
        super().setToolTip(self._about or text)

    def setToolTip(self, text: str) -> None:
        """Set the tool tip; "" for the whole text."""
        self._about = text
        super().setToolTip(text or self.text())

    def minimumSizeHint(self) -> QSize:
        """Only the height of a line."""
        # Without a width of its own, a long name does not decide how narrow the window may be.
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the part of the text that fits."""
        # The label's own painting would cut the text in the middle of a letter.
        painter = QPainter(self)
        area = self.contentsRect()
        # The base direction is that of the text, whatever the window's is.
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.setFont(self.font())
        text = QFontMetrics(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, area.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        align = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, QStyle.visualAlignment(self.layoutDirection(), align), text)
        painter.end()
