"""What is to be cut of a corpus because it is a copy, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DuplicateRecord:
    """One range of tokens to cut.

    Attributes
    ----------
    document
        The number of the document.
    start
        Its first token, from 0.
    end
        The token after its last one.
    first_document
        The document where what it begins with occurs first: why it is cut. None where that is the range itself, which
        the rule "all" cuts as well.
    first_start
        The token of that document where it begins; None as before.
    """

    document: int
    start: int
    end: int
    first_document: int | None = None
    first_start: int | None = None


@dataclass(frozen=True)
class DuplicateFacts:
    """What cutting duplicates comes to.

    Attributes
    ----------
    length
        Tokens of a window that is compared.
    unit
        What `length` counts: tokens, or bytes.
    rule
        Which copies are cut: separate, first or all.
    gap
        The most tokens between two ranges of a document that are cut with them.
    across
        Whether only copies of another document count.
    borders
        Where cuts begin and end: at tokens, characters, words or lines.
    tokens
        All tokens, without separators.
    tokens_removed
        Those that are cut.
    share_removed
        Their share of all, 0 to 1; None if the index has none.
    ranges
        Ranges of tokens.
    documents_touched
        Documents with a range.
    documents_emptied
        Documents of which nothing is left.
    bytes_removed
        The bytes of text that the tokens spell; None without a tokenizer.
    second_pass
        The tokens that would be cut of what is left; None if that was not asked.
    folder
        Where the export is; None without one.
    """

    length: int
    unit: str
    rule: str
    gap: int
    across: bool
    borders: str
    tokens: int
    tokens_removed: int
    share_removed: float | None
    ranges: int
    documents_touched: int
    documents_emptied: int
    bytes_removed: int | None
    second_pass: int | None
    folder: str | None
