"""What is looked for in the tokens of a document: n-grams, or text patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import HitPlace
from explorer.backends.protocol import Backend, Matches, Part
from explorer.documents.reading import length_of, tokens_of
from explorer.patterns.pattern import Pattern
from explorer.patterns.scan import scanner
from explorer.patterns.vocabulary import CHARACTER

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Needle:
    """What is looked for in a document: n-grams or text patterns, not both.

    Attributes
    ----------
    ngrams
        The n-grams.
    patterns
        The text patterns.
    """

    ngrams: tuple[tuple[int, ...], ...] = ()
    patterns: tuple[Pattern, ...] = ()

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Needle:
        """What these parts are the occurrences of."""
        patterns = [pattern for part in parts if not isinstance(part, Matches) for pattern in part.patterns]
        return cls(tuple(part.ids for part in parts if isinstance(part, Matches)), tuple(patterns))


@dataclass(frozen=True)
class Spots:
    """Where a needle occurs in a document: as `Located`, by offset."""

    offsets: Numbers
    lengths: Numbers
    begins: Numbers
    rests: Numbers

    def __len__(self) -> int:
        return len(self.offsets)

    def __getitem__(self, chosen: NDArray[np.bool_]) -> Spots:
        return Spots(self.offsets[chosen], self.lengths[chosen], self.begins[chosen], self.rests[chosen])

    def places(self, document: int) -> list[HitPlace]:
        """One by one."""
        columns = (self.offsets, self.lengths, self.begins, self.rests)
        return [HitPlace(document, *row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def spots(index: Backend, document: int, needle: Needle, first: int, last: int) -> Spots:
    """Find what is looked for in a document.

    Parameters
    ----------
    index
        The index.
    document
        The document's number.
    needle
        What is looked for.
    first
        The first token at which an occurrence may begin.
    last
        One past the last token at which one may begin.

    Returns
    -------
    Spots
        Offsets and lengths, ascending.

    Notes
    -----
    The tokens are compared once per n-gram, or decoded once for patterns.
    """
    first = max(0, first)
    if needle.patterns:
        return _text_spots(index, document, needle.patterns, first, last)
    longest = max(map(len, needle.ngrams), default=1)
    found = occurrences(tokens_of(index, document, first, last + longest - 1), needle.ngrams)
    found = found[found[:, 0] < last - first]
    zeros = np.zeros(len(found), dtype=np.int64)
    return Spots(found[:, 0] + first, found[:, 1], zeros, zeros)


def occurrences(tokens: Numbers, ngrams: Sequence[Sequence[int]]) -> Numbers:
    """Find n-grams in some tokens.

    Parameters
    ----------
    tokens
        The tokens, int64.
    ngrams
        The n-grams.

    Returns
    -------
    Numbers
        Offset and length of every place, by offset; int64 of shape (places, 2).

    Examples
    --------
    >>> import numpy
    >>> occurrences(numpy.array([5, 6, 5, 6]), [(5, 6)]).tolist()
    [[0, 2], [2, 2]]
    """
    found = [np.empty((0, 2), dtype=np.int64)]
    for pattern in ngrams:
        if not 0 < len(pattern) <= len(tokens):
            continue
        places = np.flatnonzero(tokens[: len(tokens) - len(pattern) + 1] == pattern[0])
        for depth in range(1, len(pattern)):
            places = places[tokens[places + depth] == pattern[depth]]
        found.append(np.stack([places, np.full_like(places, len(pattern))], axis=1))
    joined = np.concatenate(found)
    return joined[np.lexsort((joined[:, 1], joined[:, 0]))]


def _text_spots(index: Backend, document: int, patterns: tuple[Pattern, ...], first: int, last: int) -> Spots:
    """Occurrences of patterns; more is read until the last one's end is certain."""
    total = length_of(index, document)
    last = min(last, total)
    start, room = max(0, first - CHARACTER), 64
    while True:
        tokens = tokens_of(index, document, start, last + room).tolist()
        pieces = [index.tokenizer.token_bytes(token) for token in tokens]
        at = np.cumsum([0, *map(len, pieces)], dtype=np.int64)
        whole = last + room >= total
        from_byte, to_byte = int(at[min(first - start, len(pieces))]), int(at[min(last - start, len(pieces))])
        found = scanner(patterns).scan(b"".join(pieces), from_byte, to_byte, whole=whole)
        if whole or not found.open.any():
            break
        room *= 4
    starts, ends = found.starts, found.ends
    if start == 0 and tokens and index.tokenizer.artificial_bytes(tokens[0]):
        # The space that the tokenizer put before the text is not in the text.
        starts, ends = starts[starts > 0], ends[starts > 0]
    begin = np.searchsorted(at, starts, side="right") - 1
    end = np.searchsorted(at, ends, side="left")
    return Spots(begin + start, end - begin, starts - at[begin], at[end] - ends)
