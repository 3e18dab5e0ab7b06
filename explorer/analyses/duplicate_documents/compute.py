"""Which documents are exact copies of another, and which of them to keep."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.documents.reading import whole_documents
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.ranges import Ranges, ranges_of
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report

Chosen = NDArray[np.bool_] | None
"""Whether the document of each number is meant; None for all."""
_TOLD = 1000
"""After how many documents progress is told."""


@dataclass(frozen=True, eq=False)
class CopiedDocuments(ArrayValue):
    """Groups of documents with the same tokens, those first that cost most.

    documents: The numbers of the documents, group after group, the one to keep first, then ascending. int64.
    firsts: Where each group begins in `documents`, and where the last ends. int64 [groups + 1].
    tokens: The tokens of one document of each group, without its separator. int64 [groups].
    """

    documents: Numbers
    firsts: Numbers
    tokens: Numbers

    def __len__(self) -> int:
        """How many groups there are."""
        return len(self.tokens)

    @property
    def sizes(self) -> Numbers:
        """How many documents each group has, int64 [groups]."""
        return np.diff(self.firsts)

    @property
    def ranges(self) -> Ranges:
        """The documents that are not kept, each from its first token to its last."""
        copies = np.delete(self.documents, self.firsts[:-1])
        return ranges_of(copies, np.zeros_like(copies), np.repeat(self.tokens, self.sizes - 1))


def find_copied_documents(
    index: Backend,
    chosen: Chosen = None,
    preferred: Chosen = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> CopiedDocuments:
    """Find the documents that have the tokens of another.

    chosen: The documents that are compared; None for all.
    preferred: Documents of which the first is kept, where a group has one. Otherwise the first of the group is.
    Returns: The groups. Documents without a token are one too, though nothing of them is in `ranges`.

    Notes
    -----
    Only documents with as many tokens as another are read. Their tokens are hashed to 128 bits, and those of equal
    hashes are read once more and compared. Memory: about 40 bytes per document, and a few million tokens.
    """
    check = cancel or CancelToken()
    numbers = _of_common_length(index, chosen)
    hashes = _hashes(index, numbers, report, check)
    order = np.lexsort((numbers, hashes[:, 1], hashes[:, 0]))
    hashes = hashes[order]
    begins = np.concatenate([[True], (hashes[1:] != hashes[:-1]).any(axis=1)])[: len(order)]
    groups, several = _several(begins)
    documents = numbers[order[several]]
    firsts = _compared(index, documents, groups, report, check)
    return _grouped(index, documents, firsts, preferred)


def _of_common_length(index: Backend, chosen: Chosen) -> Numbers:
    """The documents that have as many tokens as another one."""
    numbers = index.documents.numbers()
    if chosen is not None:
        numbers = numbers[chosen[numbers]]
    lengths = index.documents.lengths(numbers)
    _, which, counts = np.unique(lengths, return_inverse=True, return_counts=True)
    return numbers[counts[which] > 1]


def _hashes(index: Backend, numbers: Numbers, report: Report, cancel: CancelToken) -> NDArray[np.uint64]:
    """128 bits of the tokens of each document, uint64 [documents, 2]."""
    found = np.empty((len(numbers), 2), np.uint64)
    for row, (_, ids) in enumerate(whole_documents(index, numbers)):
        _tell("Reading documents", row, len(numbers), report, cancel)
        found[row] = np.frombuffer(hash_of(ids), np.uint64)
    return found


def _tell(what: str, row: int, total: int, report: Report, cancel: CancelToken) -> None:
    cancel.check()
    if row % _TOLD == 0:
        report(Progress(what, row, total, "documents"))


def hash_of(ids: Numbers) -> bytes:
    """Hash the tokens of a document to 128 bits."""
    return hashlib.blake2b(ids.astype("<u4").data, digest_size=16).digest()


def _several(begins: NDArray[np.bool_]) -> tuple[Numbers, NDArray[np.bool_]]:
    """Which entries are in a group of two or more, and the number of the group of each of these."""
    groups = np.cumsum(begins) - 1
    several = (np.bincount(groups) > 1)[groups] if len(groups) else begins
    return groups[several], several


def _compared(index: Backend, documents: Numbers, groups: Numbers, report: Report, cancel: CancelToken) -> Numbers:
    """The first document of each group that has the tokens of each one: equal hashes are not yet equal tokens."""
    found = np.empty_like(documents)
    group, kinds = -1, list[tuple[int, Numbers]]()
    for row, (number, ids) in enumerate(whole_documents(index, documents)):
        _tell("Comparing documents", row, len(documents), report, cancel)
        if groups[row] != group:
            group, kinds = int(groups[row]), []
        same = next((first for first, known in kinds if np.array_equal(known, ids)), None)
        if same is None:
            same = number
            # A copy: what is read together is not kept because of one document.
            kinds.append((number, ids.copy()))
        found[row] = same
    return found


def _grouped(index: Backend, documents: Numbers, firsts: Numbers, preferred: Chosen) -> CopiedDocuments:
    """Groups of the documents with the same first one, by the tokens of all but one."""
    later = np.zeros(len(documents), np.bool_) if preferred is None else ~preferred[documents]
    order = np.lexsort((documents, later, firsts))
    documents, firsts = documents[order], firsts[order]
    groups, several = _several(np.diff(firsts, prepend=-1) != 0)
    documents = documents[several]
    begins = np.flatnonzero(np.diff(groups, prepend=-1))
    sizes = np.diff(np.append(begins, len(documents)))
    tokens = index.documents.lengths(documents[begins])
    best = np.argsort(-tokens * (sizes - 1), kind="stable")
    # The places of each group's documents, group after group.
    ends = np.cumsum(sizes[best])
    places = np.repeat(begins[best] - (ends - sizes[best]), sizes[best]) + np.arange(len(documents))
    return CopiedDocuments(_ascending(documents[places], ends, sizes[best]), np.concatenate([[0], ends]), tokens[best])


def _ascending(documents: Numbers, ends: Numbers, sizes: Numbers) -> Numbers:
    """Each group with the kept document first, and the others in their order, preferred or not."""
    groups = np.repeat(np.arange(len(sizes)), sizes)
    kept = np.zeros(len(documents), np.bool_)
    kept[ends - sizes] = True
    return documents[np.lexsort((documents, ~kept, groups))]
