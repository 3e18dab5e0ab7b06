"""Keywords, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KeywordRecord:
    """One word that is more frequent, or rarer, than in the reference.

    The four cells are `count`, `reference_count`, and what they leave of `total` and `reference_total`.

    Attributes
    ----------
    form
        Its text; None for tokens of an index without a tokenizer.
    positive
        Whether it is at least as frequent as in the reference.
    count
        How often it occurs in the corpus.
    reference_count
        How often it occurs in the reference.
    per_million
        Occurrences per million words or tokens of the corpus.
    reference_per_million
        Occurrences per million of the reference.
    documents
        Documents of the corpus with it.
    reference_documents
        Documents of the reference with it; None for a word list, which does not tell.
    d_a
        D_A over the documents of the corpus, 1 for an even word; None if it is unknown or was not measured.
    reference_d_a
        D_A over the documents of the reference; None likewise.
    g2
        G² of the four cells, negative if the word is rarer than in the reference.
    g2_two_terms
        G² of the word's two cells, with the same sign.
    bic
        |G²| less the logarithm of all words of both: evidence that is positive from 2, strong from 6, and very strong
        from 10.
    log_ratio
        The log ratio, in bits; a count of 0 is taken as one half.
    percent_difference
        %DIFF; None if the word is not in the reference.
    odds_ratio
        The odds ratio; None if the word is not in the reference, or is all of the corpus.
    simple_maths
        The ratio of the rates per million, each with k added.
    p
        The level of significance by G², before any correction.
    p_corrected
        The same, corrected for all words that were tested; None without a correction.
    """

    form: str | None
    positive: bool
    count: int
    reference_count: int
    per_million: float
    reference_per_million: float
    documents: int
    reference_documents: int | None
    d_a: float | None
    reference_d_a: float | None
    g2: float
    g2_two_terms: float
    bic: float
    log_ratio: float
    percent_difference: float | None
    odds_ratio: float | None
    simple_maths: float
    p: float
    p_corrected: float | None


@dataclass(frozen=True)
class KeywordFacts:
    """What all keywords are, those that are not listed included.

    Attributes
    ----------
    unit
        What is counted: words or tokens.
    reference
        What was compared with.
    total
        The words or tokens of the corpus.
    reference_total
        The words or tokens of the reference; both sum to N of the four cells.
    tested
        Words of the least count in either: as many tests were made.
    rows
        The list.
    """

    unit: str
    reference: str
    total: int
    reference_total: int
    tested: int
    rows: tuple[KeywordRecord, ...]
