"""Paints contexts: cut at the far end, with the sort words and the other phrases marked."""

from __future__ import annotations

import re

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPalette, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.gui.screens.search.contexts import Context, fit, fit_match
from explorer.gui.screens.search.model import LEFT, MATCH, RIGHT, KwicModel
from explorer.gui.text_positions import Utf16Map
from explorer.gui.theme import qcolor
from explorer.search.nearby import Mark

_WORD = re.compile(r"[\u3000-\u9fff]|(?:(?![\u3000-\u9fff])[\w\u0080-\U0010ffff])+|[!-/:-@\[-^`{-~]+")
_PICTURES = dict.fromkeys([0x23CE, *range(0x2400, 0x2422)], " ")
_PADDING = 6
_LINES = (
    QTextCharFormat.UnderlineStyle.SingleUnderline,
    QTextCharFormat.UnderlineStyle.DashUnderline,
    QTextCharFormat.UnderlineStyle.DotLine,
    QTextCharFormat.UnderlineStyle.WaveUnderline,
)
"""Underline styles of the other clauses of a query, in their order."""


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
    found = [match.span() for match in _WORD.finditer(text.translate(_PICTURES))]
    number = place - 1 if place > 0 else len(found) + place
    return found[number] if 0 <= number < len(found) else None


def _word_of(context: Context, place: int) -> tuple[int, int] | None:
    """Characters of a word in the text of a context, counted from the match; None where it is joined to the match."""
    span = word_span(context.words, place)
    if span is None:
        return None
    shift = len(context.joined) if context.following else 0
    start, end = max(0, span[0] - shift), min(len(context.text), span[1] - shift)
    return (start, end) if start < end else None


class ContextDelegate(QStyledItemDelegate):
    """`levels`: the places of the words that lines are sorted by, first level first."""

    def __init__(self, parent: object = None) -> None:
        super().__init__(parent)  # type: ignore[arg-type]
        self.levels: tuple[int, ...] = ()

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Set the side at which a cell is cut: the far one from the match.

        Parameters
        ----------
        option
            Filled in by the base class, and changed here.
        index
            The cell.
        """
        super().initStyleOption(option, index)
        left = index.column() == LEFT
        option.textElideMode = Qt.TextElideMode.ElideLeft if left else Qt.TextElideMode.ElideRight

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint contexts with marks and right-to-left contexts; others are left to the style.

        Parameters
        ----------
        painter
            Where to draw.
        option
            The cell's rectangle, font and state.
        index
            The cell.
        """
        model = index.model()
        if isinstance(model, KwicModel) and index.column() == MATCH:
            self._paint_match(painter, option, index, model)
            return
        context = model.context(index) if isinstance(model, KwicModel) and index.column() in (LEFT, RIGHT) else None
        if context is None or not (context.right_to_left or context.marks or self._places(context)):
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        option.text = ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        area = option.rect.adjusted(_PADDING, 0, -_PADDING, 0)
        self._paint_text(painter, option, area, context, at_right=index.column() == LEFT)

    def _paint_match(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
        model: KwicModel,
    ) -> None:
        """The match, and joined to it, paler, the rest of the word that it begins or ends in."""
        parts = model.joined_match(index)
        if parts is None:
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        option.text = ""
        option.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        area = option.rect.adjusted(_PADDING, 0, -_PADDING, 0)
        head, match, tail = fit_match(parts, area.width(), QFontMetrics(option.font).horizontalAdvance)
        layout = QTextLayout(head + match + tail, option.font)
        layout.setTextOption(_one_line_option(model.runs_right_to_left(index)))
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        names = ("text", "muted") if selected else ("accent", "muted")
        layout.setFormats(_joined_formats((head, match, tail), self.levels, names))
        _draw_line(painter, layout, area, option, centered=True)

    def _places(self, context: Context) -> list[tuple[int, int]]:
        """The levels whose words are in this context, as (number, place)."""
        return [(n, place) for n, place in enumerate(self.levels) if place and (place > 0) == context.following]

    def _paint_text(
        self, painter: QPainter, option: QStyleOptionViewItem, area: QRect, context: Context, at_right: bool
    ) -> None:
        words = [
            Mark(-1 - number, *span)
            for number, place in self._places(context)
            if (span := _word_of(context, place)) is not None
        ]
        shown, marks = fit(context, words, area.width(), QFontMetrics(option.font).horizontalAdvance)
        layout = QTextLayout(shown, option.font)
        layout.setTextOption(_one_line_option(context.right_to_left))
        layout.setFormats(_formats(shown, marks))
        _draw_line(painter, layout, area, option, at_right=at_right)


def _draw_line(
    painter: QPainter,
    layout: QTextLayout,
    area: QRect,
    option: QStyleOptionViewItem,
    at_right: bool = False,
    centered: bool = False,
) -> None:
    """Draw a text on one line of a cell: on the left, on the right or in the middle."""
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1 << 20)
    layout.endLayout()
    room = area.width() - line.naturalTextWidth()
    x = area.left() + (max(0.0, room / 2) if centered else room if at_right else 0)
    painter.save()
    painter.setClipRect(area)
    painter.setPen(option.palette.color(QPalette.ColorRole.Text))
    layout.draw(painter, QPointF(x, area.top() + (area.height() - line.height()) / 2))
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
    """The mark of a level: weight and style of the underline, which need no color."""
    form = QTextCharFormat()
    form.setFontWeight(700 if level == 0 else 400)
    form.setUnderlineStyle(_LINES[min(level, len(_LINES) - 1)])
    form.setUnderlineColor(qcolor("accent"))
    return form


def _one_line_option(right_to_left: bool) -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    side = Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
    option.setTextDirection(side)
    # In either direction, it begins at the left of its line, which is far too wide.
    option.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
    return option
