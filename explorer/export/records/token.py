"""One next token as a record, and one token of a text with its agreement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from explorer.backends.protocol import Backend, NextTokens


@dataclass(frozen=True)
class TokenRecord:
    """A token that follows a context.

    Attributes
    ----------
    rank
        Its place among those that follow, from 0; the most frequent one is first.
    token
        Its id.
    text
        Its text; "" for the end of a document. None if the index has no tokenizer.
    count
        How often it follows; of a sample if the answer is an estimate.
    probability
        Its share of all that follows, 0 to 1.
    end_of_document
        Whether it is the separator, which means that the document ends.
    """

    rank: int
    token: int
    text: str | None
    count: int
    probability: float
    end_of_document: bool


@dataclass(frozen=True)
class AgreementRecord:
    """A token of a text, and how it agrees with the corpus.

    Attributes
    ----------
    position
        Its place in the text, in tokens from 0.
    token
        Its id.
    text
        Its text. None if the index has no tokenizer.
    effective_n
        1 + tokens of context used.
    context_count
        Occurrences of that context.
    continuation_count
        Occurrences of that context with the token after it.
    probability
        Their ratio, 0 to 1.
    agrees
        Whether the probability exceeds 0.5.
    sparse
        Whether only one token ever follows the context.
    """

    position: int
    token: int
    text: str | None
    effective_n: int
    context_count: int
    continuation_count: int
    probability: float
    agrees: bool
    sparse: bool


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


def token_records(index: Backend, found: NextTokens, top: int | None = None) -> Iterator[TokenRecord]:
    """Give next tokens as records.

    Parameters
    ----------
    index
        The index that was asked.
    found
        What follows.
    top
        The most records; None for all.

    Yields
    ------
    TokenRecord
        A token, the most frequent first.
    """
    count = len(found.tokens) if top is None else min(top, len(found.tokens))
    texts: Iterable[str | None] = (token_text(index, token) for token in found.tokens[:count].tolist())
    if not index.has_tokenizer:
        texts = (None for _ in range(count))
    # Shares of all that follows, also where only the first are listed.
    rows = zip(found.tokens.tolist(), texts, found.counts.tolist(), found.probabilities.tolist(), strict=False)
    for rank, (token, text, times, share) in enumerate(rows):
        yield TokenRecord(rank, token, text, times, share, token == index.separator)
