"""One span of a traced text as a record."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SpanRecord:
    """A part of a text that occurs in the corpus.

    Attributes
    ----------
    start
        Its first character, from 0.
    end
        One past its last character.
    token_start
        Its first token, from 0.
    token_end
        One past its last token.
    text
        Its text.
    count
        Its occurrences.
    rarity
        The sum of the logarithms of its tokens' probabilities; lower is rarer.
    level
        The relevance of the best of its documents in a word; "" without documents.
    documents
        Numbers of the documents that were looked up.
    """

    start: int
    end: int
    token_start: int
    token_end: int
    text: str
    count: int
    rarity: float
    level: str
    documents: tuple[int, ...]
