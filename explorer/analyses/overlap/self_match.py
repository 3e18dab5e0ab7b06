"""A text that is itself in the corpus: then most results of a trace come from the text's own copy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.hit_places import first_places
from explorer.backends.protocol.protocol import Backend

SHARE = 0.5
"""The share of a text from which a match, or the part in one document, counts as most of the text."""
LEAST = 25
"""The minimum length of such a match in tokens: short texts occur in many corpora."""
# Occurrences whose documents are looked up: a common phrase has millions.
MOST_PLACES = 1_000


@dataclass(frozen=True)
class SelfMatch:
    """A match that is most of a text.

    Attributes
    ----------
    token_start
        Its first token.
    token_end
        One past its last token.
    share
        Its share of the text's tokens, 0 to 1.
    count
        Its occurrences.
    documents
        Numbers of the documents that contain it, from the first occurrences.
    """

    token_start: int
    token_end: int
    share: float
    count: int
    documents: tuple[int, ...]


def documents_with(index: Backend, ids: NDArray[np.int64], most: int = MOST_PLACES) -> tuple[int, tuple[int, ...]]:
    """Count an n-gram, and find some of its documents.

    most: Occurrences that are looked up.
    Returns: The number of all occurrences, and the documents of the first `most` of them.
    """
    ngram = index.hits.find(ids)
    return ngram.count, tuple(np.unique(first_places(index, ngram, most).documents).tolist())


def longest_match(index: Backend, ids: NDArray[np.int64], longest: NDArray[np.int64]) -> SelfMatch | None:
    """Find the longest part of a text that occurs.

    Returns: The match with its documents; None if no token occurs.
    """
    if not len(longest) or not longest.any():
        return None
    # The first of several.
    start = int(longest.argmax())
    length = int(longest[start])
    count, documents = documents_with(index, ids[start : start + length])
    return SelfMatch(start, start + length, length / len(ids), count, documents)


def is_most(length: int, text_length: int) -> bool:
    """Tell whether a match is most of a text, and long enough to tell.

    Returns: True from `LEAST` tokens and the share `SHARE` on.
    """
    return length >= max(LEAST, SHARE * text_length)


def find_self_match(index: Backend, ids: NDArray[np.int64], longest: NDArray[np.int64]) -> SelfMatch | None:
    """Find the match that is most of a text: then the text itself is in the corpus.

    Returns: The match with its documents; None if no match is that long.
    """
    # By length first, which is known; documents are looked up only for a match that counts.
    if not len(longest) or not is_most(int(longest.max()), len(ids)):
        return None
    return longest_match(index, ids, longest)
