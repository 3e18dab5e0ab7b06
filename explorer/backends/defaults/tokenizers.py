"""What every kind of index on another machine does about its tokenizer."""

from __future__ import annotations

from explorer.errors import TokenizerError
from explorer.i18n import mark
from explorer.text.tokens.tokenizer import TextTokenizer


def required(tokenizer: TextTokenizer | None, name: str) -> TextTokenizer:
    """Give the tokenizer of an index.

    tokenizer: The tokenizer; None if none is known.
    Raises `TokenizerError` if none is known.
    """
    if tokenizer is None:
        raise TokenizerError(
            mark("No tokenizer is known for {name}, so text cannot be searched for or shown."),
            reason="tokenizer-unknown",
            option="tokenizer",
            name=name,
        )
    return tokenizer
