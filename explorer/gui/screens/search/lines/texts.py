"""Texts of the lines, laid out for their cells: contexts cut to a width, matches between the rests of their words.

Almost every text runs from left to right on one line. It is laid out as pieces, each of one font and color, which Qt
draws three times as fast as a layout with formats. Everything else is a `QTextLayout`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)

from explorer.analyses.search.nearby import Mark
from explorer.gui.screens.search.lines.contexts import Context, cut_between_words, fit, fit_match
from explorer.gui.screens.search.lines.type import BOLD, LEVEL, PLAIN, Laid, Piece, Type
from explorer.gui.style.direction import may_turn
from explorer.gui.style.text_positions import Utf16Map
from explorer.gui.style.theme import qcolor
from explorer.text.graphemes import beginning, ending

_WORD = re.compile(r"[\u3000-\u9fff]|(?:(?![\u3000-\u9fff])[\w\u0080-\U0010ffff])+|[!-/:-@\[-^`{-~]+")
_PICTURES = dict.fromkeys([0x23CE, *range(0x2400, 0x2422)], " ")
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
_LONG = 24
"""Characters of a part of a text that is not measured if there is a way around it."""
_BELOW = 2.5
"""Pixels from the baseline to the line below a sort word."""


@dataclass(frozen=True)
class Look:
    """How rows look.

    levels: The places of the words that lines are sorted by, first level first.
    rows: The lines of text that a context may take.
    """

    levels: tuple[int, ...] = ()
    rows: int = 1


def word_span(text: str, place: int) -> tuple[int, int] | None:
    """Find a word in a context as it is shown.

    place: The word's place: 1 is the first after the match, -1 the last before it.
    Returns: Its first character and one past its last; None if the context has fewer words.
    """
    words = (match.span() for match in _WORD.finditer(text.translate(_PICTURES)))
    if place > 0:
        # No more than are needed: contexts are long, and the words that lines are sorted by are near.
        return next(islice(words, place - 1, None), None)
    found = list(words)
    return found[place] if 0 < -place <= len(found) else None


def word_of(context: Context, place: int) -> tuple[int, int] | None:
    """Find a word in the text of a context, counted from the match.

    Returns: Its first character and one past its last; None if it is joined to the match, or if there are fewer words.
    """
    span = word_span(context.words, place)
    if span is None:
        return None
    shift = len(context.joined) if context.following else 0
    start, end = max(0, span[0] - shift), min(len(context.text), span[1] - shift)
    return (start, end) if start < end else None


def lay_out_cell(text: str, width: int, kind: Type) -> Laid | None:
    """Lay out a text in one color, with an ellipsis where it has no room.

    Returns: The text; None if it may run from right to left.
    """
    if may_turn(text):
        return None
    piece = kind.piece(0.0, kind.fitting(text, True, width), PLAIN, "muted")
    return Laid(None, (), piece.width, kind.height, (piece,))


def lay_out_match(
    parts: tuple[str, str, str], right_to_left: bool, levels: tuple[int, ...], width: int, kind: Type
) -> Laid:
    """Lay out a match, and joined to it, paler, the rest of the word that it begins or ends in.

    levels: The places of the words that lines are sorted by.
    """
    parts = fit_match(parts, width, lambda text: round(kind.width(text, BOLD)))
    text = "".join(parts)
    if right_to_left or may_turn(text):
        layout = QTextLayout(text, kind.fonts[BOLD])
        layout.setTextOption(_one_line_option(right_to_left))
        layout.setFormats(_joined_formats(parts, levels, ("accent", "muted")))
        return _laid_out(layout, 1 << 20)
    pieces, below, x = [], [], 0.0
    for part, place, color in zip(parts, (-1, 0, 1), ("muted", "accent", "muted"), strict=True):
        if part:
            pieces.append(kind.piece(x, part, BOLD, color))
            end = x + pieces[-1].width
            # The rest of a word belongs to the word next to the match, which lines may be sorted by.
            if place and place in levels:
                below.append((_LEVEL_LINES[min(levels.index(place), 2)], x, end, kind.ascent + _BELOW))
            x = end
    return Laid(None, tuple(below), x, kind.height, tuple(pieces))


def lay_out_context(context: Context, look: Look, width: int, kind: Type) -> Laid:
    """Lay out a context, cut to its cell, with its marks.

    Returns: The text, which may be of several lines.
    """
    # Numbers below 0 tell sort words from phrases of the query, which count from 0.
    words = [
        Mark(-1 - number, *span)
        for number, place in enumerate(look.levels)
        if place and (place > 0) == context.following and (span := word_of(context, place)) is not None
    ]
    if look.rows == 1 and not context.marks and not context.right_to_left:
        near = _within_reach(context, width, kind.metrics)
        if not may_turn(near.text):
            return _lay_out_pieces(context, words, width, kind)
    return _lay_out_formats(context, words, look, width, kind.font)


def _lay_out_pieces(context: Context, words: Sequence[Mark], width: int, kind: Type) -> Laid:
    """A context from left to right without other phrases: what is before, in and after the first sort word."""
    bold = next((word for word in words if word.clause == -1), None)
    room = float(width)
    if bold is not None:
        word = context.text[bold.start : bold.end]
        room -= max(0.0, kind.width(word, LEVEL) - kind.width(word))
    most = 2 * int(room) // max(1, kind.metrics.averageCharWidth()) + 2
    text = beginning(context.text, most) if context.following else ending(context.text, most)
    elided = kind.fitting(text, context.following, room)
    # All of the beginning has room: then so has more, if the letters are that narrow.
    if elided == text and len(text) < len(context.text):
        elided = kind.fitting(context.text, context.following, room)
    shown, marks = cut_between_words(context, words, elided)
    bold = next((word for word in marks if word.clause == -1), None)
    # In the order in which they are read; without a word in bold, all is before it.
    ends = (len(shown), len(shown)) if bold is None else (bold.start, bold.end)
    pieces: list[Piece] = []
    x = 0.0
    for start, end, weight in ((0, ends[0], PLAIN), (*ends, LEVEL), (ends[1], len(shown), PLAIN)):
        if start < end:
            pieces.append(kind.piece(x, shown[start:end], weight, "text"))
            x += pieces[-1].width
    return Laid(None, _levels_below(shown, marks, ends, x, kind), x, kind.height, tuple(pieces))


def _levels_below(
    shown: str, marks: Sequence[Mark], bold: tuple[int, int], width: float, kind: Type
) -> tuple[tuple[Qt.PenStyle, float, float, float], ...]:
    """Where to draw below the sort words of a text in pieces, of which the middle one is bold."""
    if not marks:
        return ()
    edges = sorted({0, *bold, len(shown), *(mark.start for mark in marks), *(mark.end for mark in marks)})
    weights = [LEVEL if bold[0] <= edge < bold[1] else PLAIN for edge in edges]
    # The words are near the match, and the rest of the context is long: it is the one part that is not measured.
    widths = [
        None if end - start > _LONG else kind.width(shown[start:end], weight)
        for start, end, weight in zip(edges, edges[1:], weights, strict=False)
    ]
    rest = width - sum(each for each in widths if each is not None)
    if widths.count(None) != 1:
        widths = [kind.width(shown[a:b], weight) for a, b, weight in zip(edges, edges[1:], weights, strict=False)]
    places = dict(zip(edges, accumulate((rest if each is None else each for each in widths), initial=0.0), strict=True))
    height = kind.ascent + _BELOW
    return tuple(
        (_LEVEL_LINES[min(-1 - mark.clause, 2)], places[mark.start], places[mark.end], height)
        for mark in marks
        if mark.clause < 0
    )


def _lay_out_formats(context: Context, words: Sequence[Mark], look: Look, width: int, font: QFont) -> Laid:
    """A context of several lines of text, from right to left, or with other phrases of the query."""
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
    text = beginning(context.text, most) if context.following else ending(context.text, most)
    return replace(context, text=text)


def _laid_out(layout: QTextLayout, width: float, shown: str = "", marks: Sequence[Mark] = ()) -> Laid:
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
    return Laid(layout, tuple(below), widest if width > _WIDE else width, height)


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
            found.append((_LEVEL_LINES[min(level, 2)], left, right, line.y() + line.ascent() + _BELOW))
    return found


def _x_of(line: QTextLine, position: int) -> float:
    """The place of a character in a line, in pixels."""
    # PySide gives the position that was meant along with the place, which its types do not show.
    found: Any = line.cursorToX(position)
    return float(found[0] if isinstance(found, tuple) else found)


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
