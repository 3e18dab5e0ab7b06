"""The embeddings of a table of f-grams: filled in batches that can be resumed, and read by rows.

`embeddings.npy` exists when every row is there. Until then the rows are in `embeddings.partial.npy`, which numpy
refuses since it is too short, and `embeddings.partial.json` tells how many of them have reached the drive.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.fgrams.compute import FgramTable
from explorer.analyses.fgrams.embedders import Embedder, Values, contents_of
from explorer.analyses.fgrams.value_types import ValueType, value_type
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import CorpusError, QueryError
from explorer.export.destination import ExportError, save_text
from explorer.i18n import mark

KIND = "corpus-explorer/fgram-embeddings/1"
ROWS, FACTS = "embeddings.npy", "embeddings.json"
PARTIAL_ROWS, PARTIAL_FACTS = "embeddings.partial.npy", "embeddings.partial.json"
_AT_ONCE = 1 << 17
"""Values that are read at once."""
_BETWEEN_MARKS = 1 << 26
"""Bytes after which the rows are sure to be on the drive, and counted."""


@dataclass(frozen=True)
class EmbeddingFacts:
    """What a table of embeddings is.

    Attributes
    ----------
    rows
        Its rows.
    dimension
        Values of a row.
    value_type
        The type of the values: "float32", "float16", "bfloat16" or "int8".
    source
        What gave the embeddings.
    contents
        The SHA-256 of the source's file.
    """

    rows: int
    dimension: int
    value_type: str
    source: str
    contents: str


@dataclass(frozen=True, eq=False)
class EmbeddingRows(ArrayValue):
    """The embeddings of a table, mapped."""

    facts: EmbeddingFacts
    kind: ValueType
    stored: NDArray[Any]

    def take(self, rows: NDArray[np.int64]) -> Values:
        """Read rows as float32 [rows, dimension]; numbers must be in range."""
        # Some rows at a time, which stay in the processor's cache between the steps.
        made = np.empty((len(rows), self.facts.dimension), dtype=np.float32)
        step = max(1, _AT_ONCE // self.facts.dimension)
        for first in range(0, len(rows), step):
            part = slice(first, first + step)
            made[part] = self.kind.unpack(np.take(self.stored, rows[part], axis=0))
        return made


def fill_embeddings(
    folder: Path,
    table: FgramTable,
    embedder: Embedder,
    values: str = "float16",
    batch: int = 4096,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> int:
    """Write the embedding of each f-gram, or continue where an earlier call was stopped or killed.

    values: The type of the values: "float32", "float16", "bfloat16" or "int8".
    cancel: Stops the work between two batches; what is done is kept.
    Returns: Rows that an earlier call had written; all of them if it was finished with the same settings.
    Raises `CorpusError` if embeddings exist that are damaged.
    Raises `ExportError` if other embeddings exist, were begun with other settings, or cannot be written.
    Raises `QueryError` if the type is unknown, or the source has no row for a token of an f-gram.
    """
    kind = value_type(values)
    _refuse_tokens(table, embedder)
    facts = EmbeddingFacts(table.kept, embedder.dimension, kind.name, embedder.name, contents_of(embedder.path, cancel))
    if (folder / ROWS).exists():
        # The same again is done already; what another source gave stays.
        if open_embeddings(folder, table.kept).facts == facts:
            return table.kept
        raise ExportError(mark("{path} exists already."), reason="out-exists", path=folder / ROWS)
    done = _done(folder, facts)
    filling = _Filling(folder, facts, kind)
    try:
        with filling.opened(done) as file:
            _fill(filling, file, table, embedder, batch, report, cancel)
        _finish(folder, facts)
    except OSError as error:
        raise ExportError(
            mark("{path} cannot be written: {cause}."), reason="unwritable", path=folder, cause=error.strerror or error
        ) from error
    return done


def open_embeddings(folder: Path, rows: int) -> EmbeddingRows:
    """Map the embeddings of a table.

    Raises `CorpusError` if there are none, or they are damaged, cut short or those of another table.
    """
    if not (folder / ROWS).exists():
        raise CorpusError(
            mark("{path} has no embeddings, or they are not finished."), reason="no-embeddings", path=folder
        )
    try:
        facts = _facts(json.loads((folder / FACTS).read_text(encoding="utf-8")))
        kind = value_type(facts.value_type)
        stored = np.load(folder / ROWS, mmap_mode="r", allow_pickle=False)
        wanted, shape = _layout(kind, facts)
    except (OSError, EOFError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise _damaged(folder) from error
    if (stored.dtype, stored.shape) != (wanted, shape) or facts.rows != rows:
        raise _damaged(folder)
    # Of the plain array: a part of a mapped one is an object of its own, which takes microseconds to make.
    return EmbeddingRows(facts, kind, np.asarray(stored))


def _damaged(folder: Path) -> CorpusError:
    return CorpusError(
        mark("{path} is damaged, cut short, or does not belong to the table of f-grams beside it."),
        reason="damaged-embeddings",
        path=folder / ROWS,
    )


def _facts(found: dict[str, Any]) -> EmbeddingFacts:
    if found["kind"] != KIND:
        raise ValueError(found["kind"])
    rows, dimension = found["rows"], found["dimension"]
    if not (isinstance(rows, int) and isinstance(dimension, int) and rows >= 0 and 0 < dimension < 1 << 31):
        raise ValueError(rows)
    return EmbeddingFacts(rows, dimension, str(found["value_type"]), str(found["source"]), str(found["contents"]))


def _layout(kind: ValueType, facts: EmbeddingFacts) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The type and the shape of the array."""
    made = np.empty(0, dtype=kind.row_type(facts.dimension))
    return made.dtype, (facts.rows, *made.shape[1:])


def _refuse_tokens(table: FgramTable, embedder: Embedder) -> None:
    most = max((int(part.ids.max()) for part in table.parts if len(part.ids)), default=-1)
    if embedder.vocabulary is not None and most >= embedder.vocabulary:
        raise QueryError(
            mark("{path} has {rows:,} rows, and token {token} of an f-gram has none."),
            reason="token-without-row",
            path=embedder.path,
            rows=embedder.vocabulary,
            token=most,
        )


def _done(folder: Path, facts: EmbeddingFacts) -> int:
    """Rows that an earlier call wrote with the same settings."""
    path = folder / PARTIAL_FACTS
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        begun, done = _facts(found), found["done"]
        if not isinstance(done, int) or not 0 <= done <= begun.rows:
            return 0
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        # Nothing was begun, or nothing that can be continued.
        return 0
    if begun != facts:
        raise ExportError(
            mark("{path} was begun with other settings: {rows:,} rows of {dimension:,} values as {values}, {source}."),
            reason="embeddings-begun",
            path=path,
            rows=begun.rows,
            dimension=begun.dimension,
            values=begun.value_type,
            source=begun.source,
        )
    return done if (folder / PARTIAL_ROWS).exists() else 0


class _Filling:
    """The file of a table that is not finished."""

    def __init__(self, folder: Path, facts: EmbeddingFacts, kind: ValueType) -> None:
        self._folder, self._facts = folder, facts
        self.kind = kind
        self.done = 0
        self._marked = 0
        self._row_bytes = kind.row_bytes(facts.dimension)

    def opened(self, done: int) -> BinaryIO:
        """The file, after its header and the rows that are done."""
        path = self._folder / PARTIAL_ROWS
        file: BinaryIO = path.open("r+b" if done else "w+b")
        dtype, shape = _layout(self.kind, self._facts)
        descr = np.lib.format.dtype_to_descr(dtype)
        np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
        begin = file.tell()
        # Rows that were not counted may be incomplete, and rows that were counted are there unless the file was cut.
        self.done = done if path.stat().st_size >= begin + done * self._row_bytes else 0
        self._marked = self.done
        file.seek(begin + self.done * self._row_bytes)
        file.truncate()
        return file

    def add(self, file: BinaryIO, made: Values) -> None:
        """Write rows, and count them once enough of them are on the drive."""
        file.write(self.kind.pack(made).tobytes())
        self.done += len(made)
        if (self.done - self._marked) * self._row_bytes >= _BETWEEN_MARKS:
            self.mark(file)

    def mark(self, file: BinaryIO) -> None:
        """Count what was written, after it has reached the drive."""
        file.flush()
        os.fsync(file.fileno())
        save_text(self._folder / PARTIAL_FACTS, _text(self._facts, done=self.done))
        self._marked = self.done


def _fill(
    filling: _Filling,
    file: BinaryIO,
    table: FgramTable,
    embedder: Embedder,
    batch: int,
    report: Report,
    cancel: CancelToken | None,
) -> None:
    # Settings first: whatever is found later belongs to them.
    filling.mark(file)
    first = 0
    try:
        for part in table.parts:
            while filling.done < first + len(part.ids):
                if cancel is not None:
                    cancel.check()
                begin = filling.done - first
                filling.add(file, embedder.embed(part.ids[begin : begin + batch]))
                report(Progress("embedding f-grams", filling.done, table.kept, "f-grams"))
            first += len(part.ids)
    finally:
        # Also what a cancel or a failing model leaves is complete as far as it goes.
        filling.mark(file)


def _finish(folder: Path, facts: EmbeddingFacts) -> None:
    save_text(folder / FACTS, _text(facts))
    # Last: what has this name is complete.
    (folder / PARTIAL_ROWS).rename(folder / ROWS)
    with suppress(FileNotFoundError):
        (folder / PARTIAL_FACTS).unlink()


def _text(facts: EmbeddingFacts, **more: int) -> str:
    return json.dumps({"kind": KIND, **vars(facts), **more}, ensure_ascii=False, indent=2) + "\n"
