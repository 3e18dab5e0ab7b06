"""The text of one token."""

from __future__ import annotations

from explorer.backends.protocol.protocol import Backend


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
