"""What a verification reports, and what those of all kinds of index have in common."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.protocol import Backend
from explorer.errors import CorpusError, DamagedIndexError
from explorer.i18n import mark
from explorer.index.layout import MANIFEST_NAME

SPOTS = 2_000
"""Places and documents of a shard that are checked unless all are."""
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


def finding(file: str | PathLike[str], error: CorpusError) -> Finding:
    """Make a finding of an error."""
    return Finding(str(file), str(error), error)


def manifest_findings(index: Backend, parts: int) -> Iterator[Finding]:
    """Compare the manifest's own figures with those of the files."""
    local = index.local
    if local is None or local.manifests[0] is None:
        return
    manifest, path = local.manifests[0], local.folders[0] / MANIFEST_NAME
    found = {
        "token_count": index.token_count,
        "document_count": index.document_count,
        "shard_count": parts,
        "token_width": local.token_width,
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
            yield finding(path, problem)


def chosen_documents(count: int, deep: bool) -> Iterator[NDArray[np.int64]]:
    """Choose what is checked.

    deep: Whether to check all of them, and not only about 2,000.
    Yields: Numbers of documents, int64, some at a time.
    """
    if deep:
        for start in range(0, count, _DOCUMENTS):
            yield np.arange(start, min(start + _DOCUMENTS, count), dtype=np.int64)
    else:
        # Evenly spread, with the first and the last document; unique, since a small index has fewer.
        yield np.unique(np.linspace(0, count - 1, SPOTS).astype(np.int64))
