"""The KWIC table's model: as many rows as there are hits, fetched by page when they are visible.

Qt's views store a number per row, so the model shows a window of 100,000 rows of any number of lines: row r is
line `base` + r. The table moves the window.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from explorer.analyses.search.concordance import Concordance
from explorer.gui.screens.search.lines import column_layout
from explorer.gui.screens.search.lines.contexts import Context, context_of
from explorer.gui.screens.search.work import PAGE, Layout, PageRequest, Row
from explorer.gui.style.direction import isolated
from explorer.gui.style.text_positions import cell_text, flowing
from explorer.gui.style.untrusted import tip
from explorer.i18n import mark, numeral, tr

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
_KEPT_PAGES = 24
"""Pages of rows that are kept. Python looks through all its objects now and then, and the window waits meanwhile."""
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class _Cells:
    """The content of a row: its contexts, the one on the left of the match first, and the texts of all cells.

    match: the match between the rests of its word, in reading order.
    """

    contexts: tuple[Context, Context]
    texts: tuple[str, ...]
    match: tuple[str, str, str]


def key_of(column: int, fields: Sequence[str]) -> str:
    """Give the key of a column of the table."""
    return column_layout.FIXED[column] if column < FIXED else column_layout.field_key(fields[column - FIXED])


class KwicModel(QAbstractTableModel):
    """Rows of a concordance; `wanted(PageRequest)` asks for the visible rows."""

    wanted = Signal(object)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._concordance: Concordance | None = None
        self._pages: dict[int, tuple[Row, ...]] = {}
        self._asked: tuple[int, int] | None = None
        # The first row that was in view the last time: it tells which way the rows are scrolled.
        self._wanted = 0
        self.layout_of_lines = Layout()
        self.base = 0
        self.header_tip: Callable[[str], str] = lambda key: ""
        """Gives what a click on the header of a column does, by its key."""
        self._shown: dict[int, _Cells] = {}
        self._numeric: frozenset[int] = frozenset()
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

        concordance: The lines; None for none.
        layout: How wide the context is, and which metadata fields are columns.
        """
        self.beginResetModel()
        self._concordance, self.layout_of_lines = concordance, layout
        # Rows of the lines before must not appear under the numbers of these.
        self._pages, self._shown, self._asked, self.base = {}, {}, None, 0
        for page in range(0, len(first_rows), PAGE):
            self._pages[page // PAGE] = first_rows[page : page + PAGE]
        if first_rows:
            self.right_to_left = all(row.right_to_left for row in first_rows)
            self._numeric = _numeric_columns(first_rows)
        self.endResetModel()

    def move_window(self, line: int) -> None:
        """Move the window so that a line is in its middle, as far as possible."""
        # At the beginning of a page, so that a page is never half in the window. The last window begins at the page
        # after, or it would end before the last line.
        last = -(-(self.total - WINDOW) // PAGE) * PAGE
        base = max(0, min((line - WINDOW // 2) // PAGE * PAGE, last))
        if base != self.base:
            self.beginResetModel()
            # Pages stay: they are numbered by lines, and not by rows of the window.
            self.base, self._asked = base, None
            self.endResetModel()

    def want(self, first: int, last: int) -> None:
        """Ask for rows that are in view, if any of their pages is missing; otherwise for those that come next.

        first: The first row of the window of rows, from 0.
        """
        if self._concordance is None or last <= first:
            return
        missing = self._missing(first, last)
        if not missing:
            # Those that are in view next, before they are: whoever scrolls on finds them read.
            behind, self._wanted = first < self._wanted, first
            near = (max(0, first - PAGE // 2), first) if behind else (last, min(last + PAGE // 2, self.rowCount()))
            missing = self._missing(*near)
        if not missing:
            return
        # Whole pages: a scroll by one row does not ask again.
        asked = (missing[0] * PAGE, min((missing[-1] + 1) * PAGE, self.total))
        # The table asks whenever it moves; a request that is under way is not made again.
        if asked != self._asked:
            self._asked = asked
            self.wanted.emit(PageRequest(self._concordance, *asked, self.layout_of_lines))

    def _missing(self, first: int, last: int) -> list[int]:
        """The pages of some rows of the window that have not been read."""
        if last <= first:
            return []
        pages = range((self.base + first) // PAGE, (self.base + last - 1) // PAGE + 1)
        return [page for page in pages if page not in self._pages]

    def receive(self, request: PageRequest, rows: tuple[Row, ...]) -> None:
        """Take fetched rows; those of another concordance or layout are dropped."""
        if request.concordance is not self._concordance or request.layout != self.layout_of_lines:
            return
        self._asked = None
        self._numeric = _numeric_columns(rows)
        for start in range(0, len(rows), PAGE):
            self._pages[(request.first + start) // PAGE] = rows[start : start + PAGE]
        # The oldest first. Those in view were received last, or are asked for again.
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

    def keys(self) -> tuple[str, ...]:
        """The keys of all columns, by their numbers."""
        return tuple(key_of(column, self.layout_of_lines.fields) for column in range(self.columnCount()))

    def at_right(self, column: int) -> bool:
        """Whether the texts of a column are aligned at the right: numbers, and the context before the match."""
        return column in (NUMBER, LEFT, POSITION) or column in self._numeric

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Lines of the window."""
        return 0 if parent.isValid() else min(self.total - self.base, WINDOW)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Number, left context, match, right context, document, position, and the fields."""
        return 0 if parent.isValid() else FIXED + len(self.layout_of_lines.fields)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give the columns' names, aligned as their cells.

        Returns: The name, its alignment, or None.
        """
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < self.columnCount():
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self.header_tip(key_of(section, self.layout_of_lines.fields)))
        if role == Qt.ItemDataRole.DisplayRole:
            if self.right_to_left and section in _RIGHT_TO_LEFT_HEADERS:
                return tr(_RIGHT_TO_LEFT_HEADERS[section])
            return (*map(tr, _HEADERS), *map(isolated, self.layout_of_lines.fields))[section]
        return self._alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _alignment(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignRight if self.at_right(column) else Qt.AlignmentFlag.AlignLeft
        return int((Qt.AlignmentFlag.AlignHCenter if column == MATCH else side) | Qt.AlignmentFlag.AlignVCenter)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give a cell's text, its alignment or its tool tip. The delegate paints it without asking for them."""
        if not index.isValid():
            return None
        column = index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.DisplayRole:
            text = self.text(index.row(), column)
            # A context has the direction of its line, not of its own first letter.
            return text if column in (LEFT, RIGHT) else isolated(text)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.text(index.row(), column)
        if role == Qt.ItemDataRole.ToolTipRole and column >= DOCUMENT:
            return tip(self.text(index.row(), column))
        return None

    def matched(self, number: int) -> tuple[str, str, str]:
        """A row's match, between the rests of the word that it begins or ends in."""
        cells = self._cells(number)
        return ("", "…", "") if cells is None else cells.match

    def context(self, index: _Index) -> Context | None:
        """The context in a cell on the left or right of the match; None until its row has been fetched."""
        cells = self._cells(index.row())
        return None if cells is None else cells.contexts[0 if index.column() == LEFT else 1]

    def text(self, number: int, column: int) -> str:
        """Give the text of a cell in full.

        number: The row in the window of rows, from 0.
        Returns: The text; "…" until its row has arrived.
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
            # All at once: rows are made again in microseconds.
            if len(self._shown) > _KEPT_PAGES * PAGE:
                self._shown.clear()
            cells = self._shown[row.line.number] = _row_cells(row)
        return cells


def _row_cells(row: Row) -> _Cells:
    line = row.line
    # The following context is on the left if the line runs from right to left.
    contexts = (context_of(row, row.right_to_left), context_of(row, not row.right_to_left))
    match = (row.head, cell_text(flowing(line.match.strip())) or cell_text(line.match), row.tail)
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


def _numeric_columns(rows: Sequence[Row]) -> frozenset[int]:
    """Columns of fields that have nothing but numbers in these rows."""
    columns = zip(*(row.fields for row in rows), strict=True)
    return frozenset(
        FIXED + number
        for number, column in enumerate(columns)
        if all(text.replace(".", "", 1).isdigit() for text in column)
    )
