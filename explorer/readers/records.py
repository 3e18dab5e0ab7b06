"""Records of JSON lines, JSON, CSV and Parquet, in order, with the place of each."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Any

from explorer.errors import SourceError
from explorer.files.arrow_values import rows_of
from explorer.files.encoding import decode_text, line_set
from explorer.files.json_text import parse_json
from explorer.files.streams import MAX_LINE, BrokenStreamError, chunks
from explorer.i18n import mark, tr

_ROWS_AT_ONCE = 1_024
_PEEKED = 1 << 12
_TAB_ENDINGS = (".tsv", ".tab")


@dataclass(frozen=True)
class Record:
    """A line or row.

    Attributes
    ----------
    number
        Its number, from 0.
    fields
        Its fields; empty if it has a problem.
    problem
        Why it cannot be read, as a message that can follow "line N:"; "" if it can.
    most
        The most bytes that the fields can take as JSON; 0 if unknown.
    """

    number: int
    fields: dict[str, Any]
    problem: str = ""
    most: int = 0


def lines_of(stream: io.BufferedReader, name: str, encoding: str = "") -> Iterator[bytes | str]:
    """Yield the lines of a stream, which may be in UTF-16.

    Parameters
    ----------
    stream
        The content, decompressed, from its beginning.
    name
        The file's name, for the message.
    encoding
        As of `decode_text`.

    Yields
    ------
    bytes | str
        A line with its line feed: text if the stream is UTF-16 or UTF-32, else bytes.

    Raises
    ------
    SourceError
        If a line has more than 1 GiB.
    """
    # A line feed of UTF-16 is two bytes, so lines of bytes would be cut inside characters. Such files are decoded as a
    # whole.
    if not line_set(stream.peek(_PEEKED), encoding):
        yield from io.StringIO(decode_text(b"".join(chunks(stream)), encoding).text, newline="\n")
        return
    # With a limit, since a file without line feeds would be read into memory as one line.
    while line := stream.readline(MAX_LINE):
        if len(line) == MAX_LINE:
            raise SourceError(
                mark("{path} has a line of more than 1 GiB, which is too long for a document."),
                reason="line-too-long",
                path=name,
            )
        yield line


def jsonl_records(lines: Iterable[bytes | str], parse: Callable[[bytes | str], Any] = parse_json) -> Iterator[Record]:
    """Yield a record for each line that is not blank.

    Parameters
    ----------
    lines
        The lines; bytes are UTF-8.
    parse
        Reads the value of a line; it raises ValueError for what is not JSON.

    Yields
    ------
    Record
        The record, numbered by its line; a line that is not a JSON object is a record with a problem.

    Examples
    --------
    >>> [record.fields for record in jsonl_records([b'{"text": "a cat"}'])]
    [{'text': 'a cat'}]
    """
    for number, line in enumerate(lines):
        if line.strip():
            yield _record(number, line, parse)


def _record(number: int, line: bytes | str, parse: Callable[[bytes | str], Any]) -> Record:
    try:
        value = parse(line)
    except ValueError as error:
        return Record(number, {}, str(error))
    if not isinstance(value, dict):
        return Record(number, {}, tr("this is not a JSON object"))
    # The output has at most four times as many bytes: 1e15, becomes 1000000000000000.0 and a space.
    return Record(number, value, most=8 * len(line))


def json_records(value: Any) -> Iterator[Record]:
    """Yield the records of one JSON value.

    Parameters
    ----------
    value
        An array, whose elements are the records; or a single record. A string means {"text": …}.

    Yields
    ------
    Record
        The record; an element of another type is a record with a problem.
    """
    for number, part in enumerate(value if isinstance(value, list) else [value]):
        if isinstance(part, dict | str):
            yield Record(number, part if isinstance(part, dict) else {"text": part})
        else:
            yield Record(number, {}, tr("this is not a JSON object"))


def csv_records(text: str, name: str) -> Iterator[Record]:
    """Yield the rows of a CSV or TSV text under the names of its first row; empty cells are "".

    Parameters
    ----------
    text
        The whole content of the file.
    name
        The file's name. Its ending decides the delimiter (`delimiter_of`), and messages name it.

    Yields
    ------
    Record
        A row, numbered by its line. A column contains numbers if every cell is empty or a number that is shown as it is
        written; all others contain text, since 1.10 and 01234 are more than their number. A row with a quotation mark
        that is not closed is a record with a problem, and the next line is a row again.

    Raises
    ------
    SourceError
        If there is no header row.

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
        names = _columns(row.cells)
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


def _columns(header: list[str]) -> list[str]:
    """Names of the columns, all different."""
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

    Parameters
    ----------
    text
        The content; only its first line, up to 64 KiB, is read.
    name
        The file's name.

    Returns
    -------
    str
        A tab for names that end in .tsv and .tab; otherwise the most frequent of comma, semicolon and tab in the first
        line.
    """
    if name.lower().endswith(_TAB_ENDINGS):
        return "\t"
    first = text.lstrip("\r\n")[: 1 << 16].partition("\n")[0]
    # Of equal numbers, the first: a file with one column counts as separated by commas.
    return max(",;\t", key=first.count)


def parquet_records(file: Any, progress: Callable[[int, int], None] | None = None) -> Iterator[Record]:
    """Yield the rows of a Parquet file.

    Parameters
    ----------
    file
        A path, or an open binary file that can be rewound.
    progress
        Called before each row with its number, from 0, and the number of rows in the file. None: not called.

    Yields
    ------
    Record
        A row with its values in JSON form.

    Raises
    ------
    BrokenStreamError
        If the file is damaged, after the rows before the damage were yielded.
    OSError
        If the drive reports a fault.

    Notes
    -----
    1,024 rows are decoded at a time. The first call imports pyarrow.
    """
    # Imported here: it takes longer to load than the rest of the program, and few builds need it.
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.ParquetFile(file)
        number = 0
        for batch in table.iter_batches(batch_size=_ROWS_AT_ONCE):
            for row in rows_of(batch):
                if progress is not None:
                    progress(number, table.metadata.num_rows)
                yield Record(number, {name: plain_value(part) for name, part in row.items()})
                number += 1
    except (pyarrow.ArrowException, ValueError, OverflowError) as error:
        raise _broken_parquet(error) from error
    except OSError as error:
        # Arrow reports damaged pages in this way; an error of the drive has a number.
        if error.errno is not None:
            raise
        raise _broken_parquet(error) from error


def _broken_parquet(error: Exception) -> BrokenStreamError:
    reason = " ".join(str(error).split())
    return BrokenStreamError(
        tr("is damaged or cut short: it is not a complete Parquet file ({error})", error=reason), False
    )


def plain_value(value: Any) -> Any:
    """Bring a value of a table into JSON form.

    Parameters
    ----------
    value
        The value.

    Returns
    -------
    Any
        NaN, which pandas uses for gaps, becomes None; bytes become text; decimal numbers become int or float, or text
        where a float has too few digits.
    """
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, Decimal) and value.is_finite():
        if value == value.to_integral_value():
            return int(value)
        return float(value) if Decimal(repr(float(value))) == value else f"{value:f}".rstrip("0")
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, dict):
        return {str(name): plain_value(part) for name, part in value.items()}
    return [plain_value(part) for part in value] if isinstance(value, list | tuple) else value
