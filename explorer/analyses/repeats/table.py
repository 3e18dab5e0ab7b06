"""The tables of repeats: passages, and stretches that repeat themselves."""

from __future__ import annotations

from explorer.derive.table import column, row
from explorer.i18n import mark


@row
class RepeatRecord:
    """One passage that occurs twice or more, and cannot be made longer to either side."""

    text: str | None = column(
        mark("The passage; it cannot be made longer to either side without losing a copy"),
        mark("Text"),
        "None for an index without a tokenizer",
    )
    tokens: int = column(
        mark("Tokens of one copy"),
        mark("Tokens"),
        "of one with more than 65,535, that many, and `text` is its beginning",
    )
    count: int = column(mark("How often it occurs"), mark("Copies"))
    documents: int = column(mark("How many documents it is in"), mark("Documents"))
    tokens_saved: int = column(mark("Tokens of all copies but one"), mark("Tokens saved"))
    bytes_saved: int | None = column("Their text as UTF-8", missing="None without a tokenizer")
    document: int = column("The number of a document with it")
    offset: int = column("The token of the document at which it begins there")


@row
class RunRecord:
    """One stretch of a document that repeats itself."""

    text: str | None = column(
        mark("The text that follows itself"), mark("What repeats"), "None for an index without a tokenizer"
    )
    period: int = column(mark("Tokens of what repeats"), mark("Tokens"))
    times: float = column(mark("How often it fits into the stretch; the last may be cut"), mark("Times"))
    document: int = column(mark("The number of the document with the stretch"), mark("Document"))
    offset: int = column("The token of the document at which the stretch begins")
    tokens: int = column(mark("Tokens of the stretch"), mark("Tokens in all"))


@row
class RepeatFacts:
    """What repeats in a corpus, those passages included that are not listed."""

    length: int = column("Tokens of the shortest passages")
    total: int = column("All passages that occur twice or more and cannot be made longer")
    overlapping: int = column("Those of them of which two occurrences overlap, which are parts of `runs`")
    rows: tuple[RepeatRecord, ...] = column("The others, as many as were asked for")
    runs: tuple[RunRecord, ...] = column("Stretches that repeat themselves, the longest first")
