"""Documents of the spans: which occurrences are looked up, their contexts, and how documents are ranked."""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.backends.shards import Index
from explorer.jobs import CancelToken
from explorer.overlap.verbatim import Held, Passage, TextMatcher
from explorer.tokens.decode import DecodedText, trim
from explorer.tokens.tokenizer import Encoded
from explorer.trace.ranking import SCALES, bm25_scores, relevance
from explorer.trace.settings import TraceSettings
from explorer.trace.spans import TokenSpan

_MOST_TOGETHER = 4096
"""Tokens of a document that are decoded at once for several snippets."""


@dataclass(frozen=True)
class Snippet:
    """Text around one occurrence; the match is text[match_start:match_end].

    `offset` is the token of the document where the match begins, `tokens` its length, `span` the span's number (-1:
    another passage).
    """

    text: str
    match_start: int
    match_end: int
    offset: int
    span: int
    tokens: int


@dataclass(frozen=True)
class TraceDocument:
    """A document that shares spans with the text.

    score: BM25 of the words around its first occurrence. relevance: 0 to 1 by the measure of the settings, `level` its
    word. spans: numbers of the spans that it contains. share: of the text's characters, white space not counted, those
    in `passages`; stretch: the same for its best 100 consecutive words. passages: all parts of the text that it
    contains word for word, each of five words or more. longest: the longest of these in the document, or the longest
    span.
    """

    number: int
    score: float
    relevance: float
    level: str
    spans: tuple[int, ...]
    snippets: tuple[Snippet, ...]
    metadata: dict[str, Any]
    share: float
    stretch: float
    passages: tuple[Passage, ...]
    longest: Snippet


@dataclass(frozen=True)
class Occurrence:
    """One place of a span that was looked up; span -1: the text's longest match."""

    span: int
    document: int
    offset: int
    length: int


def drawn(index: Index, total: int, settings: TraceSettings) -> NDArray[np.int64]:
    """Numbers of the occurrences, of so many, that are looked up: drawn with the seed, in order."""
    # Where documents are left out, a second helping makes up for those that are dropped.
    wanted = min(total, settings.documents_per_span * (4 if index.minus else 1))
    if wanted == total:
        return np.arange(total, dtype=np.int64)
    return np.array(sorted(random.Random(settings.seed).sample(range(total), wanted)), dtype=np.int64)


def choose_occurrences(
    index: Index, ids: NDArray[np.int64], spans: Sequence[TokenSpan], settings: TraceSettings, cancel: CancelToken
) -> list[Occurrence]:
    """Up to `documents_per_span` places of each span, chosen with the seed, span by span."""
    starts = np.array([span.start for span in spans], dtype=np.int64)
    ends = np.array([span.end for span in spans], dtype=np.int64)
    which, places = index.places_of_many(ids, starts, ends, lambda total: drawn(index, total, settings), cancel)
    kept = np.flatnonzero(~index.is_left_out(places.documents))
    which = which[kept]
    # The places of a span are consecutive: only the first few are wanted.
    few = np.arange(len(which)) - np.searchsorted(which, which) < settings.documents_per_span
    kept, which = kept[few], which[few]
    lengths = (ends - starts)[which]
    columns = (which, places.documents[kept], places.offsets[kept], lengths)
    return [Occurrence(*row) for row in np.stack(columns, axis=1).tolist()]


def by_document(occurrences: Sequence[Occurrence]) -> dict[int, list[Occurrence]]:
    """The occurrences of each document, in the order in which they were chosen."""
    grouped: dict[int, list[Occurrence]] = {}
    for occurrence in occurrences:
        grouped.setdefault(occurrence.document, []).append(occurrence)
    return grouped


@dataclass(frozen=True)
class Ranked:
    """What documents are compared with: a text, its tokens, and the starts and ends of its spans, both ascending."""

    text: str
    prompt: str
    encoded: Encoded
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()


def rank_documents(
    index: Index, ranked: Ranked, occurrences: Sequence[Occurrence], settings: TraceSettings, cancel: CancelToken
) -> tuple[TraceDocument, ...]:
    """Documents by relevance, best first.

    "share": by share, then by the similarity of the words to those of the text. "olmotrace": by the score of a
    document's first occurrence.
    """
    grouped = by_document(occurrences)
    if not grouped:
        return ()
    matcher = TextMatcher(ranked.text, ranked.encoded)
    scores = _scores(index, ranked, occurrences, settings, cancel)
    documents = []
    for number, members in grouped.items():
        cancel.check()
        held = matcher.hold(index.document_tokens(number), cancel)
        documents.append(_merge(index, ranked, members, scores[number], held, settings, cancel))
    if settings.relevance == "olmotrace":
        return tuple(sorted(documents, key=lambda document: -document.score))
    return tuple(sorted(documents, key=lambda found: (-found.stretch, -found.share, -found.score, found.number)))


def _scores(
    index: Index, ranked: Ranked, occurrences: Sequence[Occurrence], settings: TraceSettings, cancel: CancelToken
) -> dict[int, float]:
    """BM25 of each document's first occurrence: among all occurrences, as in OLMoTrace, or among the first ones."""
    first: dict[int, int] = {}
    if settings.relevance != "olmotrace":
        occurrences = [members[0] for members in by_document(occurrences).values()]
    texts = []
    for i, occurrence in enumerate(occurrences):
        cancel.check()
        first.setdefault(occurrence.document, i)
        texts.append(around(index, occurrence, settings.context).text)
    scores = bm25_scores(f"{ranked.prompt} {ranked.text}", texts)
    return {document: float(scores[i]) for document, i in first.items()}


def _merge(
    index: Index,
    ranked: Ranked,
    occurrences: Sequence[Occurrence],
    score: float,
    held: Held,
    settings: TraceSettings,
    cancel: CancelToken,
) -> TraceDocument:
    number = occurrences[0].document
    olmotrace = settings.relevance == "olmotrace"
    value = relevance(score, len(ranked.text)) if olmotrace else held.stretch
    places = _places_of_spans(ranked, number, occurrences, held)
    return TraceDocument(
        number=number,
        score=score,
        relevance=value,
        level=SCALES[settings.relevance].level(value),
        spans=tuple(sorted({place.span for place in places})),
        snippets=snippets_of(index, places, settings.snippet, cancel),
        metadata=index.metadata(number),
        share=held.share,
        stretch=held.stretch,
        passages=held.passages,
        longest=around(index, _longest(number, occurrences, held), settings.snippet),
    )


def _places_of_spans(
    ranked: Ranked, number: int, occurrences: Sequence[Occurrence], held: Held
) -> tuple[Occurrence, ...]:
    """Places of spans in a document: those that were looked up, and one for each further span within its passages."""
    found = dict.fromkeys(occurrence for occurrence in occurrences if occurrence.span >= 0)
    known = {occurrence.span for occurrence in found}
    for passage in held.passages:
        first = bisect_left(ranked.starts, passage.token_start)
        for span in range(first, bisect_right(ranked.ends, passage.token_end)):
            if span not in known:
                known.add(span)
                start, end = ranked.starts[span], ranked.ends[span]
                offset = passage.offset + start - passage.token_start
                found[Occurrence(span, number, offset, end - start)] = None
    return tuple(found)


def _longest(number: int, occurrences: Sequence[Occurrence], held: Held) -> Occurrence:
    """The longest run of the text in the document: of its passages, or of what was looked up."""
    best = max(occurrences, key=lambda occurrence: occurrence.length)
    passage = held.longest
    if passage is None or passage.length < best.length:
        return best
    return Occurrence(-1, number, passage.offset, passage.length)


def around(index: Index, occurrence: Occurrence, width: int) -> Snippet:
    """The occurrence with `width` tokens on each side, cut at the document's ends."""
    return snippets_of(index, [occurrence], width)[0]


def snippets_of(
    index: Index, occurrences: Sequence[Occurrence], width: int, cancel: CancelToken | None = None
) -> tuple[Snippet, ...]:
    """Occurrences in one document, each with `width` tokens on each side; overlapping contexts are decoded once."""
    snippets: dict[int, Snippet] = {}
    for group in _neighbors(occurrences, width):
        if cancel is not None:
            cancel.check()
        members = [occurrences[i] for i in group]
        first = max(0, members[0].offset - width)
        last = max(member.offset + member.length for member in members) + width
        decoded = index.document_text(members[0].document, first, last)
        for i, member in zip(group, members, strict=True):
            snippets[i] = _cut_out(decoded, member, first, width)
    return tuple(snippets[i] for i in range(len(occurrences)))


def _neighbors(occurrences: Sequence[Occurrence], width: int) -> Iterator[list[int]]:
    """Groups of occurrences whose contexts touch, in order, of a few thousand tokens at most."""
    group: list[int] = []
    for i in sorted(range(len(occurrences)), key=lambda i: occurrences[i].offset):
        if group:
            first, last = occurrences[group[0]], occurrences[group[-1]]
            apart = occurrences[i].offset - width > last.offset + last.length + width
            if apart or occurrences[i].offset - first.offset > _MOST_TOGETHER:
                yield group
                group = []
        group.append(i)
    if group:
        yield group


def _cut_out(decoded: DecodedText, occurrence: Occurrence, first: int, width: int) -> Snippet:
    """An occurrence from a decoded part of its document that begins with token `first`."""
    at = occurrence.offset - first
    tokens = len(decoded.starts) - 1
    left = int(decoded.starts[max(0, at - width)])
    right = int(decoded.starts[min(tokens, at + occurrence.length + width)])
    start, end = trim(decoded.text, int(decoded.starts[at]), int(decoded.starts[at + occurrence.length]))
    return Snippet(
        text=decoded.text[left:right],
        match_start=start - left,
        match_end=end - left,
        offset=occurrence.offset,
        span=occurrence.span,
        tokens=occurrence.length,
    )
