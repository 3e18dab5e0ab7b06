"""An input before its texts are known: a file, standard input or a stream, unpacked, and the records in it."""

from __future__ import annotations

import codecs
import io
import os
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import IO, Any

from explorer.core.files.encoding import UTF8, Decoded, NotTextError, decode_text, wide_encoding
from explorer.core.files.json_text import parse_json
from explorer.core.files.streams import CHUNK, BrokenStreamError, chunks, inner_name, unpacked
from explorer.core.files.text_field import looks_like_chat
from explorer.documents.content import PEEKED, Content
from explorer.documents.kind import Kind
from explorer.documents.kinds import KINDS, kind_of, signed_kind
from explorer.documents.lines import lines_of
from explorer.documents.record import Document, Record, Records
from explorer.documents.records import tables
from explorer.documents.records.json_files import json_records
from explorer.documents.records.json_lines import is_object, jsonl_records
from explorer.errors import SourceError
from explorer.i18n import mark, tr

Source = str | PathLike[str] | IO[bytes]


@dataclass(frozen=True)
class Opened:
    """An input.

    raw: Its bytes as stored on disk.
    size: How many; 0 if unknown.
    ours: Whether it was opened here.
    """

    name: str
    raw: IO[bytes]
    size: int
    ours: bool
    stream: io.BufferedReader

    def done(self) -> int:
        """Bytes read so far; 0 for what has no size."""
        return self.raw.tell() if self.size else 0

    def close(self) -> None:
        """Close what was opened here."""
        if self.ours:
            self.raw.close()


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Errors of reading as errors for people.

    Raises `SourceError` if what is done meanwhile cannot read the input.
    """
    try:
        yield
    except BrokenStreamError as error:
        raise SourceError(mark("{path} {cause}."), reason="input-damaged", path=name, cause=error) from error
    except NotTextError as error:
        raise SourceError(mark("{path} is not text: {cause}."), reason="not-text", path=name, cause=error) from error
    except OSError as error:
        raise SourceError(
            mark("{path} cannot be read: {cause}."),
            reason="unreadable",
            path=name,
            cause=error.strerror or error,
        ) from error


def open_stream(source: Source) -> Opened:
    """Open an input, and unpack it.

    source: A path, "-" for standard input, or a stream opened for bytes.
    Raises `SourceError` if it cannot be read.
    """
    # A stream of the caller: it is read, but stays open, and its size is not known.
    if not isinstance(source, str | PathLike):
        name = str(getattr(source, "name", "")) or tr("the stream")
        with translated(name):
            return Opened(name, source, 0, False, unpacked(source))
    if str(source) == "-":
        name = tr("standard input")
        if sys.stdin is None:
            raise SourceError(mark("Standard input is closed."), reason="no-standard-input")
        with translated(name):
            return Opened(name, sys.stdin.buffer, 0, False, unpacked(sys.stdin.buffer))
    path = Path(source)
    with translated(str(path)):
        raw = open(path, "rb")  # noqa: SIM115 - closed when its texts were read, or with the last reference
        try:
            return Opened(str(path), raw, os.fstat(raw.fileno()).st_size, True, unpacked(raw, path.name))
        except BaseException:
            raw.close()
            raise


@dataclass(frozen=True)
class Found:
    """The content of an input.

    records: The records; None for texts.
    data: The bytes of a plain text.
    documents: The texts of a kind of file that has some; None for records and for a plain text.
    """

    format: str
    records: Iterator[Record] | None
    data: bytes = b""
    notes: tuple[str, ...] = ()
    documents: Iterator[Document] | None = None


def find_records(opened: Opened, format: str) -> Found:
    """Recognize the format of an input.

    format: One of FORMATS of `explorer.documents.inputs.text_input`; "auto": by its content and its name.
    Returns: The records, which are read once, or the bytes of a text.
    """
    stream, name = opened.stream, inner_name(opened.name)
    signed = signed_kind(stream.peek(PEEKED)[:PEEKED], name) if format == "auto" else None
    named = next((kind for kind in KINDS if kind.name == format), signed)
    if named is not None and named.name not in ("text", "jsonl", "json", "csv"):
        return _of_kind(opened, named)
    if format == "csv" or (format == "auto" and name.endswith(tables.ENDINGS)):
        decoded = decode_text(b"".join(chunks(stream)))
        return Found("csv", tables.csv_records(decoded.text, name), notes=encoding_notes(decoded))
    if format == "text":
        return Found("text", None, b"".join(chunks(stream)))
    return _lines_or_json(opened, format, name.endswith((".jsonl", ".ndjson")))


def _lines_or_json(opened: Opened, format: str, named_so: bool) -> Found:
    """JSON Lines if requested or if the first line is an object; JSON if the whole is JSON; else a text."""
    # Before the lines are read, which consume the beginning.
    wide = wide_encoding(opened.stream.peek(CHUNK))
    notes = (_read_as(wide),) if wide else ()
    lines = lines_of(opened.stream, opened.name)
    seen = list(_to_first(lines))
    # By the first line that is not blank, and by the name: a file named .jsonl whose first line is bad is one bad line,
    # not a text.
    if format == "jsonl" or (format != "json" and (named_so or (seen and is_object(seen[-1])))):
        return Found("jsonl", jsonl_records(chain(seen, lines)), notes=notes)
    # The lines that were taken, and the rest as it comes.
    parts = [*seen, *(chunks(opened.stream) if wide is None else lines)]
    data = b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)
    must_be = format == "json" or inner_name(opened.name).endswith(".json")
    value = _json(opened.name, data, must_be)
    if value is not None:
        return Found("json", json_records(value), notes=notes)
    kind = kind_of(data[:PEEKED], inner_name(opened.name), piped=not opened.ours)
    if kind.name in ("text", "json"):
        return Found("text", None, data, notes)
    return _of_kind(replace(opened, stream=io.BufferedReader(io.BytesIO(data))), kind, notes)


def read_kind(opened: Opened, kind: Kind, note: Callable[[str, str], None]) -> Records | Iterator[Document]:
    """Read an input as a kind of file.

    note: Receives what was changed, with its reason.
    Raises `SourceError` if packages that reading it needs are not installed.
    """
    if not kind.is_installed:
        raise SourceError(mark("{path}: {cause}."), reason="not-installed", path=opened.name, cause=kind.why_not)
    return kind.read(Content(inner_name(opened.name), opened.name, opened.raw, opened.stream, note=note))


def _of_kind(opened: Opened, kind: Kind, notes: tuple[str, ...] = ()) -> Found:
    """What the reader of a kind finds in an input."""
    changes: list[str] = []
    found = read_kind(opened, kind, lambda change, reason: changes.append(reason or tr(change)))
    if isinstance(found, Records):
        return Found(kind.name, iter(found.records), notes=notes)
    # Read now, so that the notes about it are known.
    first = list(islice(found, 1))
    return Found(kind.name, None, notes=(*notes, *changes), documents=chain(first, found))


def _to_first(lines: Iterator[bytes | str]) -> Iterator[bytes | str]:
    """Lines up to and including the first that is not blank."""
    for line in lines:
        yield line
        if line.strip():
            return


def _json(name: str, data: bytes, must_be: bool) -> Any:
    """A JSON text that is an object, or an array of objects or texts; None for anything else.

    A single conversation, given as an array of turns, is treated as an object with these "messages".
    """
    # Only an array or an object can hold records. Most texts are told apart by this, without a parser.
    if data.removeprefix(codecs.BOM_UTF8).lstrip()[:1] not in (b"[", b"{") and not must_be:
        return None
    try:
        value = parse_json(data)
    except ValueError as error:
        if must_be:
            raise SourceError(
                mark("{path}: {cause}."), reason="not-json", path=name, cause=error, option="format"
            ) from error
        return None
    if isinstance(value, list) and looks_like_chat({"messages": value}):
        return {"messages": value}
    if isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], dict | str)):
        return value
    if must_be:
        raise SourceError(
            mark("{path} contains neither a JSON object nor an array of objects."), reason="no-records", path=name
        )
    return None


def _read_as(encoding: str) -> str:
    return tr("read as {encoding}", encoding=encoding)


def encoding_notes(decoded: Decoded) -> tuple[str, ...]:
    """Note everything that is not plain UTF-8."""
    notes = [] if decoded.encoding == UTF8 else [_read_as(decoded.encoding)]
    if decoded.note:
        notes.append(decoded.note)
    if decoded.broken:
        notes.append(tr("invalid bytes replaced by U+FFFD: {broken:,}", broken=decoded.broken))
    return tuple(notes)


def open_records(source: Source) -> tuple[str, Iterator[Record]]:
    """Open an input of records, whatever their fields are.

    source: As in `open_stream`: JSON Lines, JSON, CSV or Parquet, compressed or not.
    Returns: The name of the input, and its records. One that cannot be read has a problem.
    Raises `SourceError` if the input cannot be read, also while records are read, or is a plain text.
    """
    opened = open_stream(source)
    try:
        with translated(opened.name):
            found = find_records(opened, "auto")
        if found.records is None:
            raise SourceError(
                mark("{path} contains neither a JSON object nor an array of objects."),
                reason="no-records",
                path=opened.name,
            )
    except BaseException:
        opened.close()
        raise
    records = _records(opened, found.records)
    # The records need not be read: the last reference also closes the file.
    weakref.finalize(records, opened.close)
    return opened.name, records


def _records(opened: Opened, records: Iterator[Record]) -> Iterator[Record]:
    try:
        with translated(opened.name):
            yield from records
    finally:
        opened.close()
