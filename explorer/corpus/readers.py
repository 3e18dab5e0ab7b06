"""Sources of a build: files and folders become documents with metadata.

One document a file for plain text, Markdown and source code; one a line for JSONL (also `.gz`,
`.zst`); one a row for Parquet. Every field but the text is kept as metadata. Bytes that are no
UTF-8 become U+FFFD and are counted.
"""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

import zstandard

from explorer.corpus.folders import is_file, is_folder
from explorer.errors import SourceError
from explorer.words import tr

JSONL_ENDINGS = (".jsonl", ".ndjson", ".jsonl.gz", ".jsonl.zst", ".json.gz", ".json.zst", ".ndjson.gz", ".ndjson.zst")
PARQUET_ENDINGS = (".parquet",)
_SNIFFED_BYTES = 8192
_MAX_LINE = 1 << 30


@dataclass(frozen=True)
class SourceDocument:
    """One document: its text, where it came from, and every further field."""

    text: str
    path: str
    linenum: int
    metadata: dict[str, Any]


MOST_PROBLEMS = 1_000


@dataclass(frozen=True)
class Problem:
    """Something that a build left out or changed: the file, where in it (line or row, 0: the whole), and why."""

    path: str
    place: int
    reason: str


@dataclass
class ReadState:
    """What reading met so far; `bytes_done` counts bytes of the sources as they lie on disk.

    skipped: how often each reason was met. problems: the first 1,000 of them, each with its place.
    """

    bytes_done: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)

    def note(self, kind: str, path: Path, place: int = 0, reason: str = "") -> None:
        """Count a reason, and keep where it was met."""
        self.skipped[kind] += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(str(path), place, reason or kind))


@dataclass(frozen=True)
class ReadOptions:
    """text_field: the JSONL or Parquet field with the text. skip_bad: count bad documents and files, and go on."""

    text_field: str = "text"
    skip_bad: bool = False


@dataclass(frozen=True)
class SourceFile:
    """A file to read, the name it gets in the metadata, its size in bytes, and when it was changed (ns)."""

    path: Path
    name: str
    size: int
    changed: int = 0


def list_files(sources: Sequence[Path], state: ReadState, skip_bad: bool = False) -> list[SourceFile]:
    """Every file of the sources, folders walked in sorted order; hidden and binary files are counted as skipped.

    Raises SourceError for a source that does not exist, and for one that cannot be read unless skip_bad.
    """
    files: list[SourceFile] = []
    for source in sources:
        if is_file(source):
            files.append(source_file(source, source.name))
        elif is_folder(source):
            files += _walk(source, state, skip_bad)
        else:
            raise SourceError(tr("{source} does not exist. Check the path of the source.", source=source))
    return files


def source_file(path: Path, name: str) -> SourceFile:
    """A file as it is now."""
    found = path.stat()
    return SourceFile(path, name, found.st_size, found.st_mtime_ns)


def _walk(folder: Path, state: ReadState, skip_bad: bool) -> Iterator[SourceFile]:
    def refuse(error: OSError) -> None:
        if skip_bad:
            state.note("folders and files that cannot be read", Path(error.filename), reason=str(error.strerror))
            return
        raise SourceError(
            tr(
                "{filename} cannot be read: {strerror}. Check its permissions.",
                filename=error.filename,
                strerror=error.strerror,
            )
        ) from error

    for root, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(names):
            path = Path(root) / name
            if skip_bad and path.is_file() and not os.access(path, os.R_OK):
                refuse(PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path)))
                continue
            if name.startswith(".") or not path.is_file():
                state.note("hidden or special files", path)
            elif name.lower().endswith(JSONL_ENDINGS + PARQUET_ENDINGS) or _looks_like_text(path):
                yield source_file(path, path.relative_to(folder).as_posix())
            else:
                state.note("binary files", path)


def _looks_like_text(path: Path) -> bool:
    """No zero byte at the beginning, and UTF-8 but for a character that the cut may have split."""
    try:
        with open(path, "rb") as file:
            head = file.read(_SNIFFED_BYTES)
    except OSError as error:
        raise SourceError(
            tr("{path} cannot be read: {strerror}. Check its permissions.", path=path, strerror=error.strerror)
        ) from error
    if b"\0" in head:
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(head) - 4
    return True


def read_documents(files: Sequence[SourceFile], options: ReadOptions, state: ReadState) -> Iterator[SourceDocument]:
    """The documents of the files, one after the other; `state` tells how far it is."""
    done = 0
    for file in files:
        state.bytes_done = done
        try:
            yield from _read_file(file, options, state, done)
        except OSError as error:
            _refuse(file, options, state, tr("cannot be read: {reason}", reason=error.strerror or error), error)
        except (EOFError, zstandard.ZstdError) as error:
            _refuse(
                file, options, state, tr("cannot be decompressed: {error}. Fetch the file again", error=error), error
            )
        else:
            _note_change(file, state)
        done += file.size
        state.bytes_done = done


def _refuse(file: SourceFile, options: ReadOptions, state: ReadState, reason: str, error: Exception) -> None:
    """Stop at a file that cannot be read, or count it; what was read of it before stays."""
    if not options.skip_bad:
        raise SourceError(
            tr("{path} {reason}. Mend it, or leave such files out with --skip-bad.", path=file.path, reason=reason)
        ) from error
    state.note("files that cannot be read to their end", file.path, reason=reason)


def _note_change(file: SourceFile, state: ReadState) -> None:
    """A file that is written while it is read may have been read half old and half new."""
    try:
        found = file.path.stat()
    except OSError:
        state.note("files that vanished after they were read", file.path)
        return
    if (found.st_size, found.st_mtime_ns) != (file.size, file.changed):
        state.note("files that changed since the build began", file.path)


def _read_file(file: SourceFile, options: ReadOptions, state: ReadState, done: int) -> Iterator[SourceDocument]:
    name = file.path.name.lower()
    if name.endswith(JSONL_ENDINGS):
        return _read_jsonl(file, options, state, done)
    if name.endswith(PARQUET_ENDINGS):
        return _read_parquet(file, options, state, done)
    return _read_text(file, state)


def _read_text(file: SourceFile, state: ReadState) -> Iterator[SourceDocument]:
    data = file.path.read_bytes()
    if file.path.name.lower().endswith((".gz", ".zst")):
        data = _decompress(data, file.path)
    yield SourceDocument(_decode(data, file.path, state), file.name, 0, {})


def _decompress(data: bytes, path: Path) -> bytes:
    if path.name.lower().endswith(".gz"):
        return gzip.decompress(data)
    return zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)).read()


def _decode(data: bytes, path: Path, state: ReadState) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        kind = "documents with bytes that are no UTF-8 (replaced)"
        state.note(kind, path, reason=f"byte {error.start:,} is no UTF-8; such bytes became U+FFFD")
        return data.decode("utf-8-sig", errors="replace")


def _read_jsonl(file: SourceFile, options: ReadOptions, state: ReadState, done: int) -> Iterator[SourceDocument]:
    with open(file.path, "rb") as raw:
        for number, line in enumerate(_lines(raw, file.path)):
            state.bytes_done = done + raw.tell()
            if not line.strip():
                continue
            try:
                text, fields = _parse_line(line, options.text_field)
            except ValueError as error:
                if not options.skip_bad:
                    raise SourceError(
                        tr(
                            "{path}, line {number}: {error}. Mend the line, choose the field with --text-field, or "
                            "leave such lines out with --skip-bad.",
                            path=file.path,
                            number=number + 1,
                            error=error,
                        )
                    ) from error
                state.note("bad lines", file.path, number + 1, str(error))
                continue
            yield SourceDocument(text, file.name, number, fields)


def _lines(raw: IO[bytes], path: Path) -> Iterator[bytes]:
    name = path.name.lower()
    stream: IO[bytes] = raw
    if name.endswith(".gz"):
        stream = cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    elif name.endswith(".zst"):
        stream = io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True))
    while line := stream.readline(_MAX_LINE):
        if len(line) == _MAX_LINE:
            raise SourceError(
                tr("{path} has a line of over 1 GiB, which is no document. Split the file into lines.", path=path)
            )
        yield line


def _parse_line(line: bytes, text_field: str) -> tuple[str, dict[str, Any]]:
    """Text and other fields of a JSON line; raises ValueError in words that follow "line N:"."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(tr("this is not JSON ({error})", error=error)) from error
    if not isinstance(value, dict):
        raise ValueError(tr("this is not a JSON object"))
    if text_field not in value:
        raise ValueError(
            tr(
                'the field "{text_field}" is missing (there are: {fields})',
                text_field=text_field,
                fields=", ".join(map(str, value)) or "none",
            )
        )
    text = value.pop(text_field)
    if not isinstance(text, str):
        raise ValueError(tr('the field "{text_field}" holds no text', text_field=text_field))
    return text, value


def _read_parquet(file: SourceFile, options: ReadOptions, state: ReadState, done: int) -> Iterator[SourceDocument]:
    # Imported here: it takes longer to load than the rest of the program, and few builds need it.
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.ParquetFile(file.path)
        names = table.schema_arrow.names
        if options.text_field not in names:
            raise SourceError(
                tr(
                    '{path} has no column "{text_field}" (there are: {names}). Choose the column with --text-field.',
                    path=file.path,
                    text_field=options.text_field,
                    names=", ".join(names),
                )
            )
        rows = max(1, table.metadata.num_rows)
        number = 0
        for batch in table.iter_batches(batch_size=1024):
            for row in batch.to_pylist():
                text = row.pop(options.text_field)
                state.bytes_done = done + file.size * number // rows
                if isinstance(text, str):
                    yield SourceDocument(text, file.name, number, row)
                elif options.skip_bad:
                    state.note("bad rows", file.path, number + 1, f'"{options.text_field}" holds no text')
                else:
                    raise SourceError(
                        tr(
                            '{path}, row {number}: the column "{text_field}" holds no text. Leave such rows out with '
                            "--skip-bad.",
                            path=file.path,
                            number=number + 1,
                            text_field=options.text_field,
                        )
                    )
                number += 1
    except pyarrow.ArrowException as error:
        raise SourceError(tr("{path} is no readable Parquet file: {error}.", path=file.path, error=error)) from error
