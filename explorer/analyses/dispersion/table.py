"""The tables of dispersion: how evenly words are spread over the parts of a corpus, and where they are."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.derive.table import column, row
from explorer.i18n import mark

_ONE_PART = "None over one part"


@row
class DispersionRecord:
    """How evenly one word is spread over the parts of a corpus.

    Of rare words, only the range and the count tell much.
    """

    form: str = column(mark("The word, in lower case, or words in a row"), mark("Word"))
    count: int = column(mark("Occurrences within documents"), mark("Hits"))
    per_million: float = column("Occurrences per million words")
    range: int = column("Parts with an occurrence")
    dp: float = column(
        "Gries's DP: 0 for words spread as the sizes of the parts, near 1 for those of a single small part"
    )
    dp_norm: float | None = column("DP by its largest possible value", missing=_ONE_PART)
    d_a: float | None = column(
        "D_A of Burch, Egbert and Biber: 1 for words of equal rate in all parts", missing=_ONE_PART
    )
    juilland: float | None = column(
        "Juilland's D: 1 for words of equal rate in all parts, too; of little use for more than 100 parts",
        missing=_ONE_PART,
    )
    carroll: float | None = column("Carroll's D₂; of little use for more than 100 parts", missing=_ONE_PART)
    rosengren: float = column("Rosengren's S")
    arf: float = column(
        mark(
            "Average reduced frequency: occurrences that are close together count as little more than one. "
            "Σ min(d, N / f) / (N / f) over the distances d between neighbors (Savický & Hlaváčová 2002)"
        ),
        mark("ARF"),
    )


@row
class StripRecord:
    """How often a word is in one part of a corpus."""

    part: str = column(
        "The value of the field, the number of the document, or the number of the slice; numbers are from 0"
    )
    words: int = column("The words of the part")
    form: str = column("The word")
    count: int = column("Occurrences in the part, above 0")
    per_million: float = column("Occurrences per million words of the part")


@dataclass(frozen=True)
class WordDispersionFacts:
    """Over what the words were measured.

    Attributes
    ----------
    parts
        What a part is: "documents", "slices", or the metadata field whose values are the parts.
    part_count
        How many there are; documents without words are left out.
    total
        All words of the parts.
    rows
        The words, the most frequent first.
    """

    parts: str
    part_count: int
    total: int
    rows: tuple[DispersionRecord, ...]
