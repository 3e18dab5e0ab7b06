"""Hits of any query, and the windows around them: what collocates and clusters are counted in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from explorer.arrays import ArrayValue
from explorer.backends.hit_places import hit_places
from explorer.backends.places import Places
from explorer.backends.protocol import Backend, Ids, Numbers
from explorer.backends.ranges import Ranges, ranges_of
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.jobs import CancelToken
from explorer.search.limits import whole_number

Chosen = NDArray[np.bool_]

WIDEST = 1_000
"""Tokens of a window on one side, at most."""
AT_ONCE = 1 << 18
"""Tokens that are read before the next look at `cancel`."""


@dataclass(frozen=True, eq=False)
class Nodes(ArrayValue):
    """Hits of a query, by document and first token: one may be longer than another, or overlap it.

    Attributes
    ----------
    documents
        The number of each one's document, int64.
    starts, ends
        Its tokens there, half-open, int64.
    """

    documents: Numbers
    starts: Numbers
    ends: Numbers

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, part: slice | NDArray[np.bool_] | Numbers) -> Nodes:
        return Nodes(self.documents[part], self.starts[part], self.ends[part])

    @property
    def tokens(self) -> Ranges:
        """What is part of a hit."""
        return ranges_of(self.documents, self.starts, self.ends)

    def sizes(self, index: Backend) -> Numbers:
        """The tokens of the document of each hit, int64."""
        # Many hits of a document are one question.
        documents, rows = np.unique(self.documents, return_inverse=True)
        return np.asarray(index.documents.lengths(documents)[rows])


@dataclass(frozen=True, eq=False)
class Windows(ArrayValue):
    """Hits with the tokens around them.

    Attributes
    ----------
    nodes
        The hits.
    lows, highs
        The tokens of each one's window, half-open, with the hit in it; int64. `lows` ascend within a document.
    sides
        Tokens left and right of a hit, at most.
    """

    nodes: Nodes
    lows: Numbers
    highs: Numbers
    sides: tuple[int, int]

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def reach(self) -> Ranges:
        """What is in a window or part of a hit."""
        return ranges_of(self.nodes.documents, self.lows, self.highs)

    @property
    def own(self) -> Cover:
        """What is part of a hit, to be looked up."""
        return Cover.of(self.nodes.tokens, int(self.highs.max(initial=0)))


def nodes_at(documents: Numbers, starts: Numbers, ends: Numbers) -> Nodes:
    """Put hits in order.

    Parameters
    ----------
    documents, starts, ends
        As in `Nodes`, in any order.

    Returns
    -------
    Nodes
        The hits by document and first token; one that is there twice is left out once.
    """
    order = np.lexsort((ends, starts, documents))
    columns = [each[order] for each in (documents, starts, ends)]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return Nodes(*(column[new] for column in columns))


def ngram_nodes(index: Backend, node: Ids, chosen: Chosen | None = None, cancel: CancelToken | None = None) -> Nodes:
    """Locate the hits of an n-gram.

    Parameters
    ----------
    index
        The index.
    node
        Token ids of the n-gram.
    chosen
        Whether the document of each number counts, bool [document slots]; None: all do.
    cancel
        Stops the work.

    Returns
    -------
    Nodes
        All of them, with 24 bytes for each.

    Raises
    ------
    QueryError
        If the n-gram is empty or has an id that is not of the index.
    Cancelled
        If it was cancelled.
    """
    ids = index.counts.check_ids(node)
    places = hit_places(index, ids, chosen, (cancel or CancelToken()).check)
    return Nodes(places.documents, places.offsets, places.offsets + len(ids))


def checked_window(window: tuple[SupportsIndex, SupportsIndex]) -> tuple[int, int]:
    """Check the two sides of a window.

    Parameters
    ----------
    window
        Tokens left and right.

    Returns
    -------
    tuple[int, int]
        The same as numbers of Python.

    Raises
    ------
    QueryError
        If one is not a whole number from 0 to 1,000, or both are 0.
    """
    left, right = (whole_number(side, "window", 0, WIDEST) for side in window)
    if not left + right:
        raise QueryError(mark("A window needs a token on the left or on the right."), reason="empty-window")
    return left, right


def windows_around(
    index: Backend,
    nodes: Nodes,
    window: tuple[SupportsIndex, SupportsIndex] = (5, 5),
    cuts: Places | None = None,
) -> Windows:
    """Take the tokens around hits, within documents.

    Parameters
    ----------
    index
        The index.
    nodes
        The hits.
    window
        Tokens left and right of each hit, 0 to 1,000 each, not both 0.
    cuts
        Further places that no window reaches over, such as where sentences begin, in order; None for none.

    Returns
    -------
    Windows
        The windows. One whose hit reaches over a cut begins and ends at the cuts outside of the hit.

    Raises
    ------
    QueryError
        If a number is out of range.
    """
    left, right = checked_window(window)
    sizes = nodes.sizes(index)
    lows, highs = np.maximum(nodes.starts - left, 0), np.minimum(nodes.ends + right, sizes)
    if cuts is not None and len(cuts) and len(nodes):
        high = int(max(cuts.offsets.max(), sizes.max())) + 2
        line = cuts.documents * high + cuts.offsets
        first = np.searchsorted(line, nodes.documents * high + nodes.starts, "right") - 1
        before = np.where((first >= 0) & (cuts.documents[first] == nodes.documents), cuts.offsets[first], 0)
        last = np.minimum(np.searchsorted(line, nodes.documents * high + nodes.ends), len(line) - 1)
        beyond = (cuts.documents[last] == nodes.documents) & (cuts.offsets[last] >= nodes.ends)
        lows = np.maximum(lows, before)
        highs = np.where(beyond, np.minimum(highs, cuts.offsets[last]), highs)
    return Windows(nodes, lows, highs, (left, right))


def pieces_of(ranges: Ranges, most: int | None = None) -> Iterator[Ranges]:
    """Divide ranges into parts that are read together.

    Parameters
    ----------
    ranges
        The ranges.
    most
        Tokens of a part, about; None for the usual number. A longer range is divided.

    Yields
    ------
    Ranges
        Ranges in their order; those of a long one touch.
    """
    most = AT_ONCE if most is None else most
    sizes = ranges.ends - ranges.starts
    times = np.maximum(-(-sizes // most), 1)
    which = np.repeat(np.arange(len(ranges)), times)
    step = np.arange(len(which)) - np.repeat(np.cumsum(times) - times, times)
    starts = ranges.starts[which] + step * most
    ends = np.minimum(starts + most, ranges.ends[which])
    filled = np.cumsum(ends - starts) // most
    cuts = np.flatnonzero(np.diff(filled)) + 1
    for rows in np.split(np.arange(len(which)), cuts) if len(which) else []:
        yield Ranges(ranges.documents[which[rows]], starts[rows], ends[rows])


def read_pieces(index: Backend, ranges: Ranges, cancel: CancelToken | None = None) -> Iterator[tuple[Ranges, Numbers]]:
    """Read ranges, a part at a time.

    Parameters
    ----------
    index
        The index.
    ranges
        The ranges.
    cancel
        Checked before each part.

    Yields
    ------
    tuple[Ranges, NDArray[np.int64]]
        Some ranges, and their tokens one after the other.

    Raises
    ------
    Cancelled
        If it was cancelled.
    """
    for piece in pieces_of(ranges):
        if cancel is not None:
            cancel.check()
        read = index.documents.windows(piece.documents, piece.starts, piece.ends)
        yield piece, np.concatenate(read)


@dataclass(frozen=True, eq=False)
class Cover(ArrayValue):
    """Ranges as numbers in one line, to be looked up for one part of a text after the other.

    Attributes
    ----------
    high
        More than the tokens of any document that counts.
    starts, ends
        The edges of the ranges: the document's number times `high`, and the token; int64, ascending.
    """

    high: int
    starts: Numbers
    ends: Numbers

    @classmethod
    def of(cls, ranges: Ranges, highest: int) -> Cover:
        """Put ranges in a line.

        Parameters
        ----------
        ranges
            The ranges.
        highest
            At least the largest offset, and the largest end of what is read.

        Returns
        -------
        Cover
            The ranges.
        """
        high = max(int(ranges.ends.max(initial=0)), highest) + 1
        return cls(high, ranges.documents * high + ranges.starts, ranges.documents * high + ranges.ends)

    def has(self, documents: Numbers, offsets: Numbers) -> NDArray[np.bool_]:
        """Whether each token is in a range.

        Parameters
        ----------
        documents, offsets
            Where the tokens are, int64.

        Returns
        -------
        NDArray[np.bool_]
            One per token.
        """
        if not len(self.starts):
            return np.zeros(len(documents), dtype=np.bool_)
        at = documents * self.high + offsets
        row = np.maximum(np.searchsorted(self.starts, at, "right") - 1, 0)
        return np.asarray((self.starts[row] <= at) & (at < self.ends[row]))

    def marks(self, piece: Ranges) -> NDArray[np.bool_]:
        """Whether each token of a part of the text is in a range.

        Parameters
        ----------
        piece
            The part, whose tokens are one after the other.

        Returns
        -------
        NDArray[np.bool_]
            One per token of the part.
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
