"""Llama 2's rule: which tokens of an item are in matches of more than ten tokens with at most four mismatches.

A match begins with ten tokens that agree; from there on, at most four pairs of tokens may differ, and the last one
agrees (Touvron et al. 2023, A.6).
"""

from __future__ import annotations

import numpy as np

from explorer.backends.protocol import Backend, Numbers
from explorer.jobs import CancelToken

SEED = 10
"""Tokens at the beginning of a match that agree; a match has more."""
MISMATCHES = 4
"""Tokens that may differ in a match."""
_PLACES = 1_000
"""Occurrences of ten tokens that are looked at; of more, some are drawn."""
_DRAW = 0
_AT_ONCE = 1 << 22


def contaminated_units(index: Backend, ids: Numbers, matches: Numbers, cancel: CancelToken | None = None) -> int:
    """Count the tokens of an item that are in matches with few mismatches.

    Parameters
    ----------
    index
        The index.
    ids
        The tokens or words of the item, int64.
    matches
        The longest match from each of them, int64.
    cancel
        Stops the work.

    Returns
    -------
    int
        How many there are.

    Raises
    ------
    Cancelled
        If it was cancelled.

    Notes
    -----
    At most 1,000 occurrences of ten tokens are looked at, drawn with a fixed seed if there are more.
    """
    starts = np.flatnonzero(matches >= SEED)
    if not len(starts):
        return 0
    which, places = index.hits.some_places(ids, starts, starts + SEED, _PLACES, _DRAW, cancel)
    begins, documents, offsets = _runs(starts[which], places.documents, places.offsets)
    edges = np.zeros(len(ids) + 1, dtype=np.int64)
    rows = max(1, _AT_ONCE // len(ids))
    for first in range(0, len(begins), rows):
        part = slice(first, first + rows)
        ends = offsets[part] + len(ids) - begins[part]
        texts = index.documents.windows(documents[part], offsets[part], ends)
        for begin, text in zip(begins[part].tolist(), texts, strict=True):
            length = match_length(ids[begin:], text)
            if length > SEED:
                edges[begin] += 1
                edges[begin + length] -= 1
    return int(np.count_nonzero(np.cumsum(edges)[:-1]))


def _runs(grams: Numbers, documents: Numbers, offsets: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The first of n-grams that follow each other in item and document: a match from a later one is part of its."""
    order = np.lexsort((grams, offsets - grams, documents))
    at, where, shift = grams[order], documents[order], (offsets - grams)[order]
    new = (np.diff(at, prepend=-2) != 1) | (np.diff(where, prepend=-1) != 0) | (np.diff(shift, prepend=0) != 0)
    kept = order[new]
    return grams[kept], documents[kept], offsets[kept]


def match_length(item: Numbers, text: Numbers) -> int:
    """Measure the longest match from the beginnings of two texts, which agree in their first ten tokens.

    Parameters
    ----------
    item, text
        Ids of tokens.

    Returns
    -------
    int
        Its tokens: at most four differ, and the last one agrees.

    Examples
    --------
    >>> match_length(np.arange(20), np.array([*range(12), 99, 13, 98, 97]))
    14
    """
    size = min(len(item), len(text))
    equal = item[:size] == text[:size]
    reached = np.flatnonzero(equal & (np.cumsum(~equal) <= MISMATCHES))
    return int(reached[-1]) + 1 if len(reached) else 0
