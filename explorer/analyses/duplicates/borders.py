"""Cuts whose ends are moved inward, to where a character, a word or a line ends."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.backends.documents.reading import decode_ids, whole_documents
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.ranges import Ranges, ranges_of
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.text.segments import OTHER, class_of, inside_words
from explorer.text.tokens.decode import DecodedText

Borders = Literal["tokens", "characters", "words", "lines"]
"""Where a cut may begin and end: at every token, or only where no character, word or line is cut in two."""
_AROUND = 32
"""Characters on both sides of a cut that tell whether it joins two words."""
_TOLD = 100
"""After how many documents progress is told."""


def within_borders(
    index: Backend, ranges: Ranges, borders: Borders, report: Report = no_report, cancel: CancelToken | None = None
) -> Ranges:
    """Make ranges shorter until they begin and end at borders.

    Returns: The ranges, without those in which no whole word or line is.
    Raises `TokenizerError` if the index has no tokenizer, and borders are not those of tokens.

    Notes
    -----
    Nothing is cut that was not: a range becomes shorter, never longer. Reads the documents that have a range.
    """
    if borders == "tokens":
        return ranges
    check, numbers = cancel or CancelToken(), np.unique(ranges.documents)
    firsts, lasts = [], []
    for row, (number, ids) in enumerate(whole_documents(index, numbers)):
        check.check()
        if row % _TOLD == 0:
            report(Progress("Moving borders", row, len(numbers), "documents"))
        decoded = None if borders == "characters" else decode_ids(index, ids, begins=True)
        allowed = _allowed(index, ids, decoded, borders)
        starts, ends = ranges.of_document(number)
        starts, ends = np.searchsorted(allowed, starts), np.searchsorted(allowed, ends, "right") - 1
        if borders == "words" and decoded is not None:
            starts, ends = _keep_apart(decoded, allowed, starts, ends)
        firsts.append(allowed[starts])
        lasts.append(allowed[ends])
    none = np.empty(0, np.int64)
    return ranges_of(ranges.documents, np.concatenate([none, *firsts]), np.concatenate([none, *lasts]))


def _allowed(index: Backend, ids: Numbers, decoded: DecodedText | None, borders: Borders) -> Numbers:
    """The places between the tokens of a document at which a cut may begin or end, ascending."""
    whole = _begin_characters(index, ids)
    if decoded is not None:
        between = ~inside_words(decoded.text) if borders == "words" else _between_lines(decoded.text)
        whole &= between[decoded.starts[:-1]]
    # The whole document can be cut.
    whole[:1] = True
    return np.append(np.flatnonzero(whole), len(ids))


def _keep_apart(decoded: DecodedText, allowed: Numbers, starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """Leave something of cuts that would join the words before and after them: what follows the first, if possible.

    starts, ends: by their places in `allowed`.
    """
    text, places = decoded.text, decoded.starts[allowed]
    kept = [_apart(text, places, *cut) for cut in zip(starts.tolist(), ends.tolist(), strict=True)]
    found = np.array(kept, dtype=np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _apart(text: str, places: Numbers, start: int, end: int) -> tuple[int, int]:
    """One cut, made shorter from its beginning, or else from its end, until no words are joined."""
    if start >= end or not _joins(text, places[start], places[end]):
        return start, end
    for begin in range(start + 1, end):
        if not _joins(text, places[begin], places[end]):
            return begin, end
    kept = (last for last in range(end - 1, start, -1) if not _joins(text, places[start], places[last]))
    return start, next(kept, start)


def _joins(text: str, first: int, last: int) -> bool:
    """Whether one word would reach over the place at which a part of a text is removed."""
    head, tail = text[max(0, first - _AROUND) : first], text[last : last + _AROUND]
    # Most cuts have a space beside them.
    if not head or not tail or OTHER in (class_of(head[-1]), class_of(tail[0])):
        return False
    return bool(inside_words(head + tail)[len(head)])


def _begin_characters(index: Backend, ids: Numbers) -> NDArray[np.bool_]:
    """Whether each token begins with the first byte of a character."""
    different, which = np.unique(ids, return_inverse=True)
    known = index.tokenizer.bytes_of
    first = np.array([(known[token] or b" ")[0] for token in different.tolist()], dtype=np.uint8)
    begins: NDArray[np.bool_] = (first[which] < 0x80) | (first[which] >= 0xC0)
    return begins


def _between_lines(text: str) -> NDArray[np.bool_]:
    """Whether a line begins at each character, or after the last."""
    begins = np.zeros(len(text) + 1, np.bool_)
    begins[[0, len(text)]] = True
    begins[1:] |= np.fromiter((character == "\n" for character in text), np.bool_, len(text))
    return begins
