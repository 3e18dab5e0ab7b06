"""A text that is itself in the corpus: then most results of a trace come from the text's own copy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.shards import Index

SHARE = 0.5
"""The share of a text from which a match, or the part in one document, counts as most of the text."""
LEAST = 25
"""The minimum length of such a match in tokens: short texts occur in many corpora."""
MOST_PLACES = 1_000


@dataclass(frozen=True)
class SelfMatch:
    """The longest match, tokens [token_start, token_end), its count, and the documents that have it."""

    token_start: int
    token_end: int
    share: float
    count: int
    documents: tuple[int, ...]


def documents_with(index: Index, ids: NDArray[np.int64], most: int = MOST_PLACES) -> tuple[int, tuple[int, ...]]:
    """Occurrences of an n-gram, and the documents of the first `most` of them."""
    matches = index.find(ids)
    total = min(most, sum(last - first for first, last in matches.ranges))
    documents = np.unique(index.places(matches.ranges, np.arange(total, dtype=np.int64), matches.ids).documents)
    return matches.count, tuple(documents[~index.is_left_out(documents)].tolist())


def find_self_match(index: Index, ids: NDArray[np.int64], longest: NDArray[np.int64]) -> SelfMatch | None:
    """The match that is most of the text, None where there is none. longest: matches from each start."""
    if not len(longest):
        return None
    start = int(longest.argmax())
    length = int(longest[start])
    if length < max(LEAST, SHARE * len(ids)):
        return None
    count, documents = documents_with(index, ids[start : start + length])
    return SelfMatch(start, start + length, length / len(ids), count, documents)
