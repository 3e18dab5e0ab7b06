"""The choice on the trace screen, and its marks and documents: pure functions of a trace."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.gui.requests import DocumentRequest
from explorer.i18n import counted, tr, trn
from explorer.search.needle import Needle
from explorer.trace.documents import Snippet, TraceDocument
from explorer.trace.trace import Trace


@dataclass(frozen=True)
class Choice:
    """The user's choice: a region (number of a merged span), one span in it, the longest passage, a document.

    span: None for all of the region. A document is chosen on top of the others: then its passages are marked.
    """

    region: int | None = None
    span: int | None = None
    passage: bool = False
    document: TraceDocument | None = None

    def with_document(self, document: TraceDocument | None) -> Choice:
        """The same choice with another document."""
        return replace(self, document=document)


@dataclass(frozen=True)
class Mark:
    """A mark: characters [start, end), its relevance ("" means low), its tool tip, and its region (-1: none).

    chosen: with the background of the selection. outlined: only a frame, used for the other spans of a chosen region.
    """

    start: int
    end: int
    level: str
    hint: str
    region: int = -1
    chosen: bool = False
    outlined: bool = False


def marks_of(trace: Trace, choice: Choice) -> tuple[Mark, ...]:
    """Choose the marks of a trace; runs of only white space are left out, since they would not be visible.

    Parameters
    ----------
    trace
        The traced text.
    choice
        What is selected.

    Returns
    -------
    tuple[Mark, ...]
        Characters and looks of the marks; later ones are on top.
    """
    if choice.document is not None:
        marks = _marks_of_document(trace, choice.document)
        marks += _outlines(trace, choice)
    else:
        marks = _regions(trace, choice) + _chosen(trace, choice) + _outlines(trace, choice)
    return tuple(mark for mark in marks if trace.text[mark.start : mark.end].strip())


def _regions(trace: Trace, choice: Choice) -> list[Mark]:
    """The regions in the shade of their relevance, except for the chosen one."""
    return [
        Mark(merged.start, merged.end, merged.level, _hint(trace, merged.spans), number)
        for number, merged in enumerate(trace.merged)
        if number != choice.region
    ]


def _chosen(trace: Trace, choice: Choice) -> list[Mark]:
    """The exact choice: a region, one span of it, or the longest passage."""
    if choice.passage and trace.longest_passage is not None:
        passage = trace.longest_passage
        hint = tr("{length}, the longest passage", length=counted("token", passage.length))
        return [Mark(passage.start, passage.end, "", hint, chosen=True)]
    if choice.region is None:
        return []
    merged = trace.merged[choice.region]
    spans = merged.spans if choice.span is None else (choice.span,)
    whole = merged if choice.span is None else trace.spans[choice.span]
    return [Mark(whole.start, whole.end, whole.level, _hint(trace, spans), choice.region, chosen=True)]


def _outlines(trace: Trace, choice: Choice) -> list[Mark]:
    """Frames around the other spans of the chosen region."""
    if choice.region is None or (choice.span is None and choice.document is None):
        return []
    return [
        Mark(span.start, span.end, span.level, _hint(trace, (number,)), choice.region, outlined=True)
        for number in trace.merged[choice.region].spans
        if number != choice.span
        # A loop over one value, which gives it a name.
        for span in (trace.spans[number],)
    ]


def held_runs(trace: Trace, document: TraceDocument) -> tuple[tuple[int, int], ...]:
    """Find what a document contains of the text word for word: its passages, and spans outside them.

    Parameters
    ----------
    trace
        The traced text.
    document
        The document.

    Returns
    -------
    tuple[tuple[int, int], ...]
        First character and one past the last of each run, ascending. None is inside another; two may overlap, and then
        the document does not contain them as one.
    """
    runs = [(passage.start, passage.end) for passage in document.passages]
    runs += [(trace.spans[number].start, trace.spans[number].end) for number in document.spans]
    kept: list[tuple[int, int]] = []
    # The longest of those with one start comes first; one that ends no later than the last is inside it.
    for start, end in sorted(set(runs), key=lambda run: (run[0], -run[1])):
        if not kept or end > kept[-1][1]:
            kept.append((start, end))
    return tuple(kept)


def _marks_of_document(trace: Trace, document: TraceDocument) -> list[Mark]:
    marks, before = [], -1
    for start, end in held_runs(trace, document):
        hint = tr("This document contains these words")
        marks.append(Mark(start, end, document.level, hint, chosen=True))
        if start < before:
            # A frame shows that two runs overlap and do not occur as one in the document.
            marks.append(Mark(start, end, document.level, hint, outlined=True))
        before = end
    return marks


def listed(trace: Trace, choice: Choice) -> tuple[TraceDocument, ...]:
    """Choose the documents to list: all, or those of a region, of one span, or of the longest passage.

    Parameters
    ----------
    trace
        The traced text.
    choice
        What is selected.

    Returns
    -------
    tuple[TraceDocument, ...]
        The documents, best first.
    """
    if choice.passage and trace.longest_passage is not None:
        return tuple(d for d in trace.documents if d.number in trace.longest_passage.documents)
    wanted = chosen_spans(trace, choice)
    if wanted is None:
        return trace.documents
    return tuple(document for document in trace.documents if wanted & set(document.spans))


def chosen_spans(trace: Trace, choice: Choice) -> frozenset[int] | None:
    """Give the numbers of the chosen spans.

    Parameters
    ----------
    trace
        The traced text.
    choice
        What is selected.

    Returns
    -------
    frozenset[int] | None
        The numbers; None for all spans.
    """
    if choice.region is None:
        return None
    return frozenset(trace.merged[choice.region].spans if choice.span is None else (choice.span,))


def heading(trace: Trace, choice: Choice, number: int) -> str:
    """Write the heading of a list of documents.

    Parameters
    ----------
    trace
        The traced text.
    choice
        What is selected.
    number
        The number of documents.

    Returns
    -------
    str
        The heading.
    """
    if choice.passage:
        return trn("{n:,} document with the longest passage", "{n:,} documents with the longest passage", number)
    if choice.region is None:
        return counted("document", number)
    if choice.span is None and len(trace.merged[choice.region].spans) > 1:
        return trn("{n:,} document with part of this passage", "{n:,} documents with parts of this passage", number)
    return trn("{n:,} document with the selected span", "{n:,} documents with the selected span", number)


def request_of(trace: Trace, document: TraceDocument, shown: Snippet) -> DocumentRequest:
    """Ask for a whole document at the snippet that is shown, with its passages and every span of the trace marked.

    Parameters
    ----------
    trace
        The traced text.
    document
        The document.
    shown
        The snippet on its card.

    Returns
    -------
    DocumentRequest
        The request for the document's panel.
    """
    runs = [(passage.token_start, passage.token_end) for passage in document.passages]
    runs += [(span.token_start, span.token_end) for span in trace.spans]
    patterns = tuple(dict.fromkeys(tuple(trace.token_ids[start:end].tolist()) for start, end in runs))
    return DocumentRequest(document.number, shown.offset, shown.tokens, Needle(patterns))


def _hint(trace: Trace, numbers: tuple[int, ...]) -> str:
    lines = [] if len(numbers) == 1 else [trn("{n} span:", "{n} overlapping spans:", len(numbers))]
    for number in numbers:
        span = trace.spans[number]
        times = counted("time", span.count)
        relevance = tr(", {level} relevance", level=tr(span.level)) if span.level else ""
        length = span.token_end - span.token_start
        lines.append(
            tr(
                "{length}, occurs {times}{relevance}, rarity {rarity:.1f}",
                length=counted("token", length),
                times=times,
                relevance=relevance,
                rarity=span.rarity,
            )
        )
    return "\n".join(lines)
