"""Where words are in the parts of a corpus, as records."""

from __future__ import annotations

from dataclasses import dataclass


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
