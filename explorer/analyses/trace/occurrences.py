"""Occurrences of the spans of a text: which are looked up, and the text of documents around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.trace.spans import TokenSpan
from explorer.backends.documents.reading import decode_ids
from explorer.backends.protocol.protocol import Backend
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.text.tokens.decode import trim
from explorer.text.tokens.tokenizer import Encoded

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


def open_tokens(index: Backend, _: int, ids: NDArray[np.int64]) -> DocumentTokens:
    """Open a document of a number with all its tokens."""
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
