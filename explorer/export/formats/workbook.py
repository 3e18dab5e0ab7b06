"""A table as an Excel workbook, row by row: what all tables in workbooks have in common."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer.errors import QueryError
from explorer.export.about import Facts
from explorer.export.cells import printable
from explorer.export.destination import ExportError
from explorer.export.jsonable import to_plain
from explorer.files.encoding import replace_surrogates
from explorer.i18n import mark

ROWS = 1_048_576
"""The most rows of a sheet, one of which is the header."""
_CELL = 32_767
"""The most characters of a cell."""
_EXACT = 2**53
"""Whole numbers from this one on are not exact as numbers in a cell."""


@dataclass(frozen=True)
class Sheet:
    """What goes onto the first sheet.

    Attributes
    ----------
    name
        Its name.
    header
        The names of the columns.
    rows
        As many values per row; they are read once.
    widths
        Widths of some columns, in characters, by their number.
    right
        The number of a column that is aligned to the right; None for none.
    """

    name: str
    header: Sequence[str]
    rows: Iterable[Sequence[Any]]
    widths: Mapping[int, int] = field(default_factory=dict)
    right: int | None = None


def check_rows(count: int) -> None:
    """Refuse more rows than a sheet can hold.

    Parameters
    ----------
    count
        The number of rows without the header.

    Raises
    ------
    QueryError
        If they do not fit.
    """
    if count >= ROWS:
        raise QueryError(
            mark("A workbook holds {most:,} lines, and there are {count:,}."),
            reason="too-many-lines",
            most=ROWS - 1,
            count=count,
        )


def save_workbook(path: Path, sheet: Sheet, facts: Facts | None, meanings: Facts = ()) -> None:
    """Write a workbook.

    Parameters
    ----------
    path
        The file.
    sheet
        The content of the first sheet.
    facts
        Names and values for a second sheet; None for no second sheet.
    meanings
        Columns and what they mean, for a last sheet; none for no such sheet.

    Raises
    ------
    QueryError
        If there are more rows than fit onto a sheet.
    ExportError
        If the file cannot be written.
    """
    # Loaded only here: it takes as long to import as all of the rest.
    from xlsxwriter.exceptions import XlsxWriterException

    # A place that cannot be written is found out before the library opens its temporary files.
    path.touch()
    try:
        _write(path, sheet, facts, meanings)
    except XlsxWriterException as error:
        raise ExportError(
            mark("{path} cannot be written: {cause}."),
            reason="unwritable",
            path=path,
            cause=error,
        ) from error


def _write(path: Path, content: Sheet, facts: Facts | None, meanings: Facts) -> None:
    import xlsxwriter

    # Each row is written out when the next begins, so memory does not grow with the lines. Rows must then come in
    # order. Texts from a corpus become neither formulas nor links.
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(str(path), options) as book:
        sheet = book.add_worksheet(content.name)
        bold, right = book.add_format({"bold": True}), book.add_format({"align": "right"})
        for column, width in content.widths.items():
            sheet.set_column(column, column, width, right if column == content.right else None)
        sheet.write_row(0, 0, content.header, bold)
        for number, row in enumerate(_counted(content.rows), start=1):
            for column, cell in enumerate(row):
                sheet.write(number, column, _sheet_value(cell), right if column == content.right else None)
        for title, pairs in (("About", facts), ("Columns", meanings or None)):
            if pairs is not None:
                _write_pairs(book.add_worksheet(title), pairs, bold)


def _write_pairs(sheet: Any, pairs: Facts, bold: Any) -> None:
    """Names, and what is told about each."""
    for number, (name, value) in enumerate(pairs):
        sheet.write_string(number, 0, name, bold)
        sheet.write_string(number, 1, value[:_CELL])


def _counted(rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    """The rows; more than fit are an error, also where their number was not known before."""
    for number, row in enumerate(rows, start=1):
        check_rows(number)
        yield row


def _sheet_value(cell: Any) -> Any:
    """The content of a cell: a whole number that would be rounded is written as text, and a value with parts as
    JSON."""
    if isinstance(cell, int) and abs(cell) > _EXACT:
        return str(cell)
    if isinstance(cell, list | tuple | dict):
        cell = json.dumps(to_plain(cell), ensure_ascii=False)
    if isinstance(cell, float):
        # A cell holds neither NaN nor an infinity.
        return to_plain(cell)
    return replace_surrogates(printable(_line_feeds(cell)))[:_CELL] if isinstance(cell, str) else cell


def _line_feeds(text: str) -> str:
    """A text with line breaks as a cell has them; a carriage return would be read as the characters _x000D_."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
