"""The whole pipeline: text -> tokens -> spans -> documents -> a frozen `Trace`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.index import Index
from explorer.corpus.self_match import SelfMatch, find_self_match
from explorer.corpus.text import trim
from explorer.corpus.tokenizer import Encoded, replace_surrogates
from explorer.errors import QueryError
from explorer.jobs import CancelToken
from explorer.trace.documents import TraceDocument, choose_occurrences, rank_documents
from explorer.trace.novelty import Novelty, longest_covering, measure_novelty
from explorer.trace.settings import TraceSettings
from explorer.trace.spans import (
    TokenSpan,
    delimiter_mask,
    keep_rarest,
    maximal_spans,
    without_abbreviations,
    word_starts,
)
from explorer.words import tr


@dataclass(frozen=True)
class Span:
    """A part of the text that stands in the corpus: characters [start, end), tokens [token_start, token_end).

    White space at either end is not in the characters. count: occurrences. rarity: Σ log unigram
    probability (lower is rarer). documents: numbers of those that were looked up. level: relevance
    of the best of them ("" without documents).
    """

    start: int
    end: int
    token_start: int
    token_end: int
    count: int
    rarity: float
    documents: tuple[int, ...]
    level: str


@dataclass(frozen=True)
class MergedSpan:
    """A run of overlapping spans as it is drawn: characters [start, end), and the numbers of its spans."""

    start: int
    end: int
    spans: tuple[int, ...]
    level: str


@dataclass(frozen=True)
class TraceTimes:
    """Seconds of the two halves."""

    spans: float
    documents: float


@dataclass(frozen=True)
class Trace:
    """A traced text. `covering` holds, a token, the longest match that contains it.

    self_match: the one match that is most of the text, where there is one: the text stands in the corpus.
    """

    text: str
    prompt: str
    settings: TraceSettings
    token_count: int
    token_ids: tuple[int, ...]
    token_starts: tuple[int, ...]
    token_ends: tuple[int, ...]
    covering: tuple[int, ...]
    spans: tuple[Span, ...]
    merged: tuple[MergedSpan, ...]
    documents: tuple[TraceDocument, ...]
    novelty: Novelty
    self_match: SelfMatch | None
    times: TraceTimes


def trace_text(
    index: Index,
    text: str,
    prompt: str = "",
    settings: TraceSettings | None = None,
    cancel: CancelToken | None = None,
) -> Trace:
    """Trace a text; raises QueryError where it holds no tokens."""
    settings = settings or TraceSettings()
    cancel = cancel or CancelToken()
    text = replace_surrogates(text)
    started = time.perf_counter()
    encoded = index.tokenizer.encode_with_offsets(text)
    if not len(encoded.ids):
        raise QueryError(tr("There is no text to trace. Paste an answer of a language model."))
    longest = index.longest_matches(encoded.ids, cancel)
    token_spans = _find_spans(index, text, encoded, longest, settings, cancel)
    found = time.perf_counter()
    occurrences = choose_occurrences(index, encoded.ids.tolist(), token_spans, settings, cancel)
    documents = rank_documents(index, text, prompt, occurrences, settings, cancel)
    spans = _character_spans(text, encoded, token_spans, documents)
    return Trace(
        text=text,
        prompt=prompt,
        settings=settings,
        token_count=len(encoded.ids),
        token_ids=tuple(encoded.ids.tolist()),
        token_starts=tuple(encoded.starts.tolist()),
        token_ends=tuple(encoded.ends.tolist()),
        covering=tuple(longest_covering(longest).tolist()),
        spans=spans,
        merged=merge_spans(spans),
        documents=documents,
        novelty=measure_novelty(longest),
        self_match=find_self_match(index, encoded.ids, longest),
        times=TraceTimes(found - started, time.perf_counter() - found),
    )


def _find_spans(
    index: Index,
    text: str,
    encoded: Encoded,
    longest: NDArray[np.int64],
    settings: TraceSettings,
    cancel: CancelToken,
) -> list[TokenSpan]:
    delimiter = delimiter_mask(encoded.ids, index.tokenizer, settings.delimiters)
    if settings.abbreviations:
        delimiter = without_abbreviations(text, encoded, delimiter)
    spans = maximal_spans(
        index,
        encoded.ids,
        longest,
        word_starts(text, encoded, index.tokenizer, settings.word_boundaries),
        delimiter,
        settings.min_length,
        settings.max_count,
        cancel,
    )
    return keep_rarest(index, encoded.ids, spans, settings.density)


def _character_spans(
    text: str, encoded: Encoded, spans: Sequence[TokenSpan], documents: Sequence[TraceDocument]
) -> tuple[Span, ...]:
    result = []
    for number, span in enumerate(spans):
        # Documents come best first, so the first that has the span is its best.
        mine = [document for document in documents if number in document.spans]
        start, end = trim(text, int(encoded.starts[span.start]), int(encoded.ends[span.end - 1]))
        result.append(
            Span(
                start=start,
                end=end,
                token_start=span.start,
                token_end=span.end,
                count=span.count,
                rarity=span.rarity,
                documents=tuple(document.number for document in mine),
                level=mine[0].level if mine else "",
            )
        )
    return tuple(result)


_LEVELS = ("", "low", "medium", "high")


def merge_spans(spans: Sequence[Span]) -> tuple[MergedSpan, ...]:
    """Overlapping spans folded into runs, each as relevant as its most relevant span."""
    merged: list[MergedSpan] = []
    order = sorted(range(len(spans)), key=lambda i: (spans[i].start, spans[i].end - spans[i].start))
    for i in order:
        span = spans[i]
        if merged and span.start < merged[-1].end:
            last = merged.pop()
            best = max(last.level, span.level, key=_LEVELS.index)
            merged.append(MergedSpan(last.start, max(last.end, span.end), (*last.spans, i), best))
        else:
            merged.append(MergedSpan(span.start, span.end, (i,), span.level))
    return tuple(merged)
