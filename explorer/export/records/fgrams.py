"""A table of f-grams in figures, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FgramSizeRecord:
    """The n-grams of one n.

    Attributes
    ----------
    n
        Tokens of each.
    distinct
        Distinct n-grams of the corpus.
    at_least
        Those that occur at least as often as the cut-off: those in the table.
    """

    n: int
    distinct: int
    at_least: int


@dataclass(frozen=True)
class FgramFacts:
    """A whole table of f-grams.

    Attributes
    ----------
    max_n
        Tokens of the longest.
    cutoff
        The least count: everything as frequent is in the table.
    kept
        F-grams of the table.
    by_n
        What there is of each n.
    dimension
        Values of an embedding, for the size of the table of embeddings.
    table_bytes
        The size of that table, with two bytes per value.
    out
        The folder with the arrays; None if none was written.
    """

    max_n: int
    cutoff: int
    kept: int
    by_n: tuple[FgramSizeRecord, ...]
    dimension: int
    table_bytes: int
    out: str | None
