"""From a typed query to its hits: parsed, spelled in variants, looked up and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.backends.ngrams import distinct_phrases
from explorer.backends.protocol import Backend, Matches, Part
from explorer.errors import QueryError
from explorer.i18n import tr
from explorer.jobs import CancelToken, Report, no_report
from explorer.patterns.pattern import Pattern
from explorer.search.arrange import NearFilter
from explorer.search.cnf import meet
from explorer.search.hits import Hits
from explorer.search.language import Expression, ParsedQuery, one_phrase, parse
from explorer.search.limits import whole_number
from explorer.search.query import PhraseResult, find_phrase, find_text_phrase

MAX_DISTANCE = 100_000


Match = Literal["text", "tokens", "regex"]
"""How phrases are matched: as they are written, as the tokenizer splits them, or as regular expressions."""
MATCHES: tuple[Match, ...] = ("text", "tokens", "regex")


@dataclass(frozen=True)
class QueryOptions:
    """How a query is read and counted.

    Attributes
    ----------
    variants
        Names of VARIANTS, for every phrase; only for tokens.
    max_distance
        The most tokens between the beginnings of what AND joins.
    exact
        True checks every hit; otherwise a sample of 1,000,000, if there are more, drawn with `seed`.
    seed
        Decides which hits are checked.
    node
        The clause whose occurrences are the hits of an AND, from 0; None for the rarest.
    match
        One of MATCHES.
    ignore_case
        As in `explorer.patterns.pattern.Pattern`; not for tokens.
    whole_words
        As in `explorer.patterns.pattern.Pattern`; not for tokens.
    literal
        Whether the query is one phrase, whatever words it contains.
    """

    variants: tuple[str, ...] = ()
    max_distance: int = 100
    exact: bool | None = None
    seed: int = 0
    node: int | None = None
    match: Match = "tokens"
    ignore_case: bool = False
    whole_words: bool = False
    literal: bool = False

    def check(self) -> None:
        """Check the options.

        Raises
        ------
        QueryError
            If they exclude each other or are out of range.
        """
        whole_number(self.max_distance, tr("The distance in tokens"), most=MAX_DISTANCE)
        whole_number(self.seed, "seed")
        if self.match not in MATCHES:
            names = ", ".join(MATCHES)
            raise QueryError(tr('There is no match "{match}". Choose from {names}.', match=self.match, names=names))
        if self.match == "tokens" and (self.ignore_case or self.whole_words):
            raise QueryError(tr("Ignore case and whole words are for text and regular expressions, not for tokens."))
        if self.match != "tokens" and self.variants:
            raise QueryError(tr("Variants are for tokens. Text is found however it was split: leave them out."))

    def pattern(self, phrase: str) -> Pattern:
        """A phrase as a text pattern."""
        is_expression = self.match == "regex" or isinstance(phrase, Expression)
        return Pattern(phrase, "regex" if is_expression else "text", self.ignore_case, self.whole_words)


@dataclass(frozen=True)
class Clause:
    """An OR of phrases.

    Attributes
    ----------
    phrases
        The phrases, each with its variants.
    parts
        What its occurrences are of.
    count
        Occurrences of any of them, anywhere.
    """

    phrases: tuple[PhraseResult, ...]
    parts: tuple[Part, ...]
    count: int


@dataclass(frozen=True)
class QueryResult:
    """Hits of a query.

    Attributes
    ----------
    query
        The query as it was typed.
    parsed
        How it was read.
    clauses
        The clauses of the AND, with their own counts.
    excluded
        The phrases that must not occur nearby.
    parts
        N-grams, or one text pattern, of which the hits are occurrences.
    numbers
        Which of their occurrences are hits, int64; None for all.
    count
        The number of hits; with AND, those of clause number `node` that have the others nearby.
    per_million
        Hits per million tokens.
    exact
        Whether the count is exact; otherwise it is scaled up from `sample_size` of `walkable` occurrences, and
        `numbers` are the hits in the sample.
    sample_size
        Occurrences that were checked.
    walkable
        Occurrences that could be checked.
    node
        The number of the clause whose occurrences are listed.
    """

    query: str
    parsed: ParsedQuery
    clauses: tuple[Clause, ...]
    excluded: tuple[PhraseResult, ...]
    parts: tuple[Part, ...]
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
    index: Backend,
    text: str,
    options: QueryOptions | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> QueryResult:
    """Find what a query means.

    Parameters
    ----------
    index
        The index.
    text
        The query.
    options
        How it is matched; None for the defaults.
    report
        Called with the progress of an AND.
    cancel
        Stops the search.

    Returns
    -------
    QueryResult
        The clauses, the hits and their number.

    Raises
    ------
    QuerySyntaxError
        If the query cannot be parsed; it has the place.
    QueryError
        If it is empty, too broad, or an option is out of range.
    Cancelled
        If it was cancelled.
    """
    options = options or QueryOptions()
    options.check()
    parsed = one_phrase(text, options.match) if options.literal else parse(text, options.match)
    clauses = tuple(_clause(index, phrases, options, cancel) for phrases in parsed.clauses)
    excluded = tuple(_phrase(index, phrase, options, cancel) for phrase in parsed.excluded)
    if len(clauses) == 1 and not excluded:
        only = clauses[0]
        total = Hits(index, only.parts).count
        return _result(index, text, parsed, clauses, excluded, only.parts, None, only.count, True, total, total)
    found = meet(
        [Hits(index, clause.parts) for clause in clauses],
        options.max_distance,
        options.exact,
        options.seed,
        cancel,
        Hits(index, _clause(index, parsed.excluded, options, cancel).parts) if excluded else None,
        report,
        options.node,
    )
    result = _result(
        index, text, parsed, clauses, excluded, found.parts, found.hits, found.count, found.exact,
        found.sample_size, found.walkable,
    )  # fmt: skip
    return replace(result, node=found.node)


def _phrase(index: Backend, phrase: str, options: QueryOptions, cancel: CancelToken | None) -> PhraseResult:
    if options.match == "tokens":
        return find_phrase(index, phrase, options.variants)
    return find_text_phrase(index, options.pattern(phrase), cancel)


def _clause(index: Backend, phrases: Sequence[str], options: QueryOptions, cancel: CancelToken | None) -> Clause:
    """An OR; what several of its phrases have in common counts once."""
    found = tuple(_phrase(index, phrase, options, cancel) for phrase in phrases)
    parts: Sequence[Part] = [part for phrase in found for part in phrase.parts]
    if options.match == "tokens":
        parts = distinct_phrases([part for part in parts if isinstance(part, Matches)])
    elif len(parts) > 1:
        parts = [index.find_text(*map(options.pattern, phrases), cancel=cancel)]
    hits = Hits(index, parts)
    return Clause(found, hits.parts, hits.count)


def _result(
    index: Backend,
    text: str,
    parsed: ParsedQuery,
    clauses: tuple[Clause, ...],
    excluded: tuple[PhraseResult, ...],
    parts: tuple[Part, ...],
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
    index: Backend, text: str, distance: int, wanted: bool = True, options: QueryOptions | None = None
) -> NearFilter:
    """Make a filter for hits with a phrase nearby.

    Parameters
    ----------
    index
        The index.
    text
        The phrase.
    distance
        The most tokens between hit and phrase.
    wanted
        Whether the phrase must be there; otherwise it must not.
    options
        How it is matched; None for tokens, also after a space.

    Returns
    -------
    NearFilter
        The filter.

    Raises
    ------
    QueryError
        If the phrase is empty or the distance is out of range.
    """
    distance = whole_number(distance, tr("The distance in tokens"), most=MAX_DISTANCE)
    options = options or QueryOptions()
    options.check()
    if options.match == "tokens":
        options = replace(options, variants=options.variants or ("space",))
    return NearFilter(text, _phrase(index, text, options, None).parts, distance, wanted)
