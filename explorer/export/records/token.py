"""One token of a text with its agreement as a record, and the text of a token."""

from __future__ import annotations

from explorer.backends.protocol.protocol import Backend
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


def token_text(index: Backend, token: int) -> str:
    """Give the text of one token, by itself.

    Parameters
    ----------
    index
        The index.
    token
        The id.

    Returns
    -------
    str
        Its text, with U+FFFD for a part of a character; "" for the separator.

    Raises
    ------
    TokenizerError
        If the index has no tokenizer.
    """
    tokenizer = index.tokenizer
    return "" if token == index.separator else tokenizer.token_bytes(token).decode("utf-8", "replace")
