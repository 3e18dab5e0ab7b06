"""Sources of a build: files become documents with metadata.

One document per file for plain text, Markdown and source code; HTML and XML without their markup; one per line of
JSON lines, per object of JSON, per row of CSV and Parquet. All may be compressed. Every field but the text is kept as
metadata. What is left out, changed or read in another encoding than UTF-8 is noted with its place.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from explorer.building.side_metadata import fields_of
from explorer.building.source import (
    CUT,
    FILES_LEFT_OUT,
    MOST_PROBLEMS,
    NO_COLUMN,
    NO_DOCUMENT,
    NOTHING_READ,
    UNREADABLE,
    WITH_NULLS,
    WRONG_DECLARATION,
    Problem,
    ReadOptions,
    ReadState,
    SourceFile,
    left_out,
)
from explorer.building.walk import PARQUET_MAGIC, list_files, note_not_text, source_file
from explorer.errors import SourceError
from explorer.files.encoding import UTF8, Decoded, NotTextError, decode_text, line_set, otherwise_set
from explorer.files.json_text import parse_json, write_json
from explorer.files.streams import BrokenStreamError, chunks, inner_name, unpacked
from explorer.files.text_field import MISSING, look_up, missing, nearest_name, shown_names, take_text
from explorer.i18n import mark, tr
from explorer.index.layout import MAX_METADATA_LINE
from explorer.index.writer import SourceDocument
from explorer.readers import markup
from explorer.readers.json_files import json_records
from explorer.readers.json_lines import jsonl_records, lines_of
from explorer.readers.parquet import parquet_records
from explorer.readers.record import Record
from explorer.readers.tables import csv_records

__all__ = [
    "MOST_PROBLEMS",
    "Problem",
    "ReadOptions",
    "ReadState",
    "SourceDocument",
    "SourceFile",
    "list_files",
    "read_documents",
    "source_file",
]

_TABLE_ENDINGS = (".csv", ".tsv", ".tab")
_PEEKED = 1 << 13
_TOKEN_IDS = ("input_ids", "token_ids", "tokens", "ids", "labels")
_BROKEN = (CUT, UNREADABLE)
_HEAVY = 64
"""The most bytes that a number, a name or a bracket of metadata takes."""


def read_documents(files: Sequence[SourceFile], options: ReadOptions, state: ReadState) -> Iterator[SourceDocument]:
    """Yield the documents of the files, in order.

    Parameters
    ----------
    files
        The files to read.
    options
        Where the text of a record is, whether bad lines are skipped, and metadata from a table.
    state
        Receives the progress, and notes about what was left out or changed.

    Yields
    ------
    SourceDocument
        A document with its metadata and its place.

    Raises
    ------
    SourceError
        For what cannot be read. With `skip_bad` it is noted instead, and what came before it is kept.
    """
    done = 0
    for file in files:
        state.bytes_done = done
        known, broken, documents = left_out(state.skipped, FILES_LEFT_OUT), left_out(state.skipped, _BROKEN), 0
        for document in _read_file(file, options, state, done):
            documents += 1
            yield document
        if not documents and left_out(state.skipped, FILES_LEFT_OUT) == known:
            # What is found must be what is read and what is left out.
            faulty = left_out(state.skipped, _BROKEN) > broken
            state.note(NOTHING_READ if faulty else NO_DOCUMENT, file.label)
        # The whole file counts as read, also if it was left out or ended early.
        done += file.size
        state.bytes_done = done


def _read_file(file: SourceFile, options: ReadOptions, state: ReadState, done: int) -> Iterator[SourceDocument]:
    try:
        # One reading per file: an error ends this file only, if such files are to be skipped.
        yield from Reading(file, options, state, done).documents()
    except BrokenStreamError as error:
        _refuse(file, options, state, CUT if error.cut else UNREADABLE, str(error))
    except NotTextError as error:
        # A file that does not begin as text was left out before; this one turns into something else further on.
        note_not_text(file, error, state, options.skip_bad)
    except OSError as error:
        reason = tr("cannot be read: {reason}", reason=error.strerror or error)
        _refuse(file, options, state, UNREADABLE, reason)
    else:
        _note_change(file, state)


def _refuse(file: SourceFile, options: ReadOptions, state: ReadState, kind: str, reason: str) -> None:
    """Stop at a file that cannot be read to the end, or note it."""
    if not options.skip_bad:
        raise SourceError(
            mark("{name} {cause}."),
            reason="source-cut-short" if kind == CUT else "source-damaged",
            option="skip_bad",
            name=file.label,
            cause=reason,
            path=file.path,
        )
    state.note(kind, file.label, reason=reason)


def _note_change(file: SourceFile, state: ReadState) -> None:
    """A file that is written while it is read may have been read half old and half new."""
    try:
        found = file.path.stat()
    except OSError:
        state.note("files that vanished after they were read", file.label)
        return
    if (found.st_size, found.st_mtime_ns) != (file.size, file.changed):
        state.note("files that changed since the build began", file.label)


@dataclass(frozen=True)
class _Whole:
    """All bytes of a file, or those before `broken`; and their text, if it was decoded."""

    data: bytes
    broken: BrokenStreamError | None
    text: str = ""


@dataclass(frozen=True)
class Reading:
    """The reading of one file.

    Attributes
    ----------
    file
        The file.
    options
        How it is read.
    state
        Receives the progress, and notes about what was left out or changed.
    before
        Bytes of the files that were read before it.
    """

    file: SourceFile
    options: ReadOptions
    state: ReadState
    before: int

    def documents(self) -> Iterator[SourceDocument]:
        """Every document of the file."""
        if self._is_parquet():
            yield from self.of_records(parquet_records(self.file.path, self._row_done), "row", table=True)
            return
        with open(self.file.path, "rb") as raw:
            yield from self._of_stream(raw, unpacked(raw, self.file.path.name))

    def _is_parquet(self) -> bool:
        with open(self.file.path, "rb") as raw:
            # By the content first: a pipe has no name, and any name may be wrong. By the name too, so that a damaged
            # file is reported as Parquet.
            return raw.read(4) == PARQUET_MAGIC or self.file.name.lower().endswith(".parquet")

    def _row_done(self, row: int, rows: int) -> None:
        """Report the progress in a file that was read completely or by an index."""
        self.state.bytes_done = self.before + self.file.size * row // max(1, rows)

    def _of_stream(self, raw: IO[bytes], stream: io.BufferedReader) -> Iterator[SourceDocument]:
        name = inner_name(self.file.name)
        if name.endswith((".jsonl", ".ndjson")):
            return self._of_lines(raw, stream)
        if name.endswith(".json"):
            return self._of_json(stream)
        if name.endswith(_TABLE_ENDINGS):
            return self._of_table(stream, name)
        if self._is_unnamed_jsonl():
            self.state.note("pipes read as JSON Lines", self.file.label)
            return self._of_lines(raw, stream)
        return self.of_text(stream, name)

    def _is_unnamed_jsonl(self) -> bool:
        """Whether this is a pipe, which has no name that shows its format, with a JSON object as its first line."""
        if not self.file.is_pipe or Path(inner_name(self.file.name)).suffix:
            return False
        with open(self.file.path, "rb") as raw:
            stream = unpacked(raw)
            first = next((line for line in lines_of(stream, self.file.label) if line.strip()), b"")
        return _is_object(first)

    def _of_lines(self, raw: IO[bytes], stream: io.BufferedReader) -> Iterator[SourceDocument]:
        """The records of JSON Lines, each decoded by itself, so that one bad line is one bad line."""
        known = line_set(stream.peek(_PEEKED), self.options.encoding)
        if known not in ("", UTF8):
            self.state.note(f"files read as {known}", self.file.label)
        sets = [name for name in (known or UTF8, otherwise_set(self.options.encoding)) if name]
        return self.of_records(jsonl_records(self._lines(raw, stream), partial(_parse_in, sets)), "line")

    def _lines(self, raw: IO[bytes], stream: io.BufferedReader) -> Iterator[bytes | str]:
        for line in lines_of(stream, self.file.label, self.options.encoding):
            # The place in the file as stored. It is ahead of the line by what the streams have buffered.
            self.state.bytes_done = self.before + raw.tell()
            yield line

    def _counted(self, records: Iterable[Record], total: int) -> Iterator[Record]:
        """The records of a file that was read completely; `total`: one more than the largest number."""
        for record in records:
            self._row_done(record.number, total)
            yield record

    def of_text(self, stream: io.BufferedReader, name: str) -> Iterator[SourceDocument]:
        """Yield the document of a file that is one text.

        Parameters
        ----------
        stream
            The file's bytes, unpacked.
        name
            The file's name without the endings of packing, in lower case.

        Yields
        ------
        SourceDocument
            The text.

        Raises
        ------
        BrokenStreamError
            If the file cannot be read to its end; with `skip_bad`, what came before is yielded first.
        NotTextError
            If it is not text.
        """
        whole = _read_whole(stream)
        # Yielded before the error is raised, so that the beginning of a damaged file is kept.
        if whole.broken is None or (self.options.skip_bad and whole.data):
            declared = markup.declared_set(whole.data[:_PEEKED], name)
            yield self._text(self._decode(whole, declared), name)
        _raise_broken(whole)

    def _text(self, text: str, name: str) -> SourceDocument:
        if markup.is_markup(text, name):
            self.state.note("files read without their markup (HTML, XML)", self.file.label)
            text = markup.strip_markup(text, markup.is_html(text, name))
        return SourceDocument(text, self.file.name, 0, self._side_fields())

    def _side_fields(self) -> dict[str, Any]:
        fields = fields_of(self.options.side, self.file)
        if fields is None and self.options.side:
            self.state.note("files without a row in the metadata", self.file.label)
        return self.options.kept(fields or {})

    def _decode(self, whole: _Whole, declared: str = "") -> str:
        decoded = decode_text(whole.data, self.options.encoding, declared, whole.broken is None)
        self._note_encoding(decoded)
        return decoded.text

    def _note_encoding(self, decoded: Decoded) -> None:
        if decoded.encoding != UTF8:
            self.state.note(f"files read as {decoded.encoding}", self.file.label, reason=decoded.note)
        elif decoded.note:
            self.state.note(WRONG_DECLARATION, self.file.label, reason=decoded.note)
        if "\0" in decoded.text:
            reason = tr("null bytes: {nulls:,}", nulls=decoded.text.count("\0"))
            self.state.note(WITH_NULLS, self.file.label, reason=reason)
        if decoded.broken:
            reason = tr("invalid bytes replaced by U+FFFD: {broken:,}", broken=decoded.broken)
            self.state.note("files with bytes that are not UTF-8 (replaced)", self.file.label, reason=reason)

    def _of_json(self, stream: io.BufferedReader) -> Iterator[SourceDocument]:
        """JSON Lines, an object or an array of objects; any other JSON is a text, such as a configuration file."""
        whole = self._in_utf8(_read_whole(stream))
        lines = whole.data.splitlines(keepends=True)
        if _are_lines(lines):
            # The last line was cut with the file.
            kept = lines if whole.broken is None else lines[:-1]
            yield from self.of_records(self._counted(jsonl_records(kept), len(lines)), "line")
        elif whole.broken is None:
            yield from self._of_json_value(whole.text or self._decode(whole))
        _raise_broken(whole)

    def _in_utf8(self, whole: _Whole) -> _Whole:
        """The same in UTF-8, if that is not what it may be in."""
        encoding = self.options.encoding
        if line_set(whole.data[:_PEEKED], encoding) == UTF8 and not otherwise_set(encoding):
            return whole
        text = self._decode(whole)
        return _Whole(text.encode(UTF8, "replace"), whole.broken, text)

    def _of_json_value(self, text: str) -> Iterator[SourceDocument]:
        try:
            records = list(json_records(parse_json(text)))
        except ValueError as error:
            records = []
            self.state.note("JSON files read as plain text", self.file.label, reason=str(error))
        first = records[0].fields if records else {}
        # "text" is the default and not a request, so an object without it may be any JSON. A field that the user named
        # must exist, or it is an error.
        if records and (look_up(first, self.options.text_field) is not MISSING or self.options.text_field != "text"):
            yield from self.of_records(self._counted(records, len(records)), "object")
            return
        if records:
            reason = missing(first, self.options.text_field)
            self.state.note("JSON files read as plain text", self.file.label, reason=reason)
        yield SourceDocument(text, self.file.name, 0, self._side_fields())

    def _of_table(self, stream: io.BufferedReader, name: str) -> Iterator[SourceDocument]:
        whole = _read_whole(stream)
        # The rest of the line that was cut is not a row.
        data = whole.data if whole.broken is None else whole.data[: whole.data.rfind(b"\n") + 1]
        if whole.broken is None or self.options.skip_bad:
            rows = csv_records(self._decode(_Whole(data, whole.broken)), name)
            yield from self.of_records(self._counted(rows, data.count(b"\n")), "line", table=True)
        _raise_broken(whole)

    def of_records(self, records: Iterable[Record], unit: str, table: bool = False) -> Iterator[SourceDocument]:
        """Yield the documents of records.

        Parameters
        ----------
        records
            The records.
        unit
            What a record is in messages: "line", "row" or "object".
        table
            Whether all records have the same fields, and an empty field is a missing value.

        Yields
        ------
        SourceDocument
            The text of a record, with its other fields as metadata.

        Raises
        ------
        SourceError
            For a bad record, or a table without the text's column. With `skip_bad` it is noted instead.
        """
        records = iter(records)
        first = next(records, None)
        if first is None:
            return
        if not first.problem and look_up(first.fields, self.options.text_field) is MISSING:
            self._refuse_token_ids(first)
        # Every row has the same columns, so the first one decides, and the error names the file and not a row.
        if table and not first.problem and look_up(first.fields, self.options.text_field) is MISSING:
            self._refuse_table(first)
            return
        for record in chain([first], records):
            try:
                document = self._document(record)
            except ValueError as error:
                self._refuse_record(record, unit, str(error))
                continue
            if table:
                gaps = [name for name, value in document.metadata.items() if value == ""]
                for name in gaps:
                    del document.metadata[name]
            yield document

    def _document(self, record: Record) -> SourceDocument:
        """A record as a document; raises ValueError with the reason if it is not one."""
        if record.problem:
            raise ValueError(record.problem)
        # This removes the text from the record: what is left is the metadata.
        text = take_text(record.fields, self.options.text_field)
        fields = self.options.kept(record.fields)
        # A bound first, so that the JSON is written only to measure records that are near the limit.
        if (record.most or _most_bytes(fields)) > MAX_METADATA_LINE:
            size = len(write_json(fields).encode("utf-8")) + 4 * len(self.file.name) + _HEAVY
            if size > MAX_METADATA_LINE:
                most = MAX_METADATA_LINE
                raise ValueError(tr("its metadata has {size:,} bytes, and the limit is {most:,}", size=size, most=most))
        return SourceDocument(text, self.file.name, record.number, fields)

    def _refuse_record(self, record: Record, unit: str, reason: str) -> None:
        place = record.number + 1
        if self.options.skip_bad:
            self.state.note(f"bad {unit}s", self.file.label, place, reason)
            return
        raise SourceError(
            mark("{name}, {unit} {line}: {cause}."),
            reason="bad-record",
            option="skip_bad",
            name=self.file.label,
            unit=tr(unit),
            line=place,
            cause=reason,
            path=self.file.path,
        )

    def _refuse_token_ids(self, first: Record) -> None:
        """Refuse records that have token ids in place of their text."""
        for name, value in first.fields.items():
            if name in _TOKEN_IDS and isinstance(value, list) and value and isinstance(value[0], int):
                raise SourceError(
                    mark(
                        '{name} has token ids in "{column}" and no text in "{field}". Indexes are built from text: '
                        'decode the ids, [{{"text": tokenizer.decode(row["{column}"])}} for row in rows].'
                    ),
                    reason="token-ids",
                    option="text_field",
                    name=self.file.label,
                    column=name,
                    field=self.options.text_field,
                    path=self.file.path,
                )

    def _refuse_table(self, first: Record) -> None:
        column = self.options.text_field
        names = shown_names(first.fields, column)
        if self.options.skip_bad:
            reason = tr('has no column "{column}" (columns: {names})', column=column, names=names)
            self.state.note(NO_COLUMN, self.file.label, reason=reason)
            return
        near = nearest_name(column, first.fields)
        raise SourceError(
            mark('{name} has no column "{column}" (columns: {names}). Did you mean {near}?')
            if near
            else mark('{name} has no column "{column}" (columns: {names}).'),
            reason="no-text-column",
            option="text_field",
            name=self.file.label,
            column=column,
            names=names,
            near=near,
            path=self.file.path,
        )


def _parse_in(sets: Sequence[str], line: bytes | str) -> Any:
    """The value of a line in the first set that it fits; raises ValueError if it is not JSON in any."""
    for name in sets[:-1]:
        try:
            return parse_json(line, encoding=name)
        except ValueError:
            continue
    return parse_json(line, encoding=sets[-1])


def _read_whole(stream: io.BufferedReader) -> _Whole:
    parts: list[bytes] = []
    try:
        parts.extend(chunks(stream))
    except BrokenStreamError as error:
        return _Whole(b"".join(parts), error)
    return _Whole(b"".join(parts), None)


def _raise_broken(whole: _Whole) -> None:
    if whole.broken is not None:
        raise whole.broken


def _are_lines(lines: Sequence[bytes]) -> bool:
    """Whether the first two non-blank lines are JSON objects, one each."""
    first = list(islice((line for line in lines if line.strip()), 2))
    return len(first) == 2 and all(map(_is_object, first))


def _is_object(line: bytes | str) -> bool:
    try:
        return isinstance(parse_json(line), dict)
    except ValueError:
        return False


def _most_bytes(value: object) -> int:
    """The most bytes that a value can take as JSON."""
    if isinstance(value, str):
        # A control character is written with six characters, any other with at most four bytes.
        return 6 * len(value) + _HEAVY
    if isinstance(value, dict):
        return _HEAVY + sum(map(_most_bytes, value)) + sum(map(_most_bytes, value.values()))
    if isinstance(value, list):
        return _HEAVY + sum(map(_most_bytes, value))
    return _HEAVY if not isinstance(value, int) else _HEAVY + value.bit_length() // 3
