"""One token of a text with its agreement as a record."""

from __future__ import annotations

from explorer.derive.table import column, row


@row
class AgreementRecord:
    """A token of a text, and how it agrees with the corpus."""

    position: int = column("Its place in the text, in tokens from 0")
    token: int = column("Its id")
    text: str | None = column("Its text", missing="None if the index has no tokenizer")
    effective_n: int = column("1 + tokens of context used")
    context_count: int = column("Occurrences of that context")
    continuation_count: int = column("Occurrences of that context with the token after it")
    probability: float = column("Their ratio, 0 to 1")
    agrees: bool = column("Whether the probability exceeds 0.5")
    sparse: bool = column("Whether only one token ever follows the context")
