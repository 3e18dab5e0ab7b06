"""What evaluation sets make up of a corpus, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DecontaminationRecord:
    """One document of which something is to be cut.

    Attributes
    ----------
    document
        Its number.
    title
        What to call it: title, path or source.
    found
        How many of its n-grams, or of those of the paragraphs that go, are in the evaluation sets.
    ngrams
        How many there are.
    share
        The first as a share of the second, 0 to 1.
    tokens
        The tokens of the document.
    tokens_removed
        Those of them that are to be cut.
    """

    document: int
    title: str
    found: int
    ngrams: int
    share: float
    tokens: int
    tokens_removed: int


@dataclass(frozen=True)
class DecontaminationGroup:
    """The documents with one value of a field.

    Attributes
    ----------
    value
        The value; null for documents without the field.
    documents
        How many there are.
    filtered
        How many of them are cut, whole or in part.
    share
        The second as a share of the first, 0 to 1.
    tokens
        Their tokens.
    tokens_removed
        Those of them that are to be cut.
    """

    value: str | None
    documents: int
    filtered: int
    share: float
    tokens: int
    tokens_removed: int


@dataclass(frozen=True)
class DecontaminationFacts:
    """What was compared, and what is to be cut.

    Attributes
    ----------
    rule
        grams: whole documents, with at least the share of their n-grams in the evaluation sets. paragraphs: paragraphs
        with more than the share.
    n
        Words or tokens of an n-gram.
    share_limit
        The share, 0 to 1.
    unit
        What is compared: words or tokens.
    items
        Items of the evaluation sets.
    items_too_short
        Those of them that are shorter than what is compared: nothing is found by them.
    ngrams
        Their different n-grams.
    ngrams_found
        Those of them that occur in the corpus.
    documents
        Documents of the corpus.
    filtered
        Those of them that are cut, whole or in part.
    filtered_share
        The second as a share of the first, 0 to 1; null for a corpus without documents.
    too_short
        Documents that are shorter than what is compared: nothing is known about them, and they stay.
    tokens_removed
        Tokens that are to be cut.
    ranges
        In how many ranges they are.
    by
        The field of `groups`; null for none.
    groups
        The same by its values.
    rows
        The documents of which something is cut, with the greatest share first.
    """

    rule: str
    n: int
    share_limit: float
    unit: str
    items: int
    items_too_short: int
    ngrams: int
    ngrams_found: int
    documents: int
    filtered: int
    filtered_share: float | None
    too_short: int
    tokens_removed: int
    ranges: int
    by: str | None
    groups: tuple[DecontaminationGroup, ...]
    rows: tuple[DecontaminationRecord, ...]
