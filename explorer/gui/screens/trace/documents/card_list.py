"""Draws the cards of documents next to a traced text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.gui.screens.trace.documents.cards import RELEVANCE, Card, Divider, Entry, Run
from explorer.gui.style.theme import chrome, em, font_of, qcolor, text_size
from explorer.gui.style.untrusted import tip
from explorer.i18n import tr

_Index = QModelIndex | QPersistentModelIndex
_LINES = 3
_SMALL = 0.92


class CardModel(QAbstractListModel):
    """A list of cards, with dividers between them."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._entries: tuple[Entry, ...] = ()

    def show(self, entries: tuple[Entry, ...]) -> None:
        """Show other cards."""
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def entry(self, number: int) -> Entry:
        """A card or a divider."""
        return self._entries[number]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Number of cards and dividers."""
        return 0 if parent.isValid() else len(self._entries)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """A divider can be neither chosen nor passed by the keyboard."""
        if index.isValid() and isinstance(self._entries[index.row()], Divider):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give a card's title, and all of it for assistive technology."""
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if isinstance(entry, Divider):
            return entry.title if role == Qt.ItemDataRole.AccessibleTextRole else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(entry.hint)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.title}, {tr(RELEVANCE[entry.document.level])}, {entry.facts}: {entry.text}"
        return None


class CardDelegate(QStyledItemDelegate):
    """Paints a card: title, relevance as a word and three bars, a line of metadata, the snippet with its marks."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Give the size of a card or a divider; the chosen card has room for its actions.

        option: The width, and whether the card is the current one.
        """
        entry = _entry(index)
        # Qt asks for the size of every card when the list is filled or its width changes.
        line, small, letter = _measures(text_size())
        if isinstance(entry, Divider):
            return QSize(em(12), small + em(0.9))
        width = max(1, option.rect.width() - 2 * em(1.25))
        # By the number of letters, not by a layout: all cards are measured when the list is filled.
        taken = len(entry.shown.text) * letter / width
        lines = min(_LINES, 1 + int(taken))
        height = line + small + lines * round(1.35 * line) + em(0.5) + 2 * em(0.85) + _gap()
        if self._is_current(index):
            height += actions_height()
        return QSize(em(12), height)

    def _is_current(self, index: _Index) -> bool:
        view = self.parent()
        current = getattr(view, "currentIndex", None)
        return current is not None and current() == index

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one card.

        option: The card's rectangle, font and state.
        """
        entry = _entry(index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(entry, Divider):
            _paint_divider(painter, option, entry)
        else:
            _paint_card(painter, option, entry)
        painter.restore()


@lru_cache(maxsize=2)
def _measures(points: float) -> tuple[int, int, int]:
    """The heights of a line and of a small line, and the width of a letter, for text of that many points."""
    ordinary = QFontMetrics(font_of())
    return ordinary.height(), QFontMetrics(font_of(_SMALL)).height(), ordinary.averageCharWidth()


def actions_height() -> int:
    """The height of the row of actions on the chosen card."""
    return chrome(28) + em(0.6)


def card_area(row: QRect) -> QRect:
    """The area of the card in a row of the list."""
    return row.adjusted(1, 1, -1, -_gap())


def _gap() -> int:
    return em(0.6)


def _entry(index: _Index) -> Entry:
    model = index.model()
    assert isinstance(model, CardModel)
    return model.entry(index.row())


def _paint_divider(painter: QPainter, option: QStyleOptionViewItem, divider: Divider) -> None:
    painter.setFont(font_of(_SMALL))
    metrics = QFontMetrics(painter.font())
    area = option.rect.adjusted(0, 0, 0, -_gap())
    text = metrics.elidedText(divider.title, Qt.TextElideMode.ElideRight, area.width())
    painter.setPen(qcolor("muted"))
    words = QRect(area.left(), area.top(), metrics.horizontalAdvance(text), area.height())
    shown = QStyle.visualRect(option.direction, area, words)
    painter.drawText(shown, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), text)
    painter.setPen(QPen(qcolor("line"), 1))
    y = area.center().y()
    if option.direction == Qt.LayoutDirection.RightToLeft:
        painter.drawLine(area.left(), y, shown.left() - em(0.8), y)
    else:
        painter.drawLine(shown.right() + em(0.8), y, area.right(), y)


def _paint_card(painter: QPainter, option: QStyleOptionViewItem, card: Card) -> None:
    # The current card alone has a ring and actions, and its match the color of marks in the text.
    chosen = bool(option.state & QStyle.StateFlag.State_Selected)
    hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
    area = QRectF(card_area(option.rect))
    painter.setPen(QPen(qcolor("accent" if chosen else "line_strong" if hovered else "line"), 2 if chosen else 1))
    painter.setBrush(qcolor("surface"))
    painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
    inner = card_area(option.rect).adjusted(em(1.25), em(0.85), -em(1.25), -em(0.85))
    if chosen:
        inner.adjust(0, 0, 0, -actions_height())
    title, small = font_of(1, QFont.Weight.DemiBold), font_of(_SMALL)
    high, low = QFontMetrics(font_of()).height(), QFontMetrics(small).height()
    flags = Qt.AlignmentFlag.AlignVCenter | _leading(option)
    taken = _paint_relevance(
        painter, option, QRect(inner.left(), inner.top(), inner.width(), high), card.document.level
    )
    line = QRect(inner.left(), inner.top(), inner.width() - taken - em(0.8), high)
    painter.setFont(title)
    painter.setPen(qcolor("text"))
    text = QFontMetrics(title).elidedText(card.title, Qt.TextElideMode.ElideMiddle, line.width())
    painter.drawText(QStyle.visualRect(option.direction, inner, line), int(flags), text)
    painter.setFont(small)
    painter.setPen(qcolor("muted"))
    line = QRect(inner.left(), inner.top() + high, inner.width(), low)
    facts = QFontMetrics(small).elidedText(card.facts, Qt.TextElideMode.ElideRight, line.width())
    # In the order of their own words: the window's would put a number and the ellipsis at the wrong ends.
    painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    painter.drawText(line, int(flags), facts)
    _paint_snippet(painter, inner.adjusted(0, high + low + em(0.5), 0, 0), card, chosen)


def _leading(option: QStyleOptionViewItem) -> Qt.AlignmentFlag:
    right = option.direction == Qt.LayoutDirection.RightToLeft
    return Qt.AlignmentFlag.AlignAbsolute | (Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft)


def _paint_relevance(painter: QPainter, option: QStyleOptionViewItem, area: QRect, level: str) -> int:
    """Three bars, as many filled as the level is high, and its word at the trailing end; the width that they take."""
    font = font_of(_SMALL)
    word = tr(level or "low")
    advance = QFontMetrics(font).horizontalAdvance(word)
    bar, gap = em(0.26), em(0.12)
    bars = 3 * bar + 2 * gap
    taken = bars + em(0.5) + advance
    whole = QRect(area.right() + 1 - taken, area.top(), taken, area.height())
    painter.setPen(Qt.PenStyle.NoPen)
    filled = {"high": 3, "medium": 2}.get(level, 1)
    bottom = area.center().y() + em(0.42)
    for number in range(3):
        height = em(0.3 + 0.27 * number)
        place = QRect(whole.left() + number * (bar + gap), bottom - height, bar, height)
        painter.setBrush(qcolor("accent" if number < filled else "line_strong"))
        painter.drawRect(QStyle.visualRect(option.direction, area, place))
    painter.setFont(font)
    painter.setPen(qcolor("text"))
    place = QRect(whole.right() + 1 - advance, area.top(), advance, area.height())
    painter.drawText(QStyle.visualRect(option.direction, area, place), int(Qt.AlignmentFlag.AlignCenter), word)
    return taken


def _paint_snippet(painter: QPainter, area: QRect, card: Card, chosen: bool) -> None:
    """Draw up to three lines of text: the match bold on a fill, what else the document shares on a paler one."""
    pitch = round(1.35 * QFontMetrics(font_of()).height())
    lines = max(1, min(_LINES, (area.height() + 4) // pitch))
    layout = _laid_out(card, card.text, lines, area.width(), pitch, chosen)
    last = layout.lineAt(layout.lineCount() - 1)
    end = last.textStart() + last.textLength()
    text = card.text.encode("utf-16-le", "surrogatepass")
    # QTextLayout counts UTF-16 units, Python counts characters.
    if 2 * end < len(text):
        # What is cut ends with an ellipsis, which needs room of its own.
        kept = text[: 2 * end].decode("utf-16-le", "ignore").rstrip()[:-2]
        layout = _laid_out(card, kept + "…", lines, area.width(), pitch, chosen)
    painter.setPen(qcolor("text"))
    painter.save()
    painter.setClipRect(area)
    layout.draw(painter, QPointF(area.topLeft()))
    painter.restore()


def _laid_out(card: Card, text: str, lines: int, width: int, pitch: int, chosen: bool) -> QTextLayout:
    """The beginning of a card's text in some lines, with its marks."""
    layout = QTextLayout(text, font_of())
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats([_format(card.text, run, chosen) for run in card.runs])
    layout.beginLayout()
    for number in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, number * pitch))
    layout.endLayout()
    return layout


def _format(text: str, run: Run, chosen: bool) -> QTextLayout.FormatRange:
    # Strong only on the chosen card: there the same words are strong in the text, and they are found at a glance.
    strong = run.chosen and chosen
    found = QTextLayout.FormatRange()
    start, end = _qt_units(text, run.start), _qt_units(text, run.end)
    found.start, found.length = start, end - start
    form = QTextCharFormat()
    form.setFontWeight(QFont.Weight.DemiBold if run.chosen else QFont.Weight.Normal)
    form.setBackground(qcolor("mark" if strong else "mark_soft"))
    form.setForeground(QColor(qcolor("on_mark" if strong else "text")))
    found.format = form
    return found


def _qt_units(text: str, position: int) -> int:
    return len(text[:position].encode("utf-16-le", "surrogatepass")) // 2
