"""A table as an Excel workbook, row by row: what all tables in workbooks have in common."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar

from explorer.core.files.encoding import replace_surrogates
from explorer.errors import QueryError
from explorer.export.about import Facts
from explorer.export.cells import printable
from explorer.export.destination import ExportError
from explorer.export.jsonable import to_plain
from explorer.i18n import mark

R = TypeVar("R")
ROWS = 1_048_576
"""The most rows of a sheet, one of which is the header."""
_CELL = 32_767
"""The most characters of a cell."""
_EXACT = 2**53
"""Whole numbers from this one on are not exact as numbers in a cell."""


@dataclass(frozen=True)
class Sheet:
    """What goes onto the first sheet.

    rows: As many values per row; they are read once.
    widths: Widths of some columns, in characters, by their number.
    right: The number of a column that is aligned to the right; None for none.
    """

    name: str
    header: Sequence[str]
    rows: Iterable[Sequence[Any]]
    widths: Mapping[int, int] = field(default_factory=dict)
    right: int | None = None


def check_rows(count: int) -> None:
    """Refuse more rows than a sheet can hold.

    count: The number of rows without the header.
    Raises `QueryError` if they do not fit.
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

    facts: Names and values for a second sheet; None for no second sheet.
    meanings: Columns and what they mean, for a last sheet; none for no such sheet.
    Raises `QueryError` if there are more rows than fit onto a sheet, or a text is longer than a cell.
    Raises `ExportError` if the file cannot be written.
    """
    # Loaded only here: it takes as long to import as all of the rest.
    from xlsxwriter.exceptions import XlsxWriterException

    try:
        # Rows that wait are on the disk of the file, so that an error names the right one.
        with _folder_beside(path) as folder, open(path, "wb") as file:
            _write(_Target(file), sheet, facts, meanings, folder)
    except XlsxWriterException as error:
        # The library wraps the error of the system, which `replacing` tells with the name that the user gave.
        if error.args and isinstance(error.args[0], OSError):
            raise error.args[0] from error
        raise ExportError(
            mark("{path} cannot be written: {cause}."),
            reason="unwritable",
            path=path,
            cause=error,
        ) from error


def _folder_beside(path: Path) -> tempfile.TemporaryDirectory[str]:
    # The library leaves its own files if it fails.
    return tempfile.TemporaryDirectory(dir=path.parent, prefix=".corpus-explorer-", ignore_cleanup_errors=True)


class _Target:
    """The file of a workbook, as the library writes it.

    After an error, and once the file is closed, everything is dropped: the library leaves its archive open, and Python
    would report that the end of the archive cannot be written either.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._failed = file, False

    def write(self, data: bytes) -> int:
        return self._try(lambda: self._file.write(data), len(data))

    def flush(self) -> None:
        self._try(self._file.flush, None)

    def seek(self, place: int, whence: int = os.SEEK_SET) -> int:
        return self._try(lambda: self._file.seek(place, whence), 0)

    def tell(self) -> int:
        return self._try(self._file.tell, 0)

    def _try(self, action: Callable[[], R], otherwise: R) -> R:
        if self._failed or self._file.closed:
            return otherwise
        try:
            return action()
        except OSError:
            self._failed = True
            raise


def _write(target: _Target, content: Sheet, facts: Facts | None, meanings: Facts, folder: str) -> None:
    import xlsxwriter

    # Each row is written out when the next begins, so memory does not grow with the lines. Rows must then come in
    # order. Texts from a corpus become neither formulas nor links.
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(target, {**options, "tmpdir": folder}) as book:
        sheet = book.add_worksheet(content.name)
        bold, right = book.add_format({"bold": True}), book.add_format({"align": "right"})
        for column, width in content.widths.items():
            sheet.set_column(column, column, width, right if column == content.right else None)
        sheet.write_row(0, 0, content.header, bold)
        for number, row in enumerate(_counted(content.rows), start=1):
            for column, cell in enumerate(row):
                value = _sheet_value(cell)
                if isinstance(value, str) and len(value) > _CELL:
                    raise _too_long(content.header[column], number, len(value))
                sheet.write(number, column, value, right if column == content.right else None)
        for title, pairs in (("About", facts), ("Columns", meanings or None)):
            if pairs is not None:
                _write_pairs(book.add_worksheet(title), pairs, bold)


def _write_pairs(sheet: Any, pairs: Facts, bold: Any) -> None:
    """Names and values; a value that is longer than a cell, such as a list of words, takes several rows."""
    parts = ((name, value[at : at + _CELL]) for name, value in pairs for at in range(0, max(1, len(value)), _CELL))
    for number, (name, value) in enumerate(parts):
        sheet.write_string(number, 0, name, bold)
        sheet.write_string(number, 1, value)


def _too_long(column: str, row: int, length: int) -> QueryError:
    # A text that ends in the middle would be taken for the whole.
    return QueryError(
        mark(
            "Row {row:,}, column “{column}” has a text of {length:,} characters, and a cell of a workbook holds "
            "{most:,}."
        ),
        reason="long-cell",
        row=row,
        column=column,
        length=length,
        most=_CELL,
    )


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
    return replace_surrogates(printable(_line_feeds(cell))) if isinstance(cell, str) else cell


def _line_feeds(text: str) -> str:
    """A text with line breaks as a cell has them; a carriage return would be read as the characters _x000D_."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
