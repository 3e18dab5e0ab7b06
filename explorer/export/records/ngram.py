"""N-grams of a corpus, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NgramRecord:
    """One n-gram.

    Attributes
    ----------
    n
        Its tokens.
    ids
        Their ids.
    form
        Its text; None without a tokenizer. Bytes of a character that is not whole are <0xNN>.
    count
        How often it occurs.
    documents
        How many documents it is in; None if they were not counted.
    per_million
        Occurrences per million tokens of the corpus, separators not counted.
    """

    n: int
    ids: tuple[int, ...]
    form: str | None
    count: int
    documents: int | None
    per_million: float


@dataclass(frozen=True)
class NgramFacts:
    """All n-grams of one n.

    Attributes
    ----------
    n
        Tokens of each.
    total
        Occurrences of all of them.
    types
        Distinct ones.
    hapaxes
        Those that occur once.
    """

    n: int
    total: int
    types: int
    hapaxes: int
