"""Paints the rows of the lines: contexts cut at their far ends, with the sort words and other phrases marked.

Qt's own delegate asks a model in Python for eight values per cell; painting a page took 30 ms. This one takes what it
needs from the model and keeps the laid-out texts of the rows in view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.gui.screens.search.lines.contexts import Context
from explorer.gui.screens.search.lines.model import LEFT, MATCH, NUMBER, RIGHT, KwicModel
from explorer.gui.screens.search.lines.texts import (
    Look,
    lay_out_cell,
    lay_out_context,
    lay_out_match,
)
from explorer.gui.screens.search.lines.type import Laid, Type, draw_laid
from explorer.gui.style.direction import isolated
from explorer.gui.style.icons import draw_icon
from explorer.gui.style.theme import em, qcolor
from explorer.i18n import tr

_PADDING_EMS = 0.6
_MOST_KEPT = 2_000
"""Laid-out texts that are kept: those of several pages."""
_ALL = 1 << 30
_MOST_SHORT = 300
"""Characters of a cell that is not a context."""
_SMALLER = 0.92
_COLORS = ("text", "muted", "accent", "select", "hover", "mark_soft")
_Index = QModelIndex | QPersistentModelIndex
_Key = TypeVar("_Key")


class LineDelegate(QStyledItemDelegate):
    """Paints all cells of a `KwicModel`."""

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
        self._laid: dict[tuple[int, int, int], Laid] = {}
        # By text and width: values of fields, and matches, are the same in many lines.
        self._repeated: dict[tuple[object, int], Laid] = {}
        # Of the row that is being painted, cell by cell.
        self._row, self._fill = -1, ""
        self.most_new = _ALL
        """Rows that are laid out in one painting at most; others are shown as waiting, and `late` is set."""
        self.late = False
        self._new: set[int] = set()
        # Asked once for a font and a theme, and not for each of a page's hundreds of texts.
        self._type: Type | None = None
        self._colors: dict[str, QColor] = {}
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
        self._repeated.clear()
        self._colors.clear()
        self._type = None

    def begin(self) -> None:
        """Begin to paint: rows may have been selected or marked since the last time."""
        self._row, self.late = -1, False
        self._new.clear()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one cell.

        option: The cell's rectangle, font and state.
        """
        row, column, rect = index.row(), index.column(), option.rect
        kind = self._type or self._prepare(option)
        if row != self._row:
            self._row, self._fill = row, self._fill_of(option, row)
        # Qt's own background would come with seven calls of the model.
        if self._fill:
            painter.fillRect(rect, self._colors.get(self._fill) or qcolor(self._fill))
        padding = round(_PADDING_EMS * kind.height * 0.7)
        area = rect.adjusted(padding, 0, -padding, 0)
        # A column may be narrower than its padding while it is dragged.
        if area.width() <= 0:
            return
        if column in (LEFT, RIGHT):
            self._paint_context(painter, area, index, kind)
        elif column == MATCH:
            self._paint_match(painter, area, row, kind)
        else:
            if column == NUMBER:
                self._paint_signs(painter, area, self.signs_of(self._rows.base + row))
            self._paint_short(painter, area, row, column, kind)

    def _prepare(self, option: QStyleOptionViewItem) -> Type:
        """Take the font and the colors."""
        self._type = Type(QFont(option.font))
        self._colors = {name: qcolor(name) for name in _COLORS}
        return self._type

    def _fill_of(self, option: QStyleOptionViewItem, row: int) -> str:
        """The background of a row, by the name of its color."""
        if option.state & QStyle.StateFlag.State_Selected:
            return "select"
        return self.fill_of(self._rows.base + row) or ("hover" if row == self.hovered else "")

    def _paint_signs(self, painter: QPainter, area: QRect, signs: Sequence[str]) -> None:
        """Icons from the left, as high as the text."""
        side = em(1.1)
        for number, name in enumerate(signs):
            place = QRectF(area.left() + number * (side + 2), area.top() + (area.height() - side) / 2, side, side)
            draw_icon(painter, name, place, "warn")

    def _paint_short(self, painter: QPainter, area: QRect, row: int, column: int, kind: Type) -> None:
        """A number, a name or the value of a field."""
        at_right = self._rows.at_right(column)
        text = self._rows.text(row, column)[:_MOST_SHORT]
        laid = self._repeated.get((text, area.width()))
        if laid is None:
            laid = lay_out_cell(text, area.width(), kind)
            if laid is None:
                painter.setFont(kind.font)
                painter.setPen(self._colors["muted"])
                shown = kind.metrics.elidedText(isolated(text), Qt.TextElideMode.ElideRight, area.width())
                side = Qt.AlignmentFlag.AlignRight if at_right else Qt.AlignmentFlag.AlignLeft
                painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, shown)
                return
            _keep(self._repeated, (text, area.width()), laid)
        draw_laid(painter, laid, area, area.width() - laid.width if at_right else 0.0, kind, self._colors)

    def _paint_match(self, painter: QPainter, area: QRect, row: int, kind: Type) -> None:
        """The match, and joined to it, paler, the rest of the word that it begins or ends in."""
        fetched, parts = self._rows.row(row), self._rows.matched(row)
        turned = fetched is not None and fetched.right_to_left
        key = ((parts, turned), area.width())
        laid = self._repeated.get(key)
        if laid is None:
            laid = lay_out_match(parts, turned, self.look.levels, area.width(), kind)
            _keep(self._repeated, key, laid)
        draw_laid(painter, laid, area, max(0.0, (area.width() - laid.width) / 2), kind, self._colors)

    def _paint_context(self, painter: QPainter, area: QRect, index: _Index, kind: Type) -> None:
        column = index.column()
        at_right = column == LEFT
        key = (self._rows.base + index.row(), column, area.width())
        laid = self._laid.get(key)
        if laid is None:
            context = self._rows.context(index)
            # Its page is on the way; the view is painted again when it arrives.
            if context is None:
                self._paint_waiting(painter, area, at_right)
                return
            if context.edge:
                self._paint_edge(painter, area, context, at_right, kind)
                return
            if not self._may_lay_out(index.row()):
                self._paint_waiting(painter, area, at_right)
                return
            laid = lay_out_context(context, self.look, area.width(), kind)
            _keep(self._laid, key, laid)
        # The near end is at the match: at the right edge of the column on its left.
        draw_laid(painter, laid, area, area.width() - laid.width if at_right else 0.0, kind, self._colors)

    def _may_lay_out(self, row: int) -> bool:
        """Whether a new row is laid out in this painting, or in one of the next."""
        if row not in self._new and len(self._new) >= self.most_new:
            self.late = True
            return False
        self._new.add(row)
        return True

    def _paint_waiting(self, painter: QPainter, area: QRect, at_right: bool) -> None:
        """A bar in place of a context that is being read."""
        width, height = area.width() * 3 // 5, max(4, area.height() // 3)
        left = area.right() - width if at_right else area.left()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colors["hover"])
        painter.drawRoundedRect(QRectF(left, area.center().y() - height / 2, width, height), height / 2, height / 2)

    def _paint_edge(self, painter: QPainter, area: QRect, context: Context, at_right: bool, kind: Type) -> None:
        """That the document begins or ends here."""
        font = QFont(kind.font)
        font.setPointSizeF(font.pointSizeF() * _SMALLER)
        painter.setFont(font)
        painter.setPen(self._colors["muted"])
        text = tr("end of document") if context.following else tr("start of document")
        side = Qt.AlignmentFlag.AlignRight if at_right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, text)


def _keep(kept: dict[_Key, Laid], key: _Key, laid: Laid) -> None:
    """Keep a text for the next painting."""
    # All at once: a page is laid out again in a frame.
    if len(kept) > _MOST_KEPT:
        kept.clear()
    kept[key] = laid
