"""Tokenizers that a caller has in memory, as the program uses them."""

from __future__ import annotations

from typing import Any, Protocol

import tokenizers

from explorer.errors import TokenizerError
from explorer.i18n import mark
from explorer.text.tokens.tokenizer import TextTokenizer


class HasBackend(Protocol):
    """A fast tokenizer of the `transformers` library, such as `PreTrainedTokenizerFast`."""

    @property
    def backend_tokenizer(self) -> Any:
        """Its tokenizer of the `tokenizers` library."""
        ...


def wrap_tokenizer(given: object) -> TextTokenizer:
    """Take a tokenizer that is in memory.

    given: A `TextTokenizer`, a `tokenizers.Tokenizer`, or a fast tokenizer of the `transformers` library. It stays as
        it is: what pads or truncates is removed from a copy.
    Returns: The tokenizer. Its fingerprint is the SHA-256 of its JSON.
    Raises `TokenizerError` if it is something else, or cannot be written as JSON.
    """
    if isinstance(given, TextTokenizer):
        return given
    backend = getattr(given, "backend_tokenizer", given)
    if not isinstance(backend, tokenizers.Tokenizer):
        raise TokenizerError(
            mark(
                "{kind} is neither a tokenizers.Tokenizer, nor a fast tokenizer of transformers, nor the path of a "
                "tokenizer.json."
            ),
            reason="not-a-tokenizer",
            kind=type(given).__name__,
            option="tokenizer",
        )
    # A name of the hub, or a folder; the class of `tokenizers` has no name.
    return TextTokenizer.from_backend(_copied(backend), str(getattr(given, "name_or_path", "") or "tokenizer.json"))


def _copied(backend: tokenizers.Tokenizer) -> tokenizers.Tokenizer:
    """A copy that tokenizes texts of any length as they are."""
    try:
        own = tokenizers.Tokenizer.from_str(backend.to_str())
    # The library raises plain Exception for parts that are written in Python, which a file cannot hold.
    except Exception as error:
        raise TokenizerError(
            mark("The tokenizer cannot be written as a tokenizer.json ({cause})."),
            reason="not-a-tokenizer",
            cause=error,
            option="tokenizer",
        ) from error
    own.no_padding()
    own.no_truncation()
    return own
