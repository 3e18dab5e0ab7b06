"""The table of duplicates: the ranges to cut, and what cutting them comes to."""

from __future__ import annotations

from explorer.derive.table import column, row


@row
class DuplicateRecord:
    """One range of tokens to cut."""

    document: int = column("The number of the document")
    start: int = column("Its first token, from 0")
    end: int = column("The token after its last one")
    first_document: int | None = column(
        "The document where what it begins with occurs first: why it is cut. None where that is the range itself, "
        'which the rule "all" cuts as well',
        default=None,
    )
    first_start: int | None = column(
        "The token of that document where it begins", missing="None as before", default=None
    )


@row
class DuplicateFacts:
    """What cutting duplicates comes to."""

    length: int = column("Tokens of a window that is compared")
    unit: str = column("What `length` counts: tokens, or bytes")
    rule: str = column("Which copies are cut: separate, first or all")
    gap: int = column("The most tokens between two ranges of a document that are cut with them")
    across: bool = column("Whether only copies of another document count")
    borders: str = column("Where cuts begin and end: at tokens, characters, words or lines")
    tokens: int = column("All tokens, without separators")
    tokens_removed: int = column("Those that are cut")
    share_removed: float | None = column("Their share of all, 0 to 1", missing="None if the index has none")
    ranges: int = column("Ranges of tokens")
    documents_touched: int = column("Documents with a range")
    documents_emptied: int = column("Documents of which nothing is left")
    bytes_removed: int | None = column("The bytes of text that the tokens spell", missing="None without a tokenizer")
    second_pass: int | None = column(
        "The tokens that would be cut of what is left", missing="None if that was not asked"
    )
    folder: str | None = column("Where the export is", missing="None without one")
