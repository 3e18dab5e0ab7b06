"""Building an index: read, choose or train the tokenizer, tokenize, sort, describe, put in place.

Everything is written to `OUT.partial` beside the target, which is renamed at the very end, so that a folder named OUT
is always complete. `build.json` in it describes what an interrupted build has safely on disk; `resume` continues from
there. A failed build removes only what contains no such work; a cancelled build removes everything.
"""

from __future__ import annotations

import logging
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from explorer.backends.documents.field_names import count_fields
from explorer.backends.request import TokenizerObject
from explorer.building.lock import build_lock
from explorer.building.moment import now, write_report
from explorer.building.place import (
    WORK_NAMES,
    begin_folder,
    check_target,
    is_being_moved,
    move_in_place,
    not_written,
    try_to_move,
)
from explorer.building.request import (
    FM,
    PIECES,
    SUFFIX_ARRAY,
    BuildRequest,
    is_ours,
    named_folder,
    partial_folder,
    remove_partial,
)
from explorer.building.sources.file_source import DocumentSource
from explorer.building.sources.given import Sources, open_source, request_of
from explorer.building.sources.record_source import Rows
from explorer.building.sources.source import MOST_NOTICED, noticed, tally_of
from explorer.building.state import BuildState, can_resume, state_to_resume
from explorer.building.steps.compress import compress_parts, drop_originals
from explorer.building.steps.tables import sort_shards
from explorer.building.steps.tokenize import tokenize
from explorer.core.files.paths import is_file
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.core.jobs.asked import checks_job
from explorer.documents.read_settings import FILE, ReadSettings
from explorer.errors import BuildError, Cancelled, CorpusError, SourceError
from explorer.http.wire.hub import is_hub
from explorer.i18n import mark
from explorer.index.fm.file import runs_of
from explorer.index.layout import MANIFEST_NAME, STATE_NAME
from explorer.index.manifest import Manifest, check_sizes, read_manifest
from explorer.text.special_tokens import AS_TEXT, AS_TOKENS
from explorer.version import VERSION

_TRAINING, _TOKENIZING = 0.1, 0.7
"""Shares of the time: of training, and of the rest."""
Make = Callable[[BuildRequest, DocumentSource, Path, BuildState | None, Report, CancelToken], BuildState]
"""Makes all files of an index in the folder of a build, from what a resumed build has; gives the state with them."""
_LOG = logging.getLogger("explorer.building")
NO_FIELD = mark("metadata fields that no document has")


@checks_job
def build_index(
    sources: Sources,
    out: str | PathLike[str],
    *,
    tokenizer: str | PathLike[str] | TokenizerObject = "train",
    text_field: str = "text",
    metadata_fields: Sequence[str] | None = None,
    shards: int = 1,
    memory: float = 0,
    skip_bad: bool = False,
    resume: bool = False,
    name: str = "",
    metadata: str | PathLike[str] = "",
    encoding: str = "",
    ids: str = "",
    eos: str | int = "",
    language: str = "",
    per: str = FILE,
    keep_headers: bool = False,
    fix_encoding: bool = False,
    special_tokens: str = AS_TEXT,
    format: str = SUFFIX_ARRAY,
    keep_text: bool = False,
    manifest: str | PathLike[str] = "",
    skip_duplicates: bool = False,
    cluster: str = "",
    allow_remote: bool = False,
    insecure: bool = False,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Manifest:
    """Build an index folder from files and folders, from records in memory, or from a table.

    Parameters
    ----------
    sources
        One of these. Files and folders to read, where "-" is standard input and "hf://datasets/OWNER/NAME" a data set
        of the Hugging Face hub; other strings are always paths. An iterable of mappings, such as a list of dicts, a
        generator, or a `datasets.Dataset`. A table that can be read as an Arrow stream, of pandas (2.2), polars,
        pyarrow or duckdb. An iterable of NumPy arrays, each with the token ids of a document. Records are read once, in
        order and in batches; instead of a text they may have token ids, in "input_ids" or the field that `text_field`
        names.
    out
        The index's folder; it must not exist, or be empty.
    tokenizer
        The path of a tokenizer.json; a `tokenizers.Tokenizer` or a fast tokenizer of `transformers`; "bytes" for one
        token per byte; "train" to train a vocabulary on the sources, or "train:N" for one of at most N ids (257 to
        65,535). Of records in memory, it is trained on the first 24 million characters.
    text_field
        Field of records, or column of tables, that holds the text; or a path such as `a.b[0]`.
    metadata_fields
        The fields that are kept as metadata of the documents. None: all but the text.
    shards
        The minimum number of shards, from 1.
    memory
        Bytes that the build may use; a smaller limit makes more shards. 0: no limit.
    skip_bad
        Whether to leave out bad lines and unreadable files, and count them.
    resume
        Whether to continue an interrupted build into `out`, if there is one. Its files are verified by checksum;
        parameters, sources and tokenizer must be the same, except that `skip_bad` may be set. A build from memory
        cannot be resumed, and keeps nothing if it fails.
    name
        What to call the index; "" for the name of its folder.
    metadata
        A CSV or TSV file with metadata of plain texts: its column "path" names the file, relative to its source folder.
        "": none.
    encoding
        The encoding of texts whose encoding cannot be detected, such as "koi8-r" or "shift_jis"; "" leaves them out.
    ids
        The type of the token ids in `.bin` files without an index, such as "uint16"; "" leaves such files out.
    eos
        The token that ends a document in a single row of token ids, or its id.
    language
        The language that is read of parallel texts (TMX, XLIFF), such as "de"; "" for the first one of each file.
    per
        What becomes a document: "file"; "chapter", of books and documents with headings (EPUB, FB2, DOCX, ODT); or
        "cue", of subtitles, with its times as metadata. Other files are read as usual.
    keep_headers
        Whether running headers, footers and page numbers of PDF documents are part of the text.
    fix_encoding
        Whether lines are repaired that were decoded in a wrong character set before they were stored, such as "cafÃ©".
    special_tokens
        How special tokens of the tokenizer that texts contain as text, such as "<|endoftext|>", are encoded: "text" for
        the tokens of that text, "tokens" for the special tokens. The index keeps it, and queries follow it.
    format
        "suffix-array", or "fm" for a compressed index of bytes, less than half as large as the text: searches in it
        take longer, and it answers neither lists nor figures of the whole corpus.
    keep_text
        Whether a compressed index also stores its text, for faster lines.
    manifest
        A table (CSV, TSV, a spreadsheet or Parquet) whose column "file" names the files to read, relative to its own
        folder, in place of `sources`, which are then (). Its other columns become metadata. "": none.
    skip_duplicates
        Whether files whose content an earlier file has are skipped; otherwise they are read and counted.
    cluster
        The address of a scheduler of Dask, such as "tls://node1:8786", whose workers build the index; or "local:N" for
        N processes of this machine. All of them must reach the files and the folder under the same paths. The files
        are equal in every byte to those of one process.
    allow_remote
        Whether the cluster may be on other machines.
    insecure
        Whether it may be there without encryption (tcp://), so that anybody who reaches it can run programs there.
    report
        Called with the progress, on this thread.
    cancel
        Cancels or pauses the build.

    Returns
    -------
    Manifest
        The contents of `index.json`.

    Raises
    ------
    CorpusError
        Its subclasses tell what is wrong and what to do; an exception of a generator is the cause of a `SourceError`
        with its row as `line`. An interrupted build keeps what it has on disk in
        `OUT.partial`; a cancelled build keeps nothing, and a paused one (`CancelToken.pause`) keeps everything that it
        has done.

    Notes
    -----
    Takes about ten bytes of memory per token of the largest shard; `estimate_build` measures a sample. If the variable
    SOURCE_DATE_EPOCH is set, `created` is its moment, and two builds of the same sources are equal in every byte.

    Examples
    --------
    >>> manifest = build_index(texts, folder.with_name("bytes"), tokenizer="bytes")
    >>> manifest.document_count, manifest.token_count
    (4, 87)
    >>> rows = ({"text": f"cat number {number}", "number": number} for number in range(3))
    >>> build_index(rows, folder.with_name("numbers"), tokenizer="bytes").metadata_fields
    {'path': 3, 'linenum': 3, 'number': 3}
    """
    request, rows = request_of(
        sources,
        out,
        tokenizer=tokenizer,
        text_field=text_field,
        metadata_fields=metadata_fields,
        shards=shards,
        memory=memory,
        skip_bad=skip_bad,
        resume=resume,
        name=name,
        metadata=metadata,
        encoding=encoding,
        reading=ReadSettings.of(
            ids=ids,
            eos=str(eos),
            language=language,
            per=per,
            keep_headers=keep_headers,
            fix_encoding=fix_encoding,
        ),
        special_tokens=special_tokens,
        format=format,
        keep_text=keep_text,
        manifest=manifest,
        skip_duplicates=skip_duplicates,
        cluster=cluster,
        allow_remote=allow_remote,
        insecure=insecure,
    )
    return build_requested(request, report, cancel, rows)


def build_requested(
    request: BuildRequest,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    rows: Rows | None = None,
) -> Manifest:
    """Build an index as `build_index` does, from a request.

    rows: Records in memory; None for the files of the request.
    """
    # What is quickly refused comes first: listing the sources may take minutes.
    request.check()
    named_folder(request.out)
    request = _pinned(request)
    return build_from(request, open_source(request, rows), report, cancel)


def _pinned(request: BuildRequest) -> BuildRequest:
    """The request, with the present commits of data sets of the hub."""
    if not any(map(is_hub, request.sources)):
        return request
    # Imported here: few builds need the hub.
    from explorer.building.sources.hub_sources import pinned

    return pinned(request)


def build_from(
    request: BuildRequest, source: DocumentSource, report: Report = no_report, cancel: CancelToken | None = None
) -> Manifest:
    """Build from an opened source, as `build_index` from paths.

    report: Called with the progress of the whole work, on this thread.
    Raises `BuildError` if another build into the same folder is running, or this one cannot be started or resumed.
    """
    # The lock is held from the first check to the last rename, so no other build can come between the two.
    work = _Work(request, source, named_folder(request.out), partial_folder(request.out))
    with build_lock(work.partial) as free:
        if not free:
            raise BuildError(
                mark("Another build into {path} is under way."),
                reason="build-under-way",
                path=request.out,
            )
        with _maker(request) as make:
            return _build(work, make, _of_the_whole(request, report), cancel or CancelToken())


@contextmanager
def _maker(request: BuildRequest) -> Iterator[Make]:
    if not request.cluster:
        yield _made_here
        return
    # Nothing of it is needed otherwise.
    from explorer.building.cluster.making import cluster_of

    with cluster_of(request) as make:
        yield make


def _made_here(
    request: BuildRequest,
    source: DocumentSource,
    partial: Path,
    state: BuildState | None,
    report: Report,
    cancel: CancelToken,
) -> BuildState:
    """Make tokens, then what is searched, in the format that was asked for."""
    if state is None or not state.complete:
        state = tokenize(request, source, partial, state, report, cancel)
    if request.format == FM:
        return compress_parts(partial, state, request.keep_text, report, cancel)
    return sort_shards(partial, state, report, cancel)


def _of_the_whole(request: BuildRequest, report: Report) -> Report:
    """The report, scaled by each stage's part of the whole work, so that a bar runs from 0 to 100 once."""
    trains = _TRAINING if request.trains else 0.0
    tokenizes = _TOKENIZING * (1 - trains)
    # Rough shares of the time: the bar may run unevenly, but never backwards.
    parts = {"Tokenizing": (trains, tokenizes), "Sorting": (trains + tokenizes, 1 - trains - tokenizes)}

    def tell(progress: Progress) -> None:
        # Any other stage is the training, which comes first.
        before, share = parts.get(progress.stage, (0.0, trains))
        report(replace(progress, before=before, share=share))

    return tell


@dataclass(frozen=True)
class _Work:
    """A build with its folders: `out` is the real one that a link leads to."""

    request: BuildRequest
    source: DocumentSource
    out: Path
    partial: Path


def _build(work: _Work, make: Make, report: Report, cancel: CancelToken) -> Manifest:
    try:
        # A refusal here leaves an interrupted build unchanged.
        state = _prepare(work, cancel)
    except OSError as error:
        raise not_written(error, work.request.out) from error
    # Only the last step was missing: it had failed, or was interrupted.
    if isinstance(state, Manifest):
        return _finish(work, state)
    try:
        # What is left of a build whose tokens are complete is not for a cluster: its pieces may be gone by now.
        make = _made_here if state is not None and state.complete else make
        state = make(work.request, work.source, work.partial, state, report, cancel)
        manifest = _describe(work, state, cancel)
    # Of any kind: Ctrl-C leaves the folder in the same state as a full disk.
    except BaseException as error:
        _leave(work, error, cancel)
        raise
    return _finish(work, manifest)


def _prepare(work: _Work, cancel: CancelToken) -> BuildState | Manifest | None:
    """What can be resumed: a state, a finished index that still has to be moved, or nothing."""
    request, partial = work.request, work.partial
    # Asked before the target is checked: a target into which files are being moved is not empty.
    if request.resume and (whole := _finished(work)) is not None:
        return whole
    check_target(request, work.out)
    state = state_to_resume(request, partial, work.source, cancel.check) if request.resume else None
    if state is None:
        begin_folder(partial)
    try:
        try_to_move(partial, work.out)
    except BuildError:
        if state is None:
            remove_partial(partial)
        raise
    return state


def _finished(work: _Work) -> Manifest | None:
    """The manifest of an index that was complete when the build was interrupted; None if there is none."""
    # While files are moved, the manifest may be in either folder, and neither has all files, so sizes cannot be
    # compared. Before the move, a manifest beside `build.json` does not count: the build is resumed, and writes it
    # again.
    moving = is_being_moved(work.out)
    for folder in (work.out, work.partial) if moving else (work.partial,):
        if is_file(folder / MANIFEST_NAME) and (moving or not is_file(folder / STATE_NAME)):
            manifest = read_manifest(folder)
            if manifest is not None and not moving:
                check_sizes(folder, manifest)
            return manifest
    return None


def _leave(work: _Work, error: BaseException, cancel: CancelToken) -> None:
    """After a failure: keep what can be resumed and report it, and remove everything else."""
    # To cancel is to give up, to pause is to continue later. Every other failure keeps what it can.
    wanted = not isinstance(error, Cancelled) or cancel.paused
    request = work.request
    keeps = wanted and request.resumable and not request.in_memory and can_resume(request.out)
    try:
        _tidy(work.partial, keeps)
    except OSError as fault:
        _LOG.warning("%s could not be cleaned up: %s", work.partial, fault)
    if isinstance(error, OSError):
        raise _failure(not_written(error, work.request.out), work, keeps) from error
    if isinstance(error, MemoryError):
        short = BuildError(mark("The build ran out of memory."), reason="out-of-memory", option="memory")
        raise _failure(short, work, keeps) from error
    if keeps and isinstance(error, BuildError | SourceError):
        raise _failure(error, work, keeps) from error


def _tidy(partial: Path, keeps: bool) -> None:
    if not keeps:
        remove_partial(partial)
        return
    # Files under a temporary name are never declared, so a resumed build writes them again.
    for part in partial.glob("*.part"):
        part.unlink(missing_ok=True)


def _failure(error: CorpusError, work: _Work, keeps: bool) -> CorpusError:
    """The error, with what was kept."""
    if not keeps:
        return error.followed_by(mark("No files are left over."), "nothing-kept")
    return error.followed_by(mark("The finished part is kept in {kept}."), "kept", kept=work.partial)


def _finish(work: _Work, manifest: Manifest) -> Manifest:
    move_in_place(work.partial, work.out)
    return manifest


def discard_unless_resumable(out: Path) -> None:
    """Remove the files of an interrupted build, unless it can be resumed or another build is writing there."""
    partial = partial_folder(out)
    with build_lock(partial) as free:
        if free and not can_resume(out):
            remove_partial(partial)


def discard(out: Path) -> None:
    """Remove the files of an interrupted build, unless another build is writing there."""
    partial = partial_folder(out)
    with build_lock(partial) as free:
        if free:
            remove_partial(partial)


def _describe(work: _Work, state: BuildState, cancel: CancelToken) -> Manifest:
    """Write `report.json` and `index.json`; the latter makes the index complete."""
    request, partial = work.request, work.partial
    # First, since every file that is left is listed in the manifest with its size.
    _drop_strays(partial, state)
    seconds = round(state.seconds, 2)
    # The end of the last shard is the end of the sources: it has the counts of all that was left out.
    skipped = dict(state.ends[-1].skipped)
    read = vars(tally_of(work.source.found, state.document_count, skipped))
    documents: Counter[str] = Counter()
    fields = count_fields(partial, cancel, documents)
    files, left_out = work.source.listed(cancel, documents), work.source.left_out(state.problems)
    write_report(partial, seconds, state.problems, files, read, left_out)
    if request.format == FM:
        drop_originals(partial, state)
    sizes = {path.name: path.stat().st_size for path in sorted(partial.iterdir()) if path.name not in WORK_NAMES}
    # A misspelt field is found in no document; only now is it certain that none has it.
    unknown = [name for name in request.metadata_fields or () if fields is not None and name not in fields]
    manifest = Manifest(
        token_width=state.token_width,
        token_count=state.token_count,
        document_count=state.document_count,
        shard_count=len(state.shards),
        tokenizer=state.tokenizer,
        tokenizer_sha256=state.tokenizer_sha256,
        name=request.name,
        sources=request.source_names,
        parameters=request.parameters,
        skipped={**skipped, **({NO_FIELD: len(unknown)} if unknown else {})},
        read=read,
        kinds=work.source.kinds,
        created=now(),
        seconds=seconds,
        program=f"corpus-explorer {VERSION}",
        files=sizes,
        noticed={**noticed(state.problems), **({NO_FIELD: unknown[:MOST_NOTICED]} if unknown else {})},
        metadata_fields=fields,
        special_tokens=state.parameters.get("special_tokens", AS_TOKENS),
        runs=sum(runs_of(partial / name) for name in sizes if name.startswith("fm.")),
    )
    manifest.write(partial)
    return manifest


def _drop_strays(partial: Path, state: BuildState) -> None:
    """Remove files of an interrupted attempt that the state does not declare."""
    declared = {*state.files, *state.tables, *WORK_NAMES, *(name for shard in state.shards for name in shard.files)}
    for path in partial.iterdir():
        # Nothing of an interrupted attempt may get into the manifest as a part of the index.
        if path.name == PIECES and is_ours(path):
            # A worker that was given up may still write there; without its folder, it ends.
            shutil.rmtree(path, ignore_errors=True)
            shutil.rmtree(path, ignore_errors=not path.exists())
        elif path.name not in declared:
            path.unlink()
