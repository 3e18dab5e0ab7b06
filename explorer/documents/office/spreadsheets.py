"""Spreadsheets (XLSX, XLS, ODS): a record per row, under the names of the first row of its sheet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from explorer.core.files.signatures import is_spreadsheet
from explorer.core.files.text_field import MISSING, look_up
from explorer.documents.content import Content
from explorer.documents.library_process import answer_of
from explorer.documents.record import Record, Records
from explorer.documents.records.tables import columns_of
from explorer.i18n import mark, tr

__all__ = ["ENDINGS", "is_spreadsheet", "read"]

ENDINGS = (".xlsx", ".xlsm", ".xls", ".ods")
OTHER_SHEETS = mark("sheets without the text's column")
_MOST = 1 << 29
"""Bytes of the rows of all sheets in JSON."""
SHEET = "sheet"
_BEGIN = b'{"sheet"'
"""How the part of an answer begins that names the sheet of the following ones."""


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


def _records(content: Content) -> Iterator[Record]:
    sheets = list(_sheets(answer_of("spreadsheet", content, _MOST)))
    read = _with_text(sheets, content)
    total = sum(sheet.size for sheet in read)
    done = 0
    for sheet in read:
        own = {SHEET: sheet.name} if len(sheets) > 1 and SHEET not in sheet.columns else {}
        for part in sheet.parts:
            done += len(part)
            content.row_done(done, total)
            for number, row in _rows(part):
                if number > sheet.header:
                    yield Record(number, {**_fields(sheet.columns, row, content.text_field), **own})


def _sheets(parts: list[bytes]) -> Iterator[_Sheet]:
    """The sheets that have a row, in order."""
    of_sheet: dict[str, list[bytes]] = {}
    for part in parts:
        if part.startswith(_BEGIN):
            own = of_sheet.setdefault(json.loads(part)[SHEET], [])
        else:
            own.append(part)
    for name, own in of_sheet.items():
        header = next((row for part in own for row in _rows(part)), None)
        if header is not None:
            yield _Sheet(name, own, columns_of(map(str, header[1])), header[0])


def _rows(part: bytes) -> Iterator[tuple[int, list[Any]]]:
    """The rows of a part that are not empty, with their numbers."""
    found = json.loads(part, parse_float=_number)
    for number, row in enumerate(found["rows"], found["first"]):
        if row.count("") < len(row):
            yield number, row


def _number(written: str) -> int | float:
    """A number: spreadsheets have only those with decimals, but show whole ones without."""
    return int(written[:-2]) if written.endswith(".0") else float(written)


def _fields(columns: list[str], row: list[Any], text_field: str) -> dict[str, Any]:
    """A row by its columns. A number or a date in the column of the text is a text, as it is shown."""
    fields = dict(zip(columns, row, strict=True))
    text = fields.get(text_field, "")
    if not isinstance(text, str):
        fields[text_field] = str(text)
    return fields


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
