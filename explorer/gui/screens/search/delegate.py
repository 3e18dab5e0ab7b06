"""Paints contexts: cut at their far ends, with the words that lines are sorted by marked."""

from __future__ import annotations

import re

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPalette, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.gui.screens.search.model import LEFT, RIGHT
from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import qcolor

_WORD = re.compile(r"[\u3000-\u9fff]|(?:(?![\u3000-\u9fff])[\w\u0080-\U0010ffff])+|[!-/:-@\[-^`{-~]+")
_PICTURES = dict.fromkeys([0x23CE, *range(0x2400, 0x2422)], " ")
_PADDING = 6


def word_span(text: str, place: int) -> tuple[int, int] | None:
    """Characters of the word `place` to the right of the match (negative: left) in a context as it is shown."""
    found = [match.span() for match in _WORD.finditer(text.translate(_PICTURES))]
    number = place - 1 if place > 0 else len(found) + place
    return found[number] if 0 <= number < len(found) else None


class ContextDelegate(QStyledItemDelegate):
    """`levels`: the places of the words that lines are sorted by, first level first."""

    def __init__(self, parent: object = None) -> None:
        super().__init__(parent)  # type: ignore[arg-type]
        self.levels: tuple[int, ...] = ()

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Fill in the side at which a cell is cut."""
        super().initStyleOption(option, index)
        left = index.column() == LEFT
        option.textElideMode = Qt.TextElideMode.ElideLeft if left else Qt.TextElideMode.ElideRight

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Contexts with marked words by themselves, everything else as the style does."""
        places = [p for p in self.levels if (p < 0) == (index.column() == LEFT) and p]
        if index.column() not in (LEFT, RIGHT) or not places:
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        area = option.rect.adjusted(_PADDING, 0, -_PADDING, 0)
        self._paint_text(painter, option, area, text, index.column() == LEFT)

    def _paint_text(self, painter: QPainter, option: QStyleOptionViewItem, area: QRect, text: str, left: bool) -> None:
        metrics = QFontMetrics(option.font)
        shown = metrics.elidedText(text, option.textElideMode, area.width())
        # What is left of an elided text is its near end, behind or before the sign of elision.
        shift = len(shown) - len(text) if left else 0
        layout = QTextLayout(shown, option.font)
        layout.setTextOption(_one_line_option())
        layout.setFormats(self._formats(text, shown, shift, left))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(1 << 20)
        layout.endLayout()
        x = area.right() + 1 - line.naturalTextWidth() if left else area.left()
        painter.save()
        painter.setClipRect(area)
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        layout.draw(painter, QPointF(x, area.top() + (area.height() - line.height()) / 2))
        painter.restore()

    def _formats(self, text: str, shown: str, shift: int, left: bool) -> list[QTextLayout.FormatRange]:
        positions = Utf16Map(shown)
        formats = []
        for number, place in enumerate(self.levels):
            span = word_span(text, place) if place and (place < 0) == left else None
            if span is None:
                continue
            start, end = max(0, span[0] + shift), min(len(shown), span[1] + shift)
            if start < end:
                formats.append(_format(number, positions.to_qt(start), positions.to_qt(end)))
        return formats


def _format(level: int, start: int, end: int) -> QTextLayout.FormatRange:
    """The mark of a level: by colour and, for those who see none, by weight, line and slant."""
    marked = QTextLayout.FormatRange()
    marked.start, marked.length = start, end - start
    form = QTextCharFormat()
    form.setForeground(qcolor(f"level{level + 1}"))
    form.setFontWeight(700 if level == 0 else 400)
    form.setFontUnderline(level == 1)
    form.setFontItalic(level == 2)
    marked.format = form
    return marked


def _one_line_option() -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    return option
