"""A list of words or n-grams, as records."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.export.records.ngram import NgramFacts


@dataclass(frozen=True)
class WordRecord:
    """One word or n-gram of a list.

    Attributes
    ----------
    form
        Its text; None for tokens of an index without a tokenizer.
    count
        How often it occurs.
    documents
        How many documents it is in.
    per_million
        Occurrences per million words, or per million tokens if tokens are listed.
    n
        Its words or tokens.
    """

    form: str | None
    count: int
    documents: int
    per_million: float
    n: int


@dataclass(frozen=True)
class WordListFacts:
    """All words or n-grams of a corpus, those that are not listed included.

    Attributes
    ----------
    unit
        What an n-gram is made of: words or tokens.
    n
        Their number in the longest.
    total
        Occurrences of all n-grams.
    types
        Distinct ones.
    hapaxes
        Those that occur once.
    by_n
        The same for each length.
    """

    unit: str
    n: int
    total: int
    types: int
    hapaxes: int
    by_n: tuple[NgramFacts, ...]
