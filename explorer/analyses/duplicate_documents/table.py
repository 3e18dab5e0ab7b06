"""Documents that are exact copies of another, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CopiedDocumentRecord:
    """One group of documents with the same tokens.

    Attributes
    ----------
    beginning
        The first tokens of the text; None for an index without a tokenizer.
    count
        How many documents the group has.
    tokens
        The tokens of one of them.
    tokens_saved
        The tokens of all but one.
    kept
        The number of the document to keep.
    copies
        The numbers of the others, ascending.
    """

    beginning: str | None
    count: int
    tokens: int
    tokens_saved: int
    kept: int
    copies: tuple[int, ...]
