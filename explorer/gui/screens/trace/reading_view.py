"""The traced text as a person reads it: headings, lists, tables and code without the marks of Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QMimeData, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QApplication, QWidget

from explorer.gui.screens.trace.choice import Mark
from explorer.gui.screens.trace.read_marks import reading_marks
from explorer.gui.screens.trace.traced_text import TracedText
from explorer.gui.surfaces import when_restyled
from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import em, font_of, monospace, qcolor
from explorer.gui.untrusted import tip
from explorer.gui.widgets.painted_runs import areas_of, visible_positions
from explorer.i18n import tr
from explorer.reading import ReadingText, StyledRun

_HEADINGS = (1.5, 1.3, 1.18, 1.1, 1.05, 1.0)
"""Sizes of headings, as multiples of the text's."""
_LEAST_COLUMN, _MOST_COLUMN = 4.0, 24.0
"""Widths of a column of a table, in em."""


@dataclass(frozen=True)
class Ground:
    """What is painted beneath some lines: positions [start, end) as Qt counts, what it is, how deep, and a marker."""

    start: int
    end: int
    style: str
    level: int = 0
    marker: str = ""


class ReadingView(TracedText):
    """A reading text with its styles and marks; it cannot be edited.

    `pasted(str)`: a text was pasted in place of the one that is shown.
    """

    pasted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reading: ReadingText | None = None
        self._grounds: tuple[Ground, ...] = ()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(self.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.setAccessibleName(tr("Text as it is read"))
        when_restyled(self, self._restyle_reading)

    def show_reading(self, reading: ReadingText) -> None:
        """Show another text."""
        if reading is self._reading:
            return
        self._reading = reading
        self.put(reading.text, self._decorate)

    def show_marks(self, marks: tuple[Mark, ...], text: str) -> None:
        """Mark runs of the text as it is read.

        Parameters
        ----------
        marks
            The runs, in characters of the source.
        text
            The source. If what is shown is the reading text of another one, nothing is marked.
        """
        reading = self._reading
        if reading is None or reading.source != text:
            super().show_marks((), self.written)
        else:
            super().show_marks(reading_marks(marks, reading), reading.text)

    def _restyle_reading(self) -> None:
        # Sizes of headings and of code are those of the text at that time.
        if self._reading is not None:
            self.dress(self._decorate)

    def _decorate(self, cursor: QTextCursor) -> None:
        """Format the text, and remember what is painted beneath it."""
        assert self._reading is not None
        self._grounds = tuple(self._styled(cursor, self._reading))

    def _styled(self, cursor: QTextCursor, reading: ReadingText) -> Iterator[Ground]:
        positions = Utf16Map(reading.text)
        stops = self._stops(reading)
        for run in reading.runs:
            start, end = positions.to_qt(run.start), positions.to_qt(run.end)
            self._format(cursor, run, start, end, stops.get(run.start))
            if run.style in ("code", "code_block", "item", "quote", "rule", "row"):
                yield Ground(start, end, run.style, run.level, run.note)

    def _format(self, cursor: QTextCursor, run: StyledRun, start: int, end: int, stops: list[float] | None) -> None:
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        form = char_format(run, self.document().defaultFont())
        if form is not None:
            cursor.mergeCharFormat(form)
        block = QTextBlockFormat()
        if run.style == "item":
            block.setLeftMargin(run.level * em(1.9))
        elif run.style == "quote":
            block.setLeftMargin(run.level * em(1.2))
        elif run.style == "code_block":
            block.setLeftMargin(cursor.blockFormat().leftMargin() + em(0.8))
            # Code is as close as in an editor; prose has more room between its lines.
            block.setLineHeight(125, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        elif run.style == "row" and stops:
            tabs = [QTextOption.Tab(stop, QTextOption.TabType.LeftTab) for stop in stops]
            block.setTabPositions(tabs)
            block.setTopMargin(em(0.15))
        else:
            return
        cursor.mergeBlockFormat(block)

    def _stops(self, reading: ReadingText) -> dict[int, list[float]]:
        """For each row of a table, by its first character, where its columns begin."""
        metrics = QFontMetricsF(font_of(1.08, 600))
        found: dict[int, list[float]] = {}
        for table in (run for run in reading.runs if run.style == "table"):
            rows = [run for run in reading.runs if run.style == "row" and table.start <= run.start < table.end]
            widths: list[float] = []
            for row in rows:
                for number, cell in enumerate(reading.text[row.start : row.end].split("\t")):
                    width = metrics.horizontalAdvance(cell) + em(1.5)
                    width = min(max(width, em(_LEAST_COLUMN)), em(_MOST_COLUMN))
                    # Rows may have fewer cells than the header.
                    widths += [0.0] * (number + 1 - len(widths))
                    widths[number] = max(widths[number], width)
            places, at = [], 0.0
            for width in widths[:-1]:
                at += width
                places.append(at)
            found |= dict.fromkeys((row.start for row in rows), places)
        return found

    # What is beneath the text.

    def paint_below(self, painter: QPainter) -> None:
        """Paint the grounds of code, bars of quotes, markers of lists, and lines of tables."""
        first, last = visible_positions(self)
        for ground in self._grounds:
            if ground.start <= last and ground.end >= first:
                self._paint_ground(painter, ground, first, last)

    def _paint_ground(self, painter: QPainter, ground: Ground, first: int, last: int) -> None:
        if ground.style == "code":
            for area in areas_of(self, max(ground.start, first), min(ground.end, last)):
                painter.fillRect(area.adjusted(-2, 0, 2, 0), qcolor("sunken"))
            return
        areas = list(self._block_areas(ground, first, last))
        if ground.style == "code_block" and areas:
            whole = areas[0].united(areas[-1])
            whole.setLeft(areas[0].left() - em(0.8))
            painter.fillRect(whole.adjusted(0, -em(0.3), 0, em(0.3)), qcolor("sunken"))
        for area in areas:
            if ground.style == "quote":
                left = area.left() - em(0.7)
                painter.fillRect(QRectF(left, area.top(), max(2, em(0.15)), area.height()), qcolor("line_strong"))
            elif ground.style == "rule":
                painter.fillRect(QRectF(area.left(), area.center().y(), area.width(), 1), qcolor("line_strong"))
            elif ground.style == "row":
                color = qcolor("line" if ground.level else "line_strong")
                painter.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), color)
        if ground.style == "item" and ground.start >= first - 1 and areas:
            self._paint_marker(painter, ground, areas[0])

    def _paint_marker(self, painter: QPainter, ground: Ground, area: QRectF) -> None:
        block = self.document().findBlock(ground.start)
        line = block.layout().lineAt(0)
        if not line.isValid():
            return
        painter.setFont(self.document().defaultFont())
        painter.setPen(qcolor("muted"))
        top = area.top() + line.y()
        box = QRectF(area.left() - em(4.4), top, em(4.0), line.ascent() + line.descent())
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, ground.marker)

    def _block_areas(self, ground: Ground, first: int, last: int) -> Iterator[QRectF]:
        """The visible paragraphs of a ground, in the viewport."""
        layout = self.document().documentLayout()
        scrolled = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        block: QTextBlock = self.document().findBlock(max(ground.start, first))
        while block.isValid() and block.position() < max(ground.end, ground.start + 1) and block.position() <= last:
            area = layout.blockBoundingRect(block).translated(-scrolled)
            # Where the letters begin: only lines have the margin of the paragraph.
            line = block.layout().lineAt(0)
            left = block.layout().position().x() + (line.x() if line.isValid() else 0.0) - scrolled.x()
            yield QRectF(left, area.top(), max(0.0, area.right() - left), area.height())
            block = block.next()

    # The clipboard.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paste in place of the text that is shown."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.insertFromMimeData(QApplication.clipboard().mimeData())
            return
        super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Hand over a text."""
        if source.hasText() and source.text().strip():
            self.pasted.emit(source.text())


def char_format(run: StyledRun, font: QFont) -> QTextCharFormat | None:
    """Give the look of the letters of a run.

    Parameters
    ----------
    run
        The run.
    font
        The font of the text.

    Returns
    -------
    QTextCharFormat | None
        The format; None if the letters are those of the text.
    """
    form = QTextCharFormat()
    if run.style == "heading":
        form.setFontPointSize(font.pointSizeF() * _HEADINGS[min(run.level, len(_HEADINGS)) - 1])
        form.setFontWeight(QFont.Weight.DemiBold)
    elif run.style == "bold" or (run.style == "row" and run.level == 0):
        form.setFontWeight(QFont.Weight.DemiBold)
    elif run.style in ("italic", "math"):
        form.setFontItalic(True)
    elif run.style == "strike":
        form.setFontStrikeOut(True)
    elif run.style in ("code", "code_block"):
        code = monospace()
        form.setFontFamilies(code.families())
        form.setFontFixedPitch(True)
        form.setFontPointSize(font.pointSizeF() * 0.95)
    elif run.style in ("link", "image"):
        form.setForeground(qcolor("accent"))
        form.setFontUnderline(True)
        form.setToolTip(tip(run.note))
    else:
        return None
    return form
