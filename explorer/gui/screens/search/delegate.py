"""Paints the rows of the lines: contexts cut at their far ends, with the sort words and other phrases marked.

Qt's own delegate asks a model in Python for eight values per cell; painting a page took 30 ms. This one takes what it
needs from the model and keeps the laid-out texts of the rows in view.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.gui.direction import isolated
from explorer.gui.icons import draw_icon
from explorer.gui.screens.search.contexts import Context, cut_between_words, fit, fit_match
from explorer.gui.screens.search.model import LEFT, MATCH, NUMBER, RIGHT, KwicModel
from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import em, qcolor
from explorer.i18n import tr
from explorer.search.nearby import Mark

_WORD = re.compile(r"[\u3000-\u9fff]|(?:(?![\u3000-\u9fff])[\w\u0080-\U0010ffff])+|[!-/:-@\[-^`{-~]+")
_PICTURES = dict.fromkeys([0x23CE, *range(0x2400, 0x2422)], " ")
_PADDING_EMS = 0.6
_MOST_KEPT = 2_000
"""Laid-out texts that are kept: those of several pages."""
_MOST_SHORT = 300
"""Characters of a cell that is not a context."""
_SMALLER = 0.92
_WIDE = 100_000.0
"""Wider than any cell: the text is on one line."""
_LEVEL_LINES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine)
"""Under the words that lines are sorted by, first level first."""
_LINES = (
    QTextCharFormat.UnderlineStyle.SingleUnderline,
    QTextCharFormat.UnderlineStyle.DashUnderline,
    QTextCharFormat.UnderlineStyle.DotLine,
    QTextCharFormat.UnderlineStyle.WaveUnderline,
)
"""Underline styles of the other clauses of a query, in their order."""
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Look:
    """How rows look.

    Attributes
    ----------
    levels
        The places of the words that lines are sorted by, first level first.
    rows
        The lines of text that a context may take.
    """

    levels: tuple[int, ...] = ()
    rows: int = 1


@dataclass(frozen=True)
class _Laid:
    """A text that is laid out, and lines to draw below words: pen style, left end, right end and height."""

    layout: QTextLayout
    below: tuple[tuple[Qt.PenStyle, float, float, float], ...]
    width: float
    height: float


def word_span(text: str, place: int) -> tuple[int, int] | None:
    """Find a word in a context as it is shown.

    Parameters
    ----------
    text
        The context.
    place
        The word's place: 1 is the first after the match, -1 the last before it.

    Returns
    -------
    tuple[int, int] | None
        Its first character and one past its last; None if the context has fewer words.
    """
    words = (match.span() for match in _WORD.finditer(text.translate(_PICTURES)))
    if place > 0:
        # No more than are needed: contexts are long, and the words that lines are sorted by are near.
        return next(islice(words, place - 1, None), None)
    found = list(words)
    return found[place] if 0 < -place <= len(found) else None


def _word_of(context: Context, place: int) -> tuple[int, int] | None:
    """Characters of a word in the text of a context, counted from the match; None where it is joined to the match."""
    span = word_span(context.words, place)
    if span is None:
        return None
    shift = len(context.joined) if context.following else 0
    start, end = max(0, span[0] - shift), min(len(context.text), span[1] - shift)
    return (start, end) if start < end else None


class LineDelegate(QStyledItemDelegate):
    """Paints all cells of a `KwicModel`.

    Parameters
    ----------
    model
        The rows.
    parent
        The owner.
    """

    def __init__(self, model: KwicModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = model
        self.look = Look()
        self.hovered = -1
        """The row under the pointer; -1 for none."""
        self.fill_of: Callable[[int], str] = lambda line: ""
        """Gives the color, by its name, of the background of a line by its number; "" for the usual one."""
        self.signs_of: Callable[[int], Sequence[str]] = lambda line: ()
        """Gives the icons at the beginning of a line, by its number."""
        # By line, column and width: a page that scrolls by one row lays out one row.
        # A change of the look, the font or the lines empties it.
        self._laid: dict[tuple[object, ...], _Laid] = {}
        # The rows of other lines have the same numbers.
        model.modelReset.connect(self.forget)

    def show(self, look: Look) -> None:
        """Paint rows in another look."""
        if look != self.look:
            self.look = look
            self.forget()

    def forget(self) -> None:
        """Lay texts out again: font, colors or contents have changed."""
        self._laid.clear()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one cell.

        Parameters
        ----------
        painter
            Where to draw.
        option
            The cell's rectangle, font and state.
        index
            The cell.
        """
        # Qt's own background would come with seven calls of the model.
        self._paint_background(painter, option, index)
        padding = round(_PADDING_EMS * QFontMetrics(option.font).height() * 0.7)
        area = option.rect.adjusted(padding, 0, -padding, 0)
        # A column may be narrower than its padding while it is dragged.
        if area.width() <= 0:
            return
        column = index.column()
        if column == MATCH:
            self._paint_match(painter, option, area, index)
        elif column in (LEFT, RIGHT):
            self._paint_context(painter, option, area, index)
        else:
            if column == NUMBER:
                self._paint_signs(painter, area, self.signs_of(self._rows.base + index.row()))
            painter.setFont(option.font)
            painter.setPen(qcolor("muted"))
            side = Qt.AlignmentFlag.AlignRight if self._rows.at_right(column) else Qt.AlignmentFlag.AlignLeft
            text = isolated(self._rows.text(index.row(), column)[:_MOST_SHORT])
            shown = QFontMetrics(option.font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_signs(self, painter: QPainter, area: QRect, signs: Sequence[str]) -> None:
        """Icons from the left, as high as the text."""
        side = em(1.1)
        for number, name in enumerate(signs):
            place = QRectF(area.left() + number * (side + 2), area.top() + (area.height() - side) / 2, side, side)
            draw_icon(painter, name, place, "warn")

    def _paint_background(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, qcolor("select"))
        elif name := self.fill_of(self._rows.base + index.row()):
            painter.fillRect(option.rect, qcolor(name))
        elif index.row() == self.hovered:
            painter.fillRect(option.rect, qcolor("hover"))

    def _paint_match(self, painter: QPainter, option: QStyleOptionViewItem, area: QRect, index: _Index) -> None:
        """The match, and joined to it, paler, the rest of the word that it begins or ends in."""
        key = (self._rows.base + index.row(), MATCH, area.width())
        laid = self._laid.get(key)
        if laid is None:
            bold = QFont(option.font)
            bold.setBold(True)
            measure = QFontMetrics(bold).horizontalAdvance
            head, match, tail = fit_match(self._rows.matched(index.row()), area.width(), measure)
            layout = QTextLayout(head + match + tail, bold)
            row = self._rows.row(index.row())
            layout.setTextOption(_one_line_option(row is not None and row.right_to_left))
            layout.setFormats(_joined_formats((head, match, tail), self.look.levels, ("accent", "muted")))
            laid = _laid_out(layout, 1 << 20)
            # A row that has not been read yet has no match to keep.
            if row is not None:
                self._keep(key, laid)
        room = area.width() - laid.width
        _draw(painter, laid, area, max(0.0, room / 2), qcolor("accent"))

    def _paint_context(self, painter: QPainter, option: QStyleOptionViewItem, area: QRect, index: _Index) -> None:
        at_right = index.column() == LEFT
        key = (self._rows.base + index.row(), index.column(), area.width())
        laid = self._laid.get(key)
        if laid is None:
            context = self._rows.context(index)
            # Its page is on the way; the view is painted again when it arrives.
            if context is None:
                self._paint_waiting(painter, area, at_right)
                return
            if context.edge:
                self._paint_edge(painter, option, area, context, at_right)
                return
            laid = self._keep(key, _lay_out_context(context, self.look, area.width(), option.font))
        # The near end is at the match: at the right edge of the column on its left.
        x = area.width() - laid.width if at_right else 0.0
        _draw(painter, laid, area, x, qcolor("text"))

    def _paint_waiting(self, painter: QPainter, area: QRect, at_right: bool) -> None:
        """A bar in place of a context that is being read."""
        width, height = area.width() * 3 // 5, max(4, area.height() // 3)
        left = area.right() - width if at_right else area.left()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qcolor("hover"))
        painter.drawRoundedRect(QRectF(left, area.center().y() - height / 2, width, height), height / 2, height / 2)

    def _paint_edge(
        self, painter: QPainter, option: QStyleOptionViewItem, area: QRect, context: Context, at_right: bool
    ) -> None:
        """That the document begins or ends here."""
        font = QFont(option.font)
        font.setPointSizeF(font.pointSizeF() * _SMALLER)
        painter.setFont(font)
        painter.setPen(qcolor("muted"))
        text = tr("end of document") if context.following else tr("start of document")
        side = Qt.AlignmentFlag.AlignRight if at_right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, text)

    def _keep(self, key: tuple[object, ...], laid: _Laid) -> _Laid:
        """Keep a text for the next painting; returns it."""
        if len(self._laid) > _MOST_KEPT:
            self._laid.clear()
        self._laid[key] = laid
        return laid


def _lay_out_context(context: Context, look: Look, width: int, font: QFont) -> _Laid:
    """A context cut to its cell, with its marks."""
    # Numbers below 0 tell sort words from phrases of the query, which count from 0.
    words = [
        Mark(-1 - number, *span)
        for number, place in enumerate(look.levels)
        if place and (place > 0) == context.following and (span := _word_of(context, place)) is not None
    ]
    # Measured in regular weight; the loop below makes up for words in bold.
    metrics = QFontMetrics(font)
    # A wrapped line is not filled to its end, and bold words are wider. Less text is tried until all of it has room.
    for part in (1.0, 0.97, 0.94, 0.9, 0.85, 0.7, 0.5):
        room = int(part * width * look.rows)
        near = _within_reach(context, room, metrics)
        shown, marks = _cut(near, words, room, metrics)
        layout = QTextLayout(shown, font)
        option = _one_line_option(context.right_to_left)
        if look.rows > 1:
            option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
            if not context.following:
                option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        layout.setTextOption(option)
        layout.setFormats(_formats(shown, marks))
        laid = _laid_out(layout, 1 << 20 if look.rows == 1 else width, shown, marks)
        if layout.lineCount() <= look.rows and laid.width <= width:
            break
    return laid


def _cut(context: Context, words: Sequence[Mark], room: int, metrics: QFontMetrics) -> tuple[str, list[Mark]]:
    """A context cut to a width. Without phrases to reach, Qt finds the place in one call instead of ten measures."""
    if context.marks or context.right_to_left:
        return fit(context, words, room, metrics.horizontalAdvance)
    side = Qt.TextElideMode.ElideRight if context.following else Qt.TextElideMode.ElideLeft
    return cut_between_words(context, words, metrics.elidedText(context.text, side, room))


def _within_reach(context: Context, room: int, metrics: QFontMetrics) -> Context:
    """The context without what no row can show: measuring is what takes time. Marks may be far away."""
    most = 4 * room // max(1, metrics.averageCharWidth()) + 2
    if context.marks or len(context.text) <= most:
        return context
    text = context.text[:most] if context.following else context.text[-most:]
    return replace(context, text=text)


def _laid_out(layout: QTextLayout, width: float, shown: str = "", marks: Sequence[Mark] = ()) -> _Laid:
    """Break a text into lines of this width, and find where its sort words are."""
    layout.beginLayout()
    height, widest = 0.0, 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += line.height()
        widest = max(widest, line.naturalTextWidth())
    layout.endLayout()
    below = []
    positions = Utf16Map(shown)
    for mark in marks:
        if mark.clause < 0:
            below += _lines_below(layout, -1 - mark.clause, positions.to_qt(mark.start), positions.to_qt(mark.end))
    # Wrapped lines are aligned within the width themselves.
    return _Laid(layout, tuple(below), widest if width > _WIDE else width, height)


def _lines_below(
    layout: QTextLayout, level: int, start: int, end: int
) -> list[tuple[Qt.PenStyle, float, float, float]]:
    """Where to draw below a word, once per line of text that it is in."""
    found = []
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        first, last = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
        if first < last:
            left, right = sorted((_x_of(line, first), _x_of(line, last)))
            found.append((_LEVEL_LINES[min(level, 2)], left, right, line.y() + line.ascent() + 2.5))
    return found


def _x_of(line: QTextLine, position: int) -> float:
    """The place of a character in a line, in pixels."""
    # PySide gives the position that was meant along with the place, which its types do not show.
    found: Any = line.cursorToX(position)
    return float(found[0] if isinstance(found, tuple) else found)


def _draw(painter: QPainter, laid: _Laid, area: QRect, x: float, color: QColor) -> None:
    """Draw a laid-out text in the middle of a cell's height."""
    painter.save()
    # A bold word may be wider than what was measured.
    painter.setClipRect(area)
    painter.setPen(color)
    place = QPointF(area.left() + x, area.top() + (area.height() - laid.height) / 2)
    laid.layout.draw(painter, place)
    # Not as underlines of the format: dashes and dots of Qt are too thin to be told apart.
    for style, left, right, below in laid.below:
        painter.setPen(QPen(qcolor("accent"), 2.0 if style == Qt.PenStyle.SolidLine else 1.5, style))
        painter.drawLine(QPointF(place.x() + left, place.y() + below), QPointF(place.x() + right, place.y() + below))
    painter.restore()


def _joined_formats(
    parts: tuple[str, str, str], levels: tuple[int, ...], names: tuple[str, str]
) -> list[QTextLayout.FormatRange]:
    """The formats of a match between the rests of its word; a rest that lines are sorted by is underlined.

    names: the colors of the match and of the rests.
    """
    head, match, tail = parts
    strong = QTextCharFormat()
    strong.setForeground(qcolor(names[0]))
    rests = []
    for place in (-1, 1):
        pale = QTextCharFormat()
        pale.setForeground(qcolor(names[1]))
        pale.setFontUnderline(place in levels)
        rests.append(pale)
    positions = Utf16Map(head + match + tail)
    formats, start = [], 0
    for text, form in ((head, rests[0]), (match, strong), (tail, rests[1])):
        made = QTextLayout.FormatRange()
        made.start = positions.to_qt(start)
        made.length = positions.to_qt(start + len(text)) - made.start
        form.setFontWeight(700)
        made.format = form
        start += len(text)
        if made.length:
            formats.append(made)
    return formats


def _formats(shown: str, marks: list[Mark]) -> list[QTextLayout.FormatRange]:
    """The formats of the marks; a sort word inside a phrase of the query is formatted like the phrase."""
    positions = Utf16Map(shown)
    formats = []
    for mark in marks:
        made = QTextLayout.FormatRange()
        made.start = positions.to_qt(mark.start)
        made.length = positions.to_qt(mark.end) - made.start
        made.format = _level_format(-1 - mark.clause) if mark.clause < 0 else clause_format(mark.clause)
        if made.length > 0:
            formats.append(made)
    return formats


def clause_format(clause: int) -> QTextCharFormat:
    """The format of another phrase of the query: color, weight and underline style."""
    form = QTextCharFormat()
    form.setForeground(qcolor("accent"))
    form.setFontWeight(700)
    form.setUnderlineStyle(_LINES[min(clause, len(_LINES) - 1)])
    form.setUnderlineColor(qcolor("accent"))
    return form


def _level_format(level: int) -> QTextCharFormat:
    """The mark of a level: weight; what is below the word is drawn with it."""
    form = QTextCharFormat()
    form.setFontWeight(600 if level == 0 else 400)
    return form


def _one_line_option(right_to_left: bool) -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    side = Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
    option.setTextDirection(side)
    # In either direction, it begins at the left of its line, which is far too wide.
    option.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
    return option
