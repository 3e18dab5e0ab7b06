"""The table of documents that are exact copies of another."""

from __future__ import annotations

from explorer.derive.table import column, row


@row
class CopiedDocumentRecord:
    """One group of documents with the same tokens."""

    beginning: str | None = column("The first tokens of the text", missing="None for an index without a tokenizer")
    count: int = column("How many documents the group has")
    tokens: int = column("The tokens of one of them")
    tokens_saved: int = column("The tokens of all but one")
    kept: int = column("The number of the document to keep")
    copies: tuple[int, ...] = column("The numbers of the others, ascending")
