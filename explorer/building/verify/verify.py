"""Verification: does a folder match its manifest, and is its suffix array sorted, or its compressed index whole?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from os import PathLike

import numpy as np

from explorer.backends.fm.backend import FmBackend
from explorer.backends.fm.opening import open_compressed
from explorer.backends.local.open import open_folders
from explorer.backends.local.shards import ShardBackend
from explorer.backends.request import IndexRequest, TokenizerChoice
from explorer.building.verify.compressed import compressed_findings
from explorer.building.verify.order import check_order_at, check_whole_order, places_in
from explorer.building.verify.report import SPOTS, Finding, VerifyReport, chosen_documents, finding, manifest_findings
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import DamagedIndexError, TokenizerError
from explorer.i18n import mark
from explorer.index.fm.layout import looks_compressed
from explorer.index.shard import MappedShard

_CHUNK = 1 << 20

__all__ = ["Finding", "VerifyReport", "verify_index"]


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
    request = IndexRequest((os.fspath(path),), tokenizer, check_fit=check_fit, default_tokenizer=default_tokenizer)
    try:
        index = open_compressed(request) if looks_compressed(path) else open_folders(request)
    # An index that cannot be opened has one finding. A folder without an index is an error of the caller.
    except (DamagedIndexError, TokenizerError) as error:
        return VerifyReport(str(path), deep, 0, 0, 0, (finding(path, error),))
    if isinstance(index, FmBackend):
        return _of_compressed(path, index, deep, report, cancel)
    findings = [*manifest_findings(index, len(index.shards))]
    # Shards are independent of each other, so each is checked to its end whatever is wrong with the others.
    for shard in index.shards:
        findings += _shard_findings(shard, deep, report, cancel)
    compared = (len(places_in(shard.token_count, SPOTS)) for shard in index.shards)
    return VerifyReport(
        path=str(path),
        deep=deep,
        shards=len(index.shards),
        documents=index.document_count,
        tokens=index.token_count,
        findings=tuple(findings) + _no_text(index),
        places=index.token_count if deep else sum(compared),
    )


def _of_compressed(
    path: str | PathLike[str], index: FmBackend, deep: bool, report: Report, cancel: CancelToken
) -> VerifyReport:
    return VerifyReport(
        path=str(path),
        deep=deep,
        shards=len(index.parts),
        documents=index.document_count,
        tokens=index.token_count,
        findings=tuple(compressed_findings(index, deep, report, cancel)),
    )


def _no_text(index: ShardBackend) -> tuple[Finding, ...]:
    if index.has_tokenizer:
        return ()
    folder = index.local.folders[0]
    missing = TokenizerError(
        mark("{path} has no tokenizer.json, so its text cannot be checked or shown."),
        reason="no-tokenizer-file",
        path=folder,
    )
    return (finding(folder, missing),)


def _shard_findings(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> Iterator[Finding]:
    # Each check stops at its first finding, since most others would follow from it. The next check still runs.
    for check in (_check_documents, _check_order, _check_metadata):
        try:
            check(shard, deep, report, cancel)
        except DamagedIndexError as error:
            yield finding(shard.files.tokenized.parent, error)


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
    for documents in chosen_documents(shard.document_count, deep):
        cancel.check()
        # This raises for a document that does not begin with a separator.
        shard.bounds(documents)


def _check_order(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> None:
    """The table is the suffix array of the text: everywhere, or in pairs at about 2,000 places."""
    if deep:
        check_whole_order(shard, report, cancel)
    else:
        check_order_at(shard, SPOTS, cancel)


def _check_metadata(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> None:
    if shard.metadata.exists:
        for documents in chosen_documents(shard.document_count, deep):
            if deep:
                report(Progress("Checking the metadata", int(documents[0]), shard.document_count, "documents"))
            # One line at a time: reading it is the check.
            for document in documents.tolist():
                cancel.check()
                shard.metadata.of(document)
