"""The tables of decontamination: documents, groups of them, and the facts about all."""

from __future__ import annotations

from explorer.derive.table import column, row


@row
class DecontaminationRecord:
    """One document of which something is to be cut."""

    document: int = column("Its number")
    title: str = column("What to call it: title, path or source")
    found: int = column("How many of its n-grams, or of those of the paragraphs that go, are in the evaluation sets")
    ngrams: int = column("How many there are")
    share: float = column("The first as a share of the second, 0 to 1")
    tokens: int = column("The tokens of the document")
    tokens_removed: int = column("Those of them that are to be cut")


@row
class DecontaminationGroup:
    """The documents with one value of a field."""

    value: str | None = column("The value", missing="null for documents without the field")
    documents: int = column("How many there are")
    filtered: int = column("How many of them are cut, whole or in part")
    share: float = column("The second as a share of the first, 0 to 1")
    tokens: int = column("Their tokens")
    tokens_removed: int = column("Those of them that are to be cut")


@row
class DecontaminationFacts:
    """What was compared, and what is to be cut."""

    rule: str = column(
        "grams: whole documents, with at least the share of their n-grams in the evaluation sets. paragraphs: "
        "paragraphs with more than the share"
    )
    n: int = column("Words or tokens of an n-gram")
    share_limit: float = column("The share, 0 to 1")
    unit: str = column("What is compared: words or tokens")
    items: int = column("Items of the evaluation sets")
    items_too_short: int = column("Those of them that are shorter than what is compared: nothing is found by them")
    ngrams: int = column("Their different n-grams")
    ngrams_found: int = column("Those of them that occur in the corpus")
    documents: int = column("Documents of the corpus")
    filtered: int = column("Those of them that are cut, whole or in part")
    filtered_share: float | None = column(
        "The second as a share of the first, 0 to 1", missing="null for a corpus without documents"
    )
    too_short: int = column(
        "Documents that are shorter than what is compared: nothing is known about them, and they stay"
    )
    tokens_removed: int = column("Tokens that are to be cut")
    ranges: int = column("In how many ranges they are")
    by: str | None = column("The field of `groups`", missing="null for none")
    groups: tuple[DecontaminationGroup, ...] = column("The same by its values")
    rows: tuple[DecontaminationRecord, ...] = column(
        "The documents of which something is cut, with the greatest share first"
    )
