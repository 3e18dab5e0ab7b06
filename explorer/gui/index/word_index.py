"""The index of words, which a user makes when it is first needed: what is known before. No Qt."""

from __future__ import annotations

from explorer.backends.protocol.protocol import Backend
from explorer.core.files.sizes import size_text
from explorer.i18n import tr
from explorer.words.index import words_are_made

_BYTES = 13
"""Per token at most: the number of a word, its place in the text, and its place in the order of all."""

QUICK_TOKENS = 5_000_000
"""Tokens of an index whose words are listed without a question: 2.9 million take two seconds on two cores."""


def bytes_to_ask(index: Backend) -> int:
    """How large the index of words becomes at most, if the user is asked before it is made.

    Returns: Bytes in the cache folder; 0 if the words are listed already, or will be in a second or two.
    Raises `CapabilityError` if the index is not in folders on this machine.
    """
    made = words_are_made(index)
    return 0 if made or index.token_count <= QUICK_TOKENS else most_bytes(index)


def most_bytes(index: Backend) -> int:
    """How large the index of words of an index becomes at most."""
    return _BYTES * index.token_count


def offer(most: int, otherwise: str = "") -> tuple[str, str]:
    """What takes the place of an answer that needs words: a line, and what making them takes.

    most: How many bytes it takes at most.
    otherwise: What can be had without it, as a sentence; "" for nothing.
    """
    told = tr(
        "One pass cuts the texts into words, and a sort orders them. The word index is kept in the cache folder and "
        "takes up to {size} there.",
        size=size_text(most),
    )
    return tr("The words of this index are not listed yet"), f"{told} {otherwise}".rstrip()
