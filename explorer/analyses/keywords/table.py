"""The table of keywords: its columns, and the facts about all of it."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.derive.table import column, row
from explorer.i18n import mark

_NO_REFERENCE = "None if the word is not in the reference"


@row
class KeywordRecord:
    """One word that is more frequent, or rarer, than in the reference.

    The four cells are `count`, `reference_count`, and what they leave of `total` and `reference_total`.
    """

    form: str | None = column(
        mark("The word, in lower case, or the token"), missing="None for tokens of an index without a tokenizer"
    )
    positive: bool = column("Whether it is at least as frequent as in the reference")
    count: int = column(mark("Occurrences in the corpus"), mark("Hits"))
    reference_count: int = column("Occurrences in the reference")
    per_million: float = column(mark("Occurrences per million words or tokens of the corpus"), mark("Here / M"))
    reference_per_million: float = column(
        mark("Occurrences per million words or tokens of the reference"), mark("There / M")
    )
    documents: int = column(mark("Documents of the corpus with it"), mark("Documents"))
    reference_documents: int | None = column(
        "Documents of the reference with it", missing="None for a word list, which does not tell"
    )
    d_a: float | None = column(
        "D_A over the documents of the corpus, 1 for an even word",
        mark("Evenness"),
        "None if it is unknown or was not measured",
    )
    reference_d_a: float | None = column(
        "D_A over the documents of the reference", missing="None if it is unknown or was not measured"
    )
    g2: float = column("G² of the four cells, negative if the word is rarer than in the reference")
    g2_two_terms: float = column("G² of the word's two cells, with the same sign")
    bic: float = column(
        "|G²| less the logarithm of all words of both: evidence that is positive from 2, strong from 6, and very "
        "strong from 10"
    )
    log_ratio: float = column(
        mark("The log ratio, in bits: by how many doublings it is more frequent; a count of 0 is taken as one half"),
        mark("Log ratio"),
    )
    percent_difference: float | None = column("%DIFF", missing=_NO_REFERENCE)
    odds_ratio: float | None = column("The odds ratio", missing=f"{_NO_REFERENCE}, or is all of the corpus")
    simple_maths: float = column("The ratio of the rates per million, each with k added")
    p: float = column("The level of significance by G², before any correction")
    p_corrected: float | None = column(
        "The same, corrected for all words that were tested", missing="None without a correction"
    )


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
