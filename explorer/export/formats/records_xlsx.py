"""A typed table as an Excel workbook."""

from __future__ import annotations

from pathlib import Path

from explorer.export.columns import RecordTable
from explorer.export.formats.workbook import Sheet, save_workbook


def write(path: Path, table: RecordTable) -> None:
    """Write the rows onto one sheet, and the facts about them onto a second one.

    Raises `QueryError` if there are more rows than fit onto a sheet.
    Raises `ExportError` if the file cannot be written.
    """
    save_workbook(path, Sheet("Table", table.header, table.rows()), tuple(table.facts) or None)
