"""A table as TSV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, Any

from explorer.export.formats.separated import write_separated


def write(file: IO[str], header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write the rows with tabs between cells."""
    write_separated(file, header, rows, "\t")
