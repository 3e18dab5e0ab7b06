"""Concordance lines as an Excel workbook, row by row, whatever their number."""

from __future__ import annotations

from pathlib import Path

from explorer.export.formats.workbook import Sheet, check_rows, save_workbook
from explorer.export.records.line import LineTable, LineWriting


def write(path: Path, table: LineTable, how: LineWriting) -> None:
    """Write the lines onto one sheet, and the facts about them onto a second one unless they go nowhere.

    A table that is explained has the meanings of its columns on a last sheet.

    Raises `QueryError` if there are more lines than fit onto a sheet.
    Raises `ExportError` if the file cannot be written.
    """
    check_rows(len(table))
    left = table.header.index("left")
    # Widths in characters: context that can be read, with the match close to both sides.
    widths = {left: 50, left + 1: 18, left + 2: 50}
    sheet = Sheet("Lines", table.header, table.rows(how.report, how.cancel), widths, right=left)
    meanings = table.meanings if table.explained else ()
    save_workbook(path, sheet, table.facts if how.about != "none" else None, meanings)
