"""Where a token of a generated text is from: its levels, and the places of one of them."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QRectF, QSignalBlocker, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.model.generate.presenter import GeneratePresenter
from explorer.gui.screens.model.generate.state import (
    GenerateState,
    level_cells,
    level_header,
    level_tips,
    place_header,
)
from explorer.gui.screens.model.generate.work import PlaceRow
from explorer.gui.screens.screen import label, text_order
from explorer.gui.style.direction import reads_right_to_left
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em, qcolor
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import numeral, tr

_ROWS = 3.6
"""Rows that a table shows at least, as multiples of their height with the header."""


class LevelsPanel(Panel):
    """The levels of the chosen token; one of them can be chosen."""

    def __init__(self, presenter: GeneratePresenter, parent: QWidget | None = None) -> None:
        self.where = label("", "muted")
        super().__init__(tr("Provenance"), (self.where,), parent=parent)
        self.model = PlainModel(self)
        self.table = text_order(PlainTable(self.model, tr("Levels of the token"), wide=(1,)))
        self.hold(self.table)
        _keep_rows(self.table)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: presenter.choose_level(now.row()))

    def draw(self, state: GenerateState, before: GenerateState | None) -> None:
        """Draw the levels of the chosen token, and which of them is chosen.

        before: What is drawn now; None for nothing.
        """
        text, token = state.text, state.chosen
        self.title.setText(state.provenance_title)
        self.where.setText(state.provenance_place)
        # Blocked: filling the table and choosing its row are not choices of the user.
        with QSignalBlocker(self.table.selectionModel()):
            if before is None or text is not before.text or token != before.chosen:
                known = text is not None and 0 <= token < len(text.tokens)
                rows = level_cells(text, token) if known and text is not None else []
                self.model.show(level_header(text), rows, level_tips())
            if state.level != self.table.currentIndex().row() and self.model.rowCount():
                self.table.setCurrentIndex(self.model.index(state.level, 0))
                self.table.viewport().update()


class PlacesPanel(Panel):
    """The places of the chosen level; a row opens its document."""

    def __init__(self, presenter: GeneratePresenter, parent: QWidget | None = None) -> None:
        self.some = label("", "muted")
        self.lines = push_button(tr("Show in Search"), "quiet")
        self.lines.setToolTip(tr("List all lines with this context"))
        super().__init__(tr("Places"), (self.some, self.lines), parent=parent)
        self.model = PlainModel(self)
        self.table = text_order(PlainTable(self.model, tr("Places of the context"), wide=(1, 2)))
        self.hold(self.table)
        _keep_rows(self.table)
        self._source = SourceDelegate(self.table)
        self._stale = Dimmer(self.table, parent=self)
        self.lines.clicked.connect(lambda _: presenter.show_lines())
        # Enter and a click; the arrow keys only go through the rows.
        # `activated` alone would need a double click on most systems.
        self.table.clicked.connect(lambda at: presenter.open_place(at.row()))
        self.table.activated.connect(lambda at: presenter.open_place(at.row()))

    def draw(self, state: GenerateState, before: GenerateState | None) -> None:
        """Draw the places.

        before: What is drawn now; None for nothing.
        """
        found = state.places.value
        self.title.setText(state.places_title)
        self.some.setText(state.places_caption)
        self.lines.setEnabled(bool(state.places.current is not None and state.places.current.context))
        if before is None or found is not before.places.value:
            self._show(found.rows if found is not None else (), state)
        if before is None or state.places is not before.places:
            self._stale.set_stale(state.places.dimmed, at_once=not state.places.awaited)

    def _show(self, rows: tuple[PlaceRow, ...], state: GenerateState) -> None:
        # The number of the only document would be a column of zeros.
        many = state.corpus is not None and state.corpus.document_count > 1
        by_bytes = (
            state.corpus is not None
            and state.corpus.index.has_tokenizer
            and state.corpus.index.tokenizer.backend is None
        )
        cells = [
            (
                *([Cell(numeral(row.document + 1), right=True, muted=True)] if many else []),
                Cell(numeral(row.offset + 1), right=True, muted=True),
                Cell(f"{row.before}{row.match}{row.after}"),
            )
            for row in rows
        ]
        self.model.show(place_header(many, by_bytes), cells)
        source = 2 if many else 1
        self._source.rows = rows
        self.table.setItemDelegateForColumn(source, self._source)
        if many:
            # The number of the token is as wide as its digits; only the source line takes the room that is left.
            self.table.horizontalHeader().setSectionResizeMode(
                1, self.table.horizontalHeader().ResizeMode.ResizeToContents
            )


class SourceDelegate(QStyledItemDelegate):
    """A line of a source: the match is bold, and the context is cut at its far ends."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: tuple[PlaceRow, ...] = ()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # type: ignore[override]
        """Draw one line, its match at the same place as in the other lines.

        option: The cell's rectangle, font and state.
        """
        row = self.rows[index.row()]
        painter.save()
        # A painter has the direction of the program, which a source does not follow.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, qcolor("select"))
        area = QRectF(option.rect.adjusted(8, 0, -8, 0))
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        left = area.left()
        for words, font, color in _fitting(row, option.font, int(area.width())):
            width = QFontMetrics(font).horizontalAdvance(words)
            painter.setFont(font)
            painter.setPen(qcolor(color))
            painter.drawText(QRectF(left, area.top(), width + 1, area.height()), flags, words)
            left += width
        painter.restore()


def _fitting(row: PlaceRow, usual: QFont, room: int) -> list[tuple[str, QFont, str]]:
    """What is drawn of a source from left to right: text, font and color; the context is cut at its far ends."""
    # The match is measured first: it is shown as far as there is room at all.
    strong = QFont(usual)
    strong.setWeight(QFont.Weight.DemiBold)
    metrics, bold = QFontMetrics(usual), QFontMetrics(strong)
    match = bold.elidedText(row.match, Qt.TextElideMode.ElideLeft, room)
    room -= bold.horizontalAdvance(match)
    # The far end of what precedes is its beginning, at whichever side that is.
    before = metrics.elidedText(row.before, Qt.TextElideMode.ElideLeft, max(0, room) // 2)
    room -= metrics.horizontalAdvance(before)
    after = metrics.elidedText(row.after, Qt.TextElideMode.ElideRight, max(0, room))
    parts = [(before, usual, "muted"), (match, strong, "text"), (after, usual, "muted")]
    return parts[::-1] if reads_right_to_left(row.before + row.match + row.after) else parts


def _keep_rows(table: PlainTable) -> None:
    """Leave room for some rows, however large the text is."""

    def resize() -> None:
        table.setMinimumHeight(round(_ROWS * em(2.1)))

    resize()
    when_restyled(table, resize)
