"""Verification: does a folder match its manifest, and is its suffix array sorted?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.open import open_folders
from explorer.backends.request import IndexRequest, TokenizerChoice
from explorer.backends.shards import ShardBackend
from explorer.checking.order import check_order_at, check_whole_order, places_in
from explorer.errors import CorpusError, DamagedIndexError, TokenizerError
from explorer.i18n import mark
from explorer.index.layout import MANIFEST_NAME
from explorer.index.shard import MappedShard
from explorer.jobs import CancelToken, Progress, Report, no_report

_SPOTS = 2_000
_CHUNK = 1 << 20
_DOCUMENTS = 1 << 12


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong.

    Attributes
    ----------
    file
        The file.
    problem
        A sentence that names the file and the reason.
    error
        The same as data, by which a surface finds the remedy.
    """

    file: str
    problem: str
    # Not compared, since two errors are never equal: the same check of the same folder gives equal reports.
    error: CorpusError = field(compare=False, repr=False)

    def json_fields(self) -> dict[str, Any]:
        """What its JSON holds."""
        return {"file": self.file, "problem": self.problem, "reason": self.error.reason}


@dataclass(frozen=True)
class VerifyReport:
    """What was checked and what was found; an index without findings is `sound`.

    Attributes
    ----------
    path
        The folder.
    deep
        Whether everything was checked.
    shards
        The number of shards.
    documents
        The number of documents.
    tokens
        The number of tokens, separators included.
    findings
        What is wrong.
    places
        The places at which the order of the table was compared.
    """

    path: str
    deep: bool
    shards: int
    documents: int
    tokens: int
    findings: tuple[Finding, ...]
    places: int = 0

    @property
    def sound(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def verify_index(
    path: str | PathLike[str],
    deep: bool = False,
    tokenizer: TokenizerChoice = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    check_fit: bool = True,
    default_tokenizer: str | None = None,
) -> VerifyReport:
    """Check an index folder.

    Parameters
    ----------
    path
        The folder.
    deep
        Whether to check every entry, every document and every line of metadata. Otherwise the order is checked at about
        2,000 places per shard, and the metadata of 2,000 documents.
    tokenizer
        A tokenizer.json, "bytes", or None for the folder's own.
    report
        Called with the progress, on this thread.
    cancel
        Stops the check.
    check_fit
        Whether a tokenizer that does not fit the index is a finding.
    default_tokenizer
        The tokenizer of an index that has none of its own, as for `tokenizer`; None: the one that is remembered for it.

    Returns
    -------
    VerifyReport
        The index's size and what is wrong with it; everything but a missing index is a finding.

    Raises
    ------
    NotAnIndexError
        If there is no index in the folder.
    Cancelled
        If it was cancelled.

    Notes
    -----
    With `deep`, the time is proportional to the tokens, even in repetitive text, and the memory to the distinct tokens.

    Examples
    --------
    >>> verify_index(folder, deep=True).findings
    ()
    """
    cancel = cancel or CancelToken()
    try:
        index = open_folders(
            IndexRequest((os.fspath(path),), tokenizer, check_fit=check_fit, default_tokenizer=default_tokenizer)
        )
    # An index that cannot be opened has one finding. A folder without an index is an error of the caller.
    except (DamagedIndexError, TokenizerError) as error:
        return VerifyReport(str(path), deep, 0, 0, 0, (_finding(path, error),))
    findings = [*_manifest_findings(index)]
    # Shards are independent of each other, so each is checked to its end whatever is wrong with the others.
    for shard in index.shards:
        findings += _shard_findings(shard, deep, report, cancel)
    compared = (len(places_in(shard.token_count, _SPOTS)) for shard in index.shards)
    return VerifyReport(
        path=str(path),
        deep=deep,
        shards=len(index.shards),
        documents=index.document_count,
        tokens=index.token_count,
        findings=tuple(findings) + _no_text(index),
        places=index.token_count if deep else sum(compared),
    )


def _finding(file: str | PathLike[str], error: CorpusError) -> Finding:
    return Finding(str(file), str(error), error)


def _manifest_findings(index: ShardBackend) -> Iterator[Finding]:
    """The manifest's own figures, against those of the files."""
    manifest, path = index.local.manifests[0], index.local.folders[0] / MANIFEST_NAME
    if manifest is None:
        return
    found = {
        "token_count": index.token_count,
        "document_count": index.document_count,
        "shard_count": len(index.shards),
        "token_width": index.local.token_width,
    }
    for key, value in found.items():
        # Sizes of files were compared when the folder was opened; this finds a manifest of another index.
        if (claimed := getattr(manifest, key)) != value:
            problem = DamagedIndexError(
                mark(
                    "{path} gives {key} as {claimed}, but the files contain {value:,}: they do not belong together, or "
                    "data was lost."
                ),
                reason="manifest-disagrees",
                path=path,
                key=key,
                claimed=claimed,
                value=value,
            )
            yield _finding(path, problem)


def _no_text(index: ShardBackend) -> tuple[Finding, ...]:
    if index.has_tokenizer:
        return ()
    folder = index.local.folders[0]
    missing = TokenizerError(
        mark("{path} has no tokenizer.json, so its text cannot be checked or shown."),
        reason="no-tokenizer-file",
        path=folder,
    )
    return (_finding(folder, missing),)


def _shard_findings(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> Iterator[Finding]:
    # Each check stops at its first finding, since most others would follow from it. The next check still runs.
    for check in (_check_documents, _check_order, _check_metadata):
        try:
            check(shard, deep, report, cancel)
        except DamagedIndexError as error:
            yield _finding(shard.files.tokenized.parent, error)


def _check_documents(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> None:
    """Offsets ascend, and a document begins at each."""
    for start in range(0, shard.document_count, _CHUNK):
        cancel.check()
        with shard.guarded():
            # One more than the piece, to compare across its end. A copy, since a fault of the drive is reported only
            # for what was read under the guard.
            part = shard.offsets[start : start + _CHUNK + 1].copy()
        disorder = np.flatnonzero(part[1:] <= part[:-1])
        if len(disorder):
            at = start + int(disorder[0])
            raise DamagedIndexError(
                mark("{path} is out of order at document {document}."),
                reason="offset-out-of-order",
                path=shard.files.offset,
                document=at,
                byte=8 * at,
            )
    for documents in _chosen(shard.document_count, deep):
        cancel.check()
        # This raises for a document that does not begin with a separator.
        shard.bounds(documents)


def _chosen(count: int, deep: bool) -> Iterator[NDArray[np.int64]]:
    """All documents or about 2,000 of them, in batches."""
    if deep:
        for start in range(0, count, _DOCUMENTS):
            yield np.arange(start, min(start + _DOCUMENTS, count), dtype=np.int64)
    else:
        # Evenly spread, with the first and the last document; unique, since a small index has fewer.
        yield np.unique(np.linspace(0, count - 1, _SPOTS).astype(np.int64))


def _check_order(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> None:
    """The table is the suffix array of the text: everywhere, or in pairs at about 2,000 places."""
    if deep:
        check_whole_order(shard, report, cancel)
    else:
        check_order_at(shard, _SPOTS, cancel)


def _check_metadata(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> None:
    if shard.metadata.exists:
        for documents in _chosen(shard.document_count, deep):
            if deep:
                report(Progress("Checking the metadata", int(documents[0]), shard.document_count, "documents"))
            # One line at a time: reading it is the check.
            for document in documents.tolist():
                cancel.check()
                shard.metadata.of(document)
