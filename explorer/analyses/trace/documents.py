"""Documents of the spans: which occurrences are looked up, their contexts, and how documents are ranked."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.analyses.overlap.verbatim import Held, Passage, TextMatcher
from explorer.analyses.trace.documents_read import documents_read
from explorer.analyses.trace.occurrences import (
    DocumentTokens,
    Occurrence,
    Ranked,
    Snippet,
    around,
    by_document,
    open_tokens,
    snippets_of,
)
from explorer.analyses.trace.ranking import SCALES, bm25_scores, relevance
from explorer.analyses.trace.settings import TraceSettings
from explorer.backends.documents.reading import records_of
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken


@dataclass(frozen=True)
class TraceDocument:
    """A document that shares spans with a text.

    Attributes
    ----------
    number
        The number of the document.
    score
        BM25 of the words around its first occurrence.
    relevance
        0 to 1, by the measure of the settings.
    level
        The word for it.
    spans
        Numbers of the spans that it contains.
    snippets
        Occurrences with their contexts.
    metadata
        Its fields.
    share
        The share of the text's characters, white space not counted, that are in `passages`.
    stretch
        The same for its best 100 consecutive words.
    passages
        All parts of the text that it contains word for word, each of five words or more.
    longest
        The longest of these in the document, or the longest span.
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


def rank_documents(
    index: Backend, ranked: Ranked, occurrences: Sequence[Occurrence], settings: TraceSettings, cancel: CancelToken
) -> tuple[TraceDocument, ...]:
    """Make the list of documents.

    settings: The context that is compared, the snippet that is shown, and the measure of relevance.
    Returns: Documents by relevance, best first. "share": by the best stretch, by share, then by the similarity of the
        words to those of the text. "olmotrace": by the score of a document's first occurrence.

    Notes
    -----
    Every document is read once: all of it, or, where no text is stored, what can be shown of it.
    """
    # In the order in which documents were drawn, which is also the order of the requests below.
    grouped = by_document(occurrences)
    if not grouped:
        return ()
    # The tables of the text are made once; each document is then a pass over its tokens.
    matcher = TextMatcher(ranked.text, ranked.encoded)
    found: dict[int, _Read] = {}
    open_document = ranked.open or open_tokens
    # What is needed of a document is taken while its tokens are in memory; only a few documents are at a time.
    for number, tokens in documents_read(index, ranked, matcher, grouped, settings, cancel):
        cancel.check()
        document = open_document(index, number, tokens)
        found[number] = _read(document, ranked, grouped[number], matcher, settings, cancel)
    scores = _scores(ranked, occurrences, found, settings)
    records = records_of(index, np.array(list(grouped), dtype=np.int64))
    documents = [
        _described(ranked, number, found[number], scores[number], metadata, settings)
        for number, metadata in zip(grouped, records, strict=True)
    ]
    # Only by score, as OLMoTrace does; `sorted` is stable, so equal scores stay in the order of the draw.
    if settings.relevance == "olmotrace":
        return tuple(sorted(documents, key=lambda document: -document.score))
    # The number last: the same documents are in the same order on every machine.
    return tuple(sorted(documents, key=lambda found: (-found.stretch, -found.share, -found.score, found.number)))


@dataclass(frozen=True)
class _Read:
    """What was taken from a document's tokens, which are not kept.

    contexts: text around its occurrences, by which documents are scored; of the first one only, except for OLMoTrace.
    """

    held: Held
    spans: tuple[int, ...]
    contexts: tuple[str, ...]
    snippets: tuple[Snippet, ...]
    longest: Snippet


def _read(
    tokens: DocumentTokens,
    ranked: Ranked,
    occurrences: Sequence[Occurrence],
    matcher: TextMatcher,
    settings: TraceSettings,
    cancel: CancelToken,
) -> _Read:
    number = occurrences[0].document
    held = matcher.hold(tokens.ids, cancel)
    places = _places_of_spans(ranked, number, occurrences, held)
    # BM25 depends on all texts that are scored together. OLMoTrace scores every occurrence; here, a document with many
    # would weigh more than others.
    scored = occurrences if settings.relevance == "olmotrace" else occurrences[:1]
    return _Read(
        held=held,
        spans=tuple(sorted({place.span for place in places})),
        contexts=tuple(tokens.context(occurrence, settings.context) for occurrence in scored),
        snippets=snippets_of(tokens, places, settings.snippet, cancel),
        longest=around(tokens, _longest(number, occurrences, held), settings.snippet),
    )


def _scores(
    ranked: Ranked, occurrences: Sequence[Occurrence], found: Mapping[int, _Read], settings: TraceSettings
) -> dict[int, float]:
    """BM25 of each document's first occurrence: among all occurrences, as in OLMoTrace, or among the first ones."""
    # The contexts of a document are in the order of its occurrences, so each iterator gives the one that belongs to the
    # next occurrence.
    left = {number: iter(read.contexts) for number, read in found.items()}
    if settings.relevance != "olmotrace":
        occurrences = [members[0] for members in by_document(occurrences).values()]
    # The place of each document's first occurrence among those that are scored.
    first: dict[int, int] = {}
    for i, occurrence in enumerate(occurrences):
        first.setdefault(occurrence.document, i)
    texts = [next(left[occurrence.document]) for occurrence in occurrences]
    scores = bm25_scores(f"{ranked.prompt} {ranked.text}", texts)
    return {document: float(scores[i]) for document, i in first.items()}


def _described(
    ranked: Ranked, number: int, read: _Read, score: float, metadata: dict[str, Any], settings: TraceSettings
) -> TraceDocument:
    held = read.held
    value = relevance(score, len(ranked.text)) if settings.relevance == "olmotrace" else held.stretch
    return TraceDocument(
        number=number,
        score=score,
        relevance=value,
        level=SCALES[settings.relevance].level(value),
        spans=read.spans,
        snippets=read.snippets,
        metadata=metadata,
        share=held.share,
        stretch=held.stretch,
        passages=held.passages,
        longest=read.longest,
    )


def _places_of_spans(
    ranked: Ranked, number: int, occurrences: Sequence[Occurrence], held: Held
) -> tuple[Occurrence, ...]:
    """Places of spans in a document: those that were looked up, and one for each further span within its passages."""
    # A dictionary as a set that keeps its order. Span -1, the longest passage, is not one of the spans that are shown.
    found = dict.fromkeys(occurrence for occurrence in occurrences if occurrence.span >= 0)
    known = {occurrence.span for occurrence in found}
    for passage in held.passages:
        # Both arrays ascend, since no span contains another: those inside the passage are the ones from `first` on that
        # end where it does or before.
        first = bisect_left(ranked.starts, passage.token_start)
        for span in range(first, bisect_right(ranked.ends, passage.token_end)):
            if span not in known:
                known.add(span)
                start, end = ranked.starts[span], ranked.ends[span]
                # A passage is word for word the same in text and document, so places in it differ by a constant.
                offset = passage.offset + start - passage.token_start
                found[Occurrence(span, number, offset, end - start)] = None
    return tuple(found)


def _longest(number: int, occurrences: Sequence[Occurrence], held: Held) -> Occurrence:
    """The longest run of the text in the document: of its passages, or of what was looked up."""
    best = max(occurrences, key=lambda occurrence: occurrence.length)
    passage = held.longest
    # Passages have five words or more and begin at words; what was looked up may be longer than any of them.
    if passage is None or passage.length < best.length:
        return best
    return Occurrence(-1, number, passage.offset, passage.length)
