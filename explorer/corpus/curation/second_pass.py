"""What a corpus repeats after something was cut from it: an index of what is left, in a temporary folder."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from explorer.analyses.duplicates.compute import DuplicateRule, removable
from explorer.backends.documents.reading import whole_documents
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.ranges import Ranges
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.building.steps.tables import sort_table
from explorer.core.jobs import CancelToken, Progress, Report

_SEPARATOR = np.array([0xFFFFFFFF], "<u4")
_WIDTH = 4
_TOLD = 1000
"""After how many documents progress is told."""


def tokens_left(
    index: Backend, cut: Ranges, length: int, rule: DuplicateRule, report: Report, cancel: CancelToken
) -> int:
    """Count the tokens that a rule would cut of what is left of an index.

    Parameters
    ----------
    index
        The index.
    cut
        What was cut.
    length, rule
        As for `find_duplicates`.
    report
        Called with the progress.
    cancel
        Stops the work.

    Returns
    -------
    int
        The tokens.

    Notes
    -----
    The texts left and right of a cut are joined. A document of which nothing is left stays, as an empty one.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        total = _write(index, cut, folder, report, cancel)
        sort_table(folder, 0, _WIDTH, total, _sorting(total, report), cancel)
        request = IndexRequest((name,), check_fit=False, reversed_text=False)
        left = BACKENDS.open(request, report, cancel)
        return removable(left.lists.repeat_profile(length, report, cancel), length, rule).tokens


def _write(index: Backend, cut: Ranges, folder: Path, report: Report, cancel: CancelToken) -> int:
    """Write what is left as the tokens of one shard; returns how many there are, separators included."""
    numbers, total = index.documents.numbers(), 0
    offsets = np.empty(len(numbers), "<u8")
    with open(folder / "tokenized.0", "wb") as file:
        for row, (number, ids) in enumerate(whole_documents(index, numbers)):
            cancel.check()
            if row % _TOLD == 0:
                report(Progress("Reading what is left", row, len(numbers), "documents"))
            offsets[row] = _WIDTH * total
            left = ids[_outside(cut, number, len(ids))].astype("<u4")
            file.write(np.concatenate([_SEPARATOR, left]).tobytes())
            total += 1 + len(left)
    offsets.tofile(folder / "offset.0")
    return total


def _outside(cut: Ranges, number: int, size: int) -> Numbers:
    """The tokens of a document that are in no range."""
    steps = np.zeros(size + 1, np.int64)
    starts, ends = cut.of_document(number)
    steps[starts] += 1
    steps[ends] -= 1
    return np.flatnonzero(np.cumsum(steps[:-1]) == 0)


def _sorting(total: int, report: Report) -> Callable[[int], None]:
    return lambda done: report(Progress("Sorting what is left", done, total, "tokens"))
