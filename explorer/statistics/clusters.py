"""Which n-grams contain an n-gram, with exact counts, in the whole index or in some of its documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from explorer.arrays import ArrayValue
from explorer.backends.places import Places
from explorer.backends.protocol import Backend, Ids, Numbers
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.jobs import CancelToken, Progress, Report, no_report
from explorer.search.limits import whole_number
from explorer.statistics.collocates import hit_places
from explorer.statistics.ngram_lists import running_tokens

Side = Literal["left", "right", "any"]
Chosen = NDArray[np.bool_]

SIDES: tuple[Side, ...] = ("any", "left", "right")
SHORTEST, LONGEST = 2, 8
"""Words or tokens of a cluster."""
_AT_ONCE = 1 << 18
"""Tokens that are read before the next look at `cancel`."""
_MOST_TYPES = 1 << 24
"""Distinct clusters that are counted at most: they and what sorts them take about two gigabytes."""


@dataclass(frozen=True)
class ClusterRequest:
    """What a caller asks for; `find_clusters` checks it.

    Attributes
    ----------
    size
        Tokens of the shortest and of the longest clusters, 2 to 8.
    side
        Where the query is: "left" for clusters that begin with it, "right" for those that end with it, "any" for all
        that contain it.
    min_count
        Their least count.
    min_documents
        The least number of documents that they are in.
    top
        How many, the most frequent ones; None for all.
    """

    size: tuple[SupportsIndex, SupportsIndex] = (2, 4)
    side: Side = "any"
    min_count: SupportsIndex = 1
    min_documents: SupportsIndex = 1
    top: SupportsIndex | None = None


@dataclass(frozen=True, eq=False)
class Clusters(ArrayValue):
    """The n-grams that contain a query.

    Attributes
    ----------
    node
        Hits of the query, those that overlap included.
    total
        Occurrences of all clusters of all sizes, those that are not listed included.
    types
        Distinct ones, likewise.
    tokens
        Tokens of the documents that count, separators left out.
    ids
        The listed clusters, the most frequent first, of equal ones the shorter, then the one with smaller ids; int64
        [rows, longest size]; beyond the size of a row, -1.
    sizes, counts, documents
        Tokens of each, how often it occurs, and in how many documents; int64 [rows].
    """

    node: int
    total: int
    types: int
    tokens: int
    ids: Numbers
    sizes: Numbers
    counts: Numbers
    documents: Numbers

    def __len__(self) -> int:
        return len(self.counts)

    def row(self, place: int) -> Numbers:
        """The ids of one row."""
        return self.ids[place, : self.sizes[place]]


@dataclass(frozen=True, eq=False)
class _Table:
    """N-grams of one size: ids [rows, size], their counts, documents, and the first and last document of each.

    The tables of a size are joined in the order of documents, so only what two tables have at their border can be one
    document.
    """

    ids: NDArray[np.uint32]
    counts: Numbers
    documents: Numbers
    firsts: Numbers
    lasts: Numbers

    def __len__(self) -> int:
        return len(self.counts)


def find_clusters(
    index: Backend,
    node: Ids,
    asked: ClusterRequest | None = None,
    chosen: Chosen | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Clusters:
    """Count the n-grams that contain an n-gram, within documents.

    Parameters
    ----------
    index
        The index; its tokens are counted, so give one of words to count words.
    node
        Token ids of the n-gram.
    asked
        Which n-grams; None for the usual ones.
    chosen
        Whether the document of each number counts, bool [document slots]; None: all do.
    report
        Called with the hits that were read.
    cancel
        Stops the count.

    Returns
    -------
    Clusters
        The n-grams and their counts. One that contains the query twice counts once for each place that it is at.

    Raises
    ------
    QueryError
        If the n-gram is empty, has an id that is not of the index, or is longer than the clusters; if a number is out
        of range; or if there are too many distinct clusters.
    Cancelled
        If it was cancelled.

    Notes
    -----
    Cost: the hits are located and sorted, with 16 bytes for each, and what is around them is read, each n-gram once.
    Beyond that, memory is about 50 bytes for each distinct cluster, at most 16,777,216, and three times as much while
    they are sorted. An index of any size answers for a rare query at once: nothing depends on its other tokens.
    """
    asked = ClusterRequest() if asked is None else asked
    ids = index.counts.check_ids(node)
    shortest, longest = checked_size(asked.size, len(ids))
    if asked.side not in SIDES:
        raise QueryError(mark("side must be left, right or any."), reason="wrong-argument")
    least = whole_number(asked.min_count, "min_count", 1), whole_number(asked.min_documents, "min_documents", 1)
    top = None if asked.top is None else whole_number(asked.top, "top", 1)
    cancel = CancelToken() if cancel is None else cancel
    places = hit_places(index, ids, chosen, cancel.check)
    found: dict[int, list[_Table]] = {n: [] for n in range(max(shortest, len(ids)), longest + 1)}
    for done, n, table in _read(index, places, len(ids), tuple(found), asked.side):
        cancel.check()
        report(Progress("Looking up occurrences", done, len(places), "occurrences"))
        _join(found[n], table)
        _check_types(sum(map(len, (each for tables in found.values() for each in tables))))
    whole = [_merged(tables) for tables in found.values() if tables]
    total, types = sum(int(each.counts.sum()) for each in whole), sum(map(len, whole))
    return Clusters(len(places), total, types, _tokens(index, chosen), *_listed(whole, longest, least, top))


def checked_size(size: tuple[SupportsIndex, SupportsIndex], tokens: int) -> tuple[int, int]:
    """Check the sizes of clusters.

    Parameters
    ----------
    size
        Tokens of the shortest and of the longest.
    tokens
        Tokens of what they contain.

    Returns
    -------
    tuple[int, int]
        The same as numbers of Python.

    Raises
    ------
    QueryError
        If one is not a whole number from 2 to 8, the first is above the second, or the query does not fit in.
    """
    longest = whole_number(size[1], "size", SHORTEST, LONGEST)
    shortest = whole_number(size[0], "size", SHORTEST, longest)
    if tokens > LONGEST:
        raise QueryError(
            mark("The query has {tokens:,} words or tokens, and a cluster at most {n:,}."),
            reason="query-too-long",
            tokens=tokens,
            n=LONGEST,
        )
    if tokens > longest:
        raise QueryError(
            mark("A query of {tokens:,} words or tokens does not fit into clusters of size {n:,}."),
            reason="cluster-too-short",
            tokens=tokens,
            n=longest,
        )
    return shortest, longest


def _check_types(types: int) -> None:
    if types > _MOST_TYPES:
        raise QueryError(
            mark("There are more than {most:,} distinct clusters. Ask for smaller sizes, or for a rarer query."),
            reason="too-many-clusters",
            most=_MOST_TYPES,
        )


def _tokens(index: Backend, chosen: Chosen | None) -> int:
    if chosen is None:
        return running_tokens(index)
    sizes = index.documents.sizes()[chosen]
    # Each document has a separator; a number without a document has size 0.
    return int(sizes.sum()) - int(np.count_nonzero(sizes))


def _read(
    index: Backend, places: Places, node: int, sizes: tuple[int, ...], side: Side
) -> Iterator[tuple[int, int, _Table]]:
    """The clusters of some hits after the other: hits that were read, the size, and its table."""
    before, after = 0 if side == "left" else sizes[-1] - node, node if side == "right" else sizes[-1]
    step = max(1, _AT_ONCE // (before + after))
    for first in range(0, len(places), step):
        part = places[first : first + step]
        read = index.documents.windows(part.documents, part.offsets - before, part.offsets + after)
        lengths = np.fromiter(map(len, read), np.int64, len(read))
        # Windows are cut off at both ends of a document.
        begins = np.maximum(part.offsets - before, 0)
        text = np.concatenate(read).astype(np.uint32, copy=False)
        shift = np.cumsum(lengths) - lengths - begins
        earlier = _hit_before(places, first, len(part))
        for n in sizes:
            low = part.offsets if side == "left" else part.offsets + node - n
            high = low if side == "right" else part.offsets
            # What begins at the hit before, or ahead of it, contains that hit and is counted there.
            low = np.maximum(np.maximum(low, earlier + 1) if side == "any" else low, begins)
            which, starts = _ranges(low, np.minimum(high, begins + lengths - n))
            ids = text[(shift[which] + starts)[:, None] + np.arange(n)]
            one, homes = np.ones(len(ids), dtype=np.int64), part.documents[which]
            yield first + len(part), n, _grouped(_Table(ids, one, one, homes, homes))


def _hit_before(places: Places, first: int, number: int) -> Numbers:
    """The offset of the hit before each of some hits in the same document; -1 for none, which is before all."""
    found = np.full(number, -1, dtype=np.int64)
    at = np.arange(max(first, 1), first + number)
    same = at[places.documents[at] == places.documents[at - 1]]
    found[same - first] = places.offsets[same - 1]
    return found


def _ranges(lows: Numbers, highs: Numbers) -> tuple[Numbers, Numbers]:
    """All numbers of each range, both ends included, and the range that each is of."""
    lengths = np.maximum(highs - lows + 1, 0)
    which = np.repeat(np.arange(len(lows)), lengths)
    within = np.arange(len(which)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return which, lows[which] + within


def _join(tables: list[_Table], table: _Table) -> None:
    """Add a table to those of a size, and merge what has become alike in size: each row is sorted a few times."""
    tables.append(table)
    while len(tables) > 1 and 2 * len(tables[-1]) >= len(tables[-2]):
        tables[-2:] = [_merged(tables[-2:])]


def _merged(tables: list[_Table]) -> _Table:
    if len(tables) == 1:
        return tables[0]
    columns = ("ids", "counts", "documents", "firsts", "lasts")
    return _grouped(_Table(*(np.concatenate([getattr(each, name) for each in tables]) for name in columns)))


def _grouped(table: _Table) -> _Table:
    """One row per distinct n-gram, in the order of their ids; the rows are in the order of documents."""
    if not len(table):
        return table
    keys = _keys(table.ids)
    # Stable, so the rows of one n-gram stay in the order of documents.
    order = np.lexsort(keys[::-1])
    new = np.ones(len(table), dtype=np.bool_)
    new[1:] = np.any([key[order[1:]] != key[order[:-1]] for key in keys], axis=0)
    starts = np.flatnonzero(new)
    firsts, lasts = table.firsts[order], table.lasts[order]
    again = np.zeros(len(table), dtype=np.int64)
    again[1:] = (firsts[1:] == lasts[:-1]) & ~new[1:]
    return _Table(
        table.ids[order[starts]],
        np.add.reduceat(table.counts[order], starts),
        np.add.reduceat(table.documents[order] - again, starts),
        firsts[starts],
        lasts[np.append(starts[1:], len(table)) - 1],
    )


def _keys(ids: NDArray[np.uint32]) -> list[NDArray[np.uint64]]:
    """Numbers that sort as the ids do: two ids in one number take half the time."""
    wide = ids.astype(np.uint64)
    if wide.shape[1] % 2:
        wide = np.pad(wide, ((0, 0), (0, 1)))
    return [wide[:, at] << np.uint64(32) | wide[:, at + 1] for at in range(0, wide.shape[1], 2)]


def _listed(
    tables: list[_Table], longest: int, least: tuple[int, int], top: int | None
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """The ids, sizes, counts and documents of the rows of all sizes that are frequent enough, in their order."""
    kept = [np.flatnonzero((each.counts >= least[0]) & (each.documents >= least[1])) for each in tables]
    rows = sum(map(len, kept))
    ids = np.full((rows, longest), -1, dtype=np.int64)
    numbers = np.empty((3, rows), dtype=np.int64)
    at = 0
    for table, which in zip(tables, kept, strict=True):
        here, n = slice(at, at + len(which)), table.ids.shape[1]
        ids[here, :n] = table.ids[which]
        numbers[:, here] = np.broadcast_to(n, len(which)), table.counts[which], table.documents[which]
        at += len(which)
    # Stable: sizes ascend, and the ids of each.
    order = np.argsort(-numbers[1], kind="stable")[:top]
    sizes, counts, documents = numbers[:, order]
    return ids[order], sizes, counts, documents
