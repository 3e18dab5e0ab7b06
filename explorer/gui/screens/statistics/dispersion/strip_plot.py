"""One line per part with a tick for each hit of some words, drawn."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.gui.text_positions import cell_text
from explorer.gui.theme import em, font_of, qcolor, scaled
from explorer.gui.widgets.chart_ink import chart_colors
from explorer.i18n import numeral, tr, trn
from explorer.statistics.strips import Strip

_LINE = 1.5
"""Height of a part in em."""
_PAD = 16
_NAMES = 0.3
"""The most room of the names, as a share of the width."""


def word_color(number: int) -> QColor:
    """The color of a word: that of the exported figure, lighter on a dark ground."""
    return QColor(chart_colors().source(number))


class StripPlot(QWidget):
    """The words with their colors on top, and a line for each part."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Where the words are in each part"))
        self._forms: tuple[str, ...] = ()
        self._strips: tuple[Strip, ...] = ()

    def show_strips(self, forms: Sequence[str], strips: Sequence[Strip]) -> None:
        """Draw other parts.

        strips: The parts, in their order.
        """
        self._forms, self._strips = tuple(forms), tuple(strips)
        told = trn("{n:,} part with hits", "{n:,} parts with hits", len(strips))
        self.setAccessibleDescription(f"{told}: {', '.join(map(cell_text, forms))}")
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Words, names, ticks and notes."""
        painter = QPainter(self)
        # A part is read from left to right everywhere, as in the figure that is written.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setFont(font_of(0.92))
        if self._strips:
            self._paint(painter, QFontMetricsF(painter.font()))
        painter.end()

    def _paint(self, painter: QPainter, metrics: QFontMetricsF) -> None:
        line, gap = em(_LINE), em(0.6)
        painter.fillRect(self.rect(), qcolor("surface"))
        # As far from the edges as the sentence above.
        painter.translate(scaled(_PAD), 0)
        width = self.width() - 2 * scaled(_PAD)
        self._paint_words(painter, metrics, line, width)
        titles, notes = [cell_text(each.title) for each in self._strips], [_note(each) for each in self._strips]
        left = min(width * _NAMES, max(map(metrics.horizontalAdvance, titles)) + 1)
        right = max(map(metrics.horizontalAdvance, notes)) + 1
        middle = Qt.AlignmentFlag.AlignVCenter
        for number, strip in enumerate(self._strips):
            top = (number + 1) * line
            title = metrics.elidedText(titles[number], Qt.TextElideMode.ElideRight, left)
            painter.setPen(qcolor("text"))
            painter.drawText(QRectF(0, top, left, line), Qt.AlignmentFlag.AlignLeft | middle, title)
            painter.setPen(qcolor("muted"))
            room = QRectF(width - right, top, right, line)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | middle, notes[number])
            _paint_ticks(
                painter, QRectF(left + gap, top + 1, max(1.0, width - left - right - 2 * gap), line - 2), strip
            )

    def _paint_words(self, painter: QPainter, metrics: QFontMetricsF, line: int, width: int) -> None:
        x, room = 0.0, width / max(1, len(self._forms))
        for number, form in enumerate(self._forms):
            mark = QRectF(x, line / 2 - em(0.25), em(0.8), em(0.5))
            painter.fillRect(mark, word_color(number))
            word = metrics.elidedText(cell_text(form), Qt.TextElideMode.ElideRight, room - em(2))
            painter.setPen(qcolor("text"))
            place = QRectF(x + em(1.1), 0, room - em(1.1), line)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, word)
            x += min(room, metrics.horizontalAdvance(word) + em(2))

    def sizeHint(self) -> QSize:
        """A line for the words, and one for each part."""
        return QSize(em(30), (len(self._strips) + 1) * em(_LINE) + scaled(_PAD) // 2)

    def minimumSizeHint(self) -> QSize:
        """All lines: what is around it scrolls."""
        return QSize(em(16), self.sizeHint().height())


def _note(strip: Strip) -> str:
    return f"{numeral(strip.hits)} ({numeral(strip.per_million, ',.0f')})"


def _paint_ticks(painter: QPainter, area: QRectF, strip: Strip) -> None:
    painter.fillRect(area, qcolor("sunken"))
    lane, tick = area.height() / max(1, len(strip.ticks)), max(1, scaled(1))
    for number, ticks in enumerate(strip.ticks):
        color, top = word_color(number), area.top() + number * lane
        # Hits of one pixel are painted once: a frequent word has more hits than there are pixels.
        for x in {int(at * (area.width() - tick)) for at in ticks}:
            painter.fillRect(QRectF(area.left() + x, top, tick, max(1.0, lane - 1)), color)
