"""Draws the cards of documents next to a traced text."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.gui.screens.trace.cards import Card
from explorer.gui.theme import monospace, qcolor

_Index = QModelIndex | QPersistentModelIndex
_LINES = 3
_MARGIN = 10
_BAR = 6


class CardModel(QAbstractListModel):
    """A list of cards."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._cards: tuple[Card, ...] = ()

    def show(self, cards: tuple[Card, ...]) -> None:
        """Show other cards."""
        self.beginResetModel()
        self._cards = cards
        self.endResetModel()

    def card(self, number: int) -> Card:
        """A card."""
        return self._cards[number]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Number of cards."""
        return 0 if parent.isValid() else len(self._cards)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give a card's title, and all of it for assistive technology.

        Parameters
        ----------
        index
            The card.
        role
            What Qt asks for.

        Returns
        -------
        Any
            The text, or None.
        """
        if not index.isValid():
            return None
        card = self._cards[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return card.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return card.hint
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{card.title}, {card.facts}: {card.text}"
        return None


class CardDelegate(QStyledItemDelegate):
    """Paints a card: a bar and a word for relevance, the title, the snippet with the match in bold."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Give the size of a card: a title, a line of facts and three lines of text.

        Parameters
        ----------
        option
            The font.
        index
            The card; all are equally high.

        Returns
        -------
        QSize
            The size in pixels.
        """
        line = QFontMetrics(option.font).height()
        snippet = QFontMetrics(monospace()).height()
        return QSize(200, 2 * line + _LINES * snippet + 2 * _MARGIN + 12)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one card.

        Parameters
        ----------
        painter
            Where to draw.
        option
            The card's rectangle, font and state.
        index
            The card.
        """
        model = index.model()
        assert isinstance(model, CardModel)
        card = model.card(index.row())
        rect = option.rect.adjusted(4, 3, -4, -3)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(qcolor("accent" if selected else "line"))
        painter.setBrush(qcolor("surface"))
        painter.drawRoundedRect(rect, 6, 6)
        self._paint_bar(painter, rect, card.document.level)
        inner = rect.adjusted(_MARGIN + _BAR, _MARGIN - 3, -_MARGIN, -_MARGIN + 3)
        self._paint_text(painter, option, inner, card)
        painter.restore()

    def _paint_bar(self, painter: QPainter, rect: QRect, level: str) -> None:
        """Draw a bar at the left edge, full, two thirds or one third of the height."""
        share = {"high": 1.0, "medium": 0.66}.get(level, 0.33)
        bar = QRectF(rect.left() + 4, rect.bottom() - 4 - (rect.height() - 8) * share, 4, (rect.height() - 8) * share)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qcolor("accent"))
        painter.drawRoundedRect(bar, 2, 2)

    def _paint_text(self, painter: QPainter, option: QStyleOptionViewItem, inner: QRect, card: Card) -> None:
        bold = QFont(option.font)
        bold.setBold(True)
        metrics = QFontMetrics(bold)
        painter.setFont(bold)
        painter.setPen(qcolor("text"))
        title = metrics.elidedText(card.title, Qt.TextElideMode.ElideMiddle, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, title)
        painter.setFont(option.font)
        painter.setPen(qcolor("muted"))
        below = inner.adjusted(0, metrics.height() + 1, 0, 0)
        facts = QFontMetrics(option.font).elidedText(card.facts, Qt.TextElideMode.ElideRight, below.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, facts)
        painter.setPen(qcolor("text"))
        _draw_snippet(painter, below.adjusted(0, metrics.height() + 4, 0, 0), card)


def _draw_snippet(painter: QPainter, area: QRect, card: Card) -> None:
    """Draw up to three lines of plain text, the match bold on a pale background."""
    font = monospace()
    layout = QTextLayout(card.text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    form = QTextCharFormat()
    form.setFontWeight(QFont.Weight.Bold)
    form.setBackground(qcolor("mark_soft"))
    match = QTextLayout.FormatRange()
    start, end = _qt_units(card.text, card.start), _qt_units(card.text, card.end)
    match.start, match.length, match.format = start, end - start, form
    layout.setFormats([match])
    layout.beginLayout()
    height = 0.0
    for _ in range(_LINES):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(area.width())
        line.setPosition(QPointF(0, height))
        height += line.height()
    layout.endLayout()
    layout.draw(painter, QPointF(area.topLeft()))


def _qt_units(text: str, position: int) -> int:
    return len(text[:position].encode("utf-16-le")) // 2
