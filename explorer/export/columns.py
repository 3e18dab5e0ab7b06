"""Typed columns of a table: of records, whose fields are the columns, and of values that are only known when read."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from explorer.export.about import Facts

Kind = Literal["int64", "float64", "bool", "string", "list", "struct", "json"]
Batch = Mapping[str, Sequence[Any] | NDArray[Any]]
"""Some rows of a table, as one sequence per column; all have the same length."""
BATCH = 8_192
"""Rows that are Python objects at the same time."""

R = TypeVar("R")
_LEAST, _MOST = -(2**63), 2**63 - 1
_KINDS: dict[type, Kind] = {bool: "bool", int: "int64", float: "float64", str: "string", Path: "string"}


@dataclass(frozen=True)
class Column:
    """A column of a table.

    name: Its name; all columns of a table differ.
    kind: The type of its values. "json" is for values of any shape, which are written as JSON where a format has no
        other form for them.
    nullable: Whether values can be unknown: None, or NaN.
    parts: For "struct" its fields, for "list" one column that describes its items.

    Examples
    --------
    >>> Column("count", "int64")
    Column(name='count', kind='int64', nullable=False, parts=())
    """

    name: str
    kind: Kind
    nullable: bool = False
    parts: tuple[Column, ...] = ()


@dataclass(frozen=True)
class RecordTable:
    """A table that is written or handed over batch by batch.

    batches: Gives the rows from the first one on, whenever it is called.
    facts: What the rows were computed from, by name.
    row_count: The number of rows; None if it is only known at the end.
    """

    columns: tuple[Column, ...]
    batches: Callable[[], Iterator[Batch]]
    facts: Facts = ()
    row_count: int | None = None

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows, a batch of them as Python objects at a time.

        Yields: A row with plain values, one per column.
        """
        for batch in self.batches():
            columns = (batch[name] for name in self.header)
            plain = [found.tolist() if isinstance(found, np.ndarray) else found for found in columns]
            # `strict`: columns of different lengths are a fault of ours, and would shift values between rows.
            yield from zip(*plain, strict=True)


# Once per record: resolving annotations takes longer than writing a short table.
@cache
def columns_of(record: type) -> tuple[Column, ...]:
    """Make columns of a record's annotations.

    record: A dataclass. Its fields are numbers, bools, texts, tuples of one type, other dataclasses, dictionaries, or
        one of these or None.
    Returns: One column per field, in their order.
    Raises `TypeError` if a field has another type.

    Examples
    --------
    >>> @dataclass
    ... class Found:
    ...     text: str
    ...     share: float | None
    >>> [(column.name, column.kind, column.nullable) for column in columns_of(Found)]
    [('text', 'string', False), ('share', 'float64', True)]
    """
    # Annotations are texts in the modules of this program; `get_type_hints` resolves them where they were written.
    hints = typing.get_type_hints(record)
    return tuple(_column(field.name, hints[field.name]) for field in dataclasses.fields(record))


def _column(name: str, hint: Any) -> Column:
    """A column for an annotation."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        inner = [argument for argument in arguments if argument is not type(None)]
        # Texts and numbers in one column are written as texts, since tables have one type per column.
        column = _column(name, inner[0]) if len(inner) == 1 else Column(name, "string")
        return dataclasses.replace(column, nullable=len(inner) < len(arguments))
    if origin is Literal:
        return _column(name, type(arguments[0]))
    if origin in (tuple, list, Sequence):
        return Column(name, "list", parts=(_column("item", arguments[0]),))
    if hint is Any:
        return Column(name, "json", nullable=True)
    if (origin or hint) in (dict, Mapping):
        return Column(name, "json")
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return Column(name, "struct", parts=columns_of(hint))
    if hint in _KINDS:
        return Column(name, _KINDS[hint])
    raise TypeError(f"The field {name!r} has the type {hint!r}, for which there is no column.")


def record_table(record: type[R], made: Callable[[], Iterable[R]], facts: Facts = ()) -> RecordTable:
    """Make a table of records.

    record: The dataclass of the records; see `columns_of`.
    made: Gives the records from the first one on, whenever it is called.
    facts: What they were computed from.
    Returns: The table; a batch of records is read at a time.
    """
    # Every class can be looked up, whatever a type checker thinks of its metaclass.
    columns = columns_of(cast(type, record))
    names = tuple(column.name for column in columns)

    def batches() -> Iterator[Batch]:
        left = iter(made())
        while some := tuple(islice(left, BATCH)):
            yield {name: [getattr(one, name) for one in some] for name in names}

    return RecordTable(columns, batches, facts)


def kind_of_values(values: Iterable[Any]) -> Kind:
    """Find the one type that holds all values of a metadata field.

    values: The distinct values, as `explorer.analyses.metadata.values.plain_value` gives them; None has no type.
    Returns: "int64", "float64" or "bool" if all values are of this type; "float64" for whole and other numbers
        together; otherwise "string".

    Examples
    --------
    >>> kind_of_values([1990, None, 2003]), kind_of_values([1, 0.5]), kind_of_values([1, "one"])
    ('int64', 'float64', 'string')
    """
    found = {_kind_of(value) for value in values if value is not None}
    if len(found) == 1:
        return found.pop()
    return "float64" if found == {"int64", "float64"} else "string"


def _kind_of(value: Any) -> Kind:
    # A whole number that 64 bits cannot hold stays exact as a text.
    if type(value) is int and not _LEAST <= value <= _MOST:
        return "string"
    return _KINDS.get(type(value), "string")
