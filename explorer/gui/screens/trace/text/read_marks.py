"""Marks of a trace in a text that is read as Markdown: in the text as it is read, and in its source. No Qt."""

from __future__ import annotations

from dataclasses import replace

from explorer.gui.screens.trace.documents.choice import Mark
from explorer.text.reading import ReadingText


def reading_marks(marks: tuple[Mark, ...], reading: ReadingText) -> tuple[Mark, ...]:
    """Move marks from the source to the reading text.

    Returns: The same marks in characters of the reading text; one of only marks of Markdown is empty.
    """
    ranges = (reading.reading_range(mark.start, mark.end) for mark in marks)
    return tuple(replace(mark, start=start, end=end) for mark, (start, end) in zip(marks, ranges, strict=True))


def source_marks(marks: tuple[Mark, ...], reading: ReadingText) -> tuple[Mark, ...]:
    """Leave the marks of Markdown out of the marks of a source.

    Returns: One mark per part of the source that is read.
    """
    return tuple(
        replace(mark, start=start, end=end)
        for mark in marks
        for start, end in reading.source_parts(*reading.reading_range(mark.start, mark.end))
    )
