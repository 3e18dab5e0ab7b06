"""A text to read and edit: high lines of at most 110 characters, and marks that are painted, not formatted.

Marks are painted for the visible lines only, beneath and above Qt's own text. Formats of the text would make Qt lay out
every marked paragraph again: 100 to 240 ms for 55,000 characters, where painting costs one or two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from explorer.gui.surfaces import when_restyled
from explorer.gui.theme import em, font_of, qcolor, scaled
from explorer.gui.widgets.plain_text import has_long_word

_LINE_HEIGHT = 1.7
"""From line to line, as a multiple of the size of the letters."""
_LARGER = 1.08
"""The size of text that is read, as a multiple of the interface's."""
_WIDEST = 110
"""Characters of a line."""

Bounds = tuple[int, int]


@dataclass(frozen=True)
class Look:
    """How a run is painted; every name is that of a color of the theme, "" for nothing.

    Attributes
    ----------
    fill
        The background.
    line
        The underline; it is drawn in `style`.
    frame
        A frame around the run.
    text
        The color of its letters.
    """

    fill: str = ""
    line: str = ""
    frame: str = ""
    text: str = ""
    style: Qt.PenStyle = Qt.PenStyle.SolidLine


@dataclass(frozen=True)
class Painted:
    """Runs that are painted: Qt's positions of shape (runs, 2), and the look of each; later ones are on top."""

    places: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 2), np.int64))
    looks: tuple[Look, ...] = ()


def moved(places: NDArray[np.int64], position: int, removed: int, added: int) -> NDArray[np.int64]:
    """Move positions in a text with an edit.

    Parameters
    ----------
    places
        Positions, of any shape.
    position
        Where the text was edited.
    removed, added
        The characters that were removed and inserted there.

    Returns
    -------
    NDArray[np.int64]
        The same positions in the edited text; those within what was removed are at its beginning.
    """
    behind = places >= position + removed
    return np.where(behind, places + added - removed, np.minimum(places, position))


class ProseEdit(QTextEdit):
    """Plain text in lines that are easy to read, with painted marks.

    `laid_out`: the height of the text has changed, or its width.
    """

    laid_out = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._painted = Painted()
        self.setAcceptRichText(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.document().contentsChange.connect(self._move_marks)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self.laid_out.emit())
        self._restyle()
        when_restyled(self, self._restyle)

    def _restyle(self) -> None:
        font = font_of(_LARGER)
        self.setFont(font)
        self.document().setDefaultFont(font)
        self.document().setDocumentMargin(em(0.7))
        self._fit_width()
        self._paint_letters()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break lines at the new width, or at the widest that can be read well."""
        super().resizeEvent(event)
        self._fit_width()
        self.laid_out.emit()

    def _fit_width(self) -> None:
        widest = QFontMetricsF(self.document().defaultFont()).averageCharWidth() * _WIDEST
        margins = 2 * self.document().documentMargin()
        width = round(min(float(self.viewport().width()), widest + margins))
        if width != self.lineWrapColumnOrWidth():
            self.setLineWrapColumnOrWidth(max(1, width))

    def text(self) -> str:
        """The text with its original characters; Qt's own export would change some spaces."""
        return self.document().toRawText().replace("\u2029", "\n")

    def setPlainText(self, text: str) -> None:
        """Set the text; it is shown from its beginning, and cannot be undone."""
        long = has_long_word(text)
        # Every intermediate layout has no long word, or breaks anywhere.
        if long:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self._replace(text)
        if not long:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def _replace(self, text: str) -> None:
        document = self.document()
        # Text and height of lines in one edit, so that the text is laid out once; neither can be undone.
        document.setUndoRedoEnabled(False)
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.setBlockFormat(self._spaced())
        cursor.endEditBlock()
        document.setUndoRedoEnabled(True)
        self._go_to_the_beginning()

    def _spaced(self) -> QTextBlockFormat:
        font = self.document().defaultFont()
        # Qt takes percent of the height of the font, which is more than the size of its letters.
        percent = 100 * _LINE_HEIGHT * QFontInfo(font).pixelSize() / QFontMetricsF(font).height()
        form = QTextBlockFormat()
        form.setLineHeight(percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        return form

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy only the text: Qt would add HTML with fonts and heights of lines."""
        data = QMimeData()
        data.setText(self.textCursor().selectedText().replace("\u2029", "\n"))
        return data

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert text; one that replaces everything is shown from its beginning."""
        cursor = self.textCursor()
        replaces = len(cursor.selectedText()) >= self.document().characterCount() - 1
        if not source.hasText():
            return
        if has_long_word(source.text()):
            self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        cursor.insertText(source.text())
        if replaces:
            self._go_to_the_beginning()

    def _go_to_the_beginning(self) -> None:
        self.moveCursor(QTextCursor.MoveOperation.Start)
        # Qt scrolls only until the cursor is visible, which leaves the margin above it out.
        self.verticalScrollBar().setValue(0)

    # Marks.

    def paint_runs(self, painted: Painted) -> None:
        """Paint other runs of the text."""
        self._painted = painted
        self._paint_letters()
        self.viewport().update()

    def painted(self) -> Painted:
        """The runs that are painted, at their places in the text as it is now."""
        return self._painted

    def _move_marks(self, position: int, removed: int, added: int) -> None:
        if len(self._painted.places):
            self._painted = Painted(moved(self._painted.places, position, removed, added), self._painted.looks)

    def _paint_letters(self) -> None:
        """Letters on a strong fill have a color of their own, which only Qt can paint."""
        found = []
        for (start, end), look in zip(self._painted.places.tolist(), self._painted.looks, strict=True):
            if look.text and start < end:
                part = QTextEdit.ExtraSelection()
                part.cursor = QTextCursor(self.document())
                part.cursor.setPosition(start)
                part.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                form = QTextCharFormat()
                form.setForeground(qcolor(look.text))
                part.format = form
                found.append(part)
        if found or self.extraSelections():
            self.setExtraSelections(found)

    def runs_at(self, position: int) -> list[int]:
        """The numbers of the runs that contain a position, the topmost first."""
        places = self._painted.places
        inside = (places[:, 0] <= position) & (position < places[:, 1])
        return [int(number) for number in np.flatnonzero(inside)[::-1]]

    def position_under(self, point: QPoint) -> int:
        """The position of the character under a point of the viewport; -1 if there is none."""
        cursor = self.cursorForPosition(point)
        # Qt returns the nearer side of a character: check both.
        left = self.cursorRect(cursor).center().x() > point.x()
        position = cursor.position() - 1 if left else cursor.position()
        near = abs(self.cursorRect(cursor).center().x() - point.x()) < 2 * self.fontMetrics().averageCharWidth()
        return position if near else -1

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint fills beneath the text, and underlines and frames on top of it."""
        shown = list(self._shown_runs())
        painter = QPainter(self.viewport())
        self.paint_below(painter)
        for look, areas in shown:
            if look.fill:
                color = qcolor(look.fill)
                for area in areas:
                    painter.fillRect(area, color)
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        for look, areas in shown:
            _paint_edges(painter, look, areas)
        painter.end()

    def paint_below(self, painter: QPainter) -> None:
        """Paint what is beneath all marks; here nothing."""

    def _shown_runs(self) -> Iterator[tuple[Look, list[QRectF]]]:
        places = self._painted.places
        if not len(places):
            return
        first, last = self.visible_positions()
        for number in np.flatnonzero((places[:, 0] < last) & (places[:, 1] > first) & (places[:, 0] < places[:, 1])):
            start, end = max(int(places[number, 0]), first), min(int(places[number, 1]), last)
            yield self._painted.looks[number], list(self.areas_of(start, end))

    def visible_positions(self) -> Bounds:
        """The first position of the first visible line, and one past the last of the last."""
        top, bottom = (
            self.cursorForPosition(QPoint(0, 0)),
            self.cursorForPosition(QPoint(self.viewport().width(), self.viewport().height())),
        )
        bottom.movePosition(QTextCursor.MoveOperation.EndOfLine)
        top.movePosition(QTextCursor.MoveOperation.StartOfLine)
        return top.position(), bottom.position() + 1

    def scroll_to(self, position: int) -> None:
        """Scroll one of Qt's positions to the upper third of the view."""
        height = float(self.heights_of([position])[0])
        self.verticalScrollBar().setValue(round(height - self.viewport().height() / 3))

    def areas_of(self, start: int, end: int) -> Iterator[QRectF]:
        """Yield the areas of the lines between two of Qt's positions, in the viewport.

        Parameters
        ----------
        start, end
            The first position, and one past the last.

        Yields
        ------
        QRectF
            The area of the letters of one line, in pixels.
        """
        layout = self.document().documentLayout()
        scrolled = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        block = self.document().findBlock(start)
        while block.isValid() and block.position() < end:
            layout.blockBoundingRect(block)
            yield from _line_areas(block, start, end, block.layout().position() - scrolled)
            block = block.next()

    def heights_of(self, places: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float64]:
        """Give the heights of positions in the text.

        Parameters
        ----------
        places
            Qt's positions, ascending.

        Returns
        -------
        NDArray[np.float64]
            For each the pixels from the top of the text, of shape (positions,). Within a paragraph they are
            proportional to the number of letters.
        """
        starts, tops, heights = [], [], []
        layout, block = self.document().documentLayout(), self.document().begin()
        while block.isValid():
            area = layout.blockBoundingRect(block)
            starts.append(block.position())
            tops.append(area.top())
            heights.append(area.height())
            block = block.next()
        first = np.array([*starts, self.document().characterCount()])
        at = np.asarray(places, np.int64)
        number = np.clip(np.searchsorted(first, at, side="right") - 1, 0, len(starts) - 1)
        share = (at - first[number]) / np.maximum(1, np.diff(first)[number])
        found: NDArray[np.float64] = np.array(tops)[number] + share * np.array(heights)[number]
        return found


def _line_areas(block: QTextBlock, start: int, end: int, at: QPointF) -> Iterator[QRectF]:
    layout = block.layout()
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
            edges = sorted(line.cursorToX(place)[0] for place in (first, last))  # type: ignore[index]
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
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))


def _pen(color: QColor, width: int, style: Qt.PenStyle) -> QPen:
    pen = QPen(color, width, style)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if style == Qt.PenStyle.DashLine:
        pen.setDashPattern([3, 2])
    elif style == Qt.PenStyle.DotLine:
        pen.setDashPattern([1, 1.5])
    return pen
