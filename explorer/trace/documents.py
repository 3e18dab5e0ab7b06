"""Documents of the spans: which occurrences are looked up, their contexts, and how documents are ranked."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.arrays import ArrayValue
from explorer.backends.protocol import Backend
from explorer.documents.reading import decode_ids, records_of
from explorer.jobs import CancelToken
from explorer.overlap.verbatim import Held, Passage, TextMatcher
from explorer.tokens.decode import trim
from explorer.tokens.tokenizer import Encoded
from explorer.trace.documents_read import documents_read
from explorer.trace.ranking import SCALES, bm25_scores, relevance
from explorer.trace.settings import TraceSettings
from explorer.trace.spans import TokenSpan

_MOST_TOGETHER = 4096
"""Tokens of a document that are decoded at once for several snippets."""


@dataclass(frozen=True)
class Snippet:
    """Text around one occurrence; the match is text[match_start:match_end].

    Attributes
    ----------
    text
        The text.
    match_start
        The first character of the match.
    match_end
        One past its last character.
    offset
        The token of the document at which the match begins.
    span
        The number of the span; -1 for another passage.
    tokens
        Tokens of the match.
    """

    text: str
    match_start: int
    match_end: int
    offset: int
    span: int
    tokens: int


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


@dataclass(frozen=True)
class Occurrence:
    """One place of a span that was looked up.

    span: The number of the span; -1 for the text's longest match.
    offset: The first token in it.
    """

    span: int
    document: int
    offset: int
    length: int


def choose_occurrences(
    index: Backend, ids: NDArray[np.int64], spans: Sequence[TokenSpan], settings: TraceSettings, cancel: CancelToken
) -> list[Occurrence]:
    """Choose places of each span, with the seed.

    Returns: Up to `documents_per_span` places of each span, span by span.
    """
    starts = np.array([span.start for span in spans], dtype=np.int64)
    ends = np.array([span.end for span in spans], dtype=np.int64)
    # One request for all spans. The bounds are half-open, so ends - starts are lengths.
    which, places = index.hits.some_places(ids, starts, ends, settings.documents_per_span, settings.seed, cancel)
    columns = (which, places.documents, places.offsets, (ends - starts)[which])
    return [Occurrence(*row) for row in np.stack(columns, axis=1).tolist()]


def by_document(occurrences: Sequence[Occurrence]) -> dict[int, list[Occurrence]]:
    """The occurrences of each document, in the order in which they were chosen."""
    grouped: dict[int, list[Occurrence]] = {}
    for occurrence in occurrences:
        grouped.setdefault(occurrence.document, []).append(occurrence)
    return grouped


@dataclass(frozen=True, eq=False)
class Ranked(ArrayValue):
    """What documents are compared with.

    starts: The first token of each span, ascending.
    ends: One past the last token of each span, ascending.
    open: Opens a document of a number with all its tokens; None: its parts are decoded from these.
    longest: The longest match from each token of the text on, int64; None if it was not asked for.
    """

    text: str
    prompt: str
    encoded: Encoded
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    open: Callable[[Backend, int, NDArray[np.int64]], DocumentTokens] | None = None
    longest: NDArray[np.int64] | None = None


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
    open_document = ranked.open or _open_tokens
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


@dataclass(frozen=True, eq=False)
class Part(ArrayValue):
    """Some tokens of a document, or some words where words are looked up; all arrays are int64 with an entry for each.

    starts, ends: The first character of each, and one past its last.
    tokens, token_ends: The first token of the document that each has a part of, and one past its last.
    """

    text: str
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    tokens: NDArray[np.int64]
    token_ends: NDArray[np.int64]


class DocumentTokens:
    """The tokens of a document, of which parts are decoded."""

    def __init__(self, index: Backend, ids: NDArray[np.int64]) -> None:
        self._index = index
        self.ids = ids

    def part(self, first: int, last: int) -> Part:
        """Decode some tokens of the document.

        first: The first token, not negative.
        last: One past the last token; what is outside is cut off.
        """
        decoded = decode_ids(self._index, self.ids[first:last], begins=first == 0)
        numbers = np.arange(first, first + len(decoded.starts) - 1)
        return Part(decoded.text, decoded.starts[:-1], decoded.starts[1:], numbers, numbers + 1)

    def context(self, occurrence: Occurrence, width: int) -> str:
        """Decode an occurrence and what is around it, by which the document is scored.

        width: Tokens on each side, cut at the document's ends.
        """
        first = max(0, occurrence.offset - width)
        ids = self.ids[first : occurrence.offset + occurrence.length + width]
        return decode_ids(self._index, ids, begins=first == 0).text


def _open_tokens(index: Backend, _: int, ids: NDArray[np.int64]) -> DocumentTokens:
    return DocumentTokens(index, ids)


def around(tokens: DocumentTokens, occurrence: Occurrence, width: int) -> Snippet:
    """Read an occurrence with its context.

    width: Tokens on each side, cut at the document's ends.
    """
    return snippets_of(tokens, [occurrence], width)[0]


def snippets_of(
    tokens: DocumentTokens, occurrences: Sequence[Occurrence], width: int, cancel: CancelToken | None = None
) -> tuple[Snippet, ...]:
    """Read occurrences in one document with their contexts; overlapping contexts are decoded once.

    Returns: One snippet per occurrence, in their order.
    """
    snippets: dict[int, Snippet] = {}
    for group in _neighbors(occurrences, width):
        if cancel is not None:
            cancel.check()
        members = [occurrences[i] for i in group]
        # Members ascend by offset, but an earlier one may end later, hence the maximum.
        first = max(0, members[0].offset - width)
        last = max(member.offset + member.length for member in members) + width
        # Once for the whole group: decoding is what costs, and contexts of neighbors overlap.
        part = tokens.part(first, last)
        for i, member in zip(group, members, strict=True):
            snippets[i] = _cut_out(part, member, first, width)
    return tuple(snippets[i] for i in range(len(occurrences)))


def _neighbors(occurrences: Sequence[Occurrence], width: int) -> Iterator[list[int]]:
    """Groups of occurrences whose contexts touch, in order, of a few thousand tokens at most."""
    group: list[int] = []
    for i in sorted(range(len(occurrences)), key=lambda i: occurrences[i].offset):
        if group:
            first, last = occurrences[group[0]], occurrences[group[-1]]
            # Contexts that do not touch are decoded separately, and a group that has grown to thousands of tokens is
            # closed.
            apart = occurrences[i].offset - width > last.offset + last.length + width
            if apart or occurrences[i].offset - first.offset > _MOST_TOGETHER:
                yield group
                group = []
        group.append(i)
    if group:
        yield group


def _cut_out(part: Part, occurrence: Occurrence, first: int, width: int) -> Snippet:
    """An occurrence from a part of its document that begins with token `first`."""
    at, after = occurrence.offset - first, occurrence.offset - first + occurrence.length
    # A part that begins or ends with its document has all of it, also what is beside the first and the last word.
    left = int(part.starts[at - width]) if at > width else 0
    right = int(part.ends[after + width - 1]) if after + width < len(part.ends) else len(part.text)
    # Spans begin with the space of their first word in most vocabularies; it is not part of the mark.
    start, end = trim(part.text, int(part.starts[at]), int(part.ends[after - 1]))
    offset = int(part.tokens[at])
    return Snippet(
        text=part.text[left:right],
        match_start=start - left,
        match_end=end - left,
        offset=offset,
        span=occurrence.span,
        tokens=int(part.token_ends[after - 1]) - offset,
    )
