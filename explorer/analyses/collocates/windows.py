"""Hits of any query, and the windows around them: what collocates and clusters are counted in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.search.limits import whole_number
from explorer.backends.hit_places import hit_places
from explorer.backends.places import Places
from explorer.backends.protocol.protocol import Backend, Ids, Numbers
from explorer.backends.range_texts import Cover
from explorer.backends.ranges import Ranges, ranges_of
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark

Chosen = NDArray[np.bool_]

WIDEST = 1_000
"""Tokens of a window on one side, at most."""


@dataclass(frozen=True, eq=False)
class Nodes(ArrayValue):
    """Hits of a query, by document and first token: one may be longer than another, or overlap it.

    documents: The number of each one's document, int64.
    starts, ends: Its tokens there, half-open, int64.
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

    lows, highs: The tokens of each one's window, half-open, with the hit in it; int64. `lows` ascend within a document.
    sides: Tokens left and right of a hit, at most.
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

    documents, starts, ends: As in `Nodes`, in any order.
    Returns: The hits by document and first token; one that is given twice is there once.
    """
    order = np.lexsort((ends, starts, documents))
    columns = [each[order] for each in (documents, starts, ends)]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return Nodes(*(column[new] for column in columns))


def ngram_nodes(index: Backend, node: Ids, chosen: Chosen | None = None, cancel: CancelToken | None = None) -> Nodes:
    """Locate the hits of an n-gram.

    chosen: Whether the document of each number counts, bool [document slots]; None: all do.
    Returns: All of them, with 24 bytes for each.
    Raises `QueryError` if the n-gram is empty or has an id that is not of the index.
    """
    ids = index.counts.check_ids(node)
    places = hit_places(index, ids, chosen, (cancel or CancelToken()).check)
    return Nodes(places.documents, places.offsets, places.offsets + len(ids))


def checked_window(window: tuple[SupportsIndex, SupportsIndex]) -> tuple[int, int]:
    """Check the two sides of a window.

    Raises `QueryError` if one is not a whole number from 0 to 1,000, or both are 0.
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

    window: Tokens left and right of each hit, 0 to 1,000 each, not both 0.
    cuts: Further places that no window reaches over, such as where sentences begin, in order; None for none.
    Returns: The windows. One whose hit reaches over a cut begins and ends at the cuts outside of the hit.
    Raises `QueryError` if a number is out of range.
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
