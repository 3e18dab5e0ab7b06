"""The sheets of a spreadsheet as rows, as calamine finds them; only the process apart uses it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from python_calamine import CalamineWorkbook, PasswordError, SheetTypeEnum

from explorer.documents.office.spreadsheets import SHEET
from explorer.documents.skipped import LockedError

_ROWS_AT_ONCE = 256


def sheets_of(path: str) -> Iterator[dict[str, Any]]:
    """Read a spreadsheet.

    Yields: The name of a `sheet`, or the number of the `first` of the following `rows` of it, from 0.
    Raises `LockedError` if it needs a password.
    """
    try:
        book = CalamineWorkbook.from_path(path)
    except PasswordError as error:
        raise LockedError from error
    for about in book.sheets_metadata:
        if about.typ == SheetTypeEnum.WorkSheet:
            yield {SHEET: about.name}
            yield from _parts(book, about.name)


def _parts(book: CalamineWorkbook, name: str) -> Iterator[dict[str, Any]]:
    # Also the empty rows before the first cell, so that rows have the numbers that programs show.
    rows = iter(book.get_sheet_by_name(name).iter_rows())
    first = 0
    while part := list(islice(rows, _ROWS_AT_ONCE)):
        yield {"first": first, "rows": part}
        first += len(part)
