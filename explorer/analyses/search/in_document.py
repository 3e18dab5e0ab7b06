"""Occurrences of a query within one document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.search.needle import Needle, spots
from explorer.analyses.search.window import Window
from explorer.backends.documents.document import Document, document_title
from explorer.backends.documents.reading import tokens_of
from explorer.backends.metadata import flat_metadata
from explorer.backends.places import HitPlace
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.tokens.decode import trim

PART_TOKENS = 6_000
_FIND_TOKENS = 20_000
_FIND_OVERLAP = 1_000
"""Tokens that two neighboring chunks have in common: a text to find is shorter than that."""
# At most 800 tokens, four per character: a place that is cut at the end of one chunk is whole in the next one.
MOST_FIND = 200
"""Characters of a text to find."""


@dataclass(frozen=True)
class Hit:
    """An occurrence in a document.

    start: Its first character in the part that was read.
    end: One past its last character.
    begin: Bytes of its first token before it.
    """

    offset: int
    length: int
    start: int
    end: int
    begin: int = 0


@dataclass(frozen=True, eq=False)
class DocumentPart(ArrayValue):
    """A part of a document as text, with the hits in it.

    last: One past its last token.
    offsets: Offset, length and begin of all hits of the document, as in `Hit`; int64 of shape (hits, 3).
    starts: The character at which each token of the part begins, int64.
    """

    number: int
    title: str
    metadata: dict[str, Any]
    token_count: int
    first: int
    last: int
    text: str
    hits: tuple[Hit, ...]
    hits_total: int
    offsets: NDArray[np.int64]
    starts: NDArray[np.int64]


def read_part(document: Document, center: int, needle: Needle) -> DocumentPart:
    """Read a part of a document, with every place of what is looked for.

    Notes
    -----
    Finding the places looks at the whole document; only the part is decoded.
    """
    total = document.token_count
    # Near an end of the document the part is moved, not shortened.
    first = max(0, min(center - PART_TOKENS // 2, total - PART_TOKENS))
    last = min(total, first + PART_TOKENS)
    found = spots(document.index, document.number, needle, 0, total)
    window = Window(document.index, first, tokens_of(document.index, document.number, first, last))
    decoded = window.decoded
    # A hit across the edge of the part counts in `hits_total`, but has no characters to mark.
    inside = found[(found.offsets >= first) & (found.offsets + found.lengths <= last)]
    hits = tuple(_hit(window, place, bool(needle.patterns)) for place in inside.places(document.number))
    return DocumentPart(
        number=document.number,
        title=document_title(document.metadata, document.number),
        metadata=flat_metadata(document.metadata),
        token_count=total,
        first=first,
        last=last,
        text=decoded.text,
        hits=hits,
        hits_total=len(found),
        offsets=np.stack([found.offsets, found.lengths, found.begins], axis=1),
        starts=decoded.starts,
    )


def _hit(window: Window, place: HitPlace, exact: bool) -> Hit:
    """An occurrence as characters; of an n-gram (not `exact`), without white space at the ends."""
    start, end = window.characters_of(place)
    if not exact:
        start, end = trim(window.text, start, end)
    return Hit(place.offset, place.length, start, end, place.begin)


def find_text(
    document: Document,
    text: str,
    start: int,
    backwards: bool = False,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> tuple[int, int] | None:
    """Find the next place of a text in a document; from the end, the search continues at the beginning.

    text: The text, of at most 200 characters; case is ignored.
    start: The token after which the place begins, or before which if `backwards`.
    Returns: The offset and the length in tokens; None if the text does not occur.
    Raises `QueryError` if the text is too long.

    Notes
    -----
    Decodes part after part until the text is found.
    """
    if len(text) > MOST_FIND:
        raise QueryError(
            mark("At most {most} characters can be searched for at once."), reason="too-long-to-find", most=MOST_FIND
        )
    total = document.token_count
    step = _FIND_TOKENS - _FIND_OVERLAP
    # None begins within the last `_FIND_OVERLAP` tokens, unless it is the only one: the chunk before it ends with the
    # document.
    firsts = list(range(0, max(1, total - _FIND_OVERLAP), step))
    at = min(len(firsts) - 1, max(0, start) // step)
    # The chunk of `start` is read twice, first for the places on the side to which the search goes, and at last for the
    # others.
    order = firsts[: at + 1][::-1] + firsts[at:][::-1] if backwards else firsts[at:] + firsts[: at + 1]
    for number, first in enumerate(order):
        if cancel is not None:
            cancel.check()
        report(Progress("Searching the document", number, len(order), "parts"))
        places = _places(document, text.casefold(), first, min(total, first + _FIND_TOKENS))
        # Until the end is reached, places beyond `start` do not count: chunks overlap.
        if number <= (at if backwards else 0):
            places = [p for p in places if (p[0] < start if backwards else p[0] > start)]
        if places:
            return places[-1] if backwards else places[0]
    return None


def _places(document: Document, text: str, first: int, last: int) -> list[tuple[int, int]]:
    """Offsets and lengths, in tokens, of a folded text in the tokens [first, last)."""
    decoded = document.part(first, last)
    folded, origins = _folded(decoded.text)
    found = []
    place = folded.find(text) if text else -1
    while place >= 0:
        at, end_at = int(origins[place]), int(origins[place + len(text)])
        # A half of a character that became several, such as ß, is not a place.
        whole = all(edge == 0 or origins[edge - 1] != origins[edge] for edge in (place, place + len(text)))
        place = folded.find(text, place + 1)
        if not whole:
            continue
        # The last token that begins at or before the character: tokens inside a character begin at its end, and so does
        # the next one.
        token = int(np.searchsorted(decoded.starts, at, side="right")) - 1
        end = int(np.searchsorted(decoded.starts, end_at, side="right")) - 1
        # Where the text ends within a token, this token is part of the place.
        end += bool(decoded.starts[end] < end_at)
        # What ends with the chunk may be cut inside of a character; the next chunk has it whole.
        if end_at < len(decoded.text) or last == document.token_count:
            found.append((first + token, end - token))
    return found


def _folded(text: str) -> tuple[str, NDArray[np.int64]]:
    """A text without its case, and the character of the text that each of its characters, and the end, is of."""
    folded = text.casefold()
    if len(folded) == len(text):
        return folded, np.arange(len(text) + 1, dtype=np.int64)
    # Some characters become several, such as ß; none becomes nothing.
    sizes = [len(char.casefold()) for char in text]
    return folded, np.append(np.repeat(np.arange(len(text), dtype=np.int64), sizes), len(text))
