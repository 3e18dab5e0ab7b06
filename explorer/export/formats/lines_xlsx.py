"""Concordance lines as an Excel workbook, row by row, whatever their number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from explorer.errors import QueryError
from explorer.export.cells import printable
from explorer.export.destination import ExportError
from explorer.export.records.line import LineTable, LineWriting
from explorer.i18n import mark

# Limits of the format: rows of a sheet, one of which is the header, and characters of a cell.
_ROWS = 1_048_576
_CELL = 32_767
_EXACT = 2**53
"""Whole numbers from this one on are not exact as numbers in a cell."""


def write(path: Path, table: LineTable, how: LineWriting) -> None:
    """Write the lines onto one sheet, and the facts about them onto a second one unless they go nowhere.

    Parameters
    ----------
    path, table, how
        As in `explorer.export.registry.WriteLines`.

    Raises
    ------
    QueryError
        If there are more lines than fit onto a sheet.
    Cancelled
        If it was cancelled.
    """
    if len(table) >= _ROWS:
        raise QueryError(
            mark("A workbook holds {most:,} lines, and there are {count:,}."),
            reason="too-many-lines",
            most=_ROWS - 1,
            count=len(table),
        )
    # Loaded only here: it takes as long to import as all of the rest.
    from xlsxwriter.exceptions import XlsxWriterException

    # A place that cannot be written is found out before the library opens its temporary files.
    path.touch()
    try:
        _write_workbook(path, table, table.rows(how.report, how.cancel), how.about != "none")
    except XlsxWriterException as error:
        raise ExportError(
            mark("{path} cannot be written: {cause}."),
            reason="unwritable",
            path=path,
            cause=error,
        ) from error


def _write_workbook(path: Path, table: LineTable, rows: Iterable[Sequence[Any]], with_about: bool) -> None:
    import xlsxwriter

    # Each row is written out when the next begins, so memory does not grow with the lines. Rows must then come in
    # order. Texts from a corpus become neither formulas nor links.
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(str(path), options) as book:
        sheet = book.add_worksheet("Lines")
        bold, right = book.add_format({"bold": True}), book.add_format({"align": "right"})
        left_column = table.header.index("left")
        # Widths in characters: context that can be read, with the match close to both sides.
        sheet.set_column(left_column, left_column, 50, right)
        sheet.set_column(left_column + 1, left_column + 1, 18)
        sheet.set_column(left_column + 2, left_column + 2, 50)
        sheet.write_row(0, 0, table.header, bold)
        for number, row in enumerate(rows, start=1):
            for column, cell in enumerate(row):
                sheet.write(number, column, _sheet_value(cell), right if column == left_column else None)
        if with_about:
            about = book.add_worksheet("About")
            for number, (name, value) in enumerate(table.about):
                about.write_string(number, 0, name, bold)
                about.write_string(number, 1, value[:_CELL])


def _sheet_value(cell: Any) -> Any:
    """The content of a cell: a whole number that would be rounded is written as text."""
    if isinstance(cell, int) and abs(cell) > _EXACT:
        cell = str(cell)
    return printable(cell)[:_CELL] if isinstance(cell, str) else cell
