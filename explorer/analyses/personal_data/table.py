"""The tables of personal data: findings, kinds, groups, and the facts about all."""

from __future__ import annotations

from explorer.derive.table import column, row
from explorer.i18n import mark


@row
class PersonalRecord:
    """One piece of personal data, or one secret."""

    kind: str = column(mark("What it looks like"), mark("Kind"), "email, phone, ip, card or key")
    detail: str | None = column(
        mark("Which sort of it"),
        mark("Variant"),
        "v4 or v6, international or north-american, or whose key it is; None without",
    )
    text: str = column(mark("What was found; masked unless it is shown in full"), mark("Text"))
    document: int = column(mark("The number of the document"), mark("Document"))
    token: int = column("The first token of the document that holds some of it")
    tokens: int = column("The tokens that hold some of it")
    character: int = column("The character of the document at which it begins")
    characters: int = column("Its characters")
    before: str = column(
        mark("The text before it, in which other personal data is masked, too"),
        mark("Before"),
        "as it is if not masked",
    )
    after: str = column(mark("The text after it"), mark("After"), "masked likewise")


@row
class PersonalKindRecord:
    """How much there is of one kind."""

    kind: str = column("Its name")
    count: int = column("Findings")
    documents: int = column("Documents that have one")
    tokens: int = column("Tokens that hold some of it")
    note: str = column("What else is found as this kind, in English")


@row
class PersonalGroupRecord:
    """How much there is of one kind in the documents with one value of a field."""

    value: str | None = column("The value", missing="None for documents without the field")
    kind: str = column("The kind")
    count: int = column("Findings")
    documents: int = column("Documents with the value that have one")


@row
class PersonalFacts:
    """What was found in the whole corpus, also where not all of it is listed."""

    total: int = column("All findings")
    documents: int = column("Documents that have one")
    tokens: int = column("Tokens that hold some of it: a token of two findings counts once")
    documents_read: int = column("Documents that hold what a finding must hold, and were read")
    masked: bool = column("Whether the texts are masked")
    kinds: tuple[PersonalKindRecord, ...] = column("Each kind that was looked for")
    groups: tuple[PersonalGroupRecord, ...] = column(
        "The same by the values of a field", missing="empty if none was asked for"
    )
