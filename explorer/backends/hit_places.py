"""All places of an n-gram, in the order of the text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import Places
from explorer.backends.protocol import Backend, Numbers

_AT_ONCE = 1 << 18
"""Hits that are looked up before the next look at `cancel`."""


def _never() -> None:
    """In place of `cancel.check` where nothing can cancel."""


def hit_places(
    index: Backend, ids: Numbers, chosen: NDArray[np.bool_] | None = None, check: Callable[[], None] = _never
) -> Places:
    """Locate all hits of an n-gram.

    Parameters
    ----------
    index
        The index.
    ids
        The n-gram, checked.
    chosen
        Whether the document of each number counts; None: all do.
    check
        Called now and then; ends the work by raising.

    Returns
    -------
    Places
        The hits, in the order of documents and offsets.
    """
    hits = index.hits.occurrences([index.hits.find(ids)])
    parts: list[Places] = []
    for first in range(0, hits.total, _AT_ONCE):
        check()
        located = hits.locate(np.arange(first, min(first + _AT_ONCE, hits.total), dtype=np.int64))
        shown = located[hits.shown(located)] if hits.sieved else located
        here = Places(shown.documents, shown.offsets)
        parts.append(here if chosen is None else here[chosen[here.documents]])
    places = Places.join(parts)
    return places[np.lexsort((places.offsets, places.documents))]
