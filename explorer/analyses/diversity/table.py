"""How varied vocabularies are, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DiversityRecord:
    """How varied the vocabulary of a group of documents is. What a group is too short for is None, never 0.

    Attributes
    ----------
    group
        The value of the field, or the number of the document; None for the whole corpus.
    documents
        Documents of the group, those without words included.
    words
        All words.
    types
        Different words.
    hapaxes
        Words that occur once in the group.
    ttr
        Types per word, 0 to 1; falls with the length of a text.
    mattr
        The mean share of types of all windows of 50 words, or of as many as were asked for, within a document; None if
        all documents are shorter.
    mtld
        Words until the share of types falls to 0.72, read in both directions; None if no word is repeated within a
        document.
    hdd
        HD-D: the expected share of types among 42 words drawn; None for fewer words.
    hapax_share
        Hapaxes per type, 0 to 1.
    yule
        Yule's K, from 0; great for a vocabulary of few words.
    herdan
        Herdan's C, 0 to 1; None for fewer than two words.
    """

    group: str | None
    documents: int
    words: int
    types: int
    hapaxes: int
    ttr: float | None
    mattr: float | None
    mtld: float | None
    hdd: float | None
    hapax_share: float | None
    yule: float | None
    herdan: float | None


@dataclass(frozen=True)
class DiversityFacts:
    """What was measured.

    Attributes
    ----------
    by
        The metadata field of the groups, "document" for one row per document, or None for the whole corpus.
    window
        Words of a window of `mattr`.
    rows
        The groups.
    """

    by: str | None
    window: int
    rows: tuple[DiversityRecord, ...]
