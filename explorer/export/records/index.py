"""An index, what a build needs and leaves out, and what is wrong with an index, as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.backends.protocol.protocol import Backend, LocalFacts
from explorer.building.estimate.estimate import BuildEstimate, SampleText
from explorer.building.known import Fate
from explorer.building.verify.verify import VerifyReport


@dataclass(frozen=True)
class FieldRecord:
    """A metadata field.

    Attributes
    ----------
    name
        Its name.
    document_count
        The documents that have it; None if they were not counted.
    """

    name: str
    document_count: int | None


@dataclass(frozen=True)
class SkippedRecord:
    """What a build left out or changed, of one kind.

    Attributes
    ----------
    reason
        The kind.
    count
        How often.
    examples
        The first 20 files.
    """

    reason: str
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class FileRecord:
    """A file of an index.

    Attributes
    ----------
    name
        Its name in the folder.
    size_bytes
        Its size.
    """

    name: str
    size_bytes: int


@dataclass(frozen=True)
class FileKindRecord:
    """The files of one kind.

    Attributes
    ----------
    kind
        Its name, as of `--input`; "" for files whose beginning cannot be read.
    file_count
        The number of files.
    size_bytes
        Their size; None if that is not recorded.
    """

    kind: str
    file_count: int
    size_bytes: int | None


@dataclass(frozen=True)
class BuildRecord:
    """How an index was built.

    Attributes
    ----------
    sources
        The paths that it was built from.
    parameters
        The parameters of the build, such as the field of the text.
    created
        When the build ended, in ISO 8601.
    seconds
        How long it took; None if that is not recorded.
    program
        The program that built it, with its version.
    skipped
        What was left out or changed.
    files
        The files of the index.
    files_found
        The files of the sources; None if that is not recorded, and for records in memory.
    files_read
        Those with a document in the index; None if that is not recorded.
    files_skipped
        Those without; None if that is not recorded.
    documents_found
        The documents of the sources, with bad lines and rows; None if that is not recorded.
    documents_skipped
        Bad lines and rows; None if that is not recorded.
    kinds
        The files by kind; empty if that is not recorded.
    """

    sources: tuple[str, ...]
    parameters: dict[str, Any]
    created: str
    seconds: float | None
    program: str
    skipped: tuple[SkippedRecord, ...]
    files: tuple[FileRecord, ...]
    files_found: int | None
    files_read: int | None
    files_skipped: int | None
    documents_found: int | None
    documents_skipped: int | None
    kinds: tuple[FileKindRecord, ...]


@dataclass(frozen=True)
class SourceRecord:
    """What became of a file of the sources.

    Attributes
    ----------
    path
        Where the file was.
    kind
        The name of its kind, as of `--input`; None if that is not recorded.
    size_bytes
        Its size; None for a file that was skipped, and if that is not recorded.
    document_count
        Its documents in the index; None if that is not known, as of two files with one name.
    skipped
        Why it was skipped, as one of the reasons in the facts of the index; None for a file that was read.
    reason
        What is wrong with it, or what to do; None for a file that was read.
    """

    path: str
    kind: str | None
    size_bytes: int | None
    document_count: int | None
    skipped: str | None
    reason: str | None


@dataclass(frozen=True)
class SourceFacts:
    """How many files there were, and how many of them are listed.

    Attributes
    ----------
    files_found
        The files of the sources; None if that is not recorded, and for records in memory.
    files_read
        Those with a document in the index; None if that is not recorded.
    files_skipped
        Those without; None if that is not recorded.
    files_listed
        The files that are listed: up to 200,000 of a build, and up to 1,000 that were skipped.
    """

    files_found: int | None
    files_read: int | None
    files_skipped: int | None
    files_listed: int


@dataclass(frozen=True)
class IndexRecord:
    """An index.

    Attributes
    ----------
    path
        Its folder or address; the first of several.
    paths
        All folders or addresses that were opened as one.
    name
        Its name.
    token_count
        Its tokens, with a separator per document.
    document_count
        Its documents.
    shard_count
        Its shards; None for an index that is not on this machine.
    token_width
        Bytes per token; None for an index that is not on this machine.
    pointer_widths
        Bytes per entry of the suffix array, by shard.
    reversed_text
        Whether documents are stored backwards, by shard.
    tokenizer
        The name of its tokenizer; None without one.
    tokenizer_style
        How the tokenizer writes spaces; None without one.
    vocabulary_size
        The tokens of its vocabulary; None without a tokenizer.
    fields
        Its metadata fields.
    metadata_fields
        Their names.
    metadata_fields_complete
        Whether these are all fields, and not only those of a sample of documents.
    build
        How it was built; None if that is not recorded.
    """

    path: str
    paths: tuple[str, ...]
    name: str
    token_count: int
    document_count: int
    shard_count: int | None
    token_width: int | None
    pointer_widths: tuple[int, ...]
    reversed_text: tuple[bool, ...]
    tokenizer: str | None
    tokenizer_style: str | None
    vocabulary_size: int | None
    fields: tuple[FieldRecord, ...]
    metadata_fields: tuple[str, ...]
    metadata_fields_complete: bool
    build: BuildRecord | None


@dataclass(frozen=True)
class FindingRecord:
    """One thing that is wrong with an index.

    Attributes
    ----------
    file
        The file.
    problem
        A sentence that names the file and the reason.
    reason
        The kind of the problem, by a name that does not change.
    """

    file: str
    problem: str
    reason: str


@dataclass(frozen=True)
class VerifyFacts:
    """What `verify` states about an index.

    Attributes
    ----------
    path
        Its folder.
    sound
        Whether nothing is wrong.
    deep
        Whether every entry and every line was checked.
    token_count
        Its tokens; None if it could not be opened.
    document_count
        Its documents; None if it could not be opened.
    shard_count
        Its shards; None if it could not be opened.
    checked_place_count
        The places at which the order of the suffix array was compared.
    """

    path: str
    sound: bool
    deep: bool
    token_count: int | None
    document_count: int | None
    shard_count: int | None
    checked_place_count: int


@dataclass(frozen=True)
class EstimateRecord:
    """What a build would make and need.

    Attributes
    ----------
    file_count
        The files that would be read.
    source_bytes
        Their bytes.
    document_count
        The documents; an estimate unless `exact`.
    token_count
        The tokens; always an estimate.
    shard_count
        The shards; always an estimate.
    disk_bytes
        The space that the build needs on the drive; an estimate.
    memory_bytes
        The memory that it needs; an estimate.
    seconds
        How long it takes; an estimate.
    free_disk_bytes
        Free space of the drive; None if unknown.
    free_memory_bytes
        Free memory; None if unknown.
    memory_limit_bytes
        Memory that the build may use; None for no limit.
    exact
        Whether every file was read to its end, so that `document_count` is exact.
    skipped
        What would be left out or changed.
    samples
        Some documents as they were read.
    warnings
        What is worth knowing before the build.
    files_found
        The files of the sources: `file_count` and `files_skipped` together; None for records in memory.
    files_skipped
        The files that would not be read; None for records in memory.
    kinds
        The files that would be read, by kind.
    changed
        What was changed or left out in the files that were looked at.
    """

    file_count: int
    source_bytes: int
    document_count: int
    token_count: int
    shard_count: int
    disk_bytes: int
    memory_bytes: int
    seconds: float
    free_disk_bytes: int | None
    free_memory_bytes: int | None
    memory_limit_bytes: int | None
    exact: bool
    skipped: tuple[SkippedRecord, ...]
    samples: tuple[SampleText, ...]
    warnings: tuple[str, ...]
    files_found: int | None
    files_skipped: int | None
    kinds: tuple[FileKindRecord, ...]
    changed: tuple[SkippedRecord, ...]


def index_record(index: Backend, shard_count: int, metadata_fields: Sequence[str], complete: bool) -> IndexRecord:
    """Give an opened index as a record.

    Parameters
    ----------
    index
        The index.
    shard_count
        Its shards.
    metadata_fields
        The names of its metadata fields.
    complete
        Whether these are all.

    Returns
    -------
    IndexRecord
        The record.
    """
    local = index.local
    parts = local.parts if local else ()
    counts = _document_counts(local)
    tokenizer = index.tokenizer if index.has_tokenizer else None
    return IndexRecord(
        path=index.sources[0],
        paths=tuple(index.sources),
        name=index.name,
        token_count=index.token_count,
        document_count=index.document_count,
        shard_count=shard_count if local else None,
        token_width=local.token_width if local else None,
        pointer_widths=tuple(part.pointer_width for part in parts if part.pointer_width),
        reversed_text=tuple(part.backwards for part in parts),
        tokenizer=tokenizer.name if tokenizer else None,
        tokenizer_style=tokenizer.style if tokenizer else None,
        vocabulary_size=tokenizer.vocabulary_size if tokenizer else None,
        fields=tuple(FieldRecord(name, counts.get(name)) for name in metadata_fields),
        metadata_fields=tuple(metadata_fields),
        metadata_fields_complete=complete,
        build=_build(local),
    )


def source_records(fates: Sequence[Fate]) -> tuple[SourceRecord, ...]:
    """What became of the files of an index."""
    return tuple(
        SourceRecord(each.path, each.kind or None, each.size, each.documents, each.skipped or None, each.reason or None)
        for each in fates
    )


def verify_facts(found: VerifyReport) -> VerifyFacts:
    """What is known of a verified index."""
    # Without a shard it could not be opened, so its sizes are not zero but unknown.
    known = found.shards > 0
    return VerifyFacts(
        path=found.path,
        sound=found.sound,
        deep=found.deep,
        token_count=found.tokens if known else None,
        document_count=found.documents if known else None,
        shard_count=found.shards if known else None,
        checked_place_count=found.places,
    )


def finding_records(found: VerifyReport) -> tuple[FindingRecord, ...]:
    """What is wrong with an index."""
    return tuple(FindingRecord(each.file, each.problem, each.error.reason) for each in found.findings)


def estimate_record(found: BuildEstimate) -> EstimateRecord:
    """Give an estimate as a record; 0 of an estimate is unknown, or no limit."""
    return EstimateRecord(
        file_count=found.files,
        source_bytes=found.source_bytes,
        document_count=found.documents,
        token_count=found.tokens,
        shard_count=found.shards,
        disk_bytes=found.disk,
        memory_bytes=found.memory,
        seconds=found.seconds,
        free_disk_bytes=found.free_disk or None,
        free_memory_bytes=found.free_memory or None,
        memory_limit_bytes=int(found.memory_limit) or None,
        exact=found.exact,
        skipped=skipped_records(found.skipped, found.noticed),
        samples=found.samples,
        warnings=found.warnings,
        files_found=found.files_found,
        files_skipped=None if found.files_found is None else found.files_found - found.files,
        kinds=tuple(FileKindRecord(each.kind, each.files, each.bytes) for each in found.kinds),
        changed=skipped_records(found.changed, found.changed_files),
    )


def skipped_records(skipped: Mapping[str, int], noticed: Mapping[str, Sequence[str]]) -> tuple[SkippedRecord, ...]:
    """What was left out or changed, one record per kind."""
    return tuple(SkippedRecord(kind, count, tuple(noticed.get(kind, ()))) for kind, count in skipped.items())


def _document_counts(local: LocalFacts | None) -> Mapping[str, int]:
    """Documents with each metadata field, if they were counted: of several folders no manifest describes the whole."""
    manifest = local.manifests[0] if local and len(local.manifests) == 1 else None
    return (manifest.metadata_fields if manifest else None) or {}


def _build(local: LocalFacts | None) -> BuildRecord | None:
    manifest = local.manifests[0] if local and len(local.manifests) == 1 else None
    if manifest is None:
        return None
    found, skipped = manifest.read.get("files_found"), manifest.read.get("files_skipped")
    return BuildRecord(
        sources=tuple(manifest.sources),
        parameters=manifest.parameters,
        created=manifest.created,
        seconds=manifest.seconds or None,
        program=manifest.program,
        skipped=skipped_records(manifest.skipped, manifest.noticed),
        files=tuple(FileRecord(name, size) for name, size in manifest.files.items()),
        files_found=found,
        files_read=None if found is None or skipped is None else found - skipped,
        files_skipped=skipped,
        documents_found=manifest.read.get("documents_found"),
        documents_skipped=manifest.read.get("documents_skipped"),
        kinds=tuple(FileKindRecord(kind, number, None) for kind, number in manifest.kinds.items()),
    )
