"""The tables of repeats: passages, and stretches that repeat themselves."""

from __future__ import annotations

from explorer.derive.table import column, row


@row
class RepeatRecord:
    """One passage that occurs twice or more, and cannot be made longer to either side."""

    text: str | None = column("The passage", missing="None for an index without a tokenizer")
    tokens: int = column("Its tokens; of one with more than 65,535, that many, and `text` is its beginning")
    count: int = column("How often it occurs")
    documents: int = column("How many documents it is in")
    tokens_saved: int = column("The tokens of all copies but one")
    bytes_saved: int | None = column("Their text as UTF-8", missing="None without a tokenizer")
    document: int = column("The number of a document with it")
    offset: int = column("The token of the document at which it begins there")


@row
class RunRecord:
    """One stretch of a document that repeats itself."""

    text: str | None = column("What is repeated", missing="None for an index without a tokenizer")
    period: int = column("Its tokens")
    times: float = column("How often it fits into the stretch; the last may be cut")
    document: int = column("The number of the document")
    offset: int = column("The token of the document at which the stretch begins")
    tokens: int = column("The tokens of the stretch")


@row
class RepeatFacts:
    """What repeats in a corpus, those passages included that are not listed."""

    length: int = column("Tokens of the shortest passages")
    total: int = column("All passages that occur twice or more and cannot be made longer")
    overlapping: int = column("Those of them of which two occurrences overlap, which are parts of `runs`")
    rows: tuple[RepeatRecord, ...] = column("The others, as many as were asked for")
    runs: tuple[RunRecord, ...] = column("Stretches that repeat themselves, the longest first")
