"""Which n-grams contain an n-gram, with exact counts, in the whole index or in some of its documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.clusters.question import LONGEST, ClustersQuestion, Side
from explorer.analyses.collocates.windows import Chosen, Nodes
from explorer.analyses.wordlist.ngram_lists import running_tokens
from explorer.backends.hit_places import hit_places
from explorer.backends.places import Places
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.backends.range_texts import AT_ONCE, Cover, pieces_of
from explorer.backends.ranges import Ranges, ranges_of
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import mark

_MOST_TYPES = 1 << 24
"""Distinct clusters that are counted at most: they and what sorts them take about two gigabytes."""


@dataclass(frozen=True, eq=False)
class Clusters(ArrayValue):
    """The n-grams that contain a query.

    node: Hits of the query, those that overlap included.
    total: Occurrences of all clusters of all sizes, those that are not listed included.
    tokens: Tokens of the documents that count, separators left out.
    ids: The listed clusters, the most frequent first, of equal ones the shorter, then the one with smaller ids; int64
        [rows, longest size]; beyond the size of a row, -1.
    sizes, counts, documents: Tokens of each, how often it occurs, and in how many documents; int64 [rows].
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
    nodes: Nodes,
    question: ClustersQuestion,
    top: int | None = None,
    chosen: Chosen | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Clusters:
    """Count the n-grams that contain a hit, within documents.

    index: The index; its tokens are counted, so give one of words to count words.
    top: How many, the most frequent ones; None for all.
    chosen: Whether the document of each number counts, bool [document slots]: all hits are in these. None: all do.
    Returns: The n-grams and their counts. One that contains two hits counts once for each place that it is at.
    Raises `QueryError` if all hits are longer than the clusters, or if there are too many distinct clusters.

    Notes
    -----
    Cost: what is around the hits is read once for each size. Beyond that, memory is about 50 bytes for each distinct
    cluster, at most 16,777,216, and three times as much while they are sorted. An index of any size answers for a rare
    query at once: nothing depends on its other tokens.
    """
    shortest, longest = question.size
    require_room(longest, int((nodes.ends - nodes.starts).min()) if len(nodes) else 1)
    least = question.min_count, question.min_documents
    cancel = CancelToken() if cancel is None else cancel
    places = {n: _beginnings(index, nodes, n, question.side) for n in range(shortest, longest + 1)}
    total, done = sum(each.tokens for each in places.values()), 0
    found: dict[int, list[_Table]] = {n: [] for n in places}
    for n, begins in places.items():
        for piece in pieces_of(begins, max(1, AT_ONCE // n)):
            cancel.check()
            report(Progress("Looking up occurrences", done, total, "occurrences"))
            _join(found[n], _read(index, piece, n))
            done += piece.tokens
            _check_types(sum(map(len, (each for tables in found.values() for each in tables))))
    whole = [_merged(tables) for tables in found.values() if tables]
    types = sum(map(len, whole))
    return Clusters(len(nodes), total, types, _tokens(index, chosen), *_listed(whole, longest, least, top))


def cluster_places(index: Backend, nodes: Nodes, ids: Numbers, side: Side, cancel: CancelToken | None = None) -> Places:
    """Find each place of one n-gram at which it contains a hit, as often as `find_clusters` counts it.

    Returns: The places, in the order of documents and offsets.
    Raises `QueryError` if an id is not of the index.

    Notes
    -----
    Cost: the places of the n-gram are located and sorted.
    """
    found = hit_places(index, index.counts.check_ids(ids), None, (cancel or CancelToken()).check)
    begins = _beginnings(index, nodes, len(ids), side)
    highest = int(found.offsets.max(initial=0)) + 1
    near = Cover.of(begins, highest).has(found.documents, found.offsets)
    return found[near]


def require_room(longest: int, tokens: int) -> None:
    """Raise `QueryError` if a query of that size does not fit into the longest clusters."""
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


def _beginnings(index: Backend, nodes: Nodes, n: int, side: Side) -> Ranges:
    """Where n-grams begin that contain a hit, each place once."""
    last = nodes.sizes(index) - n
    lows = nodes.starts if side == "left" else np.maximum(nodes.ends - n, 0)
    highs = np.minimum(nodes.ends - n if side == "right" else nodes.starts, last)
    # A hit of more tokens is not in an n-gram of this size, and one near an edge of its document may not be.
    fits = (nodes.ends - nodes.starts <= n) & (lows <= highs)
    return ranges_of(nodes.documents[fits], lows[fits], highs[fits] + 1)


def _read(index: Backend, begins: Ranges, n: int) -> _Table:
    """The distinct n-grams that begin at some places."""
    sizes = begins.ends - begins.starts
    read = index.documents.windows(begins.documents, begins.starts, begins.ends + n - 1)
    text = np.concatenate(read).astype(np.uint32, copy=False)
    which = np.repeat(np.arange(len(begins)), sizes)
    # Each range has n - 1 more tokens than n-grams.
    ids = text[(np.arange(len(which)) + which * (n - 1))[:, None] + np.arange(n)]
    one, homes = np.ones(len(ids), dtype=np.int64), begins.documents[which]
    return _grouped(_Table(ids, one, one, homes, homes))


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
