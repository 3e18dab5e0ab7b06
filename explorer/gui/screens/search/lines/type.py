"""The fonts of the lines, and texts that are laid out in them and drawn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPen,
    QStaticText,
    QTextLayout,
    QTextOption,
    QTransform,
)

PLAIN, LEVEL, BOLD = 400, 600, 700
"""Weights: of contexts, of the first sort word, and of matches."""
_UNCHANGED = QTransform()
_LAST_SIMPLE = "\u02ff"
"""Up to this character, a text is as wide as its letters together; others join, or are above others."""


class _Advances(dict[str, float]):
    """The widths of letters, measured when they are asked for first."""

    def __init__(self, measure: Callable[[str], float]) -> None:
        super().__init__()
        self._measure = measure

    def __missing__(self, letter: str) -> float:
        width = self[letter] = self._measure(letter)
        return width


class Type:
    """The fonts of the lines and their measures, made once per font."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.metrics = QFontMetrics(font)
        measures = QFontMetricsF(font)
        self.height, self.ascent = measures.height(), measures.ascent()
        self.fonts: dict[int, QFont] = {}
        for weight in (PLAIN, LEVEL, BOLD):
            self.fonts[weight] = QFont(font)
            self.fonts[weight].setWeight(QFont.Weight(weight))
        self._measures = {weight: QFontMetricsF(made) for weight, made in self.fonts.items()}
        self._advances = _Advances(self.width)
        self._option = QTextOption()
        self._option.setWrapMode(QTextOption.WrapMode.NoWrap)
        self._option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        # Of a text in several pieces, each but the last ends in a space.
        self._option.setFlags(QTextOption.Flag.IncludeTrailingSpaces)

    def width(self, text: str, weight: int = PLAIN) -> float:
        """The width of a text in pixels."""
        return self._measures[weight].horizontalAdvance(text) if text else 0.0

    def piece(self, x: float, text: str, weight: int, color: str) -> Piece:
        """Lay out a part of a text."""
        made = QStaticText(text)
        # Otherwise texts that look like HTML are read as such.
        made.setTextFormat(Qt.TextFormat.PlainText)
        made.setTextOption(self._option)
        # Now, and not when it is drawn: its width comes with it.
        made.prepare(_UNCHANGED, self.fonts[weight])
        return Piece(x, made, weight, color, made.size().width())

    def fitting(self, text: str, following: bool, room: float) -> str:
        """Cut a text to a width, with an ellipsis at the far end.

        following: Whether its beginning is kept; otherwise its end is.
        Returns: The text itself if it has room.
        """
        side = Qt.TextElideMode.ElideRight if following else Qt.TextElideMode.ElideLeft
        if not text.isascii() and max(text) > _LAST_SIMPLE:
            return self.metrics.elidedText(text, side, int(room))
        # Letter by letter, without the kerning, which only makes texts narrower: Qt shapes the text to measure it,
        # and once more to draw it.
        letters = text if following else reversed(text)
        ends = list(accumulate(map(self._advances.__getitem__, letters)))
        if not ends or ends[-1] <= room:
            return text
        number = bisect_right(ends, room - self._advances["…"])
        return text[:number] + "…" if following else "…" + text[len(text) - number :]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text: its left end, what is drawn, its weight, the name of its color, and its width."""

    x: float
    text: QStaticText
    weight: int
    color: str
    width: float


@dataclass(frozen=True, slots=True)
class Laid:
    """A text that is laid out, and lines to draw below words: pen style, left end, right end and height.

    layout: None for one of pieces.
    """

    layout: QTextLayout | None
    below: tuple[tuple[Qt.PenStyle, float, float, float], ...]
    width: float
    height: float
    pieces: tuple[Piece, ...] = ()


def draw_laid(painter: QPainter, laid: Laid, area: QRect, x: float, kind: Type, colors: dict[str, QColor]) -> None:
    """Draw a laid-out text in the middle of a cell's height.

    area: The cell without its padding.
    x: Where the text begins, in pixels from the left of `area`.
    """
    place = QPointF(area.left() + x, area.top() + (area.height() - laid.height) / 2)
    if laid.layout is None:
        for piece in laid.pieces:
            painter.setFont(kind.fonts[piece.weight])
            painter.setPen(colors[piece.color])
            painter.drawStaticText(QPointF(place.x() + piece.x, place.y()), piece.text)
    else:
        painter.save()
        # A bold word may be wider than what was measured.
        painter.setClipRect(area)
        painter.setPen(colors["text"])
        laid.layout.draw(painter, place)
        painter.restore()
    # Not as underlines of the format: dashes and dots of Qt are too thin to be told apart.
    for style, left, right, below in laid.below:
        painter.setPen(QPen(colors["accent"], 2.0 if style == Qt.PenStyle.SolidLine else 1.5, style))
        painter.drawLine(QPointF(place.x() + left, place.y() + below), QPointF(place.x() + right, place.y() + below))
