"""Llama 2's rule: which tokens of an item are in matches of more than ten tokens with at most four mismatches.

A match begins with ten tokens that agree; from there on, at most four pairs of tokens may differ, and the last one
agrees (Touvron et al. 2023, A.6).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken

SEED = 10
"""Tokens at the beginning of a match that agree; a match has more."""
MISMATCHES = 4
"""Tokens that may differ in a match."""
_PLACES = 1_000
"""Occurrences of ten tokens that are looked at; of more, some are drawn."""
_DRAW = 0
_AT_ONCE = 1 << 20
_ROOM = 32
"""Tokens that are read at first of each occurrence: few matches continue after them."""


def contaminated_units(index: Backend, ids: Numbers, matches: Numbers, cancel: CancelToken | None = None) -> int:
    """Count the tokens of an item that are in matches with few mismatches.

    ids: The tokens or words of the item, int64.
    matches: The longest match from each of them, int64.
    Returns: How many there are.

    Notes
    -----
    At most 1,000 occurrences of ten tokens are looked at, drawn with a fixed seed if there are more.
    """
    starts = np.flatnonzero(matches >= SEED)
    if not len(starts):
        return 0
    which, places = index.hits.some_places(ids, starts, starts + SEED, _PLACES, _DRAW, cancel)
    begins, documents, offsets = _runs(starts[which], places.documents, places.offsets)
    lengths = _lengths(index, ids, (begins, documents, offsets), cancel)
    edges = np.zeros(len(ids) + 1, dtype=np.int64)
    np.add.at(edges, begins[lengths > SEED], 1)
    np.add.at(edges, (begins + lengths)[lengths > SEED], -1)
    return int(np.count_nonzero(np.cumsum(edges)[:-1]))


def _lengths(
    index: Backend, ids: Numbers, places: tuple[Numbers, Numbers, Numbers], cancel: CancelToken | None
) -> Numbers:
    """The longest match from each place on: a token of the item, a document, and a token of it."""
    begins, documents, offsets = places
    lengths = np.zeros(len(begins), dtype=np.int64)
    waiting, room = np.arange(len(begins)), _ROOM
    while len(waiting):
        left = []
        for first in range(0, len(waiting), max(1, _AT_ONCE // room)):
            if cancel is not None:
                cancel.check()
            some = waiting[first : first + max(1, _AT_ONCE // room)]
            sizes = np.minimum(room, len(ids) - begins[some])
            texts = index.documents.windows(documents[some], offsets[some], offsets[some] + sizes)
            lengths[some], ended = match_lengths(ids, begins[some], texts, room)
            left.append(some[~ended & (begins[some] + room < len(ids))])
        # Only those that may continue are read again, each time with four times as much.
        waiting, room = np.concatenate(left), 4 * room
    return lengths


def _runs(grams: Numbers, documents: Numbers, offsets: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The first of n-grams that follow each other in item and document: a match from a later one is part of its."""
    order = np.lexsort((grams, offsets - grams, documents))
    at, where, shift = grams[order], documents[order], (offsets - grams)[order]
    new = (np.diff(at, prepend=-2) != 1) | (np.diff(where, prepend=-1) != 0) | (np.diff(shift, prepend=0) != 0)
    kept = order[new]
    return grams[kept], documents[kept], offsets[kept]


def match_lengths(
    ids: Numbers, begins: Numbers, texts: Sequence[Numbers], room: int
) -> tuple[Numbers, NDArray[np.bool_]]:
    """Measure the longest matches of an item with some texts, which agree in their first ten tokens.

    ids: The tokens of the item, int64.
    begins: The token of it with which each text begins, int64.
    Returns: The tokens of each match, int64: at most four differ, and the last one agrees. And whether no more tokens
        of the text can make it longer, bool.

    Examples
    --------
    >>> text = np.array([*range(12), 99, 13, 98, 97])
    >>> lengths, _ = match_lengths(np.arange(20), np.array([0]), [text], 16)
    >>> int(lengths[0])
    14
    """
    sizes = np.array([min(len(text), room) for text in texts], dtype=np.int64)
    steps = np.arange(room)
    # Neither fills up with what the other has.
    theirs = np.full((len(texts), room), -1, dtype=np.int64)
    theirs[steps < sizes[:, None]] = np.concatenate([text[:room] for text in texts])
    mine = np.append(ids, np.full(room, -2))[begins[:, None] + steps]
    equal = mine == theirs
    wrong = np.cumsum(~equal, axis=1)
    within = equal & (wrong <= MISMATCHES)
    lengths = np.where(within.any(axis=1), room - np.argmax(within[:, ::-1], axis=1), 0)
    return lengths, (wrong[:, -1] > MISMATCHES) | (sizes < room)
