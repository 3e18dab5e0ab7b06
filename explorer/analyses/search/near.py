"""Which places of a document have a needle near them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.search.hits import Hits
from explorer.analyses.search.needle import Needle, spots_of_many
from explorer.backends.places import Located
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken

# With 34 bits for the offset, an int64 has room for 2^29 documents.
_STRIDE = 1 << 34
"""Document and offset in one number: documents are so far apart that nothing is near across them."""
# 160 MB of keys, and more than twice that while they are sorted.
_MOST_LISTED = 20_000_000
_TOGETHER = 1 << 16
"""Tokens around places that are read at once, between two looks at the cancel flag."""
_READ_COST = 50
"""A place that is looked up costs as much as this many tokens that are read."""

Numbers = NDArray[np.int64]


class Nearness:
    """Looks for the hits of one clause near places; their places are listed once where that is less work.

    expected: number of places that will be asked for. distance: tokens between the two beginnings.
    """

    def __init__(self, hits: Hits, expected: int, distance: int, cancel: CancelToken | None = None) -> None:
        self._hits, self._distance, self._cancel = hits, distance, cancel
        self._needle = Needle.of(hits.parts)
        # Decided once for all chunks: the list serves every call of `near`.
        self._keys = _all_keys(hits, cancel) if _worth_listing(hits, expected, distance) else None

    def near(self, located: Located) -> NDArray[np.bool_]:
        """Tell which places have an occurrence within the distance, in the same document."""
        index = self._hits.index
        if self._keys is not None:
            return _near(keys_of(located), self._keys, self._distance)
        # N-grams are compared by the backend, in one request. For a pattern, the text around each place is decoded
        # here.
        if self._needle.ngrams:
            return index.hits.near(located, self._needle.ngrams, self._distance, self._cancel)
        return self._near_text(index, located)

    def _near_text(self, index: Backend, located: Located) -> NDArray[np.bool_]:
        """The same for a text pattern, by reading around each place."""
        found = np.zeros(len(located), dtype=np.bool_)
        # The contexts of neighbors overlap and are read once for each; still, this is one request per 65,536 tokens.
        step = max(1, _TOGETHER // (2 * self._distance + 1))
        for begin in range(0, len(located), step):
            if self._cancel is not None:
                self._cancel.check()
            part = located[begin : begin + step]
            firsts, lasts = part.offsets - self._distance, part.offsets + self._distance + 1
            spotted = spots_of_many(index, self._needle, part.documents, firsts, lasts)
            found[begin : begin + step] = [len(places) > 0 for places in spotted]
        return found


def keys_of(located: Located) -> Numbers:
    """Document and first token of each hit in one number, in the order of places."""
    return located.documents * _STRIDE + located.offsets


def places_of(keys: Numbers) -> tuple[Numbers, Numbers]:
    """Documents and offsets again."""
    return np.divmod(keys, _STRIDE)


def _worth_listing(hits: Hits, expected: int, distance: int) -> bool:
    """Whether looking up all hits costs less than reading the text around the places."""
    # Of an index elsewhere, each hit that is looked up is a request, and the text around the places is one for all.
    if hits.index.local is None:
        return False
    # The two beginnings may be `distance` apart in both directions.
    reading = expected * (2 * distance + 1) * len(hits.parts)
    return hits.total * _READ_COST < reading and hits.total <= _MOST_LISTED


def _all_keys(hits: Hits, cancel: CancelToken | None) -> Numbers:
    parts = [np.empty(0, dtype=np.int64)]
    parts += [keys_of(located) for _, located in hits.chunks(cancel=cancel)]
    # Sorted, as the binary searches of `_near` need it.
    return np.unique(np.concatenate(parts))


def _near(places: Numbers, others: Numbers, distance: int) -> NDArray[np.bool_]:
    """Which places have one of the others within the distance, in the same document."""
    # Bounds are cut to the keys of the same document, so that no distance reaches the next one. A place is near if the
    # range [first, last) of the other keys is not empty.
    first = np.searchsorted(others, np.maximum(places - distance, places // _STRIDE * _STRIDE), side="left")
    last = np.searchsorted(others, np.minimum(places + distance, (places // _STRIDE + 1) * _STRIDE - 1), side="right")
    return np.asarray(last > first)
