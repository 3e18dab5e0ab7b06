"""The files of an export of cuts, one function per format: what each document adds to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import zstandard

from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import plain_value, show_value
from explorer.backends.protocol.protocol import Backend, LocalFacts, Numbers
from explorer.backends.ranges import Ranges
from explorer.core.files.json_text import write_json
from explorer.errors import CapabilityError
from explorer.export.columns import BATCH, Batch, Column, RecordTable, kind_of_values
from explorer.export.cuts.texts import CutDocument
from explorer.export.registry import RECORDS
from explorer.i18n import mark

BYTE_RANGES = "texts.remove.byterange"
DROPPED = "dropped.jsonl"
PARQUET = "cleaned.parquet"
_COUNTERS = 1 << 32


@dataclass(frozen=True)
class CutStyle:
    """How files are written.

    packed: Whether files of JSON Lines are compressed by Zstandard.
    characters: Whether annotated rows have offsets of characters, too.
    min_words: The least words, between white space, that are left of a document that is cut; one with fewer is dropped.
    columns: The columns of a Parquet file in place of cleaned JSON Lines, the text first; () for none.
    """

    packed: bool = False
    characters: bool = False
    min_words: int = 1
    columns: tuple[Column, ...] = ()


Documents = Iterable[CutDocument]
Write = Callable[[Path, Documents, CutStyle], None]


def write_byte_ranges(folder: Path, documents: Documents, style: CutStyle) -> None:
    """Write the texts in one file as deduplicate-text-datasets does, and which of its bytes are to be removed.

    folder: Where `texts`, `texts.size` and `texts.remove.byterange` go.
    Raises `OSError` if a file cannot be written.
    """
    at = 0
    with (
        open(folder / "texts", "wb") as texts,
        open(folder / "texts.size", "wb") as sizes,
        open(folder / BYTE_RANGES, "w", encoding="ascii", newline="\n") as cuts,
    ):
        # What reads it skips all lines up to this one, which in the output of that program are a log.
        cuts.write("out\n")
        sizes.write(_u64([0]))
        for counter, document in enumerate(documents, 1):
            head = b"\xff\xff" + np.array([counter % _COUNTERS], "<u4").tobytes()
            data = document.text.encode()
            first = at + len(head)
            cuts.writelines(f"{first + start} {first + end}\n" for start, end in document.byte_spans())
            texts.write(head + data)
            at = first + len(data)
            sizes.write(_u64([at]))


def write_annotated(folder: Path, documents: Documents, style: CutStyle) -> None:
    """Write all rows whole, each with the bytes of its text that are to be removed, and where the first copies are.

    style: Whether it is compressed, and has offsets of characters.
    Raises `OSError` if a file cannot be written.
    """
    with _lines(folder / "annotated.jsonl", style.packed) as put:
        for document in documents:
            more: dict[str, Any] = {"sa_remove_ranges_chars": document.spans} if style.characters else {}
            more |= {"sa_first_copies": document.copies} if document.copies else {}
            put({**document.row, "sa_remove_ranges": document.byte_spans(), **more})


def write_cleaned(folder: Path, documents: Documents, style: CutStyle) -> None:
    """Write the rows with what is left of their texts; those of which too little is left are listed apart.

    folder: Where `cleaned.jsonl` and `dropped.jsonl` go.
    style: Whether rows are compressed, and how much must be left.
    Raises `OSError` if a file cannot be written.
    """
    with _lines(folder / DROPPED, False) as drop:
        kept = _kept(documents, style, drop)
        if style.columns:
            table = RecordTable(style.columns, lambda: _batches(kept, style.columns))
            RECORDS.of_path(Path(PARQUET)).write(folder / PARQUET, table)
            return
        with _lines(folder / "cleaned.jsonl", style.packed) as put:
            for document in kept:
                put({**document.row, document.field: document.kept})


def _kept(documents: Documents, style: CutStyle, drop: Callable[[dict[str, Any]], None]) -> Iterator[CutDocument]:
    """The documents that are among the cleaned ones; the others are listed."""
    for document in documents:
        why = dropped_for(document, style)
        if why:
            drop(_place(document) | {"reason": why})
        else:
            yield document


def _batches(documents: Iterator[CutDocument], columns: Sequence[Column]) -> Iterator[Batch]:
    text, *fields = columns
    while some := list(islice(documents, BATCH)):
        values = {each.name: [_value(one.row.get(each.name), each) for one in some] for each in fields}
        yield {text.name: [one.kept for one in some], **values}


def _value(value: Any, column: Column) -> Any:
    """A value of a field, in the type of its column."""
    plain = plain_value(value)
    return show_value(plain) if column.kind == "string" and plain is not None else plain


def table_columns(index: Backend) -> tuple[Column, ...]:
    """Give the columns of a table of cleaned texts: the text, then the metadata fields, each with its own type."""
    fields, numbers = FieldColumns(index), index.documents.numbers()
    found = [Column("text", "string")]
    for name in fields.known.names:
        if name not in ("text", "linenum"):
            column = fields.column(name, numbers)
            kind = kind_of_values(column.values[code] for code in np.unique(column.codes).tolist())
            found.append(Column(name, kind, nullable=True))
    return tuple(found)


def dropped_for(document: CutDocument, style: CutStyle) -> str:
    """Tell why a document is not among the cleaned ones.

    style: How much must be left of it.
    Returns: "empty", "too-few-words", or "" if it is among them. One that is not cut always is.
    """
    if not document.spans:
        return ""
    words = len(document.kept.split())
    return "empty" if not words else "too-few-words" if words < style.min_words else ""


def write_token_ranges(folder: Path, index: Backend, ranges: Ranges) -> None:
    """Write what is to be removed as places in the files of the index's tokens: pairs of u64, a file per shard.

    folder: Where `remove_ranges.0` and so on go.
    Raises `CapabilityError` if the index is not in files on this machine, or documents are subtracted from it.
    Raises `OSError` if a file cannot be written.
    """
    local = whole_files(index)
    # A separator is before each document.
    starts = np.cumsum(index.documents.sizes()) - index.documents.sizes()
    first = 0
    for number, part in enumerate(local.parts):
        here = (ranges.documents >= first) & (ranges.documents < first + part.documents)
        documents = ranges.documents[here]
        sizes = index.documents.lengths(documents)
        bounds = np.stack([ranges.starts[here], ranges.ends[here]])
        if part.backwards:
            bounds = sizes - bounds[::-1]
        base = starts[documents] - (starts[first] if part.documents else 0) + 1
        found = np.sort((base + bounds) * local.token_width, axis=1)
        (folder / f"remove_ranges.{number}").write_bytes(_u64(found.T))
        first += part.documents


def whole_files(index: Backend) -> LocalFacts:
    """Give the files of an index in which places of tokens can be named.

    Raises `CapabilityError` if it is not in files on this machine, or documents are subtracted from it.
    """
    if index.local is None or index.document_count != index.document_slots:
        raise CapabilityError(
            mark("Places in the files of tokens are only known for whole indexes on this machine."), capability="files"
        )
    return index.local


@contextmanager
def _lines(path: Path, packed: bool) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Writes objects to a file of JSON Lines, which may be compressed."""
    with open(path.with_name(path.name + ".zst") if packed else path, "wb") as raw:
        sink = zstandard.ZstdCompressor().stream_writer(raw, closefd=False) if packed else raw

        def put(row: dict[str, Any]) -> None:
            sink.write(write_json(row).encode() + b"\n")

        yield put
        # Ends the compressed data: without it, what is read back is cut short.
        if packed:
            sink.close()


def _place(document: CutDocument) -> dict[str, Any]:
    """What names a document in the index and in its source."""
    known: dict[str, Any] = {key: document.record[key] for key in ("path", "linenum") if key in document.record}
    return {"document": document.number, **known, "tokens": document.tokens}


def _u64(values: Numbers | list[int]) -> bytes:
    return np.ascontiguousarray(values, "<u8").tobytes()
