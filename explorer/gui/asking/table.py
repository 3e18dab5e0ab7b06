"""The rows of an answer: their columns, the order that a user chose, and the one that is chosen. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from explorer.derive.table import columns_of
from explorer.gui.asking.state import TabAnswer, TabState
from explorer.gui.presenting.cells import Cell
from explorer.i18n import tr
from explorer.text.collation import collation_key


class ShownColumn(NamedTuple):
    """A column in the window: its heading, its meaning, and the field of a row by which it sorts; "" for the rank."""

    title: str
    tip: str
    name: str = ""


def rank_column(title: str = "#") -> ShownColumn:
    """The place of each row in the answer."""
    return ShownColumn(title, tr("The place in this list"))


def declared(record: type, names: Iterable[str]) -> tuple[ShownColumn, ...]:
    """Columns of a record, in the language of the window."""
    columns = columns_of(record)
    return tuple(ShownColumn(tr(columns[name].label), tr(columns[name].help), name) for name in names)


class TableAnswer(TabAnswer, Protocol):
    """An answer with a table."""

    @property
    def rows(self) -> Sequence[Any]:
        """The rows of the table."""

    @property
    def table(self) -> Sequence[tuple[Cell, ...]]:
        """The same as cells, in the language of the window."""


R = TypeVar("R")
A = TypeVar("A", bound=TableAnswer)


@dataclass(frozen=True, eq=False)
class TableState(TabState[R, A]):
    """A question, and an answer with a table.

    row: The chosen row by its place in the answer; -1 for none.
    sort: The column by which the rows are sorted, and whether the greatest value is first; the first one is the order
        of the answer if it is the rank, and -1 is always.
    reading: Whether the lines of the chosen row are shown.
    """

    row: int = -1
    sort: tuple[int, bool] = (0, False)
    reading: bool = True
    ordered_by: ClassVar[int] = 0
    """The column whose order, the greatest value first, is the order of the answer; 0 for none."""

    @property
    @abstractmethod
    def columns(self) -> tuple[ShownColumn, ...]:
        """The columns of the table."""

    @property
    def rows(self) -> Sequence[Any]:
        """The rows in the order of the answer."""
        return () if self.found is None else self.found.rows

    @property
    def chosen(self) -> bool:
        """Whether a row is chosen."""
        return 0 <= self.row < len(self.rows)

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns, with an arrow at the one that sorts."""
        column, down = self.sort
        if self.sort == (0, False) and self.ordered_by:
            column, down = self.ordered_by, True
        # Qt would draw its own arrow over the name.
        names = (each.title for each in self.columns)
        return tuple(f"{name} {'↓' if down else '↑'}" if at == column else name for at, name in enumerate(names))

    @property
    def header_tips(self) -> tuple[str, ...]:
        """What the columns mean."""
        return tuple(each.tip for each in self.columns)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The places of the rows in the order in which they are shown; what is unknown comes last."""
        column, down = self.sort
        places = range(len(self.rows))
        if column < 0 or not (name := self.columns[column].name):
            return tuple(reversed(places)) if down else tuple(places)
        values = [_key(getattr(row, name)) for row in self.rows]
        known = sorted((at for at in places if values[at] is not None), key=values.__getitem__, reverse=down)
        return (*known, *(at for at in places if values[at] is None))

    @property
    def table(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows, in the order in which they are shown."""
        return () if self.found is None else tuple(self.found.table[row] for row in self.order)

    def sorted_by(self, column: int) -> tuple[int, bool]:
        """The order after a column was chosen: the same one once more turns it around."""
        now, down = self.sort
        if column == now:
            return column, not down
        name = self.columns[column].name
        # Numbers from the greatest on, ranks and texts from the first on.
        first = next((value for row in self.rows if name and (value := getattr(row, name)) is not None), None)
        return column, isinstance(first, int | float)


def _key(value: Any) -> Any:
    """What a value sorts by; None if it is unknown."""
    if isinstance(value, str):
        return collation_key(value)
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    return None if value != value else value
