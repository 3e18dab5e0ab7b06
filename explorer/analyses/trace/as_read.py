"""A trace of a reading text, in the characters of the source and in those of the reading text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from explorer.analyses.trace.in_source import SourcePlaces, documents_in_source
from explorer.analyses.trace.measures.longest_passage import LongestPassage
from explorer.analyses.trace.trace import Trace
from explorer.text.reading import ReadingText


def in_source(found: Trace, reading: ReadingText) -> Trace:
    """Give a trace of a reading text as one of its source.

    Returns: The same spans, documents and figures; all characters are those of the source, with those of the reading
        text beside them.
    """
    # Of the measures, only this one has characters; all others count tokens.
    passages = [value for value in (measured.value for measured in found.measured) if isinstance(value, LongestPassage)]
    places = SourcePlaces(reading, [*found.spans, *found.merged, *passages])
    return replace(
        found,
        text=reading.source,
        token_starts=reading.source_starts(found.token_starts),
        token_ends=reading.source_ends(found.token_ends),
        spans=tuple(replace(places.moved(span), read=reading.mode_of(span.start, span.end)) for span in found.spans),
        merged=tuple(map(places.moved, found.merged)),
        documents=documents_in_source(found.documents, reading),
        measured=_with_passage(found, places.moved),
        reading=reading,
        # Those of the trace itself, which was made of the reading text.
        reading_starts=found.token_starts,
        reading_ends=found.token_ends,
    )


def as_read(trace: Trace) -> Trace:
    """Give a trace with the characters of what a person reads, as it is shown and printed.

    Returns: The trace itself if its text was traced as it is written; otherwise one whose `text` is the reading text,
        in which all its characters are.

    Examples
    --------
    >>> from explorer import TraceSettings
    >>> found = corpus.trace("so **the cat** sat on the rug", settings=TraceSettings(read="markdown"))
    >>> passage = found.longest_passage
    >>> found.text[passage.start : passage.end], as_read(found).text[passage.reading_start : passage.reading_end]
    ('cat** sat on the rug', 'cat sat on the rug')
    """
    reading = trace.reading
    if reading is None or trace.reading_starts is None or trace.reading_ends is None:
        return trace
    return replace(
        trace,
        text=reading.text,
        token_starts=trace.reading_starts,
        token_ends=trace.reading_ends,
        spans=tuple(map(_read, trace.spans)),
        merged=tuple(map(_read, trace.merged)),
        documents=tuple(
            replace(document, passages=tuple(map(_read, document.passages))) for document in trace.documents
        ),
        measured=_with_passage(trace, _read),
        reading=None,
        reading_starts=None,
        reading_ends=None,
    )


def _read(part: Any) -> Any:
    # Spans, merged spans and passages have these four fields alike, but no type in common.
    return replace(part, start=part.reading_start, end=part.reading_end, reading_start=None, reading_end=None)


def _with_passage(found: Trace, moved: Callable[[Any], Any]) -> tuple[Any, ...]:
    """The measures, with the characters of the longest passage moved; the others have tokens only."""
    return tuple(
        replace(measured, value=moved(measured.value)) if isinstance(measured.value, LongestPassage) else measured
        for measured in found.measured
    )
