"""Personal data in a corpus, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PersonalRecord:
    """One piece of personal data, or one secret.

    Attributes
    ----------
    kind
        email, phone, ip, card or key.
    detail
        The variant: v4 or v6, international or north-american, or whose key it is; None without.
    text
        The text; masked unless it was asked for.
    document
        The number of the document.
    token
        The first token of the document that holds some of it.
    tokens
        The tokens that hold some of it.
    character
        The character of the document at which it begins.
    characters
        Its characters.
    before
        The text before it; masked as the text is, also where it looks like personal data of another kind.
    after
        The text after it, likewise.
    """

    kind: str
    detail: str | None
    text: str
    document: int
    token: int
    tokens: int
    character: int
    characters: int
    before: str
    after: str


@dataclass(frozen=True)
class PersonalKindRecord:
    """How much there is of one kind.

    Attributes
    ----------
    kind
        Its name.
    count
        Findings.
    documents
        Documents that have one.
    tokens
        Tokens that hold some of it.
    note
        What else is found as this kind, in English.
    """

    kind: str
    count: int
    documents: int
    tokens: int
    note: str


@dataclass(frozen=True)
class PersonalGroupRecord:
    """How much there is of one kind in the documents with one value of a field.

    Attributes
    ----------
    value
        The value; None for documents without the field.
    kind
        The kind.
    count
        Findings.
    documents
        Documents with the value that have one.
    """

    value: str | None
    kind: str
    count: int
    documents: int


@dataclass(frozen=True)
class PersonalFacts:
    """What was found in the whole corpus, also where not all of it is listed.

    Attributes
    ----------
    total
        All findings.
    documents
        Documents that have one.
    tokens
        Tokens that hold some of it: a token of two findings counts once.
    documents_read
        Documents that hold what a finding must hold, and were read.
    masked
        Whether the texts are masked.
    kinds
        Each kind that was looked for.
    groups
        The same by the values of a field; empty if none was asked for.
    """

    total: int
    documents: int
    tokens: int
    documents_read: int
    masked: bool
    kinds: tuple[PersonalKindRecord, ...]
    groups: tuple[PersonalGroupRecord, ...]
