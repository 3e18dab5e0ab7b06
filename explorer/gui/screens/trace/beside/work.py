"""Compares a traced text with a document, off the interface thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.overlap.alignment import TextComparison, compare_texts
from explorer.analyses.trace.as_read import as_read
from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.trace import Trace
from explorer.backends.documents.document import document_title
from explorer.backends.documents.reading import length_of, text_of
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken
from explorer.gui.screens.trace.documents.choice import held_runs

MOST_TOKENS = 8_000
"""Tokens of a document that are compared: of a longer one, those around the place that its card shows."""


@dataclass(frozen=True)
class SideRequest:
    """A traced text, the index, a document that shares words with it, and the token at which its card shows it."""

    index: Backend
    trace: Trace
    document: TraceDocument
    offset: int


@dataclass(frozen=True, eq=False)
class SideAnswer:
    """Two texts side by side.

    left: The traced text, as it is read.
    right: The document, or a part of it.
    first, last: The tokens of the document that are compared.
    of: All tokens of the document.
    comparison: The words of both.
    held: Characters of the left text that the document contains by the trace.
    """

    request: SideRequest
    left: str
    right: str
    first: int
    last: int
    of: int
    comparison: TextComparison
    held: tuple[tuple[int, int], ...] = ()

    @property
    def title(self) -> str:
        """The name of the document."""
        return document_title(self.request.document.metadata, self.request.document.number)


def compare(request: SideRequest, cancel: CancelToken) -> SideAnswer:
    """Compare a text with a document. Runs off the interface thread.

    Returns: Both texts and their words.
    Raises `CorpusError` if the document cannot be read.
    """
    number = request.document.number
    length = length_of(request.index, number)
    first, last = 0, length
    if length > MOST_TOKENS:
        # With the place of the card in the middle, but never past an end: the part always has `MOST_TOKENS`.
        first = max(0, min(request.offset - MOST_TOKENS // 2, length - MOST_TOKENS))
        last = first + MOST_TOKENS
    # What was traced: addresses of links and other marks of Markdown would break runs that both texts have.
    trace = as_read(request.trace)
    left = trace.text
    # As the window shows it: a line break is one character there.
    right = text_of(request.index, number, first, last).text.replace("\r\n", "\n")
    # As the text was traced: in words, case does not matter.
    found = compare_texts(left, right, ignore_case=request.trace.unit == "words", cancel=cancel)
    documents = (each for each in trace.documents if each.number == number)
    held = next((held_runs(trace, each) for each in documents), ())
    return SideAnswer(request, left, right, first, last, length, found, held)


@dataclass(frozen=True, eq=False)
class Side:
    """Characters of one of the texts, as they are drawn; each array is int64 of shape (parts, 2).

    same: The runs of words that both texts have.
    between: The words between the runs, one row per difference; empty where this text has none.
    only: The parts of these that the other text does not contain.
    moved: The parts that the other text contains in another place.
    """

    same: NDArray[np.int64]
    between: NDArray[np.int64]
    only: NDArray[np.int64]
    moved: NDArray[np.int64]


def sides_of(found: TextComparison, held: tuple[tuple[int, int], ...] = ()) -> tuple[Side, Side]:
    """Find the characters that are drawn for a comparison.

    held: Characters of the left text that the right one is known to contain, also outside the part that is compared.
    Returns: The left text and the right one. Punctuation between two words of a run belongs to the run.
    """
    # Each difference gets a row on both sides, also where one of them has no words: one number frames both.
    runs, differences = found.runs, found.differences
    left = _side(
        found.left,
        [(run.left, run.left + run.words) for run in runs],
        [(one.left_start, one.left_end) for one in differences],
        np.union1d(found.moved_left, _held_words(found, held)),
    )
    right = _side(
        found.right,
        [(run.right, run.right + run.words) for run in runs],
        [(one.right_start, one.right_end) for one in differences],
        found.moved_right,
    )
    return left, right


def _side(
    words: NDArray[np.int64], runs: list[tuple[int, int]], between: list[tuple[int, int]], moved: NDArray[np.int64]
) -> Side:
    own = np.concatenate([np.arange(*part) for part in between]) if between else np.empty(0, np.int64)
    parts = (runs, between, _joined(np.setdiff1d(own, moved)), _joined(moved))
    return Side(*(_characters(words, part) for part in parts))


def _held_words(found: TextComparison, held: tuple[tuple[int, int], ...]) -> NDArray[np.int64]:
    """The whole words of the left text in parts that the right one contains, and in no run."""
    inside = np.zeros(len(found.left), bool)
    for start, end in held:
        inside[np.searchsorted(found.left[:, 0], start) : np.searchsorted(found.left[:, 1], end, side="right")] = True
    for run in found.runs:
        inside[run.left : run.left + run.words] = False
    return np.flatnonzero(inside)


def _joined(words: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Numbers of words, ascending, as ranges."""
    breaks = np.flatnonzero(np.diff(words) != 1) + 1
    return [(int(part[0]), int(part[-1]) + 1) for part in np.split(words, breaks) if len(part)]


def _characters(words: NDArray[np.int64], parts: list[tuple[int, int]]) -> NDArray[np.int64]:
    rows = []
    for start, end in parts:
        if start < end:
            rows.append((int(words[start, 0]), int(words[end - 1, 1])))
        else:
            # Between two words: after the last one before it.
            place = int(words[start - 1, 1]) if start else 0
            rows.append((place, place))
    # Without parts the array would have one axis, and its columns are asked for all the same.
    return np.array(rows, dtype=np.int64).reshape(-1, 2)
