"""The KWIC table's model: as many rows as there are hits, fetched a page at a time when looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont

from explorer.gui.text_positions import one_line
from explorer.gui.theme import qcolor
from explorer.search.concordance import Concordance, ConcordanceLine

PAGE = 64
MAX_ROWS = 2_000_000
"""Rows that the table shows; the count above it is always the true one."""

NUMBER, LEFT, MATCH, RIGHT, DOCUMENT = range(5)
_HEADERS = ("#", "Left context", "Match", "Right context", "Document")
_KEPT_PAGES = 64
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Row:
    """One line with the name of its document."""

    line: ConcordanceLine
    title: str


@dataclass(frozen=True)
class PageRequest:
    """Rows [first, last) of a concordance, with `width` tokens on each side."""

    concordance: Concordance
    first: int
    last: int
    width: int


class KwicModel(QAbstractTableModel):
    """Rows of a concordance; `wanted(PageRequest)` asks for the rows that are looked at."""

    wanted = Signal(object)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._concordance: Concordance | None = None
        self._pages: dict[int, tuple[Row, ...]] = {}
        self._asked: tuple[int, int] | None = None
        self.width = 12

    @property
    def concordance(self) -> Concordance | None:
        """What the table shows."""
        return self._concordance

    def show(self, concordance: Concordance | None, first_rows: tuple[Row, ...] = ()) -> None:
        """Show other lines; `first_rows` are those that are known already."""
        self.beginResetModel()
        self._concordance = concordance
        self._pages = {}
        self._asked = None
        for page in range(0, len(first_rows), PAGE):
            self._pages[page // PAGE] = first_rows[page : page + PAGE]
        self.endResetModel()

    def set_width(self, width: int) -> None:
        """Change the tokens of context; every row is fetched again."""
        self.width = width
        self.show(self._concordance)

    def want(self, first: int, last: int) -> None:
        """Ask for the rows [first, last) that are in view, if any of their pages is missing."""
        if self._concordance is None or last <= first:
            return
        pages = range(first // PAGE, (last - 1) // PAGE + 1)
        missing = [page for page in pages if page not in self._pages]
        if not missing:
            return
        asked = (missing[0] * PAGE, min((missing[-1] + 1) * PAGE, self.rowCount()))
        if asked != self._asked:
            self._asked = asked
            self.wanted.emit(PageRequest(self._concordance, asked[0], asked[1], self.width))

    def receive(self, request: PageRequest, rows: tuple[Row, ...]) -> None:
        """Take fetched rows; those of another concordance or width are dropped."""
        if request.concordance is not self._concordance or request.width != self.width:
            return
        self._asked = None
        for start in range(0, len(rows), PAGE):
            self._pages[(request.first + start) // PAGE] = rows[start : start + PAGE]
        while len(self._pages) > _KEPT_PAGES:
            self._pages.pop(next(iter(self._pages)))
        last = max(request.first, request.last - 1)
        self.dataChanged.emit(self.index(request.first, 0), self.index(last, DOCUMENT))

    def row(self, number: int) -> Row | None:
        """A row if it has been fetched."""
        page = self._pages.get(number // PAGE)
        place = number % PAGE
        return page[place] if page is not None and place < len(page) else None

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Hits, at most MAX_ROWS."""
        if parent.isValid() or self._concordance is None:
            return 0
        return min(len(self._concordance), MAX_ROWS)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Number, left context, match, right context, document."""
        return 0 if parent.isValid() else len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The columns' names, aligned as their cells."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(_HEADERS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _HEADERS[section]
        return _alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell; "…" until its row has come."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        if role == Qt.ItemDataRole.FontRole and index.column() == MATCH:
            font = QFont()
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.ForegroundRole:
            name = {NUMBER: "muted", DOCUMENT: "muted", MATCH: "accent"}.get(index.column())
            return qcolor(name) if name else None
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        row = self.row(index.row())
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.title if row is not None and index.column() == DOCUMENT else None
        if row is None:
            return f"{index.row() + 1:,}" if index.column() == NUMBER else "…"
        return _cell(row, index.column())


def _cell(row: Row, column: int) -> str:
    line = row.line
    texts = {
        NUMBER: f"{line.number + 1:,}",
        LEFT: line.left.rstrip(),
        MATCH: line.match.strip() or line.match,
        RIGHT: line.right.lstrip(" "),
        DOCUMENT: row.title,
    }
    return one_line(texts[column])


def _alignment(column: int) -> int:
    side = {
        NUMBER: Qt.AlignmentFlag.AlignRight,
        LEFT: Qt.AlignmentFlag.AlignRight,
        MATCH: Qt.AlignmentFlag.AlignHCenter,
    }.get(column, Qt.AlignmentFlag.AlignLeft)
    return int(side | Qt.AlignmentFlag.AlignVCenter)
