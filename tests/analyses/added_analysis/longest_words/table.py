"""The columns of the longest words, and what describes all of them."""

from __future__ import annotations

from explorer.derive.table import column, row


@row
class LongWordRecord:
    """A long word."""

    form: str = column("The word, in lower case", "Word")
    length: int = column("Its characters", "Length")
    count: int = column("Its occurrences", "Hits")


@row
class LongWordFacts:
    """All words of the index."""

    type_count: int = column("Different words", "Different words")
