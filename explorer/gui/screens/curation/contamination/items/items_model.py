"""The rows of a benchmark's items, which follow thresholds while these move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex

from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.curation.contamination.items.judging import ItemColumns, JudgedItems
from explorer.gui.screens.curation.contamination.state import mark_cell, verdict_cells
from explorer.gui.widgets.tables.plain_table import PlainModel

VERDICT, MARK = 4, 5
"""The columns that change while the items stay."""


class ItemsModel(PlainModel):
    """Items in the order of their severity. Their other cells are kept, so another order costs no walk over them."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._judged: JudgedItems | None = None
        # From the number of an item to its row.
        self._rank = np.empty(0, np.int64)
        self._verdicts: tuple[Cell, ...] = ()
        self._marked: Mapping[int, bool] = {}

    def show_items(
        self, header: Sequence[str], items: tuple[ItemColumns, JudgedItems] | None, tips: Sequence[str]
    ) -> None:
        """Show the items of another benchmark; `show_verdicts` follows.

        items: The items; None for none.
        """
        self._judged, self._marked, self._verdicts = None, {}, verdict_cells()
        if items is not None:
            self._order(items[1])
        self.show(header if items else (), items[0].cells if items else (), tips)

    def show_verdicts(self, judged: JudgedItems, marked: Mapping[int, bool]) -> None:
        """Show the same items by other thresholds or marks.

        judged: Their verdicts and their order.
        marked: The numbers of items that are marked, with whether they are leaked.
        """
        before = self.persistentIndexList()
        items = [self.item_at(index.row()) for index in before]
        present = self._present()
        self._order(judged)
        # The chosen item stays chosen, wherever it is now.
        after = [self.index(self.row_of(item), index.column()) for item, index in zip(items, before, strict=True)]
        other = self._present() != present or marked != self._marked
        self._marked = marked
        if other:
            # Its columns are fitted again, which takes half of the time of a step of a slider with ten thousand rows.
            self.layoutAboutToBeChanged.emit()
        self.changePersistentIndexList(before, after)
        if other:
            self.layoutChanged.emit()
        elif self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def _present(self) -> list[int]:
        """Which verdicts there are."""
        return [] if self._judged is None else np.unique(self._judged.verdicts).tolist()

    def _order(self, judged: JudgedItems) -> None:
        self._judged = judged
        self._rank = np.empty(len(judged.order), np.int64)
        self._rank[judged.order] = np.arange(len(judged.order))

    def item_at(self, row: int) -> int:
        """The number of the item in a row."""
        assert self._judged is not None
        return int(self._judged.order[row])

    def row_of(self, item: int) -> int:
        """The row of an item."""
        return int(self._rank[item])

    def cell(self, index: QModelIndex | QPersistentModelIndex) -> Cell:
        """The cell at an index."""
        item, column = self.item_at(index.row()), index.column()
        if column == MARK:
            return mark_cell(self._marked.get(item))
        if column == VERDICT:
            assert self._judged is not None
            return self._verdicts[int(self._judged.verdicts[item])]
        return self._rows[item][column]

    def long_rows(self, column: int) -> tuple[int, ...]:
        """The rows with the longest texts of a column."""
        if column == MARK:
            return tuple(self.row_of(item) for item in list(self._marked)[:1])
        if column == VERDICT and self._judged is not None:
            _, items = np.unique(self._judged.verdicts, return_index=True)
            return tuple(self.row_of(item) for item in items.tolist())
        return tuple(self.row_of(item) for item in super().long_rows(column))
