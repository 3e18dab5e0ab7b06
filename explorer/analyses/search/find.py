"""From a typed query to its hits: parsed, spelled in variants, looked up and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.arrange import NearFilter
from explorer.analyses.search.cnf import CnfMatches, CnfOptions, meet
from explorer.analyses.search.hits import Hits
from explorer.analyses.search.language import Expression, ParsedQuery, one_phrase, parse
from explorer.analyses.search.limits import whole_number
from explorer.analyses.search.query import PhraseResult, find_phrase, find_text_phrase
from explorer.backends.ngrams import distinct_phrases
from explorer.backends.protocol.protocol import Backend, Matches, Part
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import counted, mark, tr
from explorer.text.patterns.equal import checked_equate
from explorer.text.patterns.equates import Equate
from explorer.text.patterns.pattern import Match as PatternMatch
from explorer.text.patterns.pattern import Pattern

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
        As in `explorer.text.patterns.pattern.Pattern`; not for tokens.
    whole_words
        As in `explorer.text.patterns.pattern.Pattern`; not for tokens.
    literal
        Whether the query is one phrase, whatever words it contains.
    equate
        As in `explorer.text.patterns.pattern.Pattern`, in the order of EQUATES; not for tokens.
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
    equate: tuple[Equate, ...] = ()

    def check(self) -> None:
        """Check the options.

        Raises
        ------
        QueryError
            If they exclude each other or are out of range.
        """
        whole_number(self.max_distance, tr("The distance in tokens"), most=MAX_DISTANCE)
        whole_number(self.seed, "seed")
        checked_equate(self.equate)
        if self.match not in MATCHES:
            names = ", ".join(MATCHES)
            raise QueryError(
                mark('There is no match "{match}". The choices are {names}.'),
                reason="unknown-match",
                match=self.match,
                names=names,
            )
        if self.match == "tokens" and (self.ignore_case or self.whole_words or self.equate):
            raise QueryError(
                mark("Ignore case, whole words and equate apply to text and regular expressions, not to tokens."),
                reason="case-of-tokens",
            )
        if self.match != "tokens" and self.variants:
            raise QueryError(
                mark("Variants apply to tokens, not to text, which is found however it was split."),
                reason="variants-of-text",
            )

    @property
    def joined(self) -> CnfOptions:
        """What of this decides about an AND."""
        return CnfOptions(self.max_distance, self.exact, self.seed, self.node)

    def pattern(self, phrase: str) -> Pattern:
        """A phrase as a text pattern."""
        # /…/ is an expression among literal texts, too; `parse` marks it by its type.
        is_expression = self.match == "regex" or isinstance(phrase, Expression)
        match: PatternMatch = "regex" if is_expression else "text"
        return Pattern(phrase, match, self.ignore_case, self.whole_words, checked_equate(self.equate))


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


@dataclass(frozen=True, eq=False)
class QueryResult(ArrayValue):
    """Hits of a query.

    Attributes
    ----------
    query, parsed
        What was asked, as it was typed and as it is read.
    clauses, excluded
        The phrases of each OR, and those that must not be near.
    index_tokens
        Tokens of the index, to which `per_million` refers.
    cnf
        What AND and NOT found; None if the query is one clause, all of whose occurrences are hits.
    missing
        Parts of the index that were left out, so that `count` is a lower bound.
    options
        How it was matched.
    where
        Conditions that the documents of the hits meet.
    """

    query: str
    parsed: ParsedQuery
    clauses: tuple[Clause, ...]
    excluded: tuple[PhraseResult, ...]
    index_tokens: int
    cnf: CnfMatches | None = None
    missing: tuple[str, ...] = ()
    options: QueryOptions = QueryOptions()
    where: tuple[FieldFilter, ...] = ()

    def __repr__(self) -> str:
        return f"QueryResult({self.sign}{counted('hit', self.count)} of {self.query!r})"

    @property
    def node(self) -> int:
        """The clause whose occurrences are the hits, counted from 0."""
        return 0 if self.cnf is None else self.cnf.node

    @property
    def parts(self) -> tuple[Part, ...]:
        """The n-grams, or the one text pattern, whose occurrences are hits."""
        return self.clauses[0].parts if self.cnf is None else self.cnf.parts

    @property
    def numbers(self) -> NDArray[np.int64] | None:
        """Which occurrences of `parts` are hits, in the order of places; None: all. Of an estimate: in the sample."""
        return None if self.cnf is None else self.cnf.hits

    @property
    def count(self) -> int:
        """Hits; with AND, those of clause `node` that have the others near."""
        return self.clauses[0].count if self.cnf is None else self.cnf.count

    @property
    def per_million(self) -> float:
        """Hits per million tokens of the index."""
        return 1e6 * self.count / max(1, self.index_tokens)

    @property
    def exact(self) -> bool:
        """Whether every occurrence was checked; otherwise `count` is a lower bound, or an estimate: see `sign`."""
        return not self.sampled and not self.missing

    @property
    def sampled(self) -> bool:
        """Whether `count` is scaled up from `sample_size` of `walkable`."""
        return self.cnf is not None and not self.cnf.exact

    @property
    def sign(self) -> str:
        """What is written before the count: "" if it is exact, "≥ " for a lower bound, "≈ " for an estimate."""
        return "≥ " if self.missing else "≈ " if self.sampled else ""

    @property
    def sample_size(self) -> int:
        """Occurrences that were checked."""
        return self.clauses[0].count if self.cnf is None else self.cnf.sample_size

    @property
    def walkable(self) -> int:
        """Occurrences of the clause `node`."""
        return self.clauses[0].count if self.cnf is None else self.cnf.walkable

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

    options: How it is matched; None for the defaults.
    Returns: The clauses, the hits and their number.
    Raises `QuerySyntaxError` if the query cannot be parsed; it has the place.
    Raises `QueryError` if it is empty, too broad, or an option is out of range.
    """
    options = options or QueryOptions()
    options.check()
    parsed = one_phrase(text, options.match) if options.literal else parse(text, options.match)
    clauses = tuple(_clause(index, phrases, options, cancel) for phrases in parsed.clauses)
    excluded = tuple(_phrase(index, phrase, options, cancel) for phrase in parsed.excluded)
    # Every occurrence is a hit: none has to be looked at.
    if len(clauses) == 1 and not excluded:
        return QueryResult(text, parsed, clauses, excluded, index.token_count, None, index.missing, options)
    hits = [Hits(index, clause.parts) for clause in clauses]
    # As one OR: a hit is excluded whichever of the phrases is near.
    unwanted = Hits(index, _clause(index, parsed.excluded, options, cancel).parts) if excluded else None
    found = meet(hits, options.joined, unwanted, report, cancel)
    # Afterwards: a part may have been lost in the middle.
    if index.missing:
        _check_bound(found, len(clauses), options, index.missing)
    return QueryResult(text, parsed, clauses, excluded, index.token_count, found, index.missing, options)


def _check_bound(found: CnfMatches, clauses: int, options: QueryOptions, missing: Sequence[str]) -> None:
    """Raise QueryError if the hits that were found are not some of those of the whole index."""
    names = ", ".join(missing[:5]) + (" …" if len(missing) > 5 else "")
    if clauses > 1 and options.node is None:
        # The rarest clause here may not be the rarest one of all.
        raise QueryError(
            mark("{names} are missing, so it is not known which clause is the rarest."),
            reason="node-unknown",
            names=names,
        )
    if not found.exact:
        raise QueryError(
            mark("{names} are missing, and of the others only a sample was checked, which gives no lower bound."),
            reason="sample-of-a-part",
            names=names,
        )


def _phrase(index: Backend, phrase: str, options: QueryOptions, cancel: CancelToken | None) -> PhraseResult:
    if options.match == "tokens":
        return find_phrase(index, phrase, options.variants)
    return find_text_phrase(index, options.pattern(phrase), cancel)


def _clause(index: Backend, phrases: Sequence[str], options: QueryOptions, cancel: CancelToken | None) -> Clause:
    """An OR; what several of its phrases have in common counts once."""
    found = tuple(_phrase(index, phrase, options, cancel) for phrase in phrases)
    # The phrases keep their own counts, which are shown; the hits of the clause are counted without overlap.
    parts: Sequence[Part] = [part for phrase in found for part in phrase.parts]
    if options.match == "tokens":
        parts = distinct_phrases([part for part in parts if isinstance(part, Matches)])
    elif len(parts) > 1:
        # One automaton for all of them, since two patterns may match at one place.
        parts = [index.hits.find_text(*map(options.pattern, phrases), cancel=cancel)]
    hits = Hits(index, parts)
    return Clause(found, hits.parts, hits.count)


def near_filter(
    index: Backend, text: str, distance: int, wanted: bool = True, options: QueryOptions | None = None
) -> NearFilter:
    """Make a filter for hits with a phrase nearby.

    distance: The most tokens between hit and phrase.
    wanted: Whether the phrase must be there; otherwise it must not.
    options: How it is matched; None for tokens, also after a space.
    Raises `QueryError` if the phrase is empty or the distance is out of range.
    """
    distance = whole_number(distance, tr("The distance in tokens"), most=MAX_DISTANCE)
    options = options or QueryOptions()
    options.check()
    if options.match == "tokens":
        # As it is meant: in most vocabularies a word inside a line is a token with a space.
        options = replace(options, variants=options.variants or ("space",))
    return NearFilter(text, _phrase(index, text, options, None).parts, distance, wanted)
