"""Answers as files: what --out names is checked before the work, and written completely or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from explorer.cli.output.shapes import Shape
from explorer.errors import QueryError
from explorer.export.columns import BATCH, Batch, Column, RecordTable, columns_of
from explorer.export.destination import replacing, require_writable
from explorer.export.provenance import Facts
from explorer.export.records.record import as_object, column_names, json_fields_of
from explorer.export.registry import RECORDS
from explorer.export.saving import save_records

STDOUT = "-"
JSON_SUFFIX = ".json"
"""The ending of a file with the one object of --json."""


def out_file(out: str | None) -> Path | None:
    """The file that --out names; None if the answer is printed."""
    return None if out is None or out == STDOUT else Path(out)


def check_out(path: Path, suffixes: Sequence[str]) -> None:
    """Refuse a file that cannot be written, before any work.

    suffixes: The endings that the command writes.
    Raises `QueryError` if its ending is not one of them.
    """
    if path.suffix.lower() not in suffixes:
        raise QueryError(
            '--out writes {names}, not "{suffix}".',
            reason="unknown-ending",
            names=", ".join(suffixes),
            suffix=path.suffix,
        )
    require_writable(path)


def suffixes() -> tuple[str, ...]:
    """The endings of files for records."""
    return (*RECORDS.suffixes, JSON_SUFFIX)


def known_fields(shape: Shape) -> tuple[str, ...]:
    """The names of all fields that a record of this shape can have."""
    return (*column_names(shape.record), *(column_names(shape.details) if shape.details else ()))


def check_fields(fields: Sequence[str], known: Sequence[str]) -> None:
    """Refuse names of unknown fields.

    Raises `QueryError` for the first unknown name; the error lists the known ones.
    """
    for name in fields:
        if name not in known:
            raise QueryError(
                'There is no field "{field}". The fields are {known}.',
                reason="unknown-field",
                field=name,
                known=", ".join(known),
            )


def save_table(
    path: Path, shape: Shape, batches: Callable[[], Iterator[Batch]], columns: Sequence[str], facts: Facts
) -> None:
    """Write records to a file in the format of its ending.

    batches: Gives the rows, thousands at a time; called once.
    Raises `ExportError` if the file cannot be written.
    """
    typed = tuple(_typed(shape).get(name, Column(name, "json", True)) for name in columns)
    save_records(path, RecordTable(typed, batches, facts))


def save_object(path: Path, write: Callable[[Callable[[str], object]], None]) -> None:
    """Write the object of --json to a file; `write` gets what writes a text, and raises what the records raise."""
    with replacing(path) as partial, open(partial, "w", encoding="utf-8", newline="", errors="replace") as file:
        write(file.write)


def batches_of(records: Iterable[Any], columns: Sequence[str]) -> Iterator[Batch]:
    """Make columns of records, which are read once, 8,192 at a time; details that one lacks are None."""
    left = iter(records)
    while some := [as_object(record) for record in islice(left, BATCH)]:
        yield {name: [one.get(name) for one in some] for name in columns}


def _typed(shape: Shape) -> Mapping[str, Column]:
    """The columns of a shape's records by name; details can be missing."""
    details = _columns(shape.details) if shape.details else {}
    return {**{name: replace(column, nullable=True) for name, column in details.items()}, **_columns(shape.record)}


def _columns(kind: type) -> dict[str, Column]:
    made = {column.name: column for column in columns_of(kind)}
    named = zip(column_names(kind), json_fields_of(kind), strict=True)
    return {name: replace(made[field], name=name) for name, field in named}
