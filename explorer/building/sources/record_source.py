"""Records in memory as the source of a build: rows of a table, or mappings from any iterable, each read once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from explorer.building.sources.file_source import Place
from explorer.building.sources.readers import Problem, Reading, ReadOptions, ReadState, SourceDocument, SourceFile
from explorer.building.sources.token_ids import ID_FIELDS
from explorer.core.files.arrow_values import rows_of
from explorer.core.files.text_field import nearest_name, shown_names
from explorer.core.jobs import CancelToken
from explorer.documents.record import Record, plain_value
from explorer.errors import Cancelled, SourceError
from explorer.i18n import mark, tr
from explorer.text.tokens.training import SAMPLE_CHARACTERS

_ROWS_AT_ONCE = 1_024
IN_MEMORY = "memory"
"""The field `path` of documents that are from no file."""
_INDEX_COLUMN = "__index_level_"
"""How pandas names an index without a name when it hands its table to Arrow."""
_NO_VALUE = {"NAType", "NaTType"}


@dataclass(frozen=True)
class Rows:
    """What a caller gave, before it is read.

    label: What messages call it, such as "the DataFrame" (within a sentence).
    total: The number of rows; 0 if unknown.
    records: The rows as records; reading them may raise whatever the caller's iterable raises.
    is_table: Whether all rows have the same columns.
    again: Whether `records` of the same object can be read another time.
    """

    label: str
    total: int
    records: Iterable[Record]
    is_table: bool
    again: bool

    @property
    def title(self) -> str:
        """The label at the beginning of a sentence."""
        return _begun(self.label)


def _begun(label: str) -> str:
    return label[:1].upper() + label[1:]


def rows_of_mappings(given: Iterable[Any], label: str) -> Rows:
    """Take the records of an iterable of mappings.

    given: A list, a generator, a `datasets.Dataset`, or any other iterable.
    Returns: The rows; nothing is read yet.
    """
    return Rows(label, _length(given), _Mappings(given), is_table=False, again=not isinstance(given, Iterator))


def rows_of_arrow(given: Any, label: str, metadata_fields: Sequence[str] | None) -> Rows:
    """Take the rows of anything that can be read as an Arrow stream.

    given: An object with `__arrow_c_stream__`: a DataFrame of pandas or polars, a table of pyarrow, a relation of
        duckdb.
    metadata_fields: The columns to keep; None for all.
    Returns: The rows; of a stream only the schema is read yet.
    Raises `SourceError` if it is not a table, or has no column of one of these names.
    """
    # Imported here: it takes longer to load than the rest of the program, and few builds need it.
    import pyarrow

    table = _ArrowRows(given)
    try:
        names = table.open().schema.names
    except (pyarrow.ArrowException, TypeError, ValueError) as error:
        # A column of Arrow has one type. Those of pandas may mix texts, numbers and objects, as mappings do.
        if isinstance(error, pyarrow.ArrowException) and hasattr(given, "itertuples"):
            names = [str(name) for name in given.columns]
            records = _Mappings(_FrameRows(given, names))
            found = Rows(label, _length(given), records, is_table=True, again=True)
        else:
            raise SourceError(
                mark("{name} cannot be read as a table ({cause})."),
                reason="not-a-table",
                name=_begun(label),
                cause=" ".join(str(error).split()),
            ) from error
    else:
        # A reader is at its end after one reading. Tables and relations hand out a new stream each time.
        again = not isinstance(given, pyarrow.RecordBatchReader)
        found = Rows(label, _length(given), table, is_table=True, again=again)
    for wanted in metadata_fields or ():
        if wanted not in names:
            raise _no_column(label, wanted, names)
    return found


def _no_column(label: str, wanted: str, names: Sequence[str]) -> SourceError:
    near = nearest_name(wanted, names)
    return SourceError(
        mark('{name} has no column "{column}" (columns: {names}). Did you mean {near}?')
        if near
        else mark('{name} has no column "{column}" (columns: {names}).'),
        reason="no-metadata-column",
        option="metadata_fields",
        name=_begun(label),
        column=wanted,
        names=shown_names(names, wanted),
        near=near,
    )


def rows_failed(label: str, done: int, error: Exception) -> SourceError:
    """Make the error for rows whose own code raised one.

    Returns: The error, with the row at which it happened as its line.
    """
    return SourceError(
        mark("{name} failed at row {line:,} ({cause})."),
        reason="source-failed",
        name=_begun(label),
        line=done + 1,
        cause=f"{type(error).__name__}: {error}",
    )


def _length(given: Any) -> int:
    try:
        return len(given)
    # Whatever a foreign class raises where it does not know its length.
    except Exception:  # noqa: BLE001
        return 0


@dataclass(frozen=True)
class _Mappings:
    given: Iterable[Any]

    def __iter__(self) -> Iterator[Record]:
        for number, row in enumerate(self.given):
            if isinstance(row, Mapping):
                yield Record(number, {str(name): _plain(value) for name, value in row.items()})
            elif isinstance(row, np.ndarray):
                yield Record(number, {ID_FIELDS[0]: row})
            else:
                kind = type(row).__name__
                yield Record(number, {}, tr("this is not a mapping of fields to values, but of type {kind}", kind=kind))


@dataclass(frozen=True)
class _FrameRows:
    frame: Any
    names: Sequence[str]

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for values in self.frame.itertuples(index=False, name=None):
            yield dict(zip(self.names, values, strict=True))


class _ArrowRows:
    """The rows of a table; the stream that the schema was read from is the first one that is iterated."""

    def __init__(self, given: Any) -> None:
        self._given = given
        self._opened: Any = None

    def open(self) -> Any:
        """The stream; raises what pyarrow raises if there is none."""
        import pyarrow

        self._opened = pyarrow.RecordBatchReader.from_stream(self._given)
        return self._opened

    def __iter__(self) -> Iterator[Record]:
        stream, self._opened = self._opened or self.open(), None
        number = 0
        for batch in stream:
            kept = [name for name in batch.schema.names if not name.startswith(_INDEX_COLUMN)]
            chosen = batch.select(kept)
            # In pieces: a batch may be the whole table, and its rows as objects take many times its memory.
            for first in range(0, chosen.num_rows, _ROWS_AT_ONCE):
                for row in rows_of(chosen.slice(first, _ROWS_AT_ONCE)):
                    yield Record(number, {name: _plain(value) for name, value in row.items()})
                    number += 1


def _plain(value: Any) -> Any:
    """A value of Python, numpy or pandas in JSON form; containers are copied, since the text is taken out of them."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if type(value).__name__ in _NO_VALUE else plain_value(value)


@dataclass(frozen=True)
class RecordSource:
    """Documents of records in memory. Each record is read once: what is looked at before the build is kept for it.

    options: How they are read.
    """

    rows: Rows
    options: ReadOptions
    state: ReadState
    _head: deque[tuple[SourceDocument, Place]] = field(default_factory=deque)
    _reading: list[Iterator[tuple[SourceDocument, Place]]] = field(default_factory=list)

    unit = "rows"
    found = None

    @property
    def total(self) -> int:
        """The number of rows; 0 if unknown."""
        return self.rows.total

    @property
    def kinds(self) -> dict[str, int]:
        """None: there are no files."""
        return {}

    @property
    def start(self) -> Place:
        """The place before the first document."""
        return Place()

    def documents(
        self, start: Place | None = None, problems: Sequence[Problem] | None = None
    ) -> Iterator[tuple[SourceDocument, Place]]:
        """Yield every document, each with the place after it. They are read once, so `start` is the first place.

        Raises `SourceError` for a bad record, unless these are to be skipped, and if reading the rows fails.
        """
        while self._head:
            yield self._head.popleft()
        yield from self._places()

    def _places(self) -> Iterator[tuple[SourceDocument, Place]]:
        """The one reading of the rows."""
        if not self._reading:
            self._reading.append(self._read())
        return self._reading[0]

    def _read(self) -> Iterator[tuple[SourceDocument, Place]]:
        # Read as the rows of a file: the same rules for the text, for bad rows, and for the size of metadata.
        file = SourceFile(Path(IN_MEMORY), IN_MEMORY, 0, shown=self.rows.title)
        reading = Reading(file, self.options, self.state, 0)
        for document in reading.of_records(self._guarded(), "row", table=self.rows.is_table):
            yield document, self._place(document.linenum + 1)

    def _guarded(self) -> Iterator[Record]:
        """The rows; an exception of the caller's iterable becomes the cause of an error that names the row."""
        records, done = iter(self.rows.records), 0
        while True:
            try:
                record = next(records)
            except StopIteration:
                return
            except Cancelled:
                raise
            # Whatever a generator of the caller raises. Ctrl-C is not among it.
            except Exception as error:
                raise rows_failed(self.rows.label, done, error) from error
            yield record
            done += 1

    def _place(self, done: int) -> Place:
        return Place(0, done, done, tuple(self.state.skipped.items()), len(self.state.problems))

    def end(self) -> Place:
        """The place after everything; valid once all documents have been read."""
        return self._place(self.total)

    def beginning(self) -> Iterator[SourceDocument]:
        """Documents from the first on; they are kept for the index."""
        at = 0
        while True:
            if at == len(self._head):
                found = next(self._places(), None)
                if found is None:
                    return
                self._head.append(found)
            yield self._head[at][0]
            at += 1

    def sample(self) -> Iterator[str]:
        """Texts to train on: the first rows, to about SAMPLE_CHARACTERS, since others cannot be read twice."""
        seen = 0
        for document in self.beginning():
            yield document.text
            seen += len(document.text)
            if seen > 2 * SAMPLE_CHARACTERS:
                return

    def listed(self, cancel: CancelToken, documents: Mapping[str, int]) -> list[list[Any]]:
        """Nothing: there are no files."""
        return []

    def left_out(self, problems: Sequence[Problem]) -> list[list[str]]:
        """Nothing: there are no files."""
        return []

    def listing(self) -> str:
        """Nothing: a build of this source is not resumed."""
        return "{}"

    def changed_since(self, listing: dict[str, Any]) -> str:
        """Its label: records in memory cannot be compared."""
        return self.rows.label
