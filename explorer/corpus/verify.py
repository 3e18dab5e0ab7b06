"""The index doctor: is this folder what it says, and does its suffix array hold?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from explorer.corpus.index import Index
from explorer.corpus.open import TokenizerChoice, open_folders
from explorer.corpus.shard import MappedShard
from explorer.errors import DamagedIndexError, TokenizerError
from explorer.jobs import CancelToken, Progress, Report, no_report
from explorer.words import tr

_SPOTS = 2_000
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: a sentence that names the file, the reason and the remedy."""

    file: str
    problem: str


@dataclass(frozen=True)
class VerifyReport:
    """What was looked at and what was found; an index without findings is `sound`."""

    path: str
    deep: bool
    shards: int
    documents: int
    tokens: int
    findings: tuple[Finding, ...]

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
) -> VerifyReport:
    """Check an index folder; `deep` looks at every entry, every document and every metadata line.

    Without `deep` the order is checked at about 2,000 places a shard and metadata of 2,000 documents.
    Raises NotAnIndexError where there is no index at all; all else is a finding.
    """
    cancel = cancel or CancelToken()
    try:
        index = open_folders(path, tokenizer)
    except (DamagedIndexError, TokenizerError) as error:
        return VerifyReport(str(path), deep, 0, 0, 0, (Finding(str(path), str(error)),))
    findings: list[Finding] = []
    for shard in index.shards:
        findings += _shard_findings(shard, deep, report, cancel)
    return VerifyReport(
        str(path), deep, index.shard_count, index.document_count, index.token_count, tuple(findings) + _no_text(index)
    )


def _no_text(index: Index) -> tuple[Finding, ...]:
    if index.has_tokenizer:
        return ()
    folder = Path(index.paths[0])
    return (
        Finding(
            str(folder),
            tr("{folder} has no tokenizer.json, so its text cannot be checked or shown. Add it.", folder=folder),
        ),
    )


def _shard_findings(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> Iterator[Finding]:
    for check in (_check_documents, _check_order, _check_positions, _check_metadata):
        try:
            check(shard, deep, report, cancel)
        except DamagedIndexError as error:
            yield Finding(str(shard.files.tokenized.parent), str(error))


def _check_documents(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> None:
    """Offsets ascend, and a document begins at each."""
    for start in range(0, shard.document_count, _CHUNK):
        cancel.check()
        with shard.guarded():
            part = shard.offsets[start : start + _CHUNK + 1].astype(np.int64)
        disorder = np.flatnonzero(np.diff(part) <= 0)
        if len(disorder):
            at = start + int(disorder[0])
            raise DamagedIndexError(
                tr(
                    "{offset} is out of order at document {at}. Copy the index again, or rebuild it.",
                    offset=shard.files.offset,
                    at=at,
                )
            )
    for document in _chosen(shard.document_count, deep):
        shard.document_start(document)


def _chosen(count: int, deep: bool) -> Iterator[int]:
    if deep or count <= _SPOTS:
        return iter(range(count))
    return iter(np.linspace(0, count - 1, _SPOTS).astype(int).tolist())


def _check_order(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> None:
    """Neighbouring suffixes ascend: everywhere, or in pairs at about 2,000 places."""
    step = _CHUNK if deep else max(2, shard.token_count // _SPOTS)
    size = _CHUNK + 1 if deep else 2
    for first in range(0, shard.token_count, step):
        cancel.check()
        if deep:
            report(Progress("Checking the order", first, shard.token_count, "entries"))
        with shard.guarded() as engine:
            wrong = engine.first_disorder(first, min(first + size, shard.token_count))
        if wrong >= 0:
            raise DamagedIndexError(
                tr(
                    "{table} is not sorted at entry {entry:,} (byte {byte:,}), so counts would be wrong. Copy "
                    "the index again, or rebuild it.",
                    table=shard.files.table,
                    entry=wrong,
                    byte=wrong * shard.widths.pointer,
                )
            )


def _check_positions(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> None:
    """Every token start stands in the table exactly once (only when deep: a bit a token)."""
    if not deep:
        return
    seen = np.zeros(shard.token_count, dtype=np.bool_)
    for first in range(0, shard.token_count, _CHUNK):
        cancel.check()
        report(Progress("Checking the entries", first, shard.token_count, "entries"))
        seen[shard.positions(np.arange(first, min(first + _CHUNK, shard.token_count), dtype=np.int64))] = True
    missing = int(np.count_nonzero(~seen))
    if missing:
        raise DamagedIndexError(
            tr(
                "{table} lacks {missing:,} of {token_count:,} token positions and has others twice. Copy the "
                "index again, or rebuild it.",
                table=shard.files.table,
                missing=missing,
                token_count=shard.token_count,
            )
        )


def _check_metadata(shard: MappedShard, deep: bool, report: Report, cancel: CancelToken) -> None:
    if shard.has_metadata:
        for document in _chosen(shard.document_count, deep):
            cancel.check()
            shard.metadata(document)
