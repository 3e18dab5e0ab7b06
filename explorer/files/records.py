"""Records of JSON lines, JSON, CSV and Parquet, in order, with the place of each."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from explorer.errors import SourceError
from explorer.files.encoding import decode_text, line_set
from explorer.files.json_text import parse_json
from explorer.files.streams import MAX_LINE, BrokenStreamError, chunks
from explorer.i18n import mark, tr

_ROWS_AT_ONCE = 1_024
_PEEKED = 1 << 12


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
        A row, numbered by its line. A column in which every cell is a number, or empty, contains numbers; all others
        contain text.

    Raises
    ------
    SourceError
        If there is no header row.

    Notes
    -----
    The rows are parsed twice: once for the types of the columns, once for the records.
    """
    names: list[str] = []
    for line, row in _rows(text, name):
        names = names or _columns(row)
        if line:
            break
    if not names:
        raise SourceError(
            mark("{path} has no header row. Its first row must name the columns."), reason="no-header", path=name
        )
    # A column is numeric only if every cell is: 007 in one row is an id, and so are the others then.
    texts = {i for line, row in _rows(text, name) if line for i, cell in enumerate(row) if _is_text(cell)}
    numeric = set(range(len(names))) - texts
    for line, row in _rows(text, name):
        if line:
            yield _row(line, names, row, numeric)


# As in JSON, so a leading zero makes an identifier. The limits keep the conversion quick.
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,300})(\.\d{1,300})?(?:[eE][-+]?\d{1,3})?", re.ASCII)


def _is_text(cell: str) -> bool:
    return bool(cell) and _NUMBER.fullmatch(cell) is None


def _rows(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, each with the line (from 0) at which it begins; the header has line 0."""
    # The default of 128 KiB is less than a long document. It is a setting of the process, so it is set before each use.
    csv.field_size_limit(1 << 30)
    reader = csv.reader(io.StringIO(text.lstrip("\r\n"), newline=""), delimiter=delimiter_of(text, name))
    line = 0
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise SourceError(
                mark("{path}, line {line}: this is not CSV ({cause})."),
                reason="not-csv",
                path=name,
                line=line + 1,
                cause=error,
            ) from error
        if row is None:
            return
        if row:
            yield line, row
        # Lines of the file, not rows: a quoted cell may contain line feeds.
        line = reader.line_num


def _columns(header: list[str]) -> list[str]:
    """Names of the columns, all different."""
    names: list[str] = []
    for number, cell in enumerate(header, start=1):
        name = cell.strip() or tr("column {number}", number=number)
        names.append(name if name not in names else f"{name} ({number})")
    return names


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
    if name.lower().endswith((".tsv", ".tab")):
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
            for row in batch.to_pylist():
                if progress is not None:
                    progress(number, table.metadata.num_rows)
                yield Record(number, {str(name): plain_value(part) for name, part in row.items()})
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
        NaN, which pandas uses for gaps, becomes None; bytes become text; decimal numbers become int or float.
    """
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, Decimal) and value.is_finite():
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, dict):
        return {str(name): plain_value(part) for name, part in value.items()}
    return [plain_value(part) for part in value] if isinstance(value, list | tuple) else value
