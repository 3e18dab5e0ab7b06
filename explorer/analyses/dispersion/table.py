"""The tables of dispersion: how evenly words are spread over the parts of a corpus, and where they are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DispersionRecord:
    """How evenly one word is spread over the parts of a corpus.

    Of rare words, only the range and the count tell much. What is not defined, such as over one part, is None.

    Attributes
    ----------
    form
        The words.
    count
        How often they occur.
    per_million
        Occurrences per million words.
    range
        Parts with an occurrence.
    dp
        Gries's DP: 0 for words spread as the sizes of the parts, near 1 for those of a single small part.
    dp_norm
        DP by its largest possible value.
    d_a
        D_A of Burch, Egbert and Biber: 1 for words of equal rate in all parts.
    juilland
        Juilland's D: the same way round; tells little of more than 100 parts.
    carroll
        Carroll's D₂; tells little of more than 100 parts.
    rosengren
        Rosengren's S.
    arf
        The average reduced frequency: the count, with those that are close together counted as little more than one.
    """

    form: str
    count: int
    per_million: float
    range: int
    dp: float
    dp_norm: float | None
    d_a: float | None
    juilland: float | None
    carroll: float | None
    rosengren: float
    arf: float


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


@dataclass(frozen=True)
class StripRecord:
    """How often a word is in one part of a corpus.

    Attributes
    ----------
    part
        The value of the field, the number of the document, or the number of the slice; numbers are from 0.
    words
        The words of the part.
    form
        The word.
    count
        How often it occurs there, above 0.
    per_million
        Occurrences per million words of the part.
    """

    part: str
    words: int
    form: str
    count: int
    per_million: float
