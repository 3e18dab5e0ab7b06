"""The spans of a text and where they occur, by the settings of OLMoTrace's own service: nothing is ranked or scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.trace.occurrences import choose_occurrences
from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.trace.spans import (
    SpanRequest,
    TokenSpan,
    delimiter_mask,
    kept_spans,
    maximal_spans,
    with_rarity,
    word_starts,
)
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.files.encoding import replace_surrogates
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.tokens.tokenizer import Encoded

SpanRanking = Literal["length", "unigram_logprob_sum"]
"""Which spans are kept if there are too many: the longest, or the rarest."""
SPAN_RANKINGS: tuple[SpanRanking, ...] = get_args(SpanRanking)


@dataclass(frozen=True)
class AttributionRule:
    """How spans are found, and how much is read around them.

    delimiters: Strings that may end a span but not occur inside it, each a whole token.
    partial_words: Whether a span may begin or end within a word.
    min_length: Tokens that a span has at least.
    max_count: Occurrences that a span has at most.
    density: Spans kept, as a share of the text's tokens.
    documents_per_span: Occurrences that are read of each.
    context: Tokens that are read on either side of an occurrence.
    """

    delimiters: tuple[str, ...] = ()
    partial_words: bool = False
    min_length: int = 1
    max_count: int = 10
    density: float = 0.05
    ranking: SpanRanking = "length"
    documents_per_span: int = 10
    context: int = 250


@dataclass(frozen=True, eq=False)
class AttributedPlace(ArrayValue):
    """One occurrence of a span.

    length: Tokens of the document.
    ids: Tokens of the occurrence and around it, int64.
    offset: Where it begins among them.
    """

    document: int
    length: int
    ids: NDArray[np.int64]
    offset: int
    metadata: dict[str, Any]

    def cut(self, span: int, context: int) -> tuple[NDArray[np.int64], int]:
        """Keep less of what is around the occurrence.

        context: Tokens to keep on either side.
        Returns: The tokens that are left, and where the occurrence begins among them.
        """
        first = max(0, self.offset - context)
        return self.ids[first : self.offset + span + context], self.offset - first


@dataclass(frozen=True, eq=False)
class Attribution(ArrayValue):
    """The spans of a text with their occurrences.

    places: The occurrences that were read of each.
    """

    encoded: Encoded
    spans: tuple[TokenSpan, ...]
    places: tuple[tuple[AttributedPlace, ...], ...]


def attribute_text(index: Backend, text: str, rule: AttributionRule, cancel: CancelToken) -> Attribution:
    """Find the spans of a text, and read some of their occurrences.

    rule: How they are found.
    Raises `QueryError` if there is no text.

    Notes
    -----
    A pass over the text for the longest matches, and one read of all occurrences.
    """
    encoded = index.tokenizer.encode_with_offsets(replace_surrogates(text))
    if not len(encoded.ids):
        raise QueryError(mark("There is no text to trace."), reason="no-text-given")
    spans = _spans(index, text, encoded, rule, cancel)
    settings = TraceSettings(documents_per_span=rule.documents_per_span)
    found = choose_occurrences(index, encoded.ids, spans, settings, cancel)
    rows = np.array([(each.document, each.offset, each.length) for each in found], dtype=np.int64).reshape(-1, 3)
    documents, offsets, sizes = np.ascontiguousarray(rows.T)
    read = read_places(index, documents, offsets, sizes, rule.context)
    mine: list[list[AttributedPlace]] = [[] for _ in spans]
    for occurrence, place in zip(found, read, strict=True):
        mine[occurrence.span].append(place)
    return Attribution(encoded, tuple(spans), tuple(map(tuple, mine)))


def _spans(index: Backend, text: str, encoded: Encoded, rule: AttributionRule, cancel: CancelToken) -> list[TokenSpan]:
    longest = index.counts.longest_matches(encoded.ids, cancel)
    begins = word_starts(text, encoded, index.tokenizer, "off" if rule.partial_words else "olmotrace")
    delimiter = delimiter_mask(encoded.ids, index.tokenizer, rule.delimiters)
    request = SpanRequest(encoded.ids, longest, begins, delimiter, rule.min_length, rule.max_count)
    every = with_rarity(index, encoded.ids, maximal_spans(index, request, cancel))
    by_length = rule.ranking == "length"
    return kept_spans(
        every, len(encoded.ids), rule.density, lambda span: span.start - span.end if by_length else span.rarity
    )


def read_places(
    index: Backend, documents: Numbers, offsets: Numbers, sizes: Numbers, context: int
) -> list[AttributedPlace]:
    """Read what is at some places.

    documents, offsets, sizes: The document of each place, its first token there and its tokens, int64.
    context: Tokens to read on either side.
    """
    firsts = np.maximum(0, offsets - context)
    windows = index.documents.windows(documents, firsts, offsets + sizes + context)
    lengths = index.documents.lengths(documents).tolist()
    columns = zip(
        documents.tolist(),
        lengths,
        windows,
        (offsets - firsts).tolist(),
        index.documents.metadata(documents),
        strict=True,
    )
    return [AttributedPlace(*column) for column in columns]
