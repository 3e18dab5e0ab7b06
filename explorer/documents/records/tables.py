"""CSV and TSV: a record per row, under the names of the first row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from explorer.core.files.json_text import parse_json
from explorer.core.files.text_field import TEXT_NAMES
from explorer.documents.content import Content, Whole
from explorer.documents.record import Record, Records
from explorer.errors import SourceError
from explorer.i18n import mark, tr

ENDINGS = (".csv", ".tsv", ".tab")
_TAB_ENDINGS = (".tsv", ".tab")


def begins_as_table(beginning: str) -> bool:
    """Whether a text begins with names of columns, of which one is usual for a text, and a row of as many cells."""
    delimiter = delimiter_of(beginning, "")
    try:
        rows = list(islice(csv.reader(io.StringIO(beginning, newline=""), delimiter=delimiter), 2))
    except csv.Error:
        return False
    named = len(rows) == 2 and any(name.strip().lower() in TEXT_NAMES for name in rows[0])
    return named and len(rows[0]) == len(rows[1]) > 1


def read(content: Content) -> Records:
    """Read the rows of a table."""
    return Records(_rows(content), "line", is_table=True)


def _rows(content: Content) -> Iterator[Record]:
    whole = content.whole()
    # The rest of the line that was cut is not a row.
    data = whole.data if whole.broken is None else whole.data[: whole.data.rfind(b"\n") + 1]
    if whole.broken is None or content.skip_bad:
        rows = csv_records(content.decoded(Whole(data, whole.broken)), content.name)
        yield from content.counted(rows, data.count(b"\n"))
    whole.end()


def csv_records(text: str, name: str) -> Iterator[Record]:
    """Yield the rows of a CSV or TSV text under the names of its first row; empty cells are "".

    name: The file's name. Its ending decides the delimiter (`delimiter_of`), and messages name it.
    Yields: A row, numbered by its line. A column contains numbers if every cell is empty or a number that is shown as
        it is written; all others contain text, since 1.10 and 01234 are more than their number. A row with a quotation
        mark that is not closed is a record with a problem, and the next line is a row again.
    Raises `SourceError` if there is no header row.

    Notes
    -----
    In a file that is named .tsv or .tab, a quotation mark is a character like any other, unless only quotation marks
    explain the number of cells: programs quote cells that contain tabs or line feeds. The rows are parsed twice: once
    for the types of the columns, once for the records.
    """
    table = _table_of(text.lstrip("\r\n"), name)
    names: list[str] = []
    for row in table.rows():
        if row.problem:
            raise SourceError(
                mark("{path}, line {line}: {problem}."),
                reason="not-csv",
                problem=row.problem,
                path=name,
                line=row.line + 1,
            )
        names = columns_of(row.cells)
        break
    if not names:
        raise SourceError(
            mark("{path} has no header row. Its first row must name the columns."), reason="no-header", path=name
        )
    rows = islice(table.rows(), 1, None)
    texts = {i for row in rows for i, cell in enumerate(row.cells) if cell and not _is_number(cell)}
    numeric = set(range(len(names))) - texts
    for row in islice(table.rows(), 1, None):
        yield Record(row.line, {}, row.problem) if row.problem else _row(row.line, names, row.cells, numeric)


# Only numbers with one spelling, so that what is shown is what was written: no 1.10, 01234, 1e5 or -0.
_INTEGER = re.compile(r"0|-?[1-9]\d{0,300}", re.ASCII)
_DECIMAL = re.compile(r"-?\d{1,17}\.\d{0,17}[1-9]", re.ASCII)


def _is_number(cell: str) -> bool:
    """Whether a cell is a number that is written as numbers are shown."""
    if _INTEGER.fullmatch(cell):
        return True
    return _DECIMAL.fullmatch(cell) is not None and repr(float(cell)) == cell


@dataclass(frozen=True)
class _Row:
    """A row with its line, from 0; or why there is none."""

    line: int
    cells: list[str]
    problem: str = ""


@dataclass(frozen=True)
class _Table:
    """The lines of a table, and how they are divided."""

    lines: list[str]
    delimiter: str
    quoted: bool

    def rows(self) -> Iterator[_Row]:
        """Rows that are not blank."""
        return self._quoted_rows() if self.quoted else self._plain_rows()

    def _plain_rows(self) -> Iterator[_Row]:
        for number, line in enumerate(self.lines):
            if line := line.rstrip("\r\n"):
                yield _Row(number, line.split(self.delimiter))

    def _quoted_rows(self) -> Iterator[_Row]:
        # The default of 128 KiB is less than a long document. It is a setting of the process, so it is set before each
        # use.
        csv.field_size_limit(1 << 30)
        begin = first = 0
        reader = self._reader(first)
        while True:
            try:
                cells = next(reader, None)
            except csv.Error as error:
                yield _Row(begin, [], _why_not_a_row(error))
                # The quotation mark may belong to this line only: the next one is tried as a row.
                begin = first = begin + 1
                reader = self._reader(first)
                continue
            if cells is None:
                return
            if cells:
                yield _Row(begin, cells)
            # Lines of the file, not rows: a quoted cell may contain line feeds.
            begin = first + reader.line_num

    def _reader(self, first: int) -> Any:
        rest = (self.lines[number] for number in range(first, len(self.lines)))
        # Strict: otherwise a quotation mark that is not closed takes all rows up to the next one into its cell.
        return csv.reader(rest, delimiter=self.delimiter, strict=True)

    def is_even(self) -> bool:
        """Whether all rows have as many cells as the header."""
        sizes = {len(row.cells) if not row.problem else 0 for row in self.rows()}
        return len(sizes) <= 1


def _why_not_a_row(error: csv.Error) -> str:
    if "field larger" in str(error):
        return tr("a cell has more than 1 GiB")
    return tr("a quotation mark in this row is not closed, or is followed by text ({error})", error=error)


def _table_of(text: str, name: str) -> _Table:
    lines = io.StringIO(text, newline="").readlines()
    delimiter = delimiter_of(text, name)
    table = _Table(lines, delimiter, True)
    if name.lower().endswith(_TAB_ENDINGS):
        plain = _Table(lines, delimiter, False)
        return plain if plain.is_even() or not table.is_even() else table
    return table


def columns_of(header: Iterable[str]) -> list[str]:
    """Name the columns of a table.

    header: The cells of its first row.
    Returns: Names that are all different; of an empty cell, its number.
    """
    # A dictionary, not a list: a row of tens of thousands of cells may be taken for a header.
    names: dict[str, None] = {}
    for number, cell in enumerate(header, start=1):
        name = cell.strip() or tr("column {number}", number=number)
        while name in names:
            name = f"{name} ({number})"
        names[name] = None
    return list(names)


def _row(line: int, names: list[str], row: list[str], numeric: set[int]) -> Record:
    # Empty cells beyond the header are the trailing commas of spreadsheets.
    if any(row[len(names) :]):
        reason = tr("this row has {cells} cells, but the header has {columns}", cells=len(row), columns=len(names))
        return Record(line, {}, reason)
    cells: dict[str, Any] = {name: row[i] if i < len(row) else "" for i, name in enumerate(names)}
    for i in numeric:
        if cells[names[i]]:
            cells[names[i]] = parse_json(cells[names[i]])
    return Record(line, cells)


def delimiter_of(text: str, name: str) -> str:
    """Find the delimiter of the columns.

    text: The content; only its first line, up to 64 KiB, is read.
    Returns: A tab for names that end in .tsv and .tab; otherwise the most frequent of comma, semicolon and tab in the
        first line.
    """
    if name.lower().endswith(_TAB_ENDINGS):
        return "\t"
    first = text.lstrip("\r\n")[: 1 << 16].partition("\n")[0]
    # Of equal numbers, the first: a file with one column counts as separated by commas.
    return max(",;\t", key=first.count)
