"""Documents behind the spans: which occurrences are looked up, and what stands around them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.index import Index
from explorer.corpus.text import trim
from explorer.jobs import CancelToken
from explorer.trace.ranking import bm25_scores, level, relevance
from explorer.trace.settings import TraceSettings
from explorer.trace.spans import TokenSpan


@dataclass(frozen=True)
class Snippet:
    """Text around one occurrence; the match is text[match_start:match_end].

    `offset` is the token of the document where the match begins, `span` the span's number.
    """

    text: str
    match_start: int
    match_end: int
    offset: int
    span: int


@dataclass(frozen=True)
class TraceDocument:
    """A document that shares spans with the text. `relevance` is 0 to 1, `level` its word."""

    number: int
    score: float
    relevance: float
    level: str
    spans: tuple[int, ...]
    snippets: tuple[Snippet, ...]
    metadata: dict[str, Any]


@dataclass(frozen=True)
class Occurrence:
    """One place of a span that was looked up."""

    span: int
    document: int
    offset: int
    length: int


def drawn(index: Index, total: int, settings: TraceSettings) -> NDArray[np.int64]:
    """Numbers of the occurrences, of so many, that are looked up: drawn with the seed, in order."""
    # Where documents are left out, a second helping makes up for those that are dropped.
    wanted = min(total, settings.documents_per_span * (4 if index.minus else 1))
    return np.array(sorted(random.Random(settings.seed).sample(range(total), wanted)), dtype=np.int64)


def choose_occurrences(
    index: Index, ids: Sequence[int], spans: Sequence[TokenSpan], settings: TraceSettings, cancel: CancelToken
) -> list[Occurrence]:
    """Up to `documents_per_span` places of each span, chosen with the seed, span by span."""
    chosen: list[Occurrence] = []
    for number, span in enumerate(spans):
        cancel.check()
        matches = index.find(ids[span.start : span.end])
        total = sum(last - first for first, last in matches.ranges)
        numbers = drawn(index, total, settings)
        places = index.places(matches.ranges, numbers, matches.ids)
        kept = ~index.is_left_out(places.documents)
        pairs = zip(places.documents[kept].tolist(), places.offsets[kept].tolist(), strict=True)
        found = [Occurrence(number, document, offset, matches.length) for document, offset in pairs]
        chosen += found[: settings.documents_per_span]
    return chosen


def rank_documents(
    index: Index,
    text: str,
    prompt: str,
    occurrences: Sequence[Occurrence],
    settings: TraceSettings,
    cancel: CancelToken,
) -> tuple[TraceDocument, ...]:
    """Documents by relevance: occurrences scored with BM25, then merged by document.

    A document's score is that of its first occurrence, as OLMoTrace has it.
    """
    texts = []
    for occurrence in occurrences:
        cancel.check()
        texts.append(_around(index, occurrence, settings.context).text)
    scores = bm25_scores(f"{prompt} {text}", texts)
    merged: dict[int, list[int]] = {}
    for i, occurrence in enumerate(occurrences):
        merged.setdefault(occurrence.document, []).append(i)
    documents = [
        _merge(index, text, [occurrences[i] for i in members], float(scores[members[0]]), settings)
        for members in merged.values()
    ]
    return tuple(sorted(documents, key=lambda document: -document.score))


def _merge(
    index: Index, text: str, occurrences: Sequence[Occurrence], score: float, settings: TraceSettings
) -> TraceDocument:
    number = occurrences[0].document
    share = relevance(score, len(text))
    snippets: dict[tuple[int, int], Snippet] = {}
    for occurrence in occurrences:
        snippet = _around(index, occurrence, settings.snippet)
        snippets.setdefault((occurrence.offset, occurrence.length), snippet)
    return TraceDocument(
        number=number,
        score=score,
        relevance=share,
        level=level(share),
        spans=tuple(dict.fromkeys(occurrence.span for occurrence in occurrences)),
        snippets=tuple(snippets.values()),
        metadata=index.metadata(number),
    )


def _around(index: Index, occurrence: Occurrence, width: int) -> Snippet:
    """The occurrence with `width` tokens on each side, cut at the document's ends."""
    first = max(0, occurrence.offset - width)
    ids = index.document_tokens(occurrence.document, first, occurrence.offset + occurrence.length + width)
    decoded = index.decode(ids)
    at = occurrence.offset - first
    start, end = trim(decoded.text, int(decoded.starts[at]), int(decoded.starts[at + occurrence.length]))
    return Snippet(
        text=decoded.text,
        match_start=start,
        match_end=end,
        offset=occurrence.offset,
        span=occurrence.span,
    )
