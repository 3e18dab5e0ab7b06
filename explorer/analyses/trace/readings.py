"""Which lines of a text are looked up as they are written, and which without their marks of Markdown.

A corpus may hold a passage either way, and only the way that it holds shows the copy: so both are looked up, and each
line is read as the longer match has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.overlap.copies import WithoutCopies, without_copies
from explorer.analyses.trace.measures.coverage import LEAST
from explorer.backends.protocol.protocol import Backend
from explorer.core.files.encoding import replace_surrogates
from explorer.core.jobs import CancelToken
from explorer.text.reading import ReadingText, StyledRun, read_text
from explorer.text.reading.value import plain_reading

_LEAST_LETTERS = 20
"""Letters and digits of a match that decides how its lines are read: about five words. Signs alone are everywhere."""
Numbers = NDArray[np.int64]


def readings_of(text: str, read: str) -> tuple[str, ...]:
    """The texts that are looked up for a text: with "auto", the text as it is written and as it is read."""
    reading = read_text(text, read)
    return (reading.text,) if read != "auto" or reading.mode == "plain" else (reading.source, reading.text)


def without_readings(index: Backend, text: str, read: str, cancel: CancelToken | None = None) -> WithoutCopies:
    """The index without the documents that contain most of a text, as it is written or as it is read."""
    encode = index.tokenizer.encode_with_offsets
    return without_copies(index, [(each, encode(each)) for each in readings_of(text, read)], cancel)


def reading_in(index: Backend, text: str, read: str, cancel: CancelToken) -> ReadingText:
    """Read a text as the index holds it.

    read: "plain", "markdown", or "auto": each line as the longest match has it that contains a part of it; as Markdown
        where no match decides.
    Returns: The text to look up, with its map to the source. Its mode is "plain", "markdown", or "mixed" if some of its
        lines are read as they are written.
    """
    found = read_text(replace_surrogates(text), read)
    if read != "auto" or found.mode == "plain":
        return found
    plain = plain_reading(found.source)
    if not found.text.strip():
        return plain
    lines = _line_starts(found)
    matches = np.concatenate([_matches(index, found, 0, cancel), _matches(index, plain, 1, cancel)])
    return _mixed(found, lines, _as_written(matches, lines))


def _line_starts(reading: ReadingText) -> Numbers:
    """The first characters of the source's lines; a formula or another part that is read as a whole is in one line."""
    breaks = [place + 1 for place, char in enumerate(reading.source[:-1]) if char == "\n"]
    starts = np.array([0, *breaks], dtype=np.int64)
    first, last, begin, end = reading.pieces.T
    whole = (last - first) != (end - begin)
    # The last such part that begins before a line must have ended there; these parts ascend, and do not overlap.
    at = np.searchsorted(begin[whole], starts, side="left") - 1
    # -1 in front: before the first such part, nothing has begun.
    reached: Numbers = np.append(-1, end[whole])
    kept: Numbers = starts[reached[at + 1] <= starts]
    return kept


def _matches(index: Backend, reading: ReadingText, written: int, cancel: CancelToken) -> Numbers:
    """The longest matches of a text, a row each: letters, characters, `written`, and the place in the source."""
    encoded = index.tokenizer.encode_with_offsets(reading.text)
    longest = index.counts.longest_matches(encoded.ids, cancel)
    ends = np.arange(len(longest)) + longest
    kept = np.flatnonzero((longest >= LEAST) & (ends > np.append(0, ends[:-1])))
    firsts, lasts = encoded.starts[kept], encoded.ends[ends[kept] - 1]
    letters = np.append(0, np.cumsum(np.fromiter(map(str.isalnum, reading.text), np.int64, len(reading.text))))
    rows = [letters[lasts] - letters[firsts], lasts - firsts, np.full(len(kept), written)]
    table: Numbers = np.stack([*rows, reading.source_starts(firsts), reading.source_ends(lasts)], axis=1).astype(
        np.int64
    )
    return table[table[:, 0] >= _LEAST_LETTERS]


def _as_written(matches: Numbers, lines: Numbers) -> list[bool]:
    """For each line, whether the longest match that touches it is one of the text as it is written."""
    # Of the same letters, the match with more characters; then that of the reading text.
    order = np.lexsort((matches[:, 2], -matches[:, 1], -matches[:, 0]))
    rows = matches[order]
    firsts = np.searchsorted(lines, rows[:, 3], side="right") - 1
    lasts = np.searchsorted(lines, rows[:, 4], side="left")
    written = [False] * len(lines)
    # The next line from each on that no longer match has: followed instead of the lines, which long matches share.
    free = list(range(len(lines) + 1))
    for by, first, last in zip(rows[:, 2].tolist(), firsts.tolist(), lasts.tolist(), strict=True):
        line = _free_from(free, first)
        while line < last:
            written[line] = bool(by)
            free[line] = line + 1
            line = _free_from(free, line)
    return written


def _free_from(free: list[int], line: int) -> int:
    while free[line] != line:
        free[line] = free[free[line]]
        line = free[line]
    return line


def _mixed(reading: ReadingText, lines: Numbers, written: Sequence[bool]) -> ReadingText:
    """A text of which some lines are read as they are written."""
    if not any(written):
        return reading
    cuts = [0, *(i for i in range(1, len(written)) if written[i] != written[i - 1]), len(written)]
    bounds = np.append(lines, len(reading.source))
    places = reading.read_before(bounds)
    parts: list[str] = []
    as_written: list[tuple[int, int]] = []
    pieces: list[Numbers] = []
    runs: list[StyledRun] = []
    length = 0
    for first, last in pairwise(cuts):
        begin, end = int(bounds[first]), int(bounds[last])
        if written[first]:
            parts.append(reading.source[begin:end])
            as_written.append((length, length + end - begin))
            pieces.append(np.array([[*as_written[-1], begin, end]], dtype=np.int64))
        else:
            start, stop = int(places[first]), int(places[last])
            parts.append(reading.text[start:stop])
            pieces.append(_cut(reading.pieces, start, stop, length))
            runs += _styles(reading, start, stop, length - start)
        length += len(parts[-1])
    text = "".join(parts)
    if text == reading.source:
        return plain_reading(text)
    return ReadingText(reading.source, text, "mixed", np.concatenate(pieces), tuple(runs), tuple(as_written))


def _cut(pieces: Numbers, start: int, stop: int, to: int) -> Numbers:
    """The pieces of a part of a reading text that begins at another place."""
    kept = pieces[(pieces[:, 1] > start) & (pieces[:, 0] < stop)].copy()
    # Only pieces that are mapped character by character are cut.
    for column in (0, 1):
        moved = np.clip(kept[:, column], start, stop) - kept[:, column]
        kept[:, column] += moved
        kept[:, column + 2] += moved
    kept[:, :2] += to - start
    return kept


def _styles(reading: ReadingText, start: int, stop: int, by: int) -> list[StyledRun]:
    """The styles of a part of a reading text that is moved."""
    return [
        replace(run, start=max(run.start, start) + by, end=min(run.end, stop) + by)
        for run in reading.runs
        if (run.start < stop and run.end > start) or (run.start == run.end and start <= run.start < stop)
    ]
