"""Watch lists: files of many patterns.

A file whose name ends in .csv, .tsv or .tab is a table. Its first row names the columns: `pattern` (or else the first
one) holds the patterns, `label` what to call them, and the others are kept. Records of JSON Lines, JSON and Parquet are
read in the same way. Any other file is a text with a pattern per line, without its line end: blank lines and lines that
begin with # are skipped, and \\# begins a pattern with #. All of them can be compressed.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import IO, Any

from explorer.core.files.json_text import parse_json
from explorer.core.files.streams import BrokenStreamError, inner_name, unpacked
from explorer.documents.record import Record
from explorer.documents.records.json_files import json_records
from explorer.documents.records.json_lines import jsonl_records
from explorer.documents.records.parquet import parquet_records
from explorer.errors import CorpusError, QueryError, SourceError
from explorer.i18n import mark, tr

MOST_BYTES = 1 << 26
MOST_PATTERNS = 100_000
_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_PATTERN, _LABEL = "pattern", "label"


@dataclass(frozen=True)
class WatchPattern:
    """One pattern of a watch list.

    pattern: The pattern; what was read of it, if there is an error.
    label: Its label; "" for none.
    line: Its line in the file, counted from 1.
    more: Its cells of the other columns.
    error: Why it cannot be used; "" if it can.
    source: The file that it is from; "" if that is not known.
    """

    pattern: str
    label: str = ""
    line: int = 0
    more: tuple[str, ...] = ()
    error: str = ""
    source: str = ""


@dataclass(frozen=True)
class WatchList:
    """The patterns of a file.

    has_labels: Whether there is a column of labels.
    """

    patterns: tuple[WatchPattern, ...]
    columns: tuple[str, ...] = ()
    has_labels: bool = False


def read_watch_list(path: Path) -> WatchList:
    """Read the patterns in a file.

    path: A text with one pattern per line, a table (.csv, .tsv, .tab) or records (.jsonl, .ndjson, .json, .parquet);
        also compressed.
    Returns: The patterns, with their labels and further columns.
    """
    try:
        with open(path, "rb") as file:
            return read_watch_stream(file, str(path))
    except (OSError, ValueError) as error:
        # An error of ours is a ValueError, too, and has its sentence.
        if isinstance(error, CorpusError):
            raise
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise CorpusError(
            mark("{path} cannot be read: {cause}."), reason="unreadable", path=path, cause=reason
        ) from error


def read_watch_stream(stream: IO[bytes], name: str) -> WatchList:
    """Read the patterns in a stream.

    stream: The content, which can be compressed.
    name: The name of its file, whose ending tells what it is.
    Raises `QueryError` if it is not a list of patterns.
    """
    ending = Path(inner_name(name)).suffix
    try:
        # One byte more than allowed shows that the file is too long; a large file is not read to its end.
        data = unpacked(stream, name).read(MOST_BYTES + 1)
        if ending in _RECORDS and len(data) <= MOST_BYTES:
            found = _checked(_of_records(_RECORDS[ending](data), name), name)
        else:
            found = parse_watch_list(data, name, _DELIMITERS.get(ending, ""))
    except BrokenStreamError as error:
        raise SourceError(mark("{path} {cause}."), reason="input-damaged", path=name, cause=error) from error
    return replace(found, patterns=tuple(replace(one, source=name) for one in found.patterns))


def join_lists(lists: Sequence[WatchList]) -> WatchList:
    """Make one list of several.

    Returns: All patterns in order, with the columns of all lists; a cell that a list does not have is "".

    Examples
    --------
    >>> pets = WatchList((WatchPattern("cat", more=("1",)),), ("a",))
    >>> joined = join_lists([pets, WatchList((WatchPattern("dog", more=("2",)),), ("b",))])
    >>> joined.columns, [pattern.more for pattern in joined.patterns]
    (('a', 'b'), [('1', ''), ('', '2')])
    """
    columns = tuple(dict.fromkeys(name for one in lists for name in one.columns))

    def moved(one: WatchList, pattern: WatchPattern) -> WatchPattern:
        cells = dict(zip(one.columns, pattern.more, strict=True))
        return replace(pattern, more=tuple(cells.get(name, "") for name in columns))

    patterns = tuple(moved(one, pattern) for one in lists for pattern in one.patterns)
    return WatchList(patterns, columns, any(one.has_labels for one in lists))


def parse_watch_list(data: bytes, name: str, delimiter: str = "") -> WatchList:
    r"""Read the patterns of a watch list.

    data: The content of the list, in UTF-8.
    delimiter: The delimiter of a table; "" for a text with one pattern per line.
    Returns: The patterns, with their labels and further columns.
    Raises `QueryError` if it has no pattern, too many, or cannot be read.

    Examples
    --------
    >>> [pattern.pattern for pattern in parse_watch_list(b"cat\ndog\n", "a list").patterns]
    ['cat', 'dog']
    """
    if len(data) > MOST_BYTES:
        raise QueryError(
            mark("{path} has more than {most:,} bytes."),
            reason="list-too-long",
            path=name,
            most=MOST_BYTES,
        )
    # The byte order mark that some editors and spreadsheets write.
    data = data.removeprefix(b"\xef\xbb\xbf")
    found = _table(data, name, delimiter) if delimiter else WatchList(_few(_lines(data)))
    return _checked(found, name)


def _checked(found: WatchList, name: str) -> WatchList:
    """The list, if it has patterns and not too many."""
    if not found.patterns:
        raise QueryError(mark("{path} has no pattern."), reason="no-pattern", path=name)
    if len(found.patterns) > MOST_PATTERNS:
        raise QueryError(
            mark("{path} has more than {most:,} patterns."),
            reason="list-too-long",
            path=name,
            most=MOST_PATTERNS,
        )
    return found


def _few(patterns: Iterator[WatchPattern]) -> tuple[WatchPattern, ...]:
    """All of them, or enough to see that there are too many."""
    return tuple(islice(patterns, MOST_PATTERNS + 1))


def _lines(data: bytes) -> Iterator[WatchPattern]:
    # BytesIO divides at line feeds only: other separators of lines in Unicode can be part of a pattern.
    for number, written in enumerate(io.BytesIO(data), start=1):
        line = written.removesuffix(b"\n").removesuffix(b"\r")
        if not line.strip() or line.startswith(b"#"):
            continue
        try:
            yield WatchPattern(line.decode().removeprefix("\\") if line[:2] == b"\\#" else line.decode(), "", number)
        except UnicodeDecodeError as error:
            shown = line.decode("utf-8", "replace")
            yield WatchPattern(shown, "", number, (), _not_utf8(error.start))


def _not_utf8(byte: int) -> str:
    return tr("This is not UTF-8 text (byte {byte:,}). Convert it to UTF-8 first.", byte=byte + 1)


def _json_lines(data: bytes) -> Iterator[Record]:
    return jsonl_records(io.BytesIO(data.removeprefix(b"\xef\xbb\xbf")))


def _json(data: bytes) -> Iterator[Record]:
    try:
        value = parse_json(data)
    except ValueError as error:
        yield Record(0, {}, str(error))
        return
    yield from json_records(value)


def _parquet(data: bytes) -> Iterator[Record]:
    return parquet_records(io.BytesIO(data))


_RECORDS = {".jsonl": _json_lines, ".ndjson": _json_lines, ".json": _json, ".parquet": _parquet}


def _of_records(given: Iterable[Record], name: str) -> WatchList:
    """The patterns of records: the field `pattern`, or else the first field of the first record."""
    # All at once: the columns are those of every record, and there are 100,000 at most.
    records = list(islice(given, MOST_PATTERNS + 1))
    fields = tuple(dict.fromkeys(field for record in records for field in record.fields))
    at = next((field for field in fields if field.lower() == _PATTERN), fields[0] if fields else _PATTERN)
    label = next((field for field in fields if field.lower() == _LABEL and field != at), None)
    others = [field for field in fields if field not in (at, label)]
    patterns = (_of_record(record, at, label, others) for record in records)
    return WatchList(tuple(patterns), tuple(others), label is not None)


def _of_record(record: Record, at: str, label: str | None, others: Sequence[str]) -> WatchPattern:
    value, error = record.fields.get(at), record.problem
    if not error and not (isinstance(value, str) and value.strip()):
        error = tr('The field "{field}" has no pattern.', field=at)
    more = tuple(_cell(record.fields.get(field)) for field in others)
    named = "" if label is None else _cell(record.fields.get(label))
    return WatchPattern(_cell(value), named, record.number + 1, more, error)


def _cell(value: Any) -> str:
    """A value of a record as the cell of a table."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _table(data: bytes, name: str, delimiter: str) -> WatchList:
    try:
        # As a whole, since a quoted cell can contain line ends.
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise QueryError(
            mark("{path}, line {line:,}: this is not UTF-8 text."),
            reason="not-utf-8",
            path=name,
            line=line,
        ) from error
    rows = _rows(text, name, delimiter)
    # An empty file has an empty header and no rows; the caller reports it.
    header = [cell.strip() for cell in next(rows, (0, []))[1]]
    twice = next((cell for cell, times in Counter(header).items() if times > 1), None)
    if twice is not None:
        raise QueryError(
            mark('{path} has two columns named "{column}".'), reason="column-twice", path=name, column=twice
        )
    lower = [cell.lower() for cell in header]
    at = lower.index("pattern") if "pattern" in lower else 0
    # If the first column is named "label" and none "pattern", it holds the patterns.
    label = lower.index("label") if "label" in lower and lower.index("label") != at else None
    others = [number for number in range(len(header)) if number not in (at, label)]
    found = (_row(line, cells, len(header), at, label, others) for line, cells in rows if any(map(str.strip, cells)))
    return WatchList(_few(found), tuple(header[number] for number in others), label is not None)


def _rows(text: str, name: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows, each with the line in which it begins."""
    # The limit is one of the whole program, and readers of sources need it high; patterns have their own.
    csv.field_size_limit(1 << 30)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        # Before the row is read: a row with line ends in it takes several lines, and people look for its first.
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise QueryError(
                mark("{path}, line {line:,} is not a row of a table: {cause}."),
                reason="not-a-row",
                path=name,
                line=line,
                cause=error,
            ) from error
        if cells is None:
            return
        yield line, cells


def _row(line: int, cells: list[str], size: int, at: int, label: int | None, others: Sequence[int]) -> WatchPattern:
    full = cells + [""] * (size - len(cells))
    error = ""
    if len(cells) > size:
        error = tr("This row has {cells} cells, and the first row has {size}.", cells=len(cells), size=size)
    elif not full[at].strip():
        error = tr("This row has no pattern.")
    more = tuple(full[number] for number in others)
    return WatchPattern(full[at], "" if label is None else full[label], line, more, error)
