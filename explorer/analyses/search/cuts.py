"""How the tokenizer split the occurrences of a text, as it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.search.query import visible_text
from explorer.backends.protocol.protocol import Backend, TextMatches
from explorer.core.jobs import CancelToken

_CONTINUING = bytes(range(0x80, 0xC0))
"""Bytes at which no character begins."""


@dataclass(frozen=True)
class Cut:
    """One way in which the tokenizer split occurrences.

    tokens: The tokens that contain an occurrence.
    begin: Bytes of the first one before it.
    label: The tokens' text with a dot at each cut; tokens that are parts of one character are written together.
    count: The number of occurrences.
    """

    tokens: tuple[int, ...]
    begin: int
    label: str
    count: int


@dataclass(frozen=True)
class Cuts:
    """The ways in which the tokenizer split occurrences.

    cuts: The most frequent ones, most frequent first.
    distinct: The number of all different ones.
    """

    cuts: tuple[Cut, ...]
    distinct: int


def cuts_of(index: Backend, matches: TextMatches, most: int = 50, cancel: CancelToken | None = None) -> Cuts | None:
    """Find out how the tokenizer split a literal text's occurrences.

    Returns: The cuts, most frequent first; None for expressions and for several patterns.

    Notes
    -----
    One read per n-gram in which the text occurs.
    """
    # An expression matches many texts, which the tokenizer splits in as many ways.
    if len(matches.patterns) > 1 or matches.patterns[0].match != "text":
        return None
    found = index.hits.cuts(matches, cancel)
    shown = (Cut(cut.tokens, cut.begin, _label(index, cut.tokens), cut.count) for cut in found[:most])
    return Cuts(tuple(shown), len(found))


def _label(index: Backend, tokens: tuple[int, ...]) -> str:
    """The tokens with a dot at each cut that is between characters; "…" for characters that are not whole."""
    pieces = [index.tokenizer.token_bytes(token) for token in tokens]
    # The bytes of a character that began in the token before; what is left begins with a character.
    whole = pieces[0].lstrip(_CONTINUING)
    parts = ["…"] if whole != pieces[0] else []
    # Bytes of a character that is not complete yet: there is no dot inside a character.
    waiting = b""
    for piece in (whole, *pieces[1:]):
        waiting += piece
        try:
            parts.append(visible_text(waiting.decode("utf-8")))
        except UnicodeDecodeError:
            continue
        waiting = b""
    if waiting:
        parts.append(visible_text(waiting.decode("utf-8", "ignore")) + "…")
    return "·".join(part for part in parts if part)
