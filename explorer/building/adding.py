"""Adding documents to an index: further shards, made aside and published at once.

The new shards are built as an index of their own in `INDEX/adding`. Then their files are moved beside those of the
index, under the next numbers, and `index.json` is replaced: it alone decides which shards belong to the index. Whoever
opens the folder reads the old index or the new one, and whoever has it open keeps the old one, since no file of it ever
changes. A process that is killed leaves the old index; what it had made is removed when documents are next added.
"""

from __future__ import annotations

import logging
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from explorer.backends.documents.field_names import MOST_FIELDS
from explorer.backends.local.open import open_folders
from explorer.backends.request import IndexRequest
from explorer.building.known import refuse_known
from explorer.building.lock import folder_lock
from explorer.building.place import not_written
from explorer.building.request import BuildRequest, partial_folder
from explorer.building.run import build_requested
from explorer.building.sources.given import Sources, listed_files, request_of
from explorer.building.sources.record_source import Rows
from explorer.building.sources.source import MOST_NOTICED, ReadState, SourceFile
from explorer.core.files.paths import exists, sync_folder
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_job
from explorer.documents.read_settings import FILE, ReadSettings
from explorer.errors import BuildError, NotAnIndexError, TokenizerError
from explorer.i18n import mark
from explorer.index.folder import listed_shards
from explorer.index.layout import REPORT_NAME, TOKENIZER_NAME
from explorer.index.manifest import Manifest, read_manifest
from explorer.text.tokens.tokenizer import TextTokenizer

# The manifest is what it returns, and the rooms above the seam do not import it from the index's room.
__all__ = ["Manifest", "add_documents"]

_LOG = logging.getLogger("explorer.building")
ADDING = "adding"
"""The folder inside of an index in which new shards are made."""
_NUMBERED = re.compile(r"(tokenized|table|offset|metadata|metaoff|unigram)\.\d+", re.ASCII)


@checks_job
def add_documents(
    index: str | PathLike[str],
    sources: Sources,
    *,
    text_field: str = "text",
    metadata_fields: Sequence[str] | None = None,
    memory: float = 0,
    skip_bad: bool = False,
    metadata: str | PathLike[str] = "",
    encoding: str = "",
    manifest: str | PathLike[str] = "",
    skip_duplicates: bool = False,
    ids: str = "",
    eos: str | int = "",
    language: str = "",
    per: str = FILE,
    keep_headers: bool = False,
    fix_encoding: bool = False,
    again: bool = False,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Manifest:
    """Add documents to an index, as a further shard with the index's own tokenizer.

    Parameters
    ----------
    index
        The folder of an index that this program built.
    sources, text_field, metadata_fields, skip_bad, metadata, encoding, manifest, skip_duplicates, ids, eos
        As in `build_index`.
    language, per, keep_headers, fix_encoding
        As in `build_index`.
    memory
        Bytes that the work may use; a smaller limit makes more shards. 0: no limit.
    again
        Whether files that are in the index already are added a second time. A file is in it if one with the same
        content was read, wherever it was, or one at the same path, even if it has changed since.
    report
        Called with the progress, on this thread.
    cancel
        Cancels the work.

    Returns
    -------
    Manifest
        The contents of the new `index.json`.

    Raises
    ------
    BuildError
        If another process is adding documents to the index, or the index cannot be added to: it is of another program,
        stores its documents backwards, or has files that `index.json` does not list. Also if a file is in the index
        already, and not `again`.
    CorpusError
        As from `build_index`. The index is then as it was.

    Notes
    -----
    The cost is that of building an index of the new documents alone. The old documents keep their numbers. Corpora that
    are open keep answering from the old index; those opened later have all documents. Every query searches each shard,
    so for many small additions it is better to collect them.

    Examples
    --------
    >>> from explorer import build_index
    >>> copy = build_index(texts, folder.with_name("growing"), tokenizer="bytes")
    >>> grown = add_documents(folder.with_name("growing"), [{"text": "a new cat"}])
    >>> copy.document_count, grown.document_count, grown.shard_count
    (4, 5, 2)
    """
    folder = Path(index).resolve()
    request, rows = request_of(
        sources,
        folder / ADDING,
        tokenizer=TextTokenizer.raw_bytes(),
        text_field=text_field,
        metadata_fields=metadata_fields,
        memory=memory,
        skip_bad=skip_bad,
        metadata=metadata,
        encoding=encoding,
        manifest=manifest,
        skip_duplicates=skip_duplicates,
        reading=ReadSettings.of(
            ids=ids, eos=str(eos), language=language, per=per, keep_headers=keep_headers, fix_encoding=fix_encoding
        ),
        resumable=False,
    )
    return _add(folder, request, None if again else refuse_known, rows, report, cancel)


def _add(
    folder: Path,
    request: BuildRequest,
    check: Callable[[Path, Manifest, Sequence[SourceFile]], None] | None,
    rows: Rows | None,
    report: Report,
    cancel: CancelToken | None,
) -> Manifest:
    # Quickly refused, and before anything else is done in the folder. A token is looked up when the tokenizer is known.
    replace(request, reading=replace(request.reading, eos="")).check()
    tokenizer = _tokenizer_of(folder)
    with folder_lock(folder) as free:
        if not free:
            raise BuildError(
                mark("Documents are being added to {path} by another process."),
                reason="add-under-way",
                path=folder,
            )
        # Read under the lock: what another process added before is part of the index now.
        old = _growing(folder)
        request = replace(
            request,
            given=tokenizer,
            tokenizer=tokenizer.name,
            token_width=old.token_width,
            special_tokens=old.special_tokens,
        )
        try:
            _clean_up(folder)
            if check is not None and rows is None:
                # A pipe is copied once, and the build gets the same copy.
                check(folder, old, listed_files(request, ReadState(), again=True))
            made = build_requested(request, report, cancel, rows)
            return _publish(folder, old, made)
        except OSError as error:
            raise not_written(error, folder) from error
        finally:
            _tidy(folder)


def _tokenizer_of(folder: Path) -> TextTokenizer:
    """The tokenizer of an index that can be added to; raises CorpusError if it is damaged or cannot."""
    # Opened as for queries: a damaged index is refused before it grows.
    opened = open_folders(IndexRequest((str(folder),)))
    if opened.local.manifests[0] is None:
        raise BuildError(
            mark(
                "{path} was made by another program: it has no index.json, which lists the shards that belong "
                "together, so documents cannot be added to it."
            ),
            reason="cannot-add",
            path=folder,
        )
    if any(part.backwards for part in opened.local.parts):
        raise BuildError(
            mark("{path} stores its documents backwards, and documents are added only as they are read."),
            reason="cannot-add",
            path=folder,
        )
    known = opened.local.manifests[0].tokenizer_sha256
    if opened.tokenizer.fingerprint != known:
        raise TokenizerError(
            mark("{path} is not the tokenizer with which the index was built."),
            reason="other-tokenizer",
            path=folder / TOKENIZER_NAME,
        )
    return opened.tokenizer


def _growing(folder: Path) -> Manifest:
    """The manifest of an index that can be added to; raises BuildError for files that it does not list."""
    manifest = read_manifest(folder)
    if manifest is None:
        raise NotAnIndexError(mark("{path} does not exist."), reason="no-folder", path=folder)
    strays = _strays(folder, manifest)
    # Files of an addition that was killed are known by its folder, which is removed after them.
    if listed_shards(manifest) is None or (strays and not exists(folder / ADDING)):
        raise BuildError(
            mark("{path} contains {name}, which its index.json does not list."),
            reason="cannot-add",
            path=folder,
            name=strays[0].name if strays else "tokenized.0",
        )
    return manifest


def _strays(folder: Path, manifest: Manifest) -> list[Path]:
    """Files with names of shards that do not belong to the index."""
    paths = sorted(folder.iterdir())
    return [path for path in paths if _NUMBERED.fullmatch(path.name) and path.name not in manifest.files]


def _clean_up(folder: Path) -> None:
    """Remove what an addition left that did not come to its end."""
    manifest = read_manifest(folder)
    partial = partial_folder(folder / ADDING)
    if manifest is not None and exists(folder / ADDING):
        for path in _strays(folder, manifest):
            path.unlink()
    # After the files that were moved out of it, so that a second interruption still shows whose they are.
    for made in (partial, folder / ADDING):
        if exists(made):
            shutil.rmtree(made)


def _tidy(folder: Path) -> None:
    """Clean up at the end; a fault is logged, since it is not what the work ended with."""
    try:
        _clean_up(folder)
    except OSError as fault:
        _LOG.warning("%s could not be cleaned up: %s", folder, fault)


def _publish(folder: Path, old: Manifest, made: Manifest) -> Manifest:
    """Move the new files beside the old ones, and make them part of the index by replacing `index.json`."""
    first = 1 + max(int(name.partition(".")[2]) for name in listed_shards(old) or ())
    moved = {name: _renumbered(name, first) for name in made.files if name != TOKENIZER_NAME}
    for name, new in (*moved.items(), (REPORT_NAME, f"report.{first}.json")):
        (folder / ADDING / name).replace(folder / new)
    sync_folder(folder)
    manifest = _joined(old, made, {new: made.files[name] for name, new in moved.items()})
    manifest.write(folder)
    return manifest


def _renumbered(name: str, first: int) -> str:
    """The name of a file of a new shard beside those of the index."""
    part, _, number = name.partition(".")
    return f"{part}.{int(number) + first}"


def _joined(old: Manifest, made: Manifest, files: dict[str, int]) -> Manifest:
    return replace(
        old,
        token_count=old.token_count + made.token_count,
        document_count=old.document_count + made.document_count,
        shard_count=old.shard_count + made.shard_count,
        sources=(*old.sources, *made.sources),
        # What is built again is built of all of them.
        parameters={**old.parameters, "sources": [*old.sources, *made.sources]},
        skipped=dict(Counter(old.skipped) + Counter(made.skipped)),
        noticed={
            kind: [*old.noticed.get(kind, ()), *made.noticed.get(kind, ())][:MOST_NOTICED]
            for kind in (*old.noticed, *(kind for kind in made.noticed if kind not in old.noticed))
        },
        read=added_counts(old.read, made.read),
        kinds=dict(Counter(old.kinds) + Counter(made.kinds)) if old.kinds else {},
        changed=made.created,
        program=made.program,
        files={**old.files, **files},
        metadata_fields=added_up(old.metadata_fields, made.metadata_fields),
    )


def added_counts(old: Mapping[str, int | None], new: Mapping[str, int | None]) -> dict[str, int | None]:
    """Add up what was found and skipped; what is unknown of one is unknown of both."""
    sums: dict[str, int | None] = {}
    for name in old if new else ():
        one, other = old[name], new.get(name)
        sums[name] = None if one is None or other is None else one + other
    return sums


def added_up(old: dict[str, int] | None, new: dict[str, int] | None) -> dict[str, int] | None:
    """Add up the documents per field; None if they are unknown, or the fields too many to list."""
    if old is None or new is None:
        return None
    both = {name: old.get(name, 0) + new.get(name, 0) for name in (*old, *new)}
    return both if len(both) <= MOST_FIELDS else None
