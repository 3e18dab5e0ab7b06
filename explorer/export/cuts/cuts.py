"""Documents with parts cut out, as files that others' tools read: a new folder, completely or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from explorer import version
from explorer.backends.places import Places
from explorer.backends.protocol.protocol import Backend
from explorer.backends.ranges import Ranges
from explorer.core.files.json_text import write_json
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.export.cuts.files import (
    CutStyle,
    dropped_for,
    whole_files,
    write_annotated,
    write_byte_ranges,
    write_cleaned,
    write_token_ranges,
)
from explorer.export.cuts.texts import CutDocument, Cuts, cut_documents
from explorer.export.destination import ExportError
from explorer.export.new_folder import check_new_folder, new_folder
from explorer.i18n import mark

CutFormat = Literal["byterange", "ranges", "annotated", "cleaned"]
CUT_FORMATS: tuple[CutFormat, ...] = ("byterange", "ranges", "annotated", "cleaned")
MANIFEST = "manifest.json"
KIND = "corpus-explorer/cuts/1"
_OFFSETS: dict[str, str] = {
    "byterange": "bytes from the beginning of the file texts",
    "ranges": "bytes from the beginning of each shard's file of tokens: token places times bytes per token",
    "annotated": "sa_remove_ranges: bytes of UTF-8 from the beginning of each text; sa_remove_ranges_chars: "
    "characters; sa_first_copies: for each range, a document and its token",
    "cleaned": "none: what is cut is not in the file",
}
_WRITERS = {"byterange": write_byte_ranges, "annotated": write_annotated, "cleaned": write_cleaned}


@dataclass(frozen=True)
class CutCounts:
    """What an export read, and what it left.

    Attributes
    ----------
    documents, tokens, bytes
        Of the index: documents, tokens without separators, and bytes of the texts in UTF-8. `bytes` is None where no
        text was read.
    tokens_removed, bytes_removed
        What was cut, or is marked to be.
    ranges, documents_touched, documents_emptied
        Ranges of tokens, documents with at least one, and documents all of whose tokens are in one.
    documents_dropped
        Documents of which too little is left for cleaned texts.
    from_sources, from_tokens
        Documents whose text was read from their source, and documents whose source is gone or has changed: their text
        is what their tokens spell. None where no text was read.
    """

    documents: int = 0
    tokens: int = 0
    bytes: int | None = None
    tokens_removed: int = 0
    bytes_removed: int | None = None
    ranges: int = 0
    documents_touched: int = 0
    documents_emptied: int = 0
    documents_dropped: int = 0
    from_sources: int | None = None
    from_tokens: int | None = None


@dataclass(frozen=True)
class CutExport:
    """An export that was written.

    Attributes
    ----------
    folder
        Its folder.
    format
        "byterange", "ranges", "annotated" or "cleaned".
    counts
        What was read and cut.
    files
        The size of each file in bytes, by name, without the manifest.
    """

    folder: Path
    format: str
    counts: CutCounts
    files: dict[str, int]


@dataclass(frozen=True)
class CutRequest:
    """What to export.

    style: How files are written.
    sources_only: Whether to refuse if the source of a document that is cut is gone or has changed.
    about: What else the manifest states, such as the rule and the length.
    first: For each range, where what it begins with occurs first; None if they are not copies.
    """

    ranges: Ranges
    folder: Path
    format: CutFormat = "cleaned"
    style: CutStyle = field(default_factory=CutStyle)
    sources_only: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)
    first: Places | None = None


def export_cuts(
    index: Backend, request: CutRequest, report: Report = no_report, cancel: CancelToken | None = None
) -> CutExport:
    """Write documents with parts cut out, or marked, to a new folder.

    Raises `QueryError` if the format is unknown, or the ranges are not of this index.
    Raises `ExportError` if the folder exists, is inside the index or a source, or cannot be written; or sources are
        asked for and one is gone or has changed.
    Raises `CapabilityError` if places in files are asked for and the index has none.
    Raises `TokenizerError` if texts are asked for and no tokenizer is known.

    Notes
    -----
    Cost: reading all documents, and their sources where they exist. Memory: that of
    about a thousand documents.
    """
    _check(index, request)
    with new_folder(request.folder, read_for(index)) as folder:
        if request.format == "ranges":
            write_token_ranges(folder, index, request.ranges)
            counts = cut_counts(index, request.ranges)
        else:
            counts = _write_texts(folder, index, request, report, cancel or CancelToken())
        files = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
        facts = _facts(index, request, counts, files)
        (folder / MANIFEST).write_text(write_json(facts, indent=2) + "\n", encoding="utf-8")
    return CutExport(request.folder, request.format, counts, files)


def read_for(index: Backend) -> tuple[str | Path, ...]:
    """The folders that an export must not be in: those of the index, and what it was built from."""
    if index.local is None:
        return ()
    built_from = (source for manifest in index.local.manifests if manifest for source in manifest.sources)
    return (*index.local.folders, *built_from)


def check_place(index: Backend, folder: Path) -> None:
    """Refuse a folder for an export before the work.

    Raises `ExportError` if it exists, or is inside the index or a source.
    """
    check_new_folder(folder, read_for(index))


def _check(index: Backend, request: CutRequest) -> None:
    if request.format not in CUT_FORMATS:
        raise QueryError(mark("format must be byterange, ranges, annotated or cleaned."), reason="wrong-argument")
    # Before minutes of reading.
    check_place(index, request.folder)
    if request.format == "ranges":
        whole_files(index)
    ranges = request.ranges
    if request.first is not None and len(request.first) != len(ranges):
        raise QueryError(mark("first must have a place for each range."), reason="wrong-argument")
    if len(ranges) and (
        ranges.documents[-1] >= index.document_slots or (ranges.ends > index.documents.lengths(ranges.documents)).any()
    ):
        raise QueryError(mark("These ranges are not of this index."), reason="other-index")


def cut_counts(index: Backend, ranges: Ranges) -> CutCounts:
    """Count what is cut, without reading texts.

    Returns: Documents and tokens; bytes and sources are None.
    """
    whole = (ranges.starts == 0) & (ranges.ends == index.documents.lengths(ranges.documents))
    return CutCounts(
        documents=index.document_count,
        tokens=index.token_count - index.document_count,
        tokens_removed=ranges.tokens,
        ranges=len(ranges),
        documents_touched=ranges.documents_touched,
        documents_emptied=int(whole.sum()),
    )


def _write_texts(folder: Path, index: Backend, request: CutRequest, report: Report, cancel: CancelToken) -> CutCounts:
    counts, tally = cut_counts(index, request.ranges), _Tally()

    def watched() -> Iterator[CutDocument]:
        for done, document in enumerate(cut_documents(index, Cuts(request.ranges, request.first))):
            cancel.check()
            report(Progress("Writing documents", done, counts.documents, "documents"))
            if request.sources_only and document.spans and not document.original:
                raise _gone(document)
            tally.add(document, request.style)
            yield document

    _WRITERS[request.format](folder, watched(), request.style)
    return replace(counts, **vars(tally))


@dataclass
class _Tally:
    """Counts of texts that grow with each document, under the names of `CutCounts`."""

    bytes: int = 0
    bytes_removed: int = 0
    documents_dropped: int = 0
    from_sources: int = 0
    from_tokens: int = 0

    def add(self, document: CutDocument, style: CutStyle) -> None:
        """Count a document."""
        self.bytes += len(document.text.encode())
        self.bytes_removed += sum(last - first for first, last in document.byte_spans())
        self.documents_dropped += bool(dropped_for(document, style))
        self.from_sources += document.original
        self.from_tokens += not document.original


def _gone(document: CutDocument) -> ExportError:
    return ExportError(
        mark("The source of document {document} ({path}) is gone or has changed, so its text cannot be cut."),
        reason="source-changed",
        option="sources_only",
        document=document.number,
        path=str(document.record.get("path", "")),
    )


def _facts(index: Backend, request: CutRequest, counts: CutCounts, files: dict[str, int]) -> dict[str, Any]:
    before = {"documents": counts.documents, "tokens": counts.tokens, "bytes": counts.bytes}
    after = {
        "documents": counts.documents - (counts.documents_dropped if request.format == "cleaned" else 0),
        "tokens": counts.tokens - counts.tokens_removed,
        "bytes": None if counts.bytes is None else counts.bytes - (counts.bytes_removed or 0),
    }
    return {
        "kind": KIND,
        "program": f"Corpus Explorer {version.VERSION}",
        "format": request.format,
        "index": {"name": index.name, "sources": list(index.sources), "fingerprint": index.fingerprint},
        "tokenizer": index.tokenizer.fingerprint if index.has_tokenizer else None,
        **request.about,
        "before": before,
        "after": after,
        **{name: value for name, value in asdict(counts).items() if name not in before},
        "offsets": _OFFSETS[request.format],
        "files": files,
    }
