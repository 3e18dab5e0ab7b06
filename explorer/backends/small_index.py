"""A suffix array of a few tokens in memory, to compare two texts of which neither is in an index."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.backends.longest import in_pieces
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled

Numbers = NDArray[np.int64]

# The engine knows tokens of 1, 2 and 4 bytes. With the high byte first, the order of the bytes is that of the symbols.
_SYMBOL = np.dtype(">u4")
_WIDTH = _SYMBOL.itemsize
# Any width that can hold the last position would do; eight bytes are an array of numpy as it is.
_POINTER = np.dtype("<u8")


class SmallIndex:
    """A suffix array of some tokens in memory.

    ids: The tokens, int64. -1 separates runs of them: it matches nothing, not even itself.

    Notes
    -----
    Cost: O(n log n) for n tokens. Sorting the suffixes is linear, finding the distinct tokens is not.
    """

    def __init__(self, ids: Numbers, cancel: CancelToken | None) -> None:
        # Dense, because the sort allocates memory for every possible symbol. From 1 on, because a symbol 0 would look
        # like the zeros after the end of the text, and the engine would have to sort in the slower way.
        self._distinct, inverse = np.unique(ids, return_inverse=True)
        symbols = inverse.astype(np.int32) + 1
        try:
            order = _fastsa.suffix_array(symbols, len(self._distinct) + 1, cancel.flag if cancel else None)
        except _fastsa.Stopped as error:
            raise Cancelled from error
        # Entries of a suffix array on disk are byte offsets, and the engine's shards expect the same here.
        pointers = (order.astype(_POINTER) * _WIDTH).view(np.uint8)
        self._shard = _fastsa.Shard(self._packed(symbols), pointers, _WIDTH, _POINTER.itemsize)

    def _packed(self, symbols: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Symbols as the bytes that the engine compares."""
        return np.ascontiguousarray(symbols.astype(_SYMBOL)).view(np.uint8)

    def symbols(self, ids: Numbers) -> NDArray[np.int32]:
        """Write a text in the symbols of this index, int32; tokens that it lacks, and -1, get one that never occurs."""
        where = np.minimum(np.searchsorted(self._distinct, ids), len(self._distinct) - 1)
        # -1 may be in both texts, and a match must not run across it.
        known = (self._distinct[where] == ids) & (ids >= 0)
        return np.where(known, where + 1, len(self._distinct) + 1).astype(np.int32)

    def longest_matches(self, query: NDArray[np.int32], cancel: CancelToken | None) -> Numbers:
        """Find the longest match from each symbol of a text on.

        Returns: Lengths in symbols, int64; 0 for a symbol that does not occur.
        """
        packed = self._packed(query)
        flag = cancel.flag if cancel else None

        def statistics(first: int, last: int) -> Numbers:
            try:
                return self._shard.longest_matches(packed[_WIDTH * first : _WIDTH * last], flag)
            except _fastsa.Stopped as error:
                raise Cancelled from error

        def occurs(start: int, end: int) -> bool:
            first, last = self._shard.find(packed[_WIDTH * start : _WIDTH * end])
            return last > first

        return in_pieces(query.astype(np.int64), statistics, occurs, cancel)

    def position(self, query: NDArray[np.int32]) -> int:
        """Find the first place of some symbols, which must occur."""
        # Ranks are in the order of suffixes, so the first place is the smallest position and not the first rank.
        first, last = self._shard.find(self._packed(query))
        return int(self._shard.positions(np.arange(first, last, dtype=np.int64)).min())
