"""The whole pipeline: text -> tokens -> spans -> documents -> a frozen `Trace`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.trace.as_read import in_source
from explorer.analyses.trace.documents import TraceDocument, rank_documents
from explorer.analyses.trace.in_words import InWords, words_for
from explorer.analyses.trace.measures.longest_passage import LongestPassage
from explorer.analyses.trace.measures.measure import MatchedText
from explorer.analyses.trace.measures.registry import MEASURES
from explorer.analyses.trace.occurrences import Occurrence, Ranked, choose_occurrences
from explorer.analyses.trace.readings import reading_in
from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.trace.spans import (
    SpanRequest,
    TokenSpan,
    delimiter_mask,
    keep_rarest,
    maximal_spans,
    without_abbreviations,
    word_starts,
)
from explorer.analyses.trace.trace import MergedSpan, Span, Trace, TraceTimes
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.tokens.decode import trim
from explorer.text.tokens.tokenizer import Encoded


def trace_text(
    index: Backend,
    text: str,
    prompt: str = "",
    settings: TraceSettings | None = None,
    cancel: CancelToken | None = None,
    words: Backend | None = None,
) -> Trace:
    """Find the parts of a text that occur in the corpus, and documents that contain them.

    prompt: The prompt that it answers; documents are compared with both.
    settings: How spans are found and documents ranked; None for the defaults.
    words: The words of the index, for settings with `match` "words"; None: they are opened, and made if need be.
        Documents that are left out of them are not found.
    Returns: Spans, documents, the longest passage and novelty.
    Raises `QueryError` if the text contains no tokens, or no words.
    Raises `CorpusError` if words are asked for and cannot be opened or made.

    Notes
    -----
    A pass over the text for the longest matches, and a read of every listed document. The method is that of J. Liu et
    al., "OLMoTrace", 2025.
    """
    settings = settings or TraceSettings()
    cancel = cancel or CancelToken()
    # Marks of Markdown would cut a passage that was copied without them, and hide one that was copied with them.
    looked_up = (words or words_for(index, cancel=cancel)) if settings.match == "words" else index
    reading = reading_in(looked_up, text, settings.read, cancel)
    if settings.match == "words":
        found = _trace_words(index, looked_up, reading.text, prompt, settings, cancel)
    else:
        found = _trace(index, reading.text, prompt, settings, cancel)
    return found if reading.mode == "plain" else in_source(found, reading)


def _trace_words(
    index: Backend, words: Backend, text: str, prompt: str, settings: TraceSettings, cancel: CancelToken
) -> Trace:
    """Trace the words of a text in those of an index, and read documents as they are written."""
    reader = InWords.of(index, words)
    found = _trace(words, text, prompt, settings.in_words(), cancel, reader)
    return replace(found, documents=reader.with_tokens(found.documents))


def _trace(
    index: Backend,
    text: str,
    prompt: str,
    settings: TraceSettings,
    cancel: CancelToken,
    reader: InWords | None = None,
) -> Trace:
    """Trace a text as it is."""
    started = time.perf_counter()
    encoded = index.tokenizer.encode_with_offsets(text)
    if not len(encoded.ids):
        if reader is not None:
            raise QueryError(mark("There are no words to trace."), reason="no-text-given")
        raise QueryError(mark("There is no text to trace."), reason="no-text-given")
    # Asked once: spans, the longest passage and every measure are computed from it.
    longest = index.counts.longest_matches(encoded.ids, cancel)
    token_spans = _find_spans(index, text, encoded, longest, settings, cancel)
    found = time.perf_counter()
    # Before the documents, which need the longest passage.
    measured = MEASURES.measure(MatchedText(index, text, encoded, longest, settings.match))
    passage = next((found.value for found in measured if found.id == "longest_passage"), None)
    occurrences = choose_occurrences(index, encoded.ids, token_spans, settings, cancel)
    occurrences += _of_passage(index, encoded, passage, occurrences, settings, cancel)
    # Both ascend, as `Ranked` requires: no span contains another.
    ranked = replace(_ranked(text, prompt, encoded, token_spans, reader), longest=longest)
    documents = rank_documents(index, ranked, occurrences, settings, cancel)
    spans = _character_spans(text, encoded, token_spans, documents)
    return Trace(
        text=text,
        prompt=prompt,
        settings=settings,
        token_count=len(encoded.ids),
        token_ids=encoded.ids,
        token_starts=encoded.starts,
        token_ends=encoded.ends,
        spans=spans,
        merged=merge_spans(spans),
        documents=documents,
        measured=measured,
        # Measures are computed after the spans, so their time is part of that of the documents.
        times=TraceTimes(found - started, time.perf_counter() - found),
    )


def _ranked(text: str, prompt: str, encoded: Encoded, spans: Sequence[TokenSpan], reader: InWords | None) -> Ranked:
    """What documents are compared with; of words, neither their case nor what is between them."""
    bounds = [span.start for span in spans], [span.end for span in spans]
    if reader is None:
        return Ranked(text, prompt, encoded, *bounds)
    return Ranked(reader.only_words(text, encoded), reader.query(prompt), encoded, *bounds, reader.open)


def _find_spans(
    index: Backend,
    text: str,
    encoded: Encoded,
    longest: NDArray[np.int64],
    settings: TraceSettings,
    cancel: CancelToken,
) -> list[TokenSpan]:
    # The order is that of OLMoTrace: cut at delimiters, then at words, then count, then keep the rarest.
    delimiter = delimiter_mask(encoded.ids, index.tokenizer, settings.delimiters)
    if settings.abbreviations:
        delimiter = without_abbreviations(text, encoded, delimiter)
    may_begin = word_starts(text, encoded, index.tokenizer, settings.word_boundaries)
    wanted = SpanRequest(encoded.ids, longest, may_begin, delimiter, settings.min_length, settings.max_count)
    return keep_rarest(index, encoded.ids, maximal_spans(index, wanted, cancel), settings.density)


def _of_passage(
    index: Backend,
    encoded: Encoded,
    passage: LongestPassage | None,
    others: Sequence[Occurrence],
    settings: TraceSettings,
    cancel: CancelToken,
) -> list[Occurrence]:
    """Places of the longest passage, so that its documents are listed even if delimiters split it into spans.

    None if no span brings documents, if it is too frequent, or if OLMoTrace's list is requested.
    """
    if passage is None or not others or passage.count > settings.max_count or settings.relevance == "olmotrace":
        return []
    # Chosen like any other span, so with the same number of documents and the same seed.
    whole = TokenSpan(passage.token_start, passage.token_end, passage.count)
    found = choose_occurrences(index, encoded.ids, [whole], settings, cancel)
    # -1: of no span that is shown. Its number in the list of one would be that of the first span.
    return [replace(occurrence, span=-1) for occurrence in found]


def _character_spans(
    text: str, encoded: Encoded, spans: Sequence[TokenSpan], documents: Sequence[TraceDocument]
) -> tuple[Span, ...]:
    # Documents are sorted best first, so the first that has a span is its best.
    mine: list[list[TraceDocument]] = [[] for _ in spans]
    for document in documents:
        for number in document.spans:
            mine[number].append(document)
    result = []
    for span, holding in zip(spans, mine, strict=True):
        # Most vocabularies put the space before a word into its token; a mark should not begin with it.
        start, end = trim(text, int(encoded.starts[span.start]), int(encoded.ends[span.end - 1]))
        result.append(
            Span(
                start=start,
                end=end,
                token_start=span.start,
                token_end=span.end,
                count=span.count,
                rarity=span.rarity,
                documents=tuple(document.number for document in holding),
                level=holding[0].level if holding else "",
            )
        )
    return tuple(result)


# In ascending order; "" is the level of a span without documents.
_LEVELS = ("", "low", "medium", "high")


def merge_spans(spans: Sequence[Span]) -> tuple[MergedSpan, ...]:
    """Fold overlapping spans into runs."""
    runs: list[list[int]] = []
    furthest = -1
    # By start; of several, the shortest first.
    for i in sorted(range(len(spans)), key=lambda i: (spans[i].start, spans[i].end - spans[i].start)):
        # Half-open: a span that begins where another ends does not overlap it.
        if spans[i].start < furthest:
            runs[-1].append(i)
        else:
            runs.append([i])
        furthest = max(furthest, spans[i].end)
    return tuple(_merged(spans, run) for run in runs)


def _merged(spans: Sequence[Span], run: Sequence[int]) -> MergedSpan:
    best = max((spans[i].level for i in run), key=_LEVELS.index)
    return MergedSpan(spans[run[0]].start, max(spans[i].end for i in run), tuple(run), best)
