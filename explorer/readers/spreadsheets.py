"""Spreadsheets (XLSX, XLS, ODS): a record per row, under the names of the first row of its sheet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from explorer.files.signatures import is_spreadsheet
from explorer.files.text_field import MISSING, look_up
from explorer.i18n import mark, tr
from explorer.readers.content import Content
from explorer.readers.library_process import answer_of
from explorer.readers.record import Record, Records
from explorer.readers.tables import columns_of

__all__ = ["ENDINGS", "is_spreadsheet", "read"]

ENDINGS = (".xlsx", ".xlsm", ".xls", ".ods")
OTHER_SHEETS = mark("sheets without the text's column")
_MOST = 1 << 29
"""Bytes of the rows of all sheets in JSON."""
_SHEET = "sheet"
_MOST_EXACT = 1e15
"""The least number that has more digits than a cell."""


def read(content: Content) -> Records:
    """Read the rows of a spreadsheet."""
    return Records(_records(content), "row", is_table=True)


@dataclass(frozen=True)
class _Sheet:
    """A sheet with its rows, each part of them in JSON, and the names of its columns."""

    name: str
    parts: list[bytes]
    columns: list[str]
    header: int

    @property
    def size(self) -> int:
        """The bytes of its rows."""
        return sum(map(len, self.parts))

    def rows(self) -> Iterator[tuple[int, list[Any]]]:
        """The rows below the header that are not empty, with their numbers."""
        for number, row in _numbered(self.parts):
            if number > self.header and any(cell != "" for cell in row):
                yield number, row


def _records(content: Content) -> Iterator[Record]:
    sheets = list(_sheets(answer_of("spreadsheet", content, _MOST)))
    read = _with_text(sheets, content)
    total = sum(sheet.size for sheet in read)
    done = 0
    for sheet in read:
        own = {_SHEET: sheet.name} if len(sheets) > 1 and _SHEET not in sheet.columns else {}
        for number, row in sheet.rows():
            content.row_done(done, total)
            fields = dict(zip(sheet.columns, map(_value, row), strict=True))
            _set_text(fields, content.text_field)
            yield Record(number, {**fields, **own})
        done += sheet.size


def _sheets(parts: list[bytes]) -> Iterator[_Sheet]:
    """The sheets that have a row, in order."""
    of_sheet: dict[str, list[bytes]] = {}
    for part in parts:
        of_sheet.setdefault(json.loads(part)["sheet"], []).append(part)
    for name, own in of_sheet.items():
        header = next(((number, row) for number, row in _numbered(own) if any(cell != "" for cell in row)), None)
        if header is not None:
            yield _Sheet(name, own, columns_of(str(_value(cell)) for cell in header[1]), header[0])


def _numbered(parts: list[bytes]) -> Iterator[tuple[int, list[Any]]]:
    """Rows with their numbers, from 0."""
    for part in map(json.loads, parts):
        yield from enumerate(part["rows"], part["first"])


def _with_text(sheets: list[_Sheet], content: Content) -> list[_Sheet]:
    """The sheets with the text's column; without any, those with the columns of the first. Others are noted."""
    with_text = [sheet for sheet in sheets if _has(sheet.columns, content.text_field)]
    kept = with_text or [sheet for sheet in sheets if sheet.columns == sheets[0].columns]
    for sheet in sheets:
        if sheet not in kept:
            content.note(OTHER_SHEETS, tr("sheet {name}", name=sheet.name))
    return kept


def _has(columns: list[str], text_field: str) -> bool:
    return look_up(dict.fromkeys(columns), text_field) is not MISSING


def _set_text(fields: dict[str, Any], text_field: str) -> None:
    """A number or a date in the column of the text is a text, as it is shown."""
    cell = fields.get(text_field, "")
    if not isinstance(cell, str):
        fields[text_field] = str(cell)


def _value(cell: Any) -> Any:
    """A cell as a value of metadata: Excel has no whole numbers, but shows them."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() and abs(cell) < _MOST_EXACT else cell
