"""Verification of a compressed index: is every byte as it was written, and does a document begin at each place?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.backends.fm.backend import FmBackend
from explorer.building.verify.report import Finding, chosen_documents, finding, manifest_findings
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.errors import DamagedIndexError
from explorer.i18n import mark
from explorer.index.fm.part import SEPARATOR, MappedPart


def compressed_findings(index: FmBackend, deep: bool, report: Report, cancel: CancelToken) -> Iterator[Finding]:
    """Check an opened compressed index.

    deep: Whether to check every byte of every file; otherwise about 2,000 documents of each part are read.
    Yields: What is wrong: at most one thing in each part.
    """
    yield from manifest_findings(index, len(index.parts))
    for part in index.parts:
        try:
            if deep:
                part.check(cancel, np.zeros(1, dtype=np.int64))
            for documents in chosen_documents(part.document_count, deep):
                report(Progress("Checking the documents", int(documents[0]), part.document_count, "documents"))
                cancel.check()
                _check_documents(part, documents, cancel)
        except DamagedIndexError as error:
            yield finding(part.files.index.parent, error)


def _check_documents(part: MappedPart, documents: NDArray[np.int64], cancel: CancelToken) -> None:
    """A separator is before each, none is in it, and its metadata can be read."""
    starts, ends = part.bounds(documents)
    for document, text in zip(documents.tolist(), part.read(starts - 1, ends, cancel), strict=True):
        if np.flatnonzero(text == SEPARATOR).tolist() != [0]:
            raise DamagedIndexError(
                mark("{path} is wrong at document {document}: it is not between two separators."),
                reason="no-separator",
                path=Path(part.files.index),
                document=document,
            )
        part.metadata(document)
