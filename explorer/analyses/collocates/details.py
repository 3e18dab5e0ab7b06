"""Where in their windows collocates are, and in how many documents: each window is read for itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.analyses.collocates.windows import Windows
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.range_texts import slices_of
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken


@dataclass(frozen=True, eq=False)
class CollocateDetails(ArrayValue):
    """What a table of collocates does not need for its cells.

    positions: How often each token is at each place of a window, from the furthest left to the furthest right, int64
        [tokens, left + right]. A token that is in the windows of two hits is at a place of both.
    documents: In how many documents each is in a window, int64 [tokens].
    slots: Places in all windows that hold a token, those that hold one of another hit included.
    """

    positions: Numbers
    documents: Numbers
    slots: int

    @property
    def pairs(self) -> Numbers:
        """Pairs of a hit and an occurrence of each token in its window, int64 [tokens]."""
        return np.asarray(self.positions.sum(axis=1))


@dataclass(frozen=True, eq=False)
class _Slots:
    """The tokens of some windows: each one, its place in the window, and its place in the corpus."""

    tokens: Numbers
    places: Numbers
    documents: Numbers
    offsets: Numbers


def collocate_details(
    index: Backend, around: Windows, tokens: Numbers, cancel: CancelToken | None = None
) -> CollocateDetails:
    """Count pairs, places and documents of some collocates.

    tokens: The collocates, each once, int64.
    Returns: In their order. Documents are those in which one counts as observed; pairs also count tokens that are part
        of another hit, as AntConc and Sketch Engine do.

    Notes
    -----
    Cost: each window is read, however windows overlap.
    """
    check = cancel or CancelToken()
    order = np.argsort(tokens)
    known = tokens[order]
    positions = np.zeros((len(tokens), sum(around.sides)), np.int64)
    documents = np.zeros(len(tokens), np.int64)
    own = around.own
    # The rows that the last document of what was read has been counted for.
    seen: tuple[int, Numbers] = (-1, np.empty(0, np.int64))
    slots = 0
    for part in slices_of(around.highs - around.lows) if len(tokens) else ():
        check.check()
        read = _slots(index, around, part)
        slots += len(read.tokens)
        at = np.minimum(np.searchsorted(known, read.tokens), len(known) - 1)
        met = np.flatnonzero(known[at] == read.tokens)
        rows = order[at[met]]
        np.add.at(positions, (rows, read.places[met]), 1)
        other = ~own.has(read.documents[met], read.offsets[met])
        seen = _count_documents(documents, rows[other], read.documents[met][other], seen)
    return CollocateDetails(positions, documents, slots)


def _slots(index: Backend, around: Windows, part: slice) -> _Slots:
    nodes, firsts, left = around.nodes[part], around.lows[part], around.sides[0]
    texts = index.documents.windows(nodes.documents, firsts, around.highs[part])
    sizes = np.array([len(text) for text in texts], np.int64)
    which = np.repeat(np.arange(len(texts)), sizes)
    begins = np.cumsum(sizes) - sizes
    offsets = np.arange(len(which)) - begins[which] + firsts[which]
    before, after = offsets - nodes.starts[which], offsets - nodes.ends[which]
    places = np.where(before < 0, before + left, after + left)
    outside = np.flatnonzero((before < 0) | (after >= 0))
    tokens = np.concatenate(texts).astype(np.int64, copy=False)
    return _Slots(tokens[outside], places[outside], nodes.documents[which[outside]], offsets[outside])


def _count_documents(
    counts: Numbers, rows: Numbers, documents: Numbers, seen: tuple[int, Numbers]
) -> tuple[int, Numbers]:
    """Add each pair of a row and a document once; documents ascend, and one may have been met before."""
    pairs = np.unique(np.stack([documents, rows], axis=1), axis=0)
    last, before = seen
    fresh = ~((pairs[:, 0] == last) & np.isin(pairs[:, 1], before))
    np.add.at(counts, pairs[fresh, 1], 1)
    if not len(pairs):
        return seen
    newest = int(pairs[-1, 0])
    mine = pairs[pairs[:, 0] == newest, 1]
    return newest, np.union1d(before, mine) if newest == last else mine
