"""The KWIC table's model: as many rows as there are hits, fetched by page when they are visible.

Qt's views store a number per row, so the model shows a window of 100,000 rows of any number of lines: row r is
line `base` + r. The table moves the window.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont

from explorer.gui.direction import isolated
from explorer.gui.screens.search.contexts import Context, context_of
from explorer.gui.screens.search.work import PAGE, Layout, PageRequest, Row
from explorer.gui.text_positions import cell_text
from explorer.gui.theme import qcolor
from explorer.gui.untrusted import tip
from explorer.i18n import mark, numeral, tr
from explorer.search.concordance import Concordance

WINDOW = 100_032
"""Rows at once; a multiple of PAGE."""

NUMBER, LEFT, MATCH, RIGHT, DOCUMENT, POSITION = range(6)
FIXED = POSITION + 1
"""Columns before those of the metadata fields."""

_HEADERS = (
    "#",
    mark("Left context"),
    mark("Match"),
    mark("Right context"),
    mark("Document"),
    mark("Position"),
)
_RIGHT_TO_LEFT_HEADERS = {LEFT: mark("Following context"), RIGHT: mark("Preceding context")}
_KEPT_PAGES = 64
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class _Cells:
    """The content of a row: its contexts, the one on the left of the match first, and the texts of all cells.

    match: the match between the rests of its word, in reading order.
    """

    contexts: tuple[Context, Context]
    texts: tuple[str, ...]
    match: tuple[str, str, str]


class KwicModel(QAbstractTableModel):
    """Rows of a concordance; `wanted(PageRequest)` asks for the visible rows."""

    wanted = Signal(object)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._concordance: Concordance | None = None
        self._pages: dict[int, tuple[Row, ...]] = {}
        self._asked: tuple[int, int] | None = None
        self.layout_of_lines = Layout()
        self.base = 0
        self.room: dict[int, int] = {}
        """The most characters that each column has room for; set by the table."""
        self._shown: dict[int, _Cells] = {}
        self._bold = QFont()
        self._bold.setBold(True)
        self.right_to_left = False
        """Whether all rows of the first page run from right to left."""

    @property
    def concordance(self) -> Concordance | None:
        """The lines that the table shows."""
        return self._concordance

    @property
    def total(self) -> int:
        """The number of all lines."""
        return 0 if self._concordance is None else len(self._concordance)

    def show(self, concordance: Concordance | None, layout: Layout, first_rows: tuple[Row, ...] = ()) -> None:
        """Show other lines, or the same in another layout.

        Parameters
        ----------
        concordance
            The lines; None for none.
        layout
            How wide the context is, and which metadata fields are columns.
        first_rows
            Rows from the first on that are known already.
        """
        self.beginResetModel()
        self._concordance, self.layout_of_lines = concordance, layout
        self._pages, self._shown, self._asked, self.base = {}, {}, None, 0
        for page in range(0, len(first_rows), PAGE):
            self._pages[page // PAGE] = first_rows[page : page + PAGE]
        if first_rows:
            self.right_to_left = all(row.right_to_left for row in first_rows)
        self.endResetModel()

    def move_window(self, line: int) -> None:
        """Move the window so that a line is in its middle, as far as possible."""
        base = max(0, min(line - WINDOW // 2, self.total - WINDOW)) // PAGE * PAGE
        if base != self.base:
            self.beginResetModel()
            self.base, self._asked = base, None
            self.endResetModel()

    def want(self, first: int, last: int) -> None:
        """Ask for rows that are in view, if any of their pages is missing.

        Parameters
        ----------
        first
            The first row of the window of rows, from 0.
        last
            One past the last.
        """
        if self._concordance is None or last <= first:
            return
        pages = range((self.base + first) // PAGE, (self.base + last - 1) // PAGE + 1)
        missing = [page for page in pages if page not in self._pages]
        if not missing:
            return
        asked = (missing[0] * PAGE, min((missing[-1] + 1) * PAGE, self.total))
        if asked != self._asked:
            self._asked = asked
            self.wanted.emit(PageRequest(self._concordance, *asked, self.layout_of_lines))

    def receive(self, request: PageRequest, rows: tuple[Row, ...]) -> None:
        """Take fetched rows; those of another concordance or layout are dropped.

        Parameters
        ----------
        request
            What was asked for.
        rows
            The rows.
        """
        if request.concordance is not self._concordance or request.layout != self.layout_of_lines:
            return
        self._asked = None
        for start in range(0, len(rows), PAGE):
            self._pages[(request.first + start) // PAGE] = rows[start : start + PAGE]
        while len(self._pages) > _KEPT_PAGES:
            self._pages.pop(next(iter(self._pages)))
        first, last = max(0, request.first - self.base), min(self.rowCount(), request.last - self.base) - 1
        if first <= last:
            self.dataChanged.emit(self.index(first, 0), self.index(last, self.columnCount() - 1))

    def row(self, row: int) -> Row | None:
        """A row if it has been fetched."""
        page = self._pages.get((self.base + row) // PAGE)
        place = (self.base + row) % PAGE
        return page[place] if page is not None and place < len(page) else None

    def has_marks(self) -> bool:
        """Whether any fetched row runs right to left or has phrases to mark."""
        rows = (row for page in self._pages.values() for row in page)
        return self.layout_of_lines.nearby is not None or any(row.right_to_left for row in rows)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Lines of the window."""
        return 0 if parent.isValid() else min(self.total - self.base, WINDOW)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Number, left context, match, right context, document, position, and the fields."""
        return 0 if parent.isValid() else FIXED + len(self.layout_of_lines.fields)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the columns' names, aligned as their cells.

        Parameters
        ----------
        section
            The number of the column.
        orientation
            Only the horizontal header has names.
        role
            What Qt asks for.

        Returns
        -------
        Any
            The name, its alignment, or None.
        """
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < self.columnCount():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            if self.right_to_left and section in _RIGHT_TO_LEFT_HEADERS:
                return tr(_RIGHT_TO_LEFT_HEADERS[section])
            return (*map(tr, _HEADERS), *map(isolated, self.layout_of_lines.fields))[section]
        return _ALIGNMENTS.get(section, _LEFT_SIDE) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give a cell, its text as far as there is room for it.

        Parameters
        ----------
        index
            The cell.
        role
            What Qt asks for.

        Returns
        -------
        Any
            The value, or None.
        """
        if not index.isValid():
            return None
        column = index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _ALIGNMENTS.get(column, _LEFT_SIDE)
        if role == Qt.ItemDataRole.FontRole:
            return self._bold if column == MATCH else None
        if role == Qt.ItemDataRole.ForegroundRole:
            return None if column in (LEFT, RIGHT) else qcolor("accent" if column == MATCH else "muted")
        if role == Qt.ItemDataRole.DisplayRole:
            text = self._in_room(self.text(index.row(), column), column)
            # A context has the direction of its line, not of its own first letter.
            return text if column in (LEFT, RIGHT) else isolated(text)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.text(index.row(), column)
        if role == Qt.ItemDataRole.ToolTipRole and column >= DOCUMENT:
            return tip(self.text(index.row(), column))
        return None

    def joined_match(self, index: _Index) -> tuple[str, str, str] | None:
        """A match that begins or ends within a word, between the rests of the word; None for others."""
        cells = self._cells(index.row())
        return cells.match if cells is not None and (cells.match[0] or cells.match[2]) else None

    def runs_right_to_left(self, index: _Index) -> bool:
        """Whether a row is in a script that runs from right to left."""
        row = self.row(index.row())
        return row is not None and row.right_to_left

    def has_joined(self) -> bool:
        """Whether any fetched row has a match within a word."""
        return any(row.head or row.tail for page in self._pages.values() for row in page)

    def context(self, index: _Index) -> Context | None:
        """The context in a cell on the left or right of the match; None until its row has been fetched."""
        cells = self._cells(index.row())
        if cells is None:
            return None
        context = cells.contexts[0 if index.column() == LEFT else 1]
        room = 4 * self.room.get(index.column(), len(context.text))
        if context.marks or len(context.text) <= room:
            return context
        return replace(context, text=context.text[:room] if context.following else context.text[-room:])

    def _in_room(self, text: str, column: int) -> str:
        """A text without the part that its column cannot show, since Qt lays out all of it whenever it paints."""
        room = self.room.get(column, len(text))
        if len(text) <= room:
            return text
        return "…" + text[-room:] if column == LEFT else text[:room] + "…"

    def text(self, number: int, column: int) -> str:
        """Give the text of a cell in full.

        Parameters
        ----------
        number
            The row in the window of rows, from 0.
        column
            The column.

        Returns
        -------
        str
            The text; "…" until its row has arrived.
        """
        cells = self._cells(number)
        if cells is None:
            return numeral(self.base + number + 1) if column == NUMBER else "…"
        return cells.texts[column] if column < len(cells.texts) else ""

    def _cells(self, number: int) -> _Cells | None:
        """The content of a row, computed once."""
        row = self.row(number)
        if row is None:
            return None
        cells = self._shown.get(row.line.number)
        if cells is None:
            if len(self._shown) > _KEPT_PAGES * PAGE:
                self._shown.clear()
            cells = self._shown[row.line.number] = _row_cells(row)
        return cells


def _row_cells(row: Row) -> _Cells:
    line = row.line
    # The following context is on the left if the line runs from right to left.
    contexts = (context_of(row, row.right_to_left), context_of(row, not row.right_to_left))
    match = (row.head, cell_text(line.match.strip() or line.match), row.tail)
    texts = (
        numeral(line.number + 1) + (tr("  ×{repeats:,}", repeats=line.repeats) if line.repeats > 1 else ""),
        contexts[0].text,
        "".join(match),
        contexts[1].text,
        cell_text(row.title),
        numeral(line.offset + 1),
        *map(cell_text, row.fields),
    )
    return _Cells(contexts, texts, match)


_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_LEFT_SIDE = int(Qt.AlignmentFlag.AlignLeft | _MIDDLE)
_RIGHT_SIDE = int(Qt.AlignmentFlag.AlignRight | _MIDDLE)
_ALIGNMENTS = {
    NUMBER: _RIGHT_SIDE,
    LEFT: _RIGHT_SIDE,
    MATCH: int(Qt.AlignmentFlag.AlignHCenter | _MIDDLE),
    POSITION: _RIGHT_SIDE,
}
