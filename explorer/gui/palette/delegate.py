"""Draws a line of the palette: icon, name with the matched letters in bold, explanation, and keys at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.gui.palette.rows import Command, Row
from explorer.gui.style.icons import icon
from explorer.gui.style.theme import chrome, em, font_of, qcolor
from explorer.gui.widgets.painting import draw_words, rounded
from explorer.gui.widgets.texts.key_cap import draw_key_cap, key_cap_size
from explorer.i18n import tr

ROW = Qt.ItemDataRole.UserRole
"""The role of the `Row` itself."""
_NAME_SHARE = 0.42
"""The part of a line that names have; explanations begin after it."""


def caps(keys: str) -> list[str]:
    """The keys of a shortcut, each for a cap of its own: "Ctrl++" has two."""
    parts = keys.split("+")
    found = [part for part in parts if part]
    # The last key is a plus if the text ends with two of them, or is one.
    return [*found, "+"] if keys.endswith("+") else found


def from_the_end(keys: str, right_to_left: bool) -> list[str]:
    """The keys of a shortcut as they are placed from the end of a line: read from left to right in every window.

    right_to_left: Whether lines run from right to left, so that they end at the left.
    Returns: The key that is next to the end first.
    """
    return caps(keys) if right_to_left else caps(keys)[::-1]


class PaletteDelegate(QStyledItemDelegate):
    """One line."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """The same height for each, so that a list need not measure its lines."""
        return QSize(em(10), chrome(34))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a heading or a command."""
        row: Row = index.data(ROW)
        area: QRect = option.rect
        painter.save()
        painter.setLayoutDirection(option.direction)
        if row.command is None:
            self._draw_heading(painter, area, row, index.row() > 0)
        else:
            state = option.state
            if state & QStyle.StateFlag.State_Selected:
                rounded(painter, area.adjusted(4, 0, -4, 0).toRectF(), 6, "select")
            elif state & QStyle.StateFlag.State_MouseOver:
                rounded(painter, area.adjusted(4, 0, -4, 0).toRectF(), 6, "hover")
            self._draw_command(painter, area, row, row.command)
        painter.restore()

    def _draw_heading(self, painter: QPainter, area: QRect, row: Row, divided: bool) -> None:
        assert row.heading is not None
        # Not above the first heading: the line of the field is there.
        if divided:
            painter.fillRect(area.left(), area.top() + 3, area.width(), 1, qcolor("line"))
        painter.setFont(font_of(0.92))
        painter.setPen(qcolor("muted"))
        inner = area.adjusted(em(1.1), chrome(6), -em(1.1), 0)
        draw_words(painter, inner.toRectF(), tr(row.heading.value))

    def _draw_command(self, painter: QPainter, area: QRect, row: Row, command: Command) -> None:
        inner = area.adjusted(em(1.1), 0, -em(1.1), 0)
        # The icon has its place also where there is none, so that names begin in one column.
        side, middle = em(1.2), area.center().y()
        usable = not command.why_not
        if command.picture:
            box = QRect(inner.left(), middle - side // 2, side, side)
            icon(command.picture, "" if usable else "faint").paint(painter, _turned(painter, area, box))
        keys = self._draw_keys(painter, area, inner, command.key)
        names = QRect(inner.left() + side + em(0.8), area.top(), round(area.width() * _NAME_SHARE), area.height())
        begin = names.right() + em(0.8)
        about = QRect(begin, area.top(), keys - em(0.8) - begin, area.height())
        _draw_marked(
            painter, _turned(painter, area, names), command.name, row.match.places, "text" if usable else "faint", 1.0
        )
        _draw_marked(
            painter,
            _turned(painter, area, about),
            command.why_not or command.hint,
            row.match.about_places if usable else (),
            "muted" if usable else "faint",
            0.92,
        )

    def _draw_keys(self, painter: QPainter, area: QRect, inner: QRect, keys: str) -> int:
        """Draw the caps at the end of the line; returns where they begin."""
        # From the end of the line backwards, so that keys of all lines end in one column.
        left = inner.right()
        for key in from_the_end(keys, painter.layoutDirection() == Qt.LayoutDirection.RightToLeft):
            size = key_cap_size(key)
            left -= size.width()
            box = _turned(painter, area, QRect(QPoint(left, area.center().y() - size.height() // 2), size))
            draw_key_cap(painter, box.topLeft(), key)
            left -= em(0.3)
        return left


def _turned(painter: QPainter, area: QRect, box: QRect) -> QRect:
    """A box in the line, on the other side in a window that runs from right to left."""
    return QStyle.visualRect(painter.layoutDirection(), area, box)


def _draw_marked(painter: QPainter, area: QRect, text: str, places: Sequence[int], ink: str, size: float) -> None:
    """Draw one line, the letters at some places in bold; what does not fit is cut."""
    # Cut by the bold font, which is wider: a marked text must not reach into the next column.
    plain, bold = font_of(size), font_of(size, 600)
    shown = QFontMetrics(bold if places else plain).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    if not places or painter.layoutDirection() == Qt.LayoutDirection.RightToLeft:
        # Runs of letters are not in the order of their places where the text is turned.
        painter.setFont(plain)
        painter.setPen(qcolor(ink))
        draw_words(painter, area.toRectF(), shown)
        return
    left, marked = area.left(), frozenset(places)
    for run, is_marked in _runs(shown, marked):
        font = bold if is_marked else plain
        painter.setFont(font)
        painter.setPen(qcolor("accent" if is_marked else ink))
        width = QFontMetrics(font).horizontalAdvance(run)
        painter.drawText(QRect(left, area.top(), width + 1, area.height()), int(Qt.AlignmentFlag.AlignVCenter), run)
        left += width


def _runs(text: str, marked: frozenset[int]) -> list[tuple[str, bool]]:
    """The text in parts that are marked or not."""
    # Runs and not letters: letters drawn one by one would lose kerning and ligatures.
    parts: list[tuple[str, bool]] = []
    for place, letter in enumerate(text):
        is_marked = place in marked
        if parts and parts[-1][1] == is_marked:
            parts[-1] = (parts[-1][0] + letter, is_marked)
        else:
            parts.append((letter, is_marked))
    return parts
