"""The count of one query, as a record."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.search.find import QueryResult


@dataclass(frozen=True)
class VariantCount:
    """One spelling of a query.

    Attributes
    ----------
    text
        The spelling.
    count
        Its occurrences.
    """

    text: str
    count: int


@dataclass(frozen=True)
class CountRecord:
    """How often a query occurs.

    Attributes
    ----------
    query
        The query as it was given.
    parsed
        The query as it was read.
    count
        Its occurrences; where it is not exact, scaled up from `sample_size`, or a lower bound if parts are missing.
    document_count
        The documents with an occurrence; None without `--documents`, and for an estimate.
    per_million
        Occurrences per million tokens.
    exact
        Whether every occurrence was checked; otherwise `count` is an estimate, or a lower bound if parts of the index
        are missing.
    sample_size
        The occurrences that were checked.
    match
        How the query was matched: "text", "tokens" or "regex".
    ignore_case
        Whether case was ignored.
    whole_words
        Whether only whole words were counted.
    equate
        What else counted as the same: "spacing", "quotes", "forms".
    echo
        The query with parentheses if it mixes AND and OR without them; in quotes if its own quotes or parentheses are
        text; otherwise "".
    variants
        The spellings of tokens with their counts; empty without `--match tokens`.
    """

    query: str
    parsed: str
    count: int
    document_count: int | None
    per_million: float
    exact: bool
    sample_size: int
    match: str
    ignore_case: bool
    whole_words: bool
    equate: tuple[str, ...]
    echo: str
    variants: tuple[VariantCount, ...]


def variants_of(found: QueryResult) -> tuple[VariantCount, ...]:
    """The spellings of all phrases of a query, each once, with their counts."""
    phrases = (phrase for clause in found.clauses for phrase in clause.phrases)
    # A phrase that occurs in two clauses has the same count in both.
    counts = {variant.text: variant.matches.count for phrase in phrases for variant in phrase.variants}
    return tuple(VariantCount(text, count) for text, count in counts.items())
