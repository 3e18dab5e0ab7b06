"""From a typed query to its hits: parsed, spelled in variants, looked up and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.corpus.index import Index, Matches
from explorer.jobs import CancelToken, Report, no_report
from explorer.search.arrange import NearFilter
from explorer.search.cnf import cnf
from explorer.search.hits import Hits, distinct_phrases
from explorer.search.language import ParsedQuery, parse
from explorer.search.limits import whole_number
from explorer.search.query import PhraseResult, find_phrase
from explorer.words import tr

MAX_DISTANCE = 100_000


@dataclass(frozen=True)
class QueryOptions:
    """variants: names of VARIANTS, of every phrase. max_distance: tokens between the beginnings of what AND
    joins. exact: check every hit (None: a sample of 1,000,000 if there are more, drawn with `seed`). node: the clause
    whose occurrences are the hits of an AND, from 0; None: the rarest.
    """

    variants: tuple[str, ...] = ()
    max_distance: int = 100
    exact: bool | None = None
    seed: int = 0
    node: int | None = None


@dataclass(frozen=True)
class Clause:
    """An OR of phrases, each with its variants; `count`: occurrences of any of them, anywhere."""

    phrases: tuple[PhraseResult, ...]
    parts: tuple[Matches, ...]
    count: int


@dataclass(frozen=True)
class QueryResult:
    """Hits of a query.

    count: hits; with AND, those of clause number `node` that have the others near. exact: False if the count is scaled
    up from `sample_size` of `walkable` occurrences; `numbers` then are the hits in the sample. parts, numbers: n-grams,
    and which of their occurrences are hits (None: all).
    """

    query: str
    parsed: ParsedQuery
    clauses: tuple[Clause, ...]
    excluded: tuple[PhraseResult, ...]
    parts: tuple[Matches, ...]
    numbers: NDArray[np.int64] | None
    count: int
    per_million: float
    exact: bool
    sample_size: int
    walkable: int
    node: int = 0

    @property
    def impossible(self) -> tuple[str, ...]:
        """Phrases of clauses that do not occur in any of their spellings."""
        return tuple(p.query for clause in self.clauses for p in clause.phrases if not p.count)


def find_query(
    index: Index,
    text: str,
    options: QueryOptions | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> QueryResult:
    """Find what a query means. Raises QueryError, for its grammar a QuerySyntaxError with the place."""
    options = options or QueryOptions()
    whole_number(options.max_distance, tr("The distance in tokens"), most=MAX_DISTANCE)
    whole_number(options.seed, "seed")
    parsed = parse(text)
    clauses = tuple(_clause(index, phrases, options.variants) for phrases in parsed.clauses)
    excluded = tuple(find_phrase(index, phrase, options.variants) for phrase in parsed.excluded)
    if len(clauses) == 1 and not excluded:
        only = clauses[0]
        total = Hits(index, only.parts).count
        return _result(index, text, parsed, clauses, excluded, only.parts, None, only.count, True, total, total)
    found = cnf(
        index,
        [[part.ids for part in clause.parts] for clause in clauses],
        options.max_distance,
        options.exact,
        options.seed,
        cancel,
        [part.ids for phrase in excluded for part in phrase.parts],
        report,
        options.node,
    )
    result = _result(
        index, text, parsed, clauses, excluded, found.parts, found.hits, found.count, found.exact,
        found.sample_size, found.walkable,
    )  # fmt: skip
    return replace(result, node=found.node)


def _clause(index: Index, phrases: Sequence[str], variants: Sequence[str]) -> Clause:
    found = tuple(find_phrase(index, phrase, variants) for phrase in phrases)
    hits = Hits(index, distinct_phrases([part for phrase in found for part in phrase.parts]))
    return Clause(found, hits.parts, hits.count)


def _result(
    index: Index,
    text: str,
    parsed: ParsedQuery,
    clauses: tuple[Clause, ...],
    excluded: tuple[PhraseResult, ...],
    parts: tuple[Matches, ...],
    numbers: NDArray[np.int64] | None,
    count: int,
    exact: bool,
    sample_size: int,
    walkable: int,
) -> QueryResult:
    per_million = 1e6 * count / max(1, index.token_count)
    return QueryResult(
        text, parsed, clauses, excluded, parts, numbers, count, per_million, exact, sample_size, walkable
    )


def near_filter(
    index: Index, text: str, distance: int, wanted: bool = True, variants: Sequence[str] = ("space",)
) -> NearFilter:
    """A filter for hits with a phrase near them; raises QueryError for an empty one or a wrong distance."""
    distance = whole_number(distance, tr("The distance in tokens"), most=MAX_DISTANCE)
    phrase = find_phrase(index, text, variants)
    return NearFilter(text, tuple(part.ids for part in phrase.parts), distance, wanted)
