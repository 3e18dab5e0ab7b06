"""The whole pipeline: text -> tokens -> spans -> documents -> a frozen `Trace`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol import Backend
from explorer.errors import QueryError
from explorer.files.encoding import replace_surrogates
from explorer.i18n import tr
from explorer.jobs import CancelToken
from explorer.overlap.self_match import SelfMatch, is_most, longest_match
from explorer.tokens.decode import trim
from explorer.tokens.tokenizer import Encoded
from explorer.trace.documents import (
    Occurrence,
    Ranked,
    TraceDocument,
    choose_occurrences,
    rank_documents,
)
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


@dataclass(frozen=True)
class Span:
    """A part of the text that occurs in the corpus: characters [start, end), tokens [token_start, token_end).

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
class LongestPassage:
    """The longest part of the text that occurs in a document, across delimiters: characters [start, end) and tokens.

    count: its occurrences. documents: numbers of those that contain it, from the first thousand occurrences.
    """

    start: int
    end: int
    token_start: int
    token_end: int
    count: int
    documents: tuple[int, ...]

    @property
    def length(self) -> int:
        """Tokens."""
        return self.token_end - self.token_start


@dataclass(frozen=True)
class TraceTimes:
    """Seconds of the two halves."""

    spans: float
    documents: float


@dataclass(frozen=True)
class Trace:
    """A traced text. `covering` holds, for each token, the length of the longest match that contains it.

    longest_passage: the longest match, None if no token of the text occurs. self_match: the match that covers most of
    the text, if there is one: then the text itself is in the corpus.
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
    longest_passage: LongestPassage | None
    novelty: Novelty
    self_match: SelfMatch | None
    times: TraceTimes


def trace_text(
    index: Backend,
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
        raise QueryError(tr("There is no text to trace: it is empty."))
    longest = index.longest_matches(encoded.ids, cancel)
    token_spans = _find_spans(index, text, encoded, longest, settings, cancel)
    found = time.perf_counter()
    match = longest_match(index, encoded.ids, longest)
    passage = _longest_passage(text, encoded, match)
    occurrences = choose_occurrences(index, encoded.ids, token_spans, settings, cancel)
    occurrences += _of_passage(index, encoded, passage, occurrences, settings, cancel)
    bounds = [span.start for span in token_spans], [span.end for span in token_spans]
    ranked = Ranked(text, prompt, encoded, *bounds)
    documents = rank_documents(index, ranked, occurrences, settings, cancel)
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
        longest_passage=passage,
        novelty=measure_novelty(longest),
        self_match=match if match and is_most(match.token_end - match.token_start, len(encoded.ids)) else None,
        times=TraceTimes(found - started, time.perf_counter() - found),
    )


def _find_spans(
    index: Backend,
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


def _longest_passage(text: str, encoded: Encoded, match: SelfMatch | None) -> LongestPassage | None:
    if match is None:
        return None
    start, end = match.token_start, match.token_end
    first, last = trim(text, int(encoded.starts[start]), int(encoded.ends[end - 1]))
    return LongestPassage(first, last, start, end, match.count, match.documents)


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
    whole = TokenSpan(passage.token_start, passage.token_end, passage.count)
    found = choose_occurrences(index, encoded.ids, [whole], settings, cancel)
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


_LEVELS = ("", "low", "medium", "high")


def merge_spans(spans: Sequence[Span]) -> tuple[MergedSpan, ...]:
    """Overlapping spans folded into runs, each as relevant as its most relevant span."""
    runs: list[list[int]] = []
    furthest = -1
    for i in sorted(range(len(spans)), key=lambda i: (spans[i].start, spans[i].end - spans[i].start)):
        if spans[i].start < furthest:
            runs[-1].append(i)
        else:
            runs.append([i])
        furthest = max(furthest, spans[i].end)
    return tuple(_merged(spans, run) for run in runs)


def _merged(spans: Sequence[Span], run: Sequence[int]) -> MergedSpan:
    best = max((spans[i].level for i in run), key=_LEVELS.index)
    return MergedSpan(spans[run[0]].start, max(spans[i].end for i in run), tuple(run), best)
