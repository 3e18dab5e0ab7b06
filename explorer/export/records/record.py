"""What all records have in common: their columns, and one of them as an object of JSON or as cells of a table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from explorer.export.jsonable import to_plain


def column_names(kind: type) -> tuple[str, ...]:
    """The names of a record's columns, in order: those of its fields.

    Parameters
    ----------
    kind
        A frozen dataclass.

    Returns
    -------
    tuple[str, ...]
        The names. An underscore at the end is left out: `from_` is the column `from`, which Python reserves.

    Examples
    --------
    >>> from explorer.export.records.count import VariantCount
    >>> column_names(VariantCount)
    ('text', 'count')
    """
    return tuple(name.rstrip("_") for name in json_fields_of(kind))


def json_fields_of(kind: type) -> tuple[str, ...]:
    """The names of the fields that are columns; a field whose metadata has `column: False` is left out."""
    return tuple(field.name for field in fields(kind) if field.metadata.get("column", True))


def as_object(record: Any) -> dict[str, Any]:
    """Give a record as an object of strict JSON: arrays are lists, nan is null.

    Parameters
    ----------
    record
        A frozen dataclass, or a record that chooses its own fields (`json_fields`).

    Returns
    -------
    dict[str, Any]
        Plain values by column.
    """
    if hasattr(record, "json_fields"):
        return {name: to_plain(value) for name, value in record.json_fields().items()}
    kind: type = type(record)
    return {column: to_plain(getattr(record, name)) for column, name in _columns_and_fields(kind)}


@cache
def _columns_and_fields(kind: type) -> tuple[tuple[str, str], ...]:
    # Records come by the hundred thousand, and all of a kind have the same fields.
    return tuple(zip(column_names(kind), json_fields_of(kind), strict=True))


def as_cells(record: Any, columns: Sequence[str]) -> list[Any]:
    """Give a record as a row of a table.

    Parameters
    ----------
    record
        As in `as_object`.
    columns
        The names of the columns.

    Returns
    -------
    list[Any]
        One cell per column; lists and objects are JSON.
    """
    found = as_object(record)
    return [_cell(found.get(name)) for name in columns]


def _cell(value: Any) -> Any:
    # A reader of the table can parse the cell; Python's own notation could be read by Python only.
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
