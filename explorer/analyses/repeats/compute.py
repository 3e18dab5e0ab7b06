"""Which repeated passages of a corpus are worth a look: the longest, the most frequent, the costliest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from explorer.backends.hit_places import hit_places
from explorer.backends.protocol.protocol import Backend, Numbers, RepeatPiece, Runs
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report

RepeatOrder = Literal["saved", "length", "count"]
"""By the tokens that all copies but one have, by the tokens of one, by the number of copies."""


@dataclass(frozen=True, eq=False)
class Repeats(ArrayValue):
    """Passages that occur twice or more and cannot be made longer, and stretches that repeat themselves.

    total: All passages of the least length or more.
    overlapping: Those of them of which occurrences overlap: parts of `runs`, which are not listed.
    lengths, counts, in_documents: The tokens of each listed one, how often it occurs, and in how many documents, int64
        [rows].
    documents, offsets: The place of one occurrence, int64 [rows].
    runs: The stretches, each once, the longest first.
    """

    total: int
    overlapping: int
    lengths: Numbers
    counts: Numbers
    in_documents: Numbers
    documents: Numbers
    offsets: Numbers
    runs: Runs

    def __len__(self) -> int:
        return len(self.lengths)


def find_repeats(
    index: Backend,
    length: int,
    top: int | None,
    by: RepeatOrder,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Repeats:
    """List repeated passages.

    length: Tokens of the shortest passages, 1 to 65,535.
    top: How many, the first in the order; None for all.
    by: The order, see `RepeatOrder`. Of equal ones the longer is first, then the one that the index has first.
    Returns: The passages that do not overlap themselves, and the stretches in which others do.
    Raises `CapabilityError` if documents are subtracted from the index.

    Notes
    -----
    Cost: see `ListQuestions.repeats`, then one look-up for each occurrence of the listed passages.
    """
    total = overlapping = 0
    kept, runs = np.empty((4, 0), np.int64), np.empty((0, 4), np.int64)
    for piece in index.lists.repeats(length, report, cancel):
        total, overlapping = total + len(piece.lengths), overlapping + int(piece.overlapping.sum())
        kept = _best(np.concatenate([kept, _own(piece)], axis=1), top, by)
        runs = np.unique(np.concatenate([runs, _rows(piece.runs)]), axis=0)
    homes = _in_documents(index, kept, report, cancel or CancelToken())
    sizes = runs[:, 2] - runs[:, 1]
    found = Runs(*np.ascontiguousarray(runs[np.argsort(-sizes, kind="stable")].T))
    return Repeats(total, overlapping, kept[0], kept[1], homes, kept[2], kept[3], found)


def _own(piece: RepeatPiece) -> Numbers:
    """Lengths, counts and places of the passages that do not overlap themselves, int64 [4, rows]."""
    return np.stack([piece.lengths, piece.counts, piece.documents, piece.offsets])[:, ~piece.overlapping]


def _best(rows: Numbers, most: int | None, by: RepeatOrder) -> Numbers:
    lengths, counts, documents, offsets = rows
    keys = {"saved": (counts - 1) * lengths, "length": lengths, "count": counts}
    return rows[:, np.lexsort((offsets, documents, -lengths, -keys[by]))[:most]]


def _rows(runs: Runs) -> Numbers:
    return np.stack([runs.documents, runs.starts, runs.ends, runs.periods], axis=1)


def _in_documents(index: Backend, rows: Numbers, report: Report, cancel: CancelToken) -> Numbers:
    """How many documents each passage is in."""
    lengths, _, documents, offsets = rows
    found = np.empty(len(lengths), np.int64)
    for row, (size, document, offset) in enumerate(zip(lengths, documents, offsets, strict=True)):
        cancel.check()
        report(Progress("Counting documents", row, len(found), "passages"))
        # Of a passage that is longer than stored lengths, this is its beginning.
        [ids] = index.documents.windows(np.array([document]), np.array([offset]), np.array([offset + size]))
        found[row] = len(np.unique(hit_places(index, ids, check=cancel.check).documents))
    return found
