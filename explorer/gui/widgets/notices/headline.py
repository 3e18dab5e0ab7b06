"""The answer in one sentence, large: its number is bold, and what is in parentheses is smaller."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gui.style.direction import reads_right_to_left
from explorer.gui.style.theme import font_of, qcolor

_SCALES = ((1.54, 1.08), (1.23, 1.0), (1.08, 0.92))
"""Sizes of the sentence and of what follows it, from the usual ones down to those of a narrow window."""


class Headline(QWidget):
    """A sentence that wraps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._strong, self._aside = "", "", ""
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def text(self) -> str:
        """The whole sentence."""
        return f"{self._text} {self._aside}".strip()

    def say(self, text: str, strong: str, aside: str) -> None:
        """Show a sentence.

        aside: What follows in smaller type.
        """
        if (text, strong, aside) == (self._text, self._strong, self._aside):
            return
        self._text, self._strong, self._aside = text, strong, aside
        self.setAccessibleName(self.text)
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    # Measured and painted by the same layout, so that no line is cut.
    def _laid_out(self, width: float) -> tuple[QTextLayout, float]:
        """The largest that fits into one line; the smallest, in several lines, if none does."""
        for scales in _SCALES:
            layout, height = self._laid_out_at(width, scales)
            if layout.lineCount() < 2:
                break
        return layout, height

    def _laid_out_at(self, width: float, scales: tuple[float, float]) -> tuple[QTextLayout, float]:
        layout = QTextLayout(self.text, font_of(scales[0]))
        option = QTextOption()
        # The sentence's own, so that one that begins with a number keeps it in front; the window gives only the side.
        own = reads_right_to_left(self.text)
        option.setTextDirection(Qt.LayoutDirection.RightToLeft if own else Qt.LayoutDirection.LeftToRight)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        layout.setTextOption(option)
        layout.setFormats(self._formats(scales[1]))
        layout.beginLayout()
        height = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1.0, width))
            line.setPosition(QPointF(0, height))
            height += line.height()
        layout.endLayout()
        return layout, height

    def _formats(self, small: float) -> list[QTextLayout.FormatRange]:
        strong, aside = QTextCharFormat(), QTextCharFormat()
        strong.setFontWeight(QFont.Weight.DemiBold)
        aside.setFont(font_of(small))
        aside.setForeground(qcolor("muted"))
        # Positions of Python are those of Qt here: the sentence is the program's own, without characters of two units.
        parts = (
            (self._text.find(self._strong), len(self._strong), strong),
            (len(self.text) - len(self._aside), len(self._aside), aside),
        )
        found = []
        for start, length, form in parts:
            if start >= 0 and length:
                each = QTextLayout.FormatRange()
                each.start, each.length, each.format = start, length, form
                found.append(each)
        return found

    def hasHeightForWidth(self) -> bool:
        """It wraps."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of its lines."""
        # Until there is a sentence, it takes no room.
        if not self.text:
            return 0
        # To the next whole pixel: a line must not lose a part of one.
        return round(self._laid_out(width)[1] + 0.5)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In another width, the sentence may need more lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """One line."""
        # Wider than any screen, so that nothing wraps.
        return QSize(300, self.heightForWidth(100_000))

    def minimumSizeHint(self) -> QSize:
        """It may be narrow."""
        return QSize(100, self.heightForWidth(max(100, self.width())))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The sentence in the theme's colors."""
        painter = QPainter(self)
        painter.setPen(qcolor("text"))
        self._laid_out(self.width())[0].draw(painter, QPointF(0, 0))
        painter.end()

    def setLayoutDirection(self, direction: Qt.LayoutDirection) -> None:
        """Draw again in the other direction."""
        super().setLayoutDirection(direction)
        self.update()
