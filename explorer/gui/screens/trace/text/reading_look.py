"""The look of a text that was read as Markdown: headings, lists, tables, quotes and code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QPainter,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QTextEdit

from explorer.gui.style.text_positions import Utf16Map
from explorer.gui.style.theme import em, font_of, monospace, qcolor
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.texts.painted_runs import areas_of, visible_positions
from explorer.text.reading import ReadingText, StyledRun

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


class ReadingLook:
    """Dresses reading texts, and paints what is beneath them.

    edit: The text in which they are, at any place.
    """

    def __init__(self, edit: QTextEdit) -> None:
        self._edit = edit
        self._grounds: list[Ground] = []

    def forget(self) -> None:
        """Paint nothing any more, before the text is dressed again."""
        self._grounds = []

    def dress(self, cursor: QTextCursor, reading: ReadingText, at: int = 0) -> None:
        """Give a reading text its formats.

        cursor: Gives formats, within an edit.
        at: Its place there, as Qt counts.
        """
        positions = Utf16Map(reading.text)
        stops = _stops(reading)
        for run in reading.runs:
            start, end = at + positions.to_qt(run.start), at + positions.to_qt(run.end)
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            form = char_format(run, self._edit.document().defaultFont())
            if form is not None:
                cursor.mergeCharFormat(form)
            block = _block_format(run, cursor, _runs_right(self._edit, start), stops.get(run.start))
            if block is not None:
                cursor.mergeBlockFormat(block)
            if run.style in ("code", "code_block", "item", "quote", "rule", "row"):
                self._grounds.append(Ground(start, end, run.style, run.level, run.note))

    def paint(self, painter: QPainter) -> None:
        """Paint the grounds of code, bars of quotes, markers of lists, and lines of tables."""
        if not self._grounds:
            return
        first, last = visible_positions(self._edit)
        for ground in self._grounds:
            if ground.start <= last and ground.end >= first:
                self._paint_ground(painter, ground, first, last)

    def _paint_ground(self, painter: QPainter, ground: Ground, first: int, last: int) -> None:
        if ground.style == "code":
            for area in areas_of(self._edit, max(ground.start, first), min(ground.end, last)):
                painter.fillRect(area.adjusted(-2, 0, 2, 0), qcolor("sunken"))
            return
        areas = list(_block_areas(self._edit, ground, first, last))
        if ground.style == "code_block" and areas:
            whole = areas[0].united(areas[-1])
            whole.setLeft(areas[0].left() - em(0.8))
            painter.fillRect(whole.adjusted(0, -em(0.3), 0, em(0.3)), qcolor("sunken"))
        right = _runs_right(self._edit, ground.start)
        for area in areas:
            if ground.style == "quote":
                left = area.right() + em(0.55) if right else area.left() - em(0.7)
                painter.fillRect(QRectF(left, area.top(), max(2, em(0.15)), area.height()), qcolor("line_strong"))
            elif ground.style == "rule":
                painter.fillRect(QRectF(area.left(), area.center().y(), area.width(), 1), qcolor("line_strong"))
            elif ground.style == "row":
                color = qcolor("line" if ground.level else "line_strong")
                painter.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), color)
        if ground.style == "item" and ground.start >= first - 1 and areas:
            self._paint_marker(painter, ground, areas[0], right)

    def _paint_marker(self, painter: QPainter, ground: Ground, area: QRectF, right: bool) -> None:
        line = self._edit.document().findBlock(ground.start).layout().lineAt(0)
        if not line.isValid():
            return
        painter.setFont(self._edit.document().defaultFont())
        painter.setPen(qcolor("muted"))
        # The direction of the item decides on which side its marker is, and not that of the window, by which Qt would
        # take left for right.
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight)
        left = area.right() + em(0.4) if right else area.left() - em(4.4)
        side = Qt.AlignmentFlag.AlignLeft if right else Qt.AlignmentFlag.AlignRight
        box = QRectF(left, area.top() + line.y(), em(4.0), line.ascent() + line.descent())
        painter.drawText(box, side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop, ground.marker)
        painter.restore()


def _runs_right(edit: QTextEdit, at: int) -> bool:
    """Whether the paragraph at a place, as Qt counts, is read from right to left."""
    return edit.document().findBlock(at).textDirection() == Qt.LayoutDirection.RightToLeft


def _block_areas(edit: QTextEdit, ground: Ground, first: int, last: int) -> Iterator[QRectF]:
    """The visible paragraphs of a ground, in the viewport."""
    layout = edit.document().documentLayout()
    scrolled = QPointF(edit.horizontalScrollBar().value(), edit.verticalScrollBar().value())
    block: QTextBlock = edit.document().findBlock(max(ground.start, first))
    while block.isValid() and block.position() < max(ground.end, ground.start + 1) and block.position() <= last:
        area = layout.blockBoundingRect(block).translated(-scrolled)
        # Where the letters begin: only lines have the margin of the paragraph.
        line = block.layout().lineAt(0)
        left = block.layout().position().x() + (line.x() if line.isValid() else 0.0) - scrolled.x()
        end = left + line.width() if line.isValid() else area.right()
        yield QRectF(left, area.top(), max(0.0, end - left), area.height())
        block = block.next()


def _block_format(
    run: StyledRun, cursor: QTextCursor, right: bool, stops: list[float] | None
) -> QTextBlockFormat | None:
    """The look of the paragraphs of a run; None if it is that of the text. `right`: they are read from the right."""
    block, now = QTextBlockFormat(), cursor.blockFormat()
    indent = block.setRightMargin if right else block.setLeftMargin
    if run.style == "item":
        indent(run.level * em(1.9))
    elif run.style == "quote":
        indent(run.level * em(1.2))
    elif run.style == "code_block":
        indent((now.rightMargin() if right else now.leftMargin()) + em(0.8))
        # Code is as close as in an editor; prose has more room between its lines.
        block.setLineHeight(125, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    elif run.style == "row" and stops:
        tabs = [QTextOption.Tab(stop, QTextOption.TabType.LeftTab) for stop in stops]
        block.setTabPositions(tabs)
        block.setTopMargin(em(0.15))
    else:
        return None
    return block


def _stops(reading: ReadingText) -> dict[int, list[float]]:
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


def char_format(run: StyledRun, font: QFont) -> QTextCharFormat | None:
    """Give the look of the letters of a run.

    Returns: The format; None if the letters are those of the text.
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
