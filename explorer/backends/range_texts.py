"""The texts of ranges of tokens, a part at a time, and which of their tokens are in other ranges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.ranges import Ranges
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken

AT_ONCE = 1 << 18
"""Tokens that are read before the next look at `cancel`."""


def slices_of(sizes: Numbers, most: int | None = None) -> Iterator[slice]:
    """Divide a row of things by their sizes.

    sizes: The size of each, int64.
    most: What those of a part have together, about; None for the usual number of tokens.
    Yields: The places of a part. A thing that is larger by itself is a part.
    """
    filled = np.cumsum(sizes) // (AT_ONCE if most is None else most)
    cuts = [0, *(np.flatnonzero(np.diff(filled)) + 1).tolist(), len(sizes)]
    yield from (slice(first, last) for first, last in pairwise(cuts) if last > first)


def pieces_of(ranges: Ranges, most: int | None = None) -> Iterator[Ranges]:
    """Divide ranges into parts that are read together.

    most: Tokens of a part, about; None for the usual number. A longer range is divided.
    Yields: Ranges in their order; those of a long one touch.
    """
    most = AT_ONCE if most is None else most
    sizes = ranges.ends - ranges.starts
    times = np.maximum(-(-sizes // most), 1)
    which = np.repeat(np.arange(len(ranges)), times)
    step = np.arange(len(which)) - np.repeat(np.cumsum(times) - times, times)
    starts = ranges.starts[which] + step * most
    ends = np.minimum(starts + most, ranges.ends[which])
    documents = ranges.documents[which]
    for part in slices_of(ends - starts, most):
        yield Ranges(documents[part], starts[part], ends[part])


def read_pieces(index: Backend, ranges: Ranges, cancel: CancelToken | None = None) -> Iterator[tuple[Ranges, Numbers]]:
    """Read ranges, a part at a time.

    Yields: Some ranges, and their tokens one after the other.
    """
    for piece in pieces_of(ranges):
        if cancel is not None:
            cancel.check()
        read = index.documents.windows(piece.documents, piece.starts, piece.ends)
        yield piece, np.concatenate(read)


@dataclass(frozen=True, eq=False)
class Cover(ArrayValue):
    """Ranges as numbers in one line, to be looked up for one part of a text after the other.

    high: More than the tokens of any document that counts.
    starts, ends: The edges of the ranges: the document's number times `high`, and the token; int64, ascending.
    """

    high: int
    starts: Numbers
    ends: Numbers

    @classmethod
    def of(cls, ranges: Ranges, highest: int) -> Cover:
        """Put ranges in a line.

        highest: At least the largest offset, and the largest end of what is read.
        """
        high = max(int(ranges.ends.max(initial=0)), highest) + 1
        return cls(high, ranges.documents * high + ranges.starts, ranges.documents * high + ranges.ends)

    def has(self, documents: Numbers, offsets: Numbers) -> NDArray[np.bool_]:
        """Whether each token is in a range.

        documents, offsets: Where the tokens are, int64.
        """
        if not len(self.starts):
            return np.zeros(len(documents), dtype=np.bool_)
        at = documents * self.high + offsets
        row = np.maximum(np.searchsorted(self.starts, at, "right") - 1, 0)
        return np.asarray((self.starts[row] <= at) & (at < self.ends[row]))

    def marks(self, piece: Ranges) -> NDArray[np.bool_]:
        """Whether each token of a part of the text is in a range.

        piece: The part, whose tokens are one after the other.
        """
        sizes = piece.ends - piece.starts
        begins = np.cumsum(sizes) - sizes
        line = piece.documents * self.high + piece.starts
        inside = np.zeros(int(sizes.sum()) + 1, dtype=np.int64)
        first = np.searchsorted(self.ends, line[0], "right")
        last = np.searchsorted(self.starts, line[-1] + sizes[-1])
        for edges, step in ((self.starts[first:last], 1), (self.ends[first:last], -1)):
            # Where an edge is in the part, or would be if it were in it.
            row = np.maximum(np.searchsorted(line, edges, "right") - 1, 0)
            np.add.at(inside, begins[row] + np.clip(edges - line[row], 0, sizes[row]), step)
        return np.cumsum(inside[:-1]) > 0
