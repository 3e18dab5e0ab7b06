"""The table of diversity: its columns, and the facts about all of it."""

from __future__ import annotations

from explorer.derive.table import column, row
from explorer.i18n import mark


@row
class DiversityRecord:
    """How varied the vocabulary of a group of documents is. What a group is too short for is None, never 0."""

    group: str | None = column(
        mark("The value of the field, or the number of the document"),
        mark("Group"),
        missing="None for the whole corpus",
    )
    documents: int = column(mark("Documents of the group, those without words included"), mark("Documents"))
    words: int = column(mark("All words of the group"), mark("Words"))
    types: int = column(mark("Different words of the group"), mark("Different"))
    hapaxes: int = column("Words that occur once in the group")
    ttr: float | None = column("Types per word, 0 to 1, which falls with the length of a text")
    mattr: float | None = column(
        "The mean share of types of all windows of 50 words, or of another number that was given, within a document",
        missing="None if all documents are shorter",
    )
    mtld: float | None = column(
        "Words until the share of types falls to 0.72, read in both directions",
        missing="None if no word is repeated within a document",
    )
    hdd: float | None = column("HD-D: the expected share of types among 42 words drawn", missing="None for fewer words")
    hapax_share: float | None = column("Hapaxes per type, 0 to 1")
    yule: float | None = column("Yule's K, from 0, which is great for a vocabulary of few words")
    herdan: float | None = column("Herdan's C, 0 to 1", missing="None for fewer than two words")


@row
class DiversityFacts:
    """What was measured."""

    by: str | None = column(
        'The metadata field of the groups, "document" for one row per document', missing="None for the whole corpus"
    )
    window: int = column("Words of a window of `mattr`")
    rows: tuple[DiversityRecord, ...] = column("The groups")
