"""Concordance lines as CSV."""

from __future__ import annotations

from pathlib import Path

from explorer.export.formats.separated import save_separated
from explorer.export.records.line import LineTable, LineWriting


def write(path: Path, table: LineTable, how: LineWriting) -> None:
    """Write the lines with commas between cells.

    Raises `OSError` if the file cannot be written.
    """
    save_separated(path, table, how, ",")
