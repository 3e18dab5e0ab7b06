"""Rows as text with a separator: what CSV and TSV have in common."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from explorer.core.files.encoding import replace_surrogates
from explorer.export.cells import guard_formula, plain_cell, printable
from explorer.export.columns import RecordTable
from explorer.export.jsonable import to_plain
from explorer.export.records.line import LineTable, LineWriting

_SIGNS = ("=", "+", "-", "@")
"""What `guard_formula` looks for at the beginning, of what is printable."""


def write_separated(file: IO[str], header: Sequence[str], rows: Iterable[Iterable[Any]], separator: str) -> None:
    """Write a table with a header; a text that looks like a formula gets a leading apostrophe.

    separator: The character between cells.
    """
    writer = _row_writer(file, separator)
    writer.writerow([guard_formula(name) for name in header])
    for row in rows:
        writer.writerow([guard_formula(plain_cell(value)) for value in row])


class _LineFeeds:
    """Ends rows with a line feed alone."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, row: str) -> None:
        """Write a row that ends with \\r\\n."""
        self._file.write(row.removesuffix("\r\n") + "\n")


def _row_writer(file: IO[str], separator: str) -> Any:
    # The csv module quotes only the line ends that it writes itself. pandas and DuckDB end a row at a bare \r, too, so
    # that it must be among them. (Its writer has no type that can be named.)
    return csv.writer(_LineFeeds(file), delimiter=separator, lineterminator="\r\n")


def save_separated(path: Path, table: LineTable, how: LineWriting, separator: str) -> None:
    """Write concordance lines; facts that go inline come first, as "# name: value".

    separator: The character between cells.
    Raises `OSError` if the file cannot be written.
    """
    with open(path, "w", encoding="utf-8", newline="") as file:
        if how.about == "inline":
            for name, value in table.facts:
                # A line break in a value would begin a line that a reader takes for a row.
                file.write(f"# {name}: {printable(value, breaks=False)}\n")
        writer = _row_writer(file, separator)
        writer.writerow([guard_formula(name) for name in table.header])
        for row in table.rows(how.report, how.cancel):
            writer.writerow([guard_formula(printable(cell) if isinstance(cell, str) else cell) for cell in row])


def save_records_separated(path: Path, table: RecordTable, separator: str) -> None:
    """Write a typed table with a header.

    separator: The character between cells.
    Raises `OSError` if the file cannot be written.
    """
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = _row_writer(file, separator)
        writer.writerow([guard_formula(name) for name in table.header])
        for batch in table.batches():
            # `strict`: columns of different lengths are a fault of ours, and would shift values between rows.
            writer.writerows(zip(*(_cells(batch[name]) for name in table.header), strict=True))


def _cells(values: Sequence[Any] | NDArray[Any]) -> list[Any]:
    """The cells of a column: what is written as it is needs no look at each value, or only a short one."""
    if isinstance(values, np.ndarray):
        if values.dtype.kind in "iu" or (values.dtype.kind == "f" and bool(np.isfinite(values).all())):
            return cast(list[Any], values.tolist())
        values = values.tolist()
    # Printable: no control character, no half of a character.
    return [
        value
        if type(value) is str and value.isprintable() and value[:1] not in _SIGNS
        else guard_formula(plain_cell(_text_cell(value)))
        for value in values
    ]


def _text_cell(value: Any) -> Any:
    """A value as a cell: texts without control characters, and values with parts as JSON."""
    if value is None or isinstance(value, int | float):
        return value
    text = value if isinstance(value, str) else json.dumps(to_plain(value), ensure_ascii=False)
    return replace_surrogates(printable(text))
