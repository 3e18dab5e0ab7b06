"""The cards of documents next to a traced text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.backends.metadata import flat_metadata
from explorer.documents.document import document_title
from explorer.gui.screens.trace.describe import held_text, relevance_hint
from explorer.gui.text_positions import cell_text, one_line
from explorer.gui.theme import monospace, qcolor
from explorer.i18n import tr
from explorer.trace.documents import Snippet, TraceDocument

_Index = QModelIndex | QPersistentModelIndex
_LINES = 3
_MARGIN = 10
_BAR = 6
_BEFORE = 60


@dataclass(frozen=True)
class Card:
    """The content of a card: `text` is the snippet on one line, its match at [start, end); `hint` is the tool tip."""

    document: TraceDocument
    title: str
    facts: str
    hint: str
    text: str
    start: int
    end: int


def make_cards(
    documents: tuple[TraceDocument, ...],
    spans: frozenset[int] | None = None,
    fold: bool = False,
    rule: str = "share",
) -> tuple[Card, ...]:
    """Make the cards of documents.

    Parameters
    ----------
    documents
        The documents, best first.
    spans
        Numbers of the chosen spans: each card shows the longest of them that its document contains. None: its longest
        passage.
    fold
        Whether documents of one source (the same address, or the same words around the match) share a card.
    rule
        The measure of relevance.

    Returns
    -------
    tuple[Card, ...]
        The cards, in the order of the documents.
    """
    if not fold:
        return tuple(_card(document, spans, rule) for document in documents)
    groups: dict[str, list[TraceDocument]] = {}
    for document in documents:
        groups.setdefault(_source(document, spans), []).append(document)
    return tuple(_card(group[0], spans, rule, len(group) - 1) for group in groups.values())


def _source(document: TraceDocument, spans: frozenset[int] | None) -> str:
    flat = flat_metadata(document.metadata)
    for key in ("url", "source_url", "warc_url"):
        if isinstance(flat.get(key), str) and flat[key]:
            return f"url {flat[key]}"
    return f"text {' '.join(shown_snippet(document, spans).text.split())}"


def shown_snippet(document: TraceDocument, spans: frozenset[int] | None) -> Snippet:
    """Choose the text that a document's card shows.

    Parameters
    ----------
    document
        The document.
    spans
        Numbers of the chosen spans; None for all.

    Returns
    -------
    Snippet
        The snippet with the longest match of them.
    """
    if spans is None:
        return document.longest
    mine = [snippet for snippet in document.snippets if snippet.span in spans]
    return max(mine, key=lambda snippet: snippet.match_end - snippet.match_start, default=document.longest)


def _card(document: TraceDocument, spans: frozenset[int] | None, rule: str, folded: int = 0) -> Card:
    snippet = shown_snippet(document, spans)
    before, match, after = _parts(snippet)
    facts = tr(
        "{level} relevance · {held} · document {number:,}, token {offset:,}",
        level=tr(document.level),
        held=held_text(document),
        number=document.number + 1,
        offset=snippet.offset + 1,
    )
    if folded:
        facts = tr("{folded:,} more from the same source · {facts}", folded=folded, facts=facts)
    return Card(
        document,
        cell_text(document_title(document.metadata, document.number)),
        facts,
        relevance_hint(document, rule),
        before + match + after,
        len(before),
        len(before) + len(match),
    )


def _parts(snippet: Snippet) -> tuple[str, str, str]:
    """The snippet on one line, its left side cut so that the match is always in view."""
    before = one_line(snippet.text[: snippet.match_start])
    if len(before) > _BEFORE:
        before = "…" + before[-_BEFORE:]
    match = cell_text(snippet.text[snippet.match_start : snippet.match_end])
    return before, match, cell_text(snippet.text[snippet.match_end :])


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
        painter.setPen(qcolor("accent" if selected else "border"))
        painter.setBrush(qcolor("selection" if selected else "raised"))
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
    form.setBackground(qcolor("pale"))
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
