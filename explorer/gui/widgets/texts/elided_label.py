"""A label that takes the room it is given: what does not fit is cut at the end, and shown in the tool tip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from explorer.gui.style.untrusted import Label


class ElidedLabel(Label):
    """One line of text, however little room there is.

    between: What separates the facts of the text; those at the end that have no room are left out as a whole. "" for a
        text that is one.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None, between: str = "") -> None:
        # Before the base class, whose constructor sets the text, and with it the tool tip.
        self._about, self._between = "", between
        self._shorter: tuple[str, ...] = ()
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def show_forms(self, *forms: str) -> None:
        """Show the first form of a text that fits, from the whole text to its shortest; the tip has the whole text."""
        self.setText(forms[0])
        self._shorter = forms[1:]

    def setText(self, text: str) -> None:
        """Set the text."""
        self._shorter = ()
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

    def fitting(self, room: int) -> str:
        """What is shown in a width of pixels: the facts that fit, or the beginning of the first."""
        metrics, text = QFontMetrics(self.font()), self.text()
        for form in self._shorter:
            if metrics.horizontalAdvance(text) > room:
                text = form
        while self._between and self._between in text and metrics.horizontalAdvance(text) > room:
            text = text.rpartition(self._between)[0].rstrip()
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the part of the text that fits."""
        # The label's own painting would cut the text in the middle of a letter.
        painter = QPainter(self)
        area = self.contentsRect()
        # The base direction is that of the text, whatever the window's is.
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.setFont(self.font())
        text = self.fitting(area.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        align = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, QStyle.visualAlignment(self.layoutDirection(), align), text)
        painter.end()
