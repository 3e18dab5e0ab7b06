"""Watch lists: a file of many patterns, all of them counted.

A file whose name ends in .csv or .tsv is a table. Its first row names the columns: `pattern` (or else the first one)
holds the patterns, `label` what to call them, and the others are kept. Any other file is a text with a pattern per
line, without its line end: blank lines and lines that begin with # are skipped, and \\# begins a pattern with #.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from explorer.backends.protocol import Backend
from explorer.documents.document import document_title
from explorer.documents.reading import records_of
from explorer.errors import Cancelled, CorpusError, QueryError
from explorer.i18n import mark, tr
from explorer.jobs import CancelToken, Progress, Report, no_report
from explorer.search.find import QueryOptions, find_query
from explorer.search.hits import Hits

FIRST_DOCUMENTS = 3
"""Documents of each pattern that are named."""
MOST_BYTES = 1 << 26
MOST_PATTERNS = 100_000
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True)
class WatchPattern:
    """One pattern of a watch list.

    Attributes
    ----------
    pattern
        The pattern; what was read of it, if there is an error.
    label
        Its label; "" for none.
    line
        Its line in the file, counted from 1.
    more
        Its cells of the other columns.
    error
        Why it cannot be used; "" if it can.
    """

    pattern: str
    label: str = ""
    line: int = 0
    more: tuple[str, ...] = ()
    error: str = ""


@dataclass(frozen=True)
class WatchList:
    """The patterns of a file.

    Attributes
    ----------
    patterns
        The patterns.
    columns
        The names of the other columns.
    has_labels
        Whether there is a column of labels.
    """

    patterns: tuple[WatchPattern, ...]
    columns: tuple[str, ...] = ()
    has_labels: bool = False


@dataclass(frozen=True)
class FirstDocument:
    """A document in which a pattern occurs.

    Attributes
    ----------
    document
        Its number, from 0.
    title
        Its title.
    """

    document: int
    title: str


@dataclass(frozen=True)
class Watched:
    """How often a pattern occurs.

    Attributes
    ----------
    pattern
        The pattern.
    count
        The number of occurrences; None if there is an error.
    per_million
        Occurrences per million tokens; None if there is an error.
    documents
        The number of documents; None if there is an error.
    first_documents
        The first of them.
    error
        Why it could not be looked for; "" if it was.
    """

    pattern: WatchPattern
    count: int | None
    per_million: float | None
    documents: int | None
    first_documents: tuple[FirstDocument, ...] = ()
    error: str = ""


def read_watch_list(path: Path) -> WatchList:
    """Read the patterns in a file.

    Parameters
    ----------
    path
        A text with one pattern per line, or a table (.csv, .tsv).

    Returns
    -------
    WatchList
        The patterns, with their labels and further columns.

    Raises
    ------
    CorpusError
        If it cannot be read.
    QueryError
        If it is not a list of patterns.
    """
    try:
        with open(path, "rb") as file:
            # One byte more than allowed shows that the file is too long; a large file is not read to its end.
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise CorpusError(
            mark("{path} cannot be read: {cause}."), reason="unreadable", path=path, cause=reason
        ) from error
    return parse_watch_list(data, str(path), _DELIMITERS.get(path.suffix.lower(), ""))


def parse_watch_list(data: bytes, name: str, delimiter: str = "") -> WatchList:
    r"""Read the patterns of a watch list.

    Parameters
    ----------
    data
        The content of the list, in UTF-8.
    name
        What to call it in messages.
    delimiter
        The delimiter of a table; "" for a text with one pattern per line.

    Returns
    -------
    WatchList
        The patterns, with their labels and further columns.

    Raises
    ------
    QueryError
        If it has no pattern, too many, or cannot be read.

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
    twice = [cell for number, cell in enumerate(header) if cell in header[:number]]
    if twice:
        raise QueryError(
            mark('{path} has two columns named "{column}".'), reason="column-twice", path=name, column=twice[0]
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


def count_patterns(
    index: Backend,
    patterns: Sequence[WatchPattern],
    options: QueryOptions,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Iterator[Watched]:
    """Count patterns, each taken whole; what is wrong with one does not affect the others.

    Parameters
    ----------
    index
        The index.
    patterns
        The patterns.
    options
        How they are matched.
    report
        Called with the patterns that are done.
    cancel
        Stops the count.

    Yields
    ------
    Watched
        One result per pattern, as soon as it is known.

    Raises
    ------
    Cancelled
        If it was cancelled.

    Notes
    -----
    A few milliseconds per pattern, and for the documents a look-up of every occurrence.
    """
    # A pattern with AND in it is a text to look for, not a query.
    whole = replace(options, literal=True)
    for number, pattern in enumerate(patterns):
        report(Progress("Counting patterns", number, len(patterns), "patterns"))
        yield _count(index, pattern, whole, cancel)
    report(Progress("Counting patterns", len(patterns), len(patterns), "patterns"))


def _count(index: Backend, pattern: WatchPattern, options: QueryOptions, cancel: CancelToken | None) -> Watched:
    if pattern.error:
        return Watched(pattern, None, None, None, (), pattern.error)
    try:
        found = find_query(index, pattern.pattern, options, cancel=cancel)
        # All documents are needed for their number, although only the first ones are named.
        documents = np.empty(0, dtype=np.int64)
        for _, located in Hits(index, found.parts).chunks(None, cancel):
            documents = np.union1d(documents, located.documents)
    except Cancelled:
        raise
    except CorpusError as error:
        # None and not 0: a pattern that could not be looked for may occur.
        return Watched(pattern, None, None, None, (), str(error))
    named = documents[:FIRST_DOCUMENTS]
    first = tuple(
        FirstDocument(number, document_title(record, number))
        for number, record in zip(named.tolist(), records_of(index, named), strict=True)
    )
    return Watched(pattern, found.count, found.per_million, len(documents), first)
