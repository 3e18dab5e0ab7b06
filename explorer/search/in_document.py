"""Occurrences of n-grams within one document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.document import Document, document_title, flat_metadata
from explorer.corpus.text import trim

PART_TOKENS = 6_000


@dataclass(frozen=True)
class Hit:
    """An n-gram in a document: token offset and length, and its characters in the part that was read."""

    offset: int
    length: int
    start: int
    end: int


@dataclass(frozen=True)
class DocumentPart:
    """Tokens [first, last) of a document as text, with the hits in it; `offsets` are those of all hits."""

    number: int
    title: str
    metadata: dict[str, Any]
    token_count: int
    first: int
    last: int
    text: str
    hits: tuple[Hit, ...]
    hits_total: int
    offsets: NDArray[np.int64]


def occurrences(tokens: NDArray[np.int64], patterns: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """(offset, length) of every place of the n-grams in the tokens, by offset, as an n×2 array."""
    found = [np.empty((0, 2), dtype=np.int64)]
    for pattern in patterns:
        if not 0 < len(pattern) <= len(tokens):
            continue
        places = np.flatnonzero(tokens[: len(tokens) - len(pattern) + 1] == pattern[0])
        for depth in range(1, len(pattern)):
            places = places[tokens[places + depth] == pattern[depth]]
        found.append(np.stack([places, np.full_like(places, len(pattern))], axis=1))
    joined = np.concatenate(found)
    return joined[np.lexsort((joined[:, 1], joined[:, 0]))]


def read_part(document: Document, centre: int, patterns: Sequence[Sequence[int]]) -> DocumentPart:
    """The part of a document around token `centre`, with every place of the n-grams.

    Finding the places looks at the whole document's tokens; only the part is decoded.
    """
    total = document.token_count
    first = max(0, min(centre - PART_TOKENS // 2, total - PART_TOKENS))
    last = min(total, first + PART_TOKENS)
    places = occurrences(document.tokens, patterns)
    decoded = document.part(first, last)
    inside = places[(places[:, 0] >= first) & (places[:, 0] + places[:, 1] <= last)]
    hits = tuple(
        Hit(
            offset,
            length,
            *trim(decoded.text, int(decoded.starts[offset - first]), int(decoded.starts[offset - first + length])),
        )
        for offset, length in inside.tolist()
    )
    return DocumentPart(
        number=document.number,
        title=document_title(document.metadata, document.number),
        metadata=flat_metadata(document.metadata),
        token_count=total,
        first=first,
        last=last,
        text=decoded.text,
        hits=hits,
        hits_total=len(places),
        offsets=places,
    )
