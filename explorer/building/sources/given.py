"""What a caller of the library gives to a build: paths, records, or tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from explorer.backends.request import TokenizerObject
from explorer.building.request import BuildRequest
from explorer.building.sources.copies import without_copies
from explorer.building.sources.file_source import DocumentSource, FileSource
from explorer.building.sources.manifested import manifest_files, manifest_side
from explorer.building.sources.readers import ReadState, list_files
from explorer.building.sources.record_source import RecordSource, Rows, rows_failed, rows_of_arrow, rows_of_mappings
from explorer.building.sources.side_metadata import side_of, without_table
from explorer.building.sources.source import FILES_LEFT_OUT, SourceFile, left_out
from explorer.building.sources.walk import with_known_ids
from explorer.core.files.paths import exists
from explorer.errors import SourceError
from explorer.http.wire.hub import is_hub
from explorer.i18n import mark
from explorer.text.tokens.in_memory import wrap_tokenizer


class ArrowStream(Protocol):
    """A table of any library that hands it over as an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The stream, as the Arrow PyCapsule interface defines it."""
        ...


_LONGEST = 80
"""Characters that are shown of a string that is not a path."""
FilePath = str | PathLike[str]
Sources = FilePath | Iterable[FilePath] | Iterable[Mapping[str, Any]] | ArrowStream
"""Paths of files and folders, an iterable of mappings, or a table that can be read as an Arrow stream."""


def recognize_sources(given: Sources, metadata_fields: Sequence[str] | None = None) -> tuple[Path, ...] | Rows:
    """Tell paths from records and tables.

    given: What the caller gave. Strings are always paths.
    metadata_fields: The columns of a table that become metadata; None for all.
    Returns: The paths, or the rows. Of an iterator, one item is read, and is still among the rows.
    Raises `SourceError` if it is something else.
    """
    if isinstance(given, str | PathLike):
        return (Path(given),)
    label = f"the {type(given).__name__}"
    # A query of polars, which is run now.
    if hasattr(given, "collect") and hasattr(given, "collect_schema"):
        given = given.collect()
    # First of all: a DataFrame is an iterable, too, of the names of its columns.
    if hasattr(given, "__arrow_c_stream__"):
        return rows_of_arrow(given, label, metadata_fields)
    # As before pandas 2.2: iterated, it would give the names of its columns, which are not paths.
    if hasattr(given, "itertuples") and hasattr(given, "columns"):
        raise SourceError(
            mark("The {kind} cannot be read as an Arrow stream, which pandas has since version 2.2."),
            reason="no-arrow-stream",
            kind=type(given).__name__,
        )
    if isinstance(given, Mapping) and given and all(_is_split(each) for each in given.values()):
        return rows_of_mappings(_Splits(given), label)
    if isinstance(given, Mapping):
        raise SourceError(
            mark("The {kind} is a single mapping, not several of them or a table."),
            reason="single-mapping",
            kind=type(given).__name__,
        )
    if not isinstance(given, Iterable):
        raise SourceError(
            mark("The {kind} is neither a path, nor an iterable of mappings, nor a table with an Arrow stream."),
            reason="not-a-source",
            kind=type(given).__name__,
        )
    return _paths_or_rows(given, label)


def _paths_or_rows(given: Iterable[Any], label: str) -> tuple[Path, ...] | Rows:
    """By the first item: the others must be of its kind."""
    try:
        head = list(islice(given, 1))
    # Whatever a generator of the caller raises, as in the middle of a build.
    except Exception as error:
        raise rows_failed(label, 0, error) from error
    # An iterator has no second beginning, so what was read is put before the rest.
    whole = chain(head, given) if isinstance(given, Iterator) else given
    if head and isinstance(head[0], str | PathLike):
        paths = list(whole)
        _require_paths(paths)
        return tuple(_path_of(item, number) for number, item in enumerate(paths, 1))
    return rows_of_mappings(whole, label)


def _require_paths(given: Sequence[Any]) -> None:
    """Refuse strings of which none is a path: they may be texts."""
    if all(isinstance(each, str) and each != "-" and not is_hub(each) and not exists(Path(each)) for each in given):
        raise SourceError(
            mark(
                "{path} does not exist. If the strings are texts and not paths, make a record of each: "
                '[{{"text": text}} for text in texts].'
            ),
            reason="texts-as-paths",
            path=given[0] if len(given[0]) <= _LONGEST else f"{given[0][:_LONGEST]}…",
        )


def _is_split(value: object) -> bool:
    """Whether this is a data set of Hugging Face, which a DatasetDict has by name."""
    return isinstance(value, Iterable) and hasattr(value, "column_names") and hasattr(value, "features")


@dataclass(frozen=True)
class _Splits:
    """The rows of all splits of a DatasetDict, with the name of the split."""

    splits: Mapping[Any, Any]

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for name, rows in self.splits.items():
            for row in rows:
                # A column of this name stays what it is.
                yield {"split": str(name), **row}

    def __len__(self) -> int:
        return sum(map(len, self.splits.values()))


def _path_of(item: object, number: int) -> Path:
    if isinstance(item, str | PathLike):
        return Path(item)
    raise SourceError(
        mark("Source {number} is of type {kind}, and the first one is a path."),
        reason="mixed-sources",
        number=number,
        kind=type(item).__name__,
    )


def request_of(
    sources: Sources,
    out: FilePath,
    *,
    tokenizer: FilePath | TokenizerObject,
    metadata_fields: Sequence[str] | None,
    metadata: FilePath,
    manifest: FilePath = "",
    **options: Any,
) -> tuple[BuildRequest, Rows | None]:
    """Make the request of a build from the arguments of a caller.

    Returns: The request, and the rows if the sources are in memory.
    Raises `SourceError` if the sources are neither paths nor records.
    """
    given = None if isinstance(tokenizer, str | PathLike) else wrap_tokenizer(tokenizer)
    # A single name would otherwise be taken for its letters.
    fields = (metadata_fields,) if isinstance(metadata_fields, str) else metadata_fields
    found = () if manifest and _is_nothing(sources) else recognize_sources(sources, fields)
    if manifest and found != ():
        raise SourceError(
            mark("{path} names the files that are read, so there are no other sources."),
            reason="manifest-and-sources",
            option="manifest",
            path=manifest,
        )
    rows = found if isinstance(found, Rows) else None
    request = BuildRequest(
        sources=found if not isinstance(found, Rows) else (),
        out=Path(out),
        tokenizer=given.name if given is not None else str(tokenizer),
        given=given,
        metadata_fields=None if fields is None else tuple(fields),
        metadata=str(metadata),
        manifest=str(manifest),
        in_memory=rows.label if rows is not None else "",
        **options,
    )
    return request, rows


def _is_nothing(sources: Sources) -> bool:
    return isinstance(sources, Sequence) and not isinstance(sources, str) and not sources


def open_source(request: BuildRequest, rows: Rows | None) -> DocumentSource:
    """Open the source of a build.

    rows: Records in memory; None for the files of the request.
    Raises `SourceError` if a file or folder cannot be read, or the table of metadata does not fit.
    """
    state = ReadState()
    if rows is not None:
        check_rows(request, rows)
        return RecordSource(rows, request.options(), state)
    return file_source(request, state)


def file_source(request: BuildRequest, state: ReadState, again: bool = False) -> FileSource:
    """Open the files of a build.

    state: Receives a note about each file that is left out.
    again: Whether a pipe is read a second time.
    Raises `SourceError` if a file or folder cannot be read, or the table of metadata does not fit.
    """
    return source_of(request, listed_files(request, state, again), state)


def listed_files(request: BuildRequest, state: ReadState, again: bool = False) -> list[SourceFile]:
    """List the files of a build, without the table of their metadata; parameters as of `file_source`."""
    if request.manifest:
        named = manifest_files(request.manifest, state, request.skip_bad, request.encoding)
        return list(with_known_ids(named, state, request.reading.ids))
    ids = request.reading.ids
    listed = list_files(request.sources, state, request.skip_bad, again, request.encoding, request.exclude, ids)
    return without_table(request.metadata, listed, state)


def source_of(request: BuildRequest, files: Sequence[SourceFile], state: ReadState) -> FileSource:
    """The documents of files that are listed already; raises SourceError if the table of metadata does not fit."""
    if request.manifest:
        side = manifest_side(request.manifest, request.encoding, files)
    else:
        side = side_of(request.metadata, request.encoding, files, state)
    # After the table was compared with all files, copies included: each of its rows has its file.
    files = without_copies(files, request.skip_duplicates, state)
    # Before documents are read, which adds notes.
    found = len(files) + left_out(state.skipped, FILES_LEFT_OUT)
    return FileSource(files, request.options(side), state, found)


def check_rows(request: BuildRequest, rows: Rows) -> None:
    """Check that a build can read records in memory.

    Raises `SourceError` if the request has options that only files have.
    """
    if request.metadata:
        raise SourceError(
            mark("A table of metadata belongs to files; the fields of records in memory are their metadata."),
            reason="metadata-of-records",
            option="metadata",
        )
    if request.shards > 1 and not rows.total:
        raise SourceError(
            mark("{name} has no length, so it cannot be divided into {shards} shards."),
            reason="unknown-length",
            option="shards",
            name=rows.title,
            shards=request.shards,
        )
