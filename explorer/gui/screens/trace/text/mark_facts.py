"""What is told about a mark of a traced text: its passage, its spans, its best document. No Qt."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.trace import Trace
from explorer.backends.documents.document import document_title
from explorer.gui.screens.trace.work import TraceAnswer
from explorer.gui.style.text_positions import cell_text, one_line
from explorer.i18n import counted, tr, trn

_MOST_HINTS = 8
"""Spans of a passage that are described."""
_AROUND, _MOST_QUOTED = 40, 160
"""Characters of a document around the words of a passage, and of these words."""


def with_spans(documents: Iterable[TraceDocument], spans: frozenset[int]) -> tuple[TraceDocument, ...]:
    """Choose the documents that have one of some spans.

    Returns: Those with at least one of them, in their order.
    """
    return tuple(document for document in documents if spans & set(document.spans))


def best_source(answer: TraceAnswer, number: int) -> tuple[str, str] | None:
    """Give the most relevant document with a part of a passage.

    Returns: Its title, and the words of the passage there with what is around them; None if none was looked up.
    """
    spans = frozenset(answer.passages[number].spans)
    holding = with_spans(answer.trace.documents, spans)
    if not holding:
        return None
    document = holding[0]
    mine = [snippet for snippet in document.snippets if snippet.span in spans]
    shown = max(mine, key=lambda snippet: snippet.match_end - snippet.match_start, default=document.longest)
    start = max(0, shown.match_start - _AROUND)
    end = min(len(shown.text), min(shown.match_end, shown.match_start + _MOST_QUOTED) + _AROUND)
    quote = f"{'…' if start else ''}{one_line(shown.text[start:end])}{'…' if end < len(shown.text) else ''}"
    return cell_text(document_title(document.metadata, document.number)), quote


def longest_hint(trace: Trace, length: int) -> str:
    """Describe the longest match of a text."""
    return tr("{length}, the longest match", length=trace.units(length))


def passage_hint(answer: TraceAnswer, number: int) -> str:
    """Describe a passage: its place, its relevance, and its spans.

    number: The number of the passage, from 0.
    """
    passage = answer.passages[number]
    lines = [tr("Passage {number:,} of {count:,}", number=number + 1, count=len(answer.passages))]
    if passage.level:
        lines[0] += tr(" · {level} relevance", level=tr(passage.level))
    if passage.longest and answer.trace.longest_passage is not None:
        length = answer.trace.units(answer.trace.longest_passage.length)
        lines.append(tr("With the longest match: {length}", length=length))
    # A copied text is one passage with dozens of spans, which would fill the screen.
    spans = passage.spans[:_MOST_HINTS]
    lines += [span_hint(answer.trace, span) for span in spans]
    left = len(passage.spans) - len(spans)
    if left:
        lines.append(trn("and {n:,} more span", "and {n:,} more spans", left))
    return "\n".join(lines)


def span_hint(trace: Trace, number: int) -> str:
    """Describe a span: its length, its occurrences, its relevance and its rarity.

    number: The number of the span, from 0.
    """
    span = trace.spans[number]
    relevance = tr(", {level} relevance", level=tr(span.level)) if span.level else ""
    return tr(
        "{length}, occurs {times}{relevance}, rarity {rarity:.1f}",
        length=trace.units(span.token_end - span.token_start),
        times=counted("time", span.count),
        relevance=relevance,
        rarity=span.rarity,
    )
