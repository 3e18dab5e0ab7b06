"""AND of OR-clauses: n-grams that occur near each other in one document.

A match is an occurrence of one clause, the node, for which every other clause occurs in the same document
within `max_distance` tokens between the two beginnings, and no excluded n-gram does. The node is the requested clause,
or else the rarest. Only its occurrences are enumerated: for the other clauses the text around them is read, or, if they
are about as rare, their places are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.search.hits import Hits
from explorer.analyses.search.limits import MOST_TOKENS_AROUND, whole_number
from explorer.analyses.search.near import Nearness, keys_of, places_of
from explorer.backends.protocol.protocol import Backend, Ids, Part
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import counted, mark

WALKED_UNASKED = 1_000_000
"""The most occurrences of the node that are checked at once; larger numbers are sampled first."""


@dataclass(frozen=True, eq=False)
class CnfMatches(ArrayValue):
    """Occurrences of the node with all other clauses nearby.

    Attributes
    ----------
    count
        The number of occurrences.
    document_count
        The number of documents that they are in.
    exact
        Whether both counts are exact; otherwise they are scaled up from `sample_size` of the `walkable` occurrences,
        and the places are those of the sample.
    documents
        The document of each occurrence, int64.
    offsets
        The token offset of each occurrence in its document, int64.
    sample_size
        Occurrences of the node that were checked.
    walkable
        All occurrences of the node.
    parts
        The node's n-grams, or its text pattern.
    hits
        Which of their occurrences match, in the order of the places, int64.
    node
        The number of the clause.
    """

    count: int
    document_count: int
    exact: bool
    documents: NDArray[np.int64]
    offsets: NDArray[np.int64]
    sample_size: int
    walkable: int
    parts: tuple[Part, ...]
    hits: NDArray[np.int64]
    node: int = 0

    def __repr__(self) -> str:
        sign = "" if self.exact else "≈ "
        return f"CnfMatches({sign}{counted('hit', self.count)} in {sign}{counted('document', self.document_count)})"


@dataclass(frozen=True)
class _Condition:
    """Another clause: its n-grams must occur near, or (not `wanted`) must not."""

    hits: Hits
    wanted: bool


@dataclass(frozen=True)
class CnfOptions:
    """How clauses are joined and counted.

    Attributes
    ----------
    max_distance
        The most tokens between the beginnings of n-grams of different clauses, in one document.
    exact
        True checks every occurrence of the node; otherwise at most 1,000,000 of them are checked, and up to this number
        the answer is exact.
    seed
        Decides which ones are checked.
    node
        The number of the clause whose occurrences are counted and listed; None for the rarest, which is the fastest.

    Raises
    ------
    QueryError
        If the distance or the seed is not a whole number or out of range.
    """

    max_distance: int = 100
    exact: bool | None = None
    seed: int = 0
    node: int | None = None

    def __post_init__(self) -> None:
        # Taken as Python's integers: twice a distance of numpy's small integers could overflow.
        object.__setattr__(self, "max_distance", whole_number(self.max_distance, "max_distance", 0, MOST_TOKENS_AROUND))
        object.__setattr__(self, "seed", whole_number(self.seed, "seed"))


def cnf(
    index: Backend,
    clauses: Sequence[Sequence[Ids]],
    options: CnfOptions = CnfOptions(),
    excluded: Sequence[Ids] = (),
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> CnfMatches:
    """Find an AND of OR-clauses of n-grams.

    options: The distance, the node, and how many of its occurrences are checked.
    excluded: N-grams that must not occur within the distance.
    Returns: The occurrences of the node that meet the others.
    Raises `QueryError` if a clause is empty, an id is not one of the index, or there is no such node.

    Notes
    -----
    The text around each occurrence of the node is read.
    """
    if not len(clauses) or any(not len(clause) for clause in clauses):
        raise QueryError(mark("A clause of the query is empty."), reason="empty-clause")
    unwanted = _hits_of(index, excluded) if len(excluded) else None
    return meet([_hits_of(index, clause) for clause in clauses], options, unwanted, report, cancel)


def _hits_of(index: Backend, ngrams: Sequence[Ids]) -> Hits:
    return Hits(index, [index.hits.find(index.counts.check_ids(ids)) for ids in ngrams])


def meet(
    clauses: Sequence[Hits],
    options: CnfOptions = CnfOptions(),
    excluded: Hits | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> CnfMatches:
    """Find an AND of clauses whose hits are known, of any kind.

    excluded: Hits that must not be within the distance; None for none.
    Returns: The occurrences of the node that meet the others.
    Raises `QueryError` if there is no such node.
    """
    others = list(clauses)
    node = _node_of(others, options)
    walked = others.pop(node)
    # The rarest condition first: the others are checked only where it is met.
    conditions = [_Condition(hits, True) for hits in sorted(others, key=lambda hits: hits.count)]
    if excluded is not None:
        # Last: a phrase after NOT rules out few hits as a rule.
        conditions.append(_Condition(excluded, False))
    return _as_matches(walked, node, *_walk(walked, conditions, options, report, cancel))


def _node_of(clauses: Sequence[Hits], options: CnfOptions) -> int:
    """The clause whose occurrences are enumerated."""
    if options.node is None:
        # Of clauses that are equally rare, the first one.
        return min(range(len(clauses)), key=lambda number: clauses[number].count)
    if not 0 <= options.node < len(clauses):
        raise QueryError(
            mark("There is no clause {clause}; the query has {count}."),
            reason="no-clause",
            clause=options.node + 1,
            count=len(clauses),
        )
    return options.node


def _as_matches(
    walked: Hits, node: int, hits: NDArray[np.int64], keys: NDArray[np.int64], sample_size: int
) -> CnfMatches:
    # The walk follows the numbers of the backend, such as ranks; places are given by document and offset.
    order = np.argsort(keys, kind="stable")
    documents, offsets = places_of(keys[order])
    distinct = len(np.unique(documents))
    # Both count only hits that are shown, so they are equal if and only if every one was checked.
    complete = sample_size == walked.count
    scale = 1.0 if complete else walked.count / max(1, sample_size)
    return CnfMatches(
        count=round(len(hits) * scale),
        # In proportion to the hits, which is too high if documents have several: a sample meets more documents per hit
        # than the whole does.
        document_count=round(distinct * scale) if not complete else distinct,
        exact=complete,
        documents=documents,
        offsets=offsets,
        sample_size=sample_size,
        walkable=walked.count,
        parts=walked.parts,
        hits=hits[order],
        node=node,
    )


def _walk(
    walked: Hits,
    conditions: Sequence[_Condition],
    options: CnfOptions,
    report: Report,
    cancel: CancelToken | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """The hits of the node that meet all conditions, their places as one number each, and how many were checked."""
    numbers = _sampled(walked, options)
    total = walked.total if numbers is None else len(numbers)
    checks = [Nearness(condition.hits, total, options.max_distance, cancel) for condition in conditions]
    kept_hits, kept_keys = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    looked_at = 0
    for hits, located in walked.chunks(numbers, cancel):
        report(Progress("Checking every occurrence", looked_at, total, "occurrences"))
        looked_at += len(hits)
        met = np.ones(len(hits), dtype=np.bool_)
        for condition, check in zip(conditions, checks, strict=True):
            # Only hits that have met all conditions so far are looked at again.
            left = np.flatnonzero(met)
            near = check.near(located[left])
            met[left] = near if condition.wanted else ~near
        kept_hits.append(hits[met])
        kept_keys.append(keys_of(located[met]))
    return np.concatenate(kept_hits), np.concatenate(kept_keys), looked_at


def _sampled(walked: Hits, options: CnfOptions) -> NDArray[np.int64] | None:
    """The hits of the node that are checked, ascending; None for all."""
    if options.exact or walked.total <= WALKED_UNASKED:
        return None
    return np.sort(np.random.default_rng(options.seed).choice(walked.total, WALKED_UNASKED, replace=False))
