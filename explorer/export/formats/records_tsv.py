"""A typed table as TSV."""

from __future__ import annotations

from pathlib import Path

from explorer.export.columns import RecordTable
from explorer.export.formats.separated import save_records_separated


def write(path: Path, table: RecordTable) -> None:
    """Write the rows with tabs between cells.

    Raises `OSError` if the file cannot be written.
    """
    save_records_separated(path, table, "\t")
