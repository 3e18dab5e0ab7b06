"""How a word tree is painted: curves as thick as shares, words over them, and how lines continue."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from explorer.gui.screens.next_token.tree_layout import (
    COUNT_SCALE,
    REST_SCALE,
    ROOT_SCALE,
    THICKEST,
    Curve,
    Drawing,
    Word,
)
from explorer.gui.screens.next_token.tree_state import Spot
from explorer.gui.style.theme import em, font_of, qcolor
from explorer.gui.widgets.painting import ring, rounded

_LINE = 1.5
_REST_ROOM = 60.0


@dataclass(frozen=True)
class Marks:
    """The branch that is chosen, the one under the pointer, and whether the picture has the focus."""

    chosen: Spot | None = None
    hovered: Spot | None = None
    focused: bool = False


class TextWidths:
    """Widths of texts in the picture, each measured once; for one size of text.

    Notes
    -----
    A tree of a thousand branches asks for ten thousand widths whenever it is placed. A new measure takes 10 µs.
    """

    def __init__(self) -> None:
        self._metrics: dict[tuple[float, bool], QFontMetricsF] = {}
        self._widths: dict[tuple[str, float, bool], float] = {}

    def __call__(self, text: str, scale: float, bold: bool) -> float:
        """The width of a text."""
        key = (text, scale, bold)
        if key not in self._widths:
            if (scale, bold) not in self._metrics:
                self._metrics[scale, bold] = QFontMetricsF(_font(scale, bold))
            self._widths[key] = self._metrics[scale, bold].horizontalAdvance(text)
        return self._widths[key]


def thickness(share: float) -> float:
    """The width of a curve for a share of its parent's occurrences, in pixels; at least 1."""
    return max(1.0, THICKEST * share * em(1))


def _font(scale: float, bold: bool) -> QFont:
    return font_of(scale, 600 if bold else 400)


def word_area(word: Word) -> QRectF:
    """Where a word with its count is, in the picture."""
    height = em(_LINE) * word.scale
    left = word.x if word.side > 0 else word.x - word.width
    return QRectF(left, word.y - height / 2, word.width, height)


def paint_tree(painter: QPainter, drawing: Drawing, marks: Marks, seen: QRectF) -> None:
    """Paint a tree around the painter's origin, the root.

    seen: The part that is in view, in the picture; the rest is left out.
    """
    # Sides are those of the text, also in a right-to-left window.
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    # Plain comparisons: of a thousand branches, some forty are in view.
    above, below = seen.top() - em(1), seen.bottom() + em(1)
    for curve in drawing.curves:
        if max(curve.start[1], curve.end[1]) >= above and min(curve.start[1], curve.end[1]) <= below:
            _paint_curve(painter, curve)
    text, width = drawing.root
    root = QRectF(-width / 2 - 1, -em(1), width + 2, em(2))
    painter.setFont(_font(ROOT_SCALE, True))
    painter.setPen(qcolor("accent"))
    painter.drawText(root, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine), text)
    for word in drawing.words:
        if above <= word.y <= below:
            _paint_word(painter, word, marks)


def _paint_curve(painter: QPainter, curve: Curve) -> None:
    start, end = QPointF(*curve.start), QPointF(*curve.end)
    half = (start.x() + end.x()) / 2
    path = QPainterPath(start)
    path.cubicTo(QPointF(half, start.y()), QPointF(half, end.y()), end)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(qcolor("bar"), thickness(curve.share), Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    painter.drawPath(path)


def _paint_word(painter: QPainter, word: Word, marks: Marks) -> None:
    area = word_area(word)
    around = area.adjusted(-em(0.3), 0, em(0.3), 0)
    if word.spot == marks.chosen:
        rounded(painter, around, em(0.3), "select")
        if marks.focused:
            ring(painter, around, em(0.3))
    elif word.spot == marks.hovered:
        rounded(painter, around, em(0.3), "hover")
    first = len(word.spot.path) == 1
    _write(painter, area, word.side, word.text, _font(word.scale, first), "muted" if word.node.kind.named else "text")
    _write(painter, area, -word.side, word.count, _font(COUNT_SCALE, False), "muted")
    if word.rest:
        _paint_rest(painter, word, area)


def _paint_rest(painter: QPainter, word: Word, area: QRectF) -> None:
    """A dotted line, and how the most frequent line continues."""
    edge = area.right() if word.side > 0 else area.left()
    painter.setPen(QPen(qcolor("line_strong"), 1, Qt.PenStyle.DotLine))
    painter.drawLine(QPointF(edge + word.side * em(0.6), word.y), QPointF(edge + word.side * em(1.6), word.y))
    near = edge + word.side * em(2)
    room = QRectF(min(near, near + word.side * em(_REST_ROOM)), area.top(), em(_REST_ROOM), area.height())
    _write(painter, room, word.side, word.rest, _font(REST_SCALE, False), "muted")


def _write(painter: QPainter, area: QRectF, side: int, text: str, font: QFont, color: str) -> None:
    edge = Qt.AlignmentFlag.AlignLeft if side > 0 else Qt.AlignmentFlag.AlignRight
    flags = edge | Qt.AlignmentFlag.AlignVCenter
    painter.setFont(font)
    painter.setPen(qcolor(color))
    painter.drawText(area, int(flags | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip), text)
