"""A typed query: how the tokenizer cuts it, and the variants that one search can cover.

A person means text, an index holds tokens. In most vocabularies " word" inside a line and "word" at
its beginning are different tokens, and so are "Word" and "word".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.backends.ngrams import distinct_phrases
from explorer.backends.protocol.protocol import Backend, Matches, Part
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.patterns.pattern import Pattern

# Other spellings, by the names that the library and the command line give them.
VariantName = Literal["space", "lower", "upper", "title"]
"""Other spellings that count, too: with a space before the text, in lower or upper case, with capital initials."""
VARIANTS: tuple[VariantName, ...] = get_args(VariantName)


@dataclass(frozen=True)
class TokenView:
    """One token of a query as it is shown.

    count: How often it occurs.
    """

    token: int
    text: str
    count: int


@dataclass(frozen=True)
class Variant:
    """One way of writing a query."""

    text: str
    tokens: tuple[TokenView, ...]
    matches: Matches


@dataclass(frozen=True)
class PhraseResult:
    """A phrase and its occurrences.

    Attributes
    ----------
    query
        The phrase.
    variants
        Its spellings, if it was matched as tokens; otherwise none.
    parts
        The n-grams that count, none within another; or the text pattern.
    count
        The number of occurrences.
    per_million
        Occurrences per million tokens.
    """

    query: str
    variants: tuple[Variant, ...]
    parts: tuple[Part, ...]
    count: int
    per_million: float


def spellings(query: str, variants: Sequence[str]) -> tuple[str, ...]:
    """List a query and its variants, without repetition.

    Raises `QueryError` if there is no such variant.

    Examples
    --------
    >>> spellings("cat", ["space", "title"])
    ('cat', 'Cat', ' cat', ' Cat')
    """
    unknown = [name for name in variants if name not in VARIANTS]
    if unknown:
        raise QueryError(
            mark('There is no variant "{unknown}". The choices are {names}.'),
            reason="unknown-variant",
            unknown=unknown[0],
            names=", ".join(VARIANTS),
        )
    cases = [query]
    if "lower" in variants:
        cases.append(query.lower())
    if "upper" in variants:
        cases.append(query.upper())
    if "title" in variants:
        cases.append(query.title())
    # With a space before each: that is how most vocabularies write a word inside a line.
    spaced = [" " + text for text in cases] if "space" in variants else []
    # Without letters, or in lower case already, several variants are the same text.
    return tuple(dict.fromkeys(cases + spaced))


def find_phrase(index: Backend, query: str, variants: Sequence[str] = ()) -> PhraseResult:
    """Find a phrase and its variants, tokenized as they are.

    Returns: The variants with their tokens and counts.
    Raises `QueryError` if the phrase is empty, or there is no such variant.
    """
    if not query.strip():
        raise QueryError(mark("The query is empty."), reason="empty-query")
    found: list[Variant] = []
    for text in spellings(query, variants):
        ids = index.tokenizer.encode(text)
        if len(ids):
            # Spellings are separate n-grams. No token has to be cut, so this needs no walk over the vocabulary.
            matches = index.hits.find(ids)
            found.append(Variant(text, _token_views(index, ids), matches))
    # In a byte index " cat" contains "cat": to a reader this is one occurrence, and it counts once.
    parts = distinct_phrases([variant.matches for variant in found])
    count = sum(part.count for part in parts)
    return PhraseResult(query, tuple(found), parts, count, 1e6 * count / max(1, index.token_count))


def find_text_phrase(index: Backend, pattern: Pattern, cancel: CancelToken | None = None) -> PhraseResult:
    """Find a text pattern.

    Raises `QueryError` if it is empty, too broad, or not a valid expression.
    """
    if not pattern.text.strip():
        raise QueryError(mark("The query is empty."), reason="empty-query")
    matches = index.hits.find_text(pattern, cancel=cancel)
    return PhraseResult(pattern.text, (), (matches,), matches.count, 1e6 * matches.count / max(1, index.token_count))


def _token_views(index: Backend, ids: NDArray[np.int64]) -> tuple[TokenView, ...]:
    """Each token's text and count; of thousands the counts are asked at once."""
    distinct = np.unique(ids)
    # Each distinct token is an n-gram [i, i + 1) of the array of distinct tokens: one request counts all of them.
    places = np.arange(len(distinct), dtype=np.int64)
    counts = index.counts.count_many(distinct, places, places + 1).tolist()
    seen = {
        token: TokenView(token, show_token(index, token), count)
        for token, count in zip(distinct.tolist(), counts, strict=True)
    }
    return tuple(seen[token] for token in ids.tolist())


def show_token(index: Backend, token: int) -> str:
    """Write a token's text on one line.

    Returns: The text, with a space as ␣, a line feed as ⏎, and the separator in words.
    """
    if token == index.separator:
        return "⟨end of document⟩"
    data = index.tokenizer.token_bytes(token)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        # A part of a character: its bytes are all that can be shown of it.
        return "".join(f"⟨{byte:02X}⟩" for byte in data)
    return visible_text(text) or "⟨empty⟩"


def visible_text(text: str) -> str:
    """A text on one line: a space as ␣, a line feed as ⏎."""
    return text.replace(" ", "␣").replace("\n", "⏎").replace("\t", "⇥").replace("\r", "␍")
