"""A text that is itself in the corpus: then most results of a trace come from the text's own copy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol import Backend

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


def documents_with(index: Backend, ids: NDArray[np.int64], most: int = MOST_PLACES) -> tuple[int, tuple[int, ...]]:
    """Occurrences of an n-gram, and the documents of the first `most` of them."""
    matches = index.find(ids)
    hits = index.occurrences([matches])
    located = hits.locate(np.arange(min(most, hits.total), dtype=np.int64))
    return matches.count, tuple(np.unique(located.documents[hits.shown(located)]).tolist())


def longest_match(index: Backend, ids: NDArray[np.int64], longest: NDArray[np.int64]) -> SelfMatch | None:
    """The longest part of a text that occurs; None where no token does. longest: matches from each start."""
    if not len(longest) or not longest.any():
        return None
    start = int(longest.argmax())
    length = int(longest[start])
    count, documents = documents_with(index, ids[start : start + length])
    return SelfMatch(start, start + length, length / len(ids), count, documents)


def is_most(length: int, text_length: int) -> bool:
    """Whether a match of this many tokens is most of a text, long enough to tell."""
    return length >= max(LEAST, SHARE * text_length)


def find_self_match(index: Backend, ids: NDArray[np.int64], longest: NDArray[np.int64]) -> SelfMatch | None:
    """The match that is most of the text, None where there is none. longest: matches from each start."""
    if not len(longest) or not is_most(int(longest.max()), len(ids)):
        return None
    return longest_match(index, ids, longest)
