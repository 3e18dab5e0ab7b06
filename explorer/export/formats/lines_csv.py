"""Concordance lines as CSV."""

from __future__ import annotations

from pathlib import Path

from explorer.export.formats.separated import save_separated
from explorer.export.records.line import LineTable, LineWriting


def write(path: Path, table: LineTable, how: LineWriting) -> None:
    """Write the lines with commas between cells.

    Parameters
    ----------
    path, table, how
        As in `explorer.export.registry.WriteLines`.

    Raises
    ------
    OSError
        If the file cannot be written.
    Cancelled
        If it was cancelled.
    """
    save_separated(path, table, how, ",")
