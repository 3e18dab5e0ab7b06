"""A table as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, Any

from explorer.export.formats.separated import write_separated


def write(file: IO[str], header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write the rows with commas between cells.

    Parameters
    ----------
    file
        A text file opened for writing with newline="".
    header
        The names of the columns.
    rows
        As many values per row; they are read once, so they may be a generator.
    """
    write_separated(file, header, rows, ",")
