"""N-grams that contain a query, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ClusterRecord:
    """One n-gram that contains a query.

    Attributes
    ----------
    size
        Its words or tokens.
    form
        Its text; None for tokens of an index without a tokenizer.
    count
        How often it occurs.
    documents
        How many documents it is in.
    per_million
        Occurrences per million words or tokens of the documents that count.
    """

    size: int
    form: str | None
    count: int
    documents: int
    per_million: float


@dataclass(frozen=True)
class ClusterFacts:
    """What all n-grams that contain a query are, those that are not listed included.

    Attributes
    ----------
    unit
        What is counted: words or tokens.
    side
        Where the query is: left, right or any.
    node_count
        How often the query occurs.
    total
        Occurrences of all clusters of all sizes.
    types
        Distinct ones.
    tokens
        Words or tokens of the documents that count, of which rates are.
    hits_left_out
        Hits that are not counted, since no word begins in them; None for a query of words or tokens, which is looked up
        as such.
    rows
        The list.
    """

    unit: str
    side: str
    node_count: int
    total: int
    types: int
    tokens: int
    hits_left_out: int | None
    rows: tuple[ClusterRecord, ...]
