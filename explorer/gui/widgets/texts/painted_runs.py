"""Runs of a text that are painted, not formatted.

They are painted for the visible lines only, beneath and above Qt's own text. Formats of the text would make Qt lay out
every marked paragraph again: 100 to 240 ms for 55,000 characters, where painting costs less than ten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTextBlock, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from explorer.gui.style.theme import qcolor, scaled


@dataclass(frozen=True)
class Look:
    """How a run is painted; every name is that of a color of the theme, "" for nothing.

    line: The underline; it is drawn in `style`.
    frame: A frame around the run.
    text: The color of its letters.
    """

    fill: str = ""
    line: str = ""
    frame: str = ""
    text: str = ""
    style: Qt.PenStyle = Qt.PenStyle.SolidLine


@dataclass(frozen=True)
class Painted:
    """Runs that are painted; later ones are on top.

    places: Qt's positions, of shape (runs, 2).
    meanings: What each represents, whatever it is; empty if nobody asks for it.
    """

    places: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 2), np.int64))
    looks: tuple[Look, ...] = ()
    meanings: tuple[object, ...] = ()


def moved(places: NDArray[np.int64], position: int, removed: int, added: int) -> NDArray[np.int64]:
    """Move positions in a text with an edit.

    removed, added: The characters that were removed and inserted there.
    Returns: The same positions in the edited text; those within what was removed are at its beginning.
    """
    # A place at an insertion moves after it: what is typed at the end of a run belongs to it, at its start it does not.
    behind = places >= position + removed
    return np.where(behind, places + added - removed, np.minimum(places, position))


class PaintedRuns:
    """The painted runs of one text.

    edit: The text, which calls `below` and `above` when it is painted.
    """

    def __init__(self, edit: QTextEdit) -> None:
        self._edit = edit
        self._steady = False
        self.painted = Painted()
        # Before Qt paints the edited text, since this signal comes with the edit.
        edit.document().contentsChange.connect(self._move)

    def paint(self, painted: Painted) -> None:
        """Paint other runs; `painted` is where they are in the text as it is now."""
        self.painted = painted
        self.paint_letters()
        self._edit.viewport().update()

    @contextmanager
    def steady(self) -> Iterator[None]:
        """Keep the runs where they are while the text gets other formats; Qt reports these like edits."""
        self._steady = True
        try:
            yield
        finally:
            self._steady = False

    @property
    def is_steady(self) -> bool:
        """Whether only formats change."""
        return self._steady

    def _move(self, position: int, removed: int, added: int) -> None:
        if self._steady:
            return
        # Letters with a color need nothing: Qt moves their cursors with the edit.
        if len(self.painted.places):
            self.painted = replace(self.painted, places=moved(self.painted.places, position, removed, added))

    def paint_letters(self) -> None:
        """Give letters on a strong fill a color of their own, which only Qt can paint."""
        found = []
        for (start, end), look in zip(self.painted.places.tolist(), self.painted.looks, strict=True):
            if look.text and start < end:
                part = QTextEdit.ExtraSelection()
                part.cursor = QTextCursor(self._edit.document())
                part.cursor.setPosition(start)
                part.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                form = QTextCharFormat()
                form.setForeground(qcolor(look.text))
                part.format = form
                found.append(part)
        # Setting none over none would still paint the whole view again.
        if found or self._edit.extraSelections():
            self._edit.setExtraSelections(found)

    def at(self, position: int) -> list[int]:
        """The numbers of the runs that contain a position, the topmost first."""
        places = self.painted.places
        inside = (places[:, 0] <= position) & (position < places[:, 1])
        return [int(number) for number in np.flatnonzero(inside)[::-1]]

    def below(self, painter: QPainter) -> None:
        """Paint the fills of the visible runs."""
        for look, areas in self._shown():
            if look.fill:
                color = qcolor(look.fill)
                for area in areas:
                    painter.fillRect(area, color)

    def above(self, painter: QPainter) -> None:
        """Paint the underlines and the frames of the visible runs."""
        for look, areas in self._shown():
            if look.line or look.frame:
                _paint_edges(painter, look, areas)

    def _shown(self) -> Iterator[tuple[Look, list[QRectF]]]:
        places = self.painted.places
        if not len(places):
            return
        first, last = visible_positions(self._edit)
        # Thousands of runs are sifted by two comparisons of arrays; only those that are seen are laid out.
        for number in np.flatnonzero((places[:, 0] < last) & (places[:, 1] > first) & (places[:, 0] < places[:, 1])):
            start, end = max(int(places[number, 0]), first), min(int(places[number, 1]), last)
            yield self.painted.looks[number], list(areas_of(self._edit, start, end))


def position_under(edit: QTextEdit, point: QPoint) -> int:
    """The position of the character under a point of the viewport; -1 if there is none.

    point: A point in pixels of the viewport, not of the widget.
    Returns: One of Qt's positions, or -1.
    """
    cursor = edit.cursorForPosition(point)
    # Qt returns the nearer side of a character: check both.
    left = edit.cursorRect(cursor).center().x() > point.x()
    position = cursor.position() - 1 if left else cursor.position()
    near = abs(edit.cursorRect(cursor).center().x() - point.x()) < 2 * edit.fontMetrics().averageCharWidth()
    return position if near else -1


def visible_positions(edit: QTextEdit) -> tuple[int, int]:
    """The first position of the first visible line, and one past the last of the last."""
    top, bottom = (
        edit.cursorForPosition(QPoint(0, 0)),
        edit.cursorForPosition(QPoint(edit.viewport().width(), edit.viewport().height())),
    )
    bottom.movePosition(QTextCursor.MoveOperation.EndOfLine)
    top.movePosition(QTextCursor.MoveOperation.StartOfLine)
    return top.position(), bottom.position() + 1


def scroll_to(edit: QTextEdit, position: int) -> None:
    """Scroll one of Qt's positions to the upper third of the view.

    position: One of Qt's positions, which count UTF-16 units.
    """
    block = edit.document().findBlock(position)
    area = edit.document().documentLayout().blockBoundingRect(block)
    height = area.top() + area.height() * (position - block.position()) / max(1, block.length())
    edit.verticalScrollBar().setValue(round(height - edit.viewport().height() / 3))


def areas_of(edit: QTextEdit, start: int, end: int) -> Iterator[QRectF]:
    """Yield the areas of the lines between two of Qt's positions, in the viewport.

    start, end: The first position, and one past the last.
    Yields: The area of the letters of one line, in pixels.
    """
    layout = edit.document().documentLayout()
    scrolled = QPointF(edit.horizontalScrollBar().value(), edit.verticalScrollBar().value())
    block = edit.document().findBlock(start)
    while block.isValid() and block.position() < end:
        # Qt lays out a long text in steps; asking for the area lays out up to this paragraph.
        layout.blockBoundingRect(block)
        yield from _line_areas(block, start, end, block.layout().position() - scrolled)
        block = block.next()


def heights_of(edit: QTextEdit, places: Sequence[int] | NDArray[np.int64], most: int = 0) -> NDArray[np.float64]:
    """Give the heights of positions in the text.

    most: Paragraphs whose heights are asked for at most, for a picture of a long text; 0 for all of them.
    Returns: For each the pixels from the top of the text, of shape (positions,). Within a paragraph they are
        proportional to the number of letters; so they are between two of `most` paragraphs.
    """
    # One question per paragraph serves any number of positions: a minimap has one for each token.
    layout, document = edit.document().documentLayout(), edit.document()
    step = max(1, -(-document.blockCount() // most)) if most else 1
    starts, tops, block = [], [], document.begin()
    for number in range(0, document.blockCount(), step):
        block = block.next() if step == 1 and number else document.findBlockByNumber(number)
        starts.append(block.position())
        tops.append(layout.blockBoundingRect(block).top())
    # The end of the text closes the last paragraph, whose length is needed, too.
    end = layout.blockBoundingRect(document.lastBlock()).bottom()
    first, top = np.array([*starts, document.characterCount()]), np.array([*tops, end])
    found: NDArray[np.float64] = np.interp(np.asarray(places, np.int64), first, top)
    return found


def _line_areas(block: QTextBlock, start: int, end: int, at: QPointF) -> Iterator[QRectF]:
    layout = block.layout()
    # The length of a paragraph includes its separator, which has no area.
    begin, stop = max(0, start - block.position()), min(end - block.position(), block.length() - 1)
    if begin >= stop or not layout.lineCount():
        return
    number = layout.lineForTextPosition(begin).lineNumber()
    while 0 <= number < layout.lineCount():
        line = layout.lineAt(number)
        if line.textStart() >= stop:
            return
        first, last = max(begin, line.textStart()), min(stop, line.textStart() + line.textLength())
        if first < last:
            # Sorted: in right-to-left text, the first letter is the rightmost.
            edges = sorted(line.cursorToX(place)[0] for place in (first, last))  # type: ignore[index]
            # One pixel more above and two below, where the underline is drawn.
            height = line.ascent() + line.descent()
            yield QRectF(edges[0], line.y() - 1, edges[1] - edges[0], height + 3).translated(at)
        number += 1


def _paint_edges(painter: QPainter, look: Look, areas: list[QRectF]) -> None:
    if look.line:
        painter.setPen(_pen(qcolor(look.line), scaled(2), look.style))
        for area in areas:
            painter.drawLine(QPointF(area.left(), area.bottom() - 0.5), QPointF(area.right(), area.bottom() - 0.5))
    if look.frame:
        painter.setPen(QPen(qcolor(look.frame), 1))
        for area in areas:
            # Through the middle of pixels, so that a line of one pixel is not spread over two.
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))


def _pen(color: QColor, width: int, style: Qt.PenStyle) -> QPen:
    pen = QPen(color, width, style)
    # Caps would lengthen each dash by the width of the pen, and dots would almost touch.
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if style == Qt.PenStyle.DashLine:
        # In widths of the pen, and shorter than Qt's own: a short word must show several of them.
        pen.setDashPattern([3, 2])
    elif style == Qt.PenStyle.DotLine:
        pen.setDashPattern([1, 1.5])
    return pen
