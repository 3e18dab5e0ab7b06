"""Compares a traced text with a document, off the interface thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol import Backend
from explorer.documents.document import document_title
from explorer.documents.reading import length_of, text_of
from explorer.jobs import CancelToken
from explorer.overlap.alignment import TextComparison, compare_texts
from explorer.trace.as_read import as_read
from explorer.trace.documents import TraceDocument
from explorer.trace.trace import Trace

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

    Attributes
    ----------
    request
        What was asked.
    left
        The traced text, as it is read.
    right
        The document, or a part of it.
    first, last
        The tokens of the document that are compared.
    of
        All tokens of the document.
    comparison
        The words of both.
    """

    request: SideRequest
    left: str
    right: str
    first: int
    last: int
    of: int
    comparison: TextComparison

    @property
    def title(self) -> str:
        """The name of the document."""
        return document_title(self.request.document.metadata, self.request.document.number)


def compare(request: SideRequest, cancel: CancelToken) -> SideAnswer:
    """Compare a text with a document. Runs off the interface thread.

    Parameters
    ----------
    request
        The text and the document.
    cancel
        Stops the work.

    Returns
    -------
    SideAnswer
        Both texts and their words.

    Raises
    ------
    CorpusError
        If the document cannot be read.
    """
    number = request.document.number
    length = length_of(request.index, number)
    first, last = 0, length
    if length > MOST_TOKENS:
        # With the place of the card in the middle, but never past an end: the part always has `MOST_TOKENS`.
        first = max(0, min(request.offset - MOST_TOKENS // 2, length - MOST_TOKENS))
        last = first + MOST_TOKENS
    # What was traced: addresses of links and other marks of Markdown would break runs that both texts have.
    left = as_read(request.trace).text
    # As the window shows it: a line break is one character there.
    right = text_of(request.index, number, first, last).text.replace("\r\n", "\n")
    # As the text was traced: in words, case does not matter.
    found = compare_texts(left, right, ignore_case=request.trace.unit == "words", cancel=cancel)
    return SideAnswer(request, left, right, first, last, length, found)


@dataclass(frozen=True, eq=False)
class Sides:
    """Characters of both texts, as they are drawn.

    Attributes
    ----------
    same_left, same_right
        The runs of words that both have, int64 of shape (runs, 2).
    only_left, only_right
        The words that only one text has, int64 of shape (differences, 2); empty where that text has none.
    """

    same_left: NDArray[np.int64]
    same_right: NDArray[np.int64]
    only_left: NDArray[np.int64]
    only_right: NDArray[np.int64]


def sides_of(found: TextComparison) -> Sides:
    """Find the characters that are drawn for a comparison.

    Parameters
    ----------
    found
        The comparison.

    Returns
    -------
    Sides
        One row per run, and one per difference. Punctuation between two words of a run belongs to the run.
    """
    # Each difference gets a row on both sides, also where one of them has no words: one number frames both.
    runs, differences = found.runs, found.differences
    return Sides(
        _characters(found.left, [(run.left, run.left + run.words) for run in runs]),
        _characters(found.right, [(run.right, run.right + run.words) for run in runs]),
        _characters(found.left, [(one.left_start, one.left_end) for one in differences]),
        _characters(found.right, [(one.right_start, one.right_end) for one in differences]),
    )


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
