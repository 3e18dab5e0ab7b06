"""Passages: the spans of a trace as a reader sees them, one for each part that a document contains as a whole."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from explorer.analyses.trace.trace import Trace

_LEVELS = ("", "low", "medium", "high")
"""Words of relevance, ascending; "" is that of a span without documents."""


@dataclass(frozen=True)
class TextPassage:
    """A part of a text that is shown as one.

    end: One past its last character.
    spans: The numbers of its spans, ascending.
    level: The best relevance of them: "high", "medium", "low", or "" without documents.
    longest: Whether the longest match of the text is in it.
    """

    start: int
    end: int
    spans: tuple[int, ...]
    level: str
    longest: bool = False


def passages_of(trace: Trace) -> tuple[TextPassage, ...]:
    """Join the spans of a trace into passages.

    Spans that overlap are one passage, as in `Trace.merged`. Spans are cut at delimiters such as full stops, so a long
    match is several of them: those that one document contains in a single run, or that are inside the longest match,
    are one passage, too.

    Returns: The passages, by start. None overlaps another.

    Notes
    -----
    Costs a binary search per passage of a document.
    """
    merged = trace.merged
    starts, ends = [part.start for part in merged], [part.end for part in merged]
    # joined[i]: part i + 1 belongs to the passage of part i.
    joined = [False] * len(merged)
    longest = trace.longest_passage
    runs = [(run.start, run.end) for document in trace.documents for run in document.passages]
    first, last = -1, -1
    if longest is not None:
        # All parts that touch the longest match, which replaces their bounds; of another run, those inside.
        first, last = bisect_right(ends, longest.start), bisect_left(starts, longest.end)
        runs += [(starts[first], ends[last - 1])] if first < last else []
    # Documents often hold the same run; each is joined once.
    for start, end in set(runs):
        # Parts that begin and end within the run are neighbors, since parts ascend and do not overlap.
        for i in range(bisect_left(starts, start), bisect_right(ends, end) - 1):
            joined[i] = True
    found: list[TextPassage] = []
    begin = 0
    for i in range(len(merged)):
        if joined[i]:
            continue
        parts = merged[begin : i + 1]
        has_longest = longest is not None and begin < last and i >= first
        bounds = (longest.start, longest.end) if longest is not None and has_longest else (starts[begin], ends[i])
        found.append(
            TextPassage(
                start=min(starts[begin], bounds[0]),
                end=max(ends[i], bounds[1]),
                spans=tuple(sorted(number for part in parts for number in part.spans)),
                level=max((part.level for part in parts), key=_LEVELS.index),
                longest=has_longest,
            )
        )
        begin = i + 1
    return tuple(found)
