"""The places of an n-gram that are shown: all of them, or the first ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import Places
from explorer.backends.protocol.protocol import Backend, Matches, Numbers

_AT_ONCE = 1 << 18
"""Hits that are looked up before the next look at `cancel`."""


def _never() -> None:
    """In place of `cancel.check` where nothing can cancel."""


def hit_places(
    index: Backend, ids: Numbers, chosen: NDArray[np.bool_] | None = None, check: Callable[[], None] = _never
) -> Places:
    """Locate all hits of an n-gram.

    chosen: Whether the document of each number counts; None: all do.
    check: Called now and then; ends the work by raising.
    Returns: The hits, in the order of documents and offsets.
    """
    parts = _parts(index, index.hits.find(ids), _AT_ONCE, check)
    places = Places.join([here if chosen is None else here[chosen[here.documents]] for here in parts])
    return places[np.lexsort((places.offsets, places.documents))]


def first_places(index: Backend, ngram: Matches, most: int, check: Callable[[], None] = _never) -> Places:
    """Locate the first hits of an n-gram, in the order of the index: the same ones each time.

    most: The most hits, from 1.
    check: Called now and then; ends the work by raising.
    Returns: As many hits as there are, up to `most`; none in a document that is subtracted or not chosen.
    """
    found: list[Places] = []
    for here in _parts(index, ngram, most, check):
        found.append(here[: most - sum(map(len, found))])
        if sum(map(len, found)) == most:
            break
    return Places.join(found)


def _parts(index: Backend, ngram: Matches, size: int, check: Callable[[], None]) -> Iterator[Places]:
    """The hits in the order of the index, each part larger than the one before, without those that are not shown."""
    hits = index.hits.occurrences([ngram])
    first = 0
    while first < hits.total:
        check()
        located = hits.locate(np.arange(first, min(first + size, hits.total), dtype=np.int64))
        shown = located[hits.shown(located)] if hits.sieved else located
        yield Places(shown.documents, shown.offsets)
        first, size = first + size, min(4 * size, _AT_ONCE)
