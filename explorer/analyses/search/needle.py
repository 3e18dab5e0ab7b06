"""What is looked for in the tokens of a document: n-grams, or text patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.places import HitPlace
from explorer.backends.protocol.protocol import Backend, Matches, Part
from explorer.core.arrays import ArrayValue
from explorer.text.patterns.pattern import Pattern
from explorer.text.patterns.scan import scanner
from explorer.text.patterns.vocabulary import CHARACTER

Numbers = NDArray[np.int64]
_ROOM = 64
"""Tokens after a part of a document in which the end of its last match is looked for at first."""


@dataclass(frozen=True)
class Needle:
    """What is looked for in a document: n-grams or text patterns, not both."""

    ngrams: tuple[tuple[int, ...], ...] = ()
    patterns: tuple[Pattern, ...] = ()

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Needle:
        """Look for what some hits are occurrences of.

        parts: N-grams, or text patterns.
        """
        # Of n-grams and patterns one list is empty, since `Hits` never has both.
        patterns = [pattern for part in parts if not isinstance(part, Matches) for pattern in part.patterns]
        return cls(tuple(part.ids for part in parts if isinstance(part, Matches)), tuple(patterns))


@dataclass(frozen=True, eq=False)
class Spots(ArrayValue):
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

    first: The first token at which an occurrence may begin.
    last: One past the last token at which one may begin.
    Returns: Offsets and lengths, ascending.

    Notes
    -----
    The tokens are compared once per n-gram, or decoded once for patterns.
    """
    row = (np.array([number], dtype=np.int64) for number in (document, first, last))
    return spots_of_many(index, needle, *row)[0]


def spots_of_many(index: Backend, needle: Needle, documents: Numbers, firsts: Numbers, lasts: Numbers) -> list[Spots]:
    """Find a needle's occurrences in parts of documents.

    documents: Numbers of documents, which may repeat, int64.
    firsts, lasts: Token offsets, one per document, int64: occurrences begin with the tokens [first, last). What is
        outside of the document is cut off.

    Notes
    -----
    Cost: one request, and more of them only for patterns with matches longer than 64 tokens. The tokens are compared
    once per n-gram, or decoded once for patterns.
    """
    # Only here: what is found is numbered from `firsts`. The other end is cut off by `windows`, which knows the length
    # of each document.
    firsts = np.maximum(0, firsts)
    if needle.patterns:
        return _text_spots(index, needle.patterns, documents, firsts, lasts)
    # An n-gram may begin with the last token of a part and end beyond it, by its length less one.
    longest = max(map(len, needle.ngrams), default=1)
    texts = index.documents.windows(documents, firsts, lasts + longest - 1)
    parts = zip(texts, firsts.tolist(), lasts.tolist(), strict=True)
    return [_ngram_spots(needle.ngrams, *part) for part in parts]


def _ngram_spots(ngrams: Sequence[Sequence[int]], tokens: Numbers, first: int, last: int) -> Spots:
    found = occurrences(tokens, ngrams)
    # Those that begin with the tokens that were read after the part are not of this part.
    found = found[found[:, 0] < last - first]
    # N-grams consist of whole tokens: no bytes of the first and the last one are outside.
    zeros = np.zeros(len(found), dtype=np.int64)
    return Spots(found[:, 0] + first, found[:, 1], zeros, zeros)


def occurrences(tokens: Numbers, ngrams: Sequence[Sequence[int]]) -> Numbers:
    """Find n-grams in some tokens.

    Returns: Offset and length of every place, by offset; int64 of shape (places, 2).

    Examples
    --------
    >>> import numpy
    >>> occurrences(numpy.array([5, 6, 5, 6]), [(5, 6)]).tolist()
    [[0, 2], [2, 2]]
    """
    found = [np.empty((0, 2), dtype=np.int64)]
    for pattern in ngrams:
        # The empty n-gram is at every token for a count, but there is nothing of it to mark.
        if not 0 < len(pattern) <= len(tokens):
            continue
        # Few places are left after the first token as a rule, so the cost is that of one comparison per token.
        places = np.flatnonzero(tokens[: len(tokens) - len(pattern) + 1] == pattern[0])
        for depth in range(1, len(pattern)):
            places = places[tokens[places + depth] == pattern[depth]]
        found.append(np.stack([places, np.full_like(places, len(pattern))], axis=1))
    joined = np.concatenate(found)
    return joined[np.lexsort((joined[:, 1], joined[:, 0]))]


def _text_spots(
    index: Backend, patterns: tuple[Pattern, ...], documents: Numbers, firsts: Numbers, lasts: Numbers
) -> list[Spots]:
    """Occurrences of patterns; more is read of those parts in which the last one's end is not certain."""
    # The character before a match decides where a word begins, and may be divided among as many tokens as it has bytes.
    starts = np.maximum(0, firsts - CHARACTER)
    found: dict[int, Spots] = {}
    # Each round reads four times as far after the parts that are left. It ends at the latest with the documents.
    rows, room = np.arange(len(documents)), _ROOM
    while len(rows):
        texts = index.documents.windows(documents[rows], starts[rows], lasts[rows] + room)
        for row, tokens in zip(rows.tolist(), texts, strict=True):
            # Fewer tokens than were asked for: the document ends with them. If it ends exactly there, one more round
            # shows it.
            start, whole = int(starts[row]), len(tokens) < lasts[row] + room - starts[row]
            spotted = _scanned(index, patterns, tokens.tolist(), start, (int(firsts[row]), int(lasts[row])), whole)
            if spotted is not None:
                found[row] = spotted
        rows, room = np.array([row for row in rows.tolist() if row not in found], dtype=np.int64), 4 * room
    return [found[row] for row in range(len(documents))]


def _scanned(
    index: Backend, patterns: tuple[Pattern, ...], tokens: list[int], start: int, part: tuple[int, int], whole: bool
) -> Spots | None:
    """Occurrences that begin in a part of a document; None if the end of one of them is not certain.

    tokens: those of the document from number `start` on; whole: whether the document ends with them.
    """
    pieces = [index.tokenizer.token_bytes(token) for token in tokens]
    # at[i] is the byte at which token i begins; the last entry is the number of bytes.
    at = np.cumsum([0, *map(len, pieces)], dtype=np.int64)
    from_byte, to_byte = (int(at[min(edge - start, len(pieces))]) for edge in part)
    found = scanner(patterns).scan(b"".join(pieces), from_byte, to_byte, whole=whole)
    if not whole and found.open.any():
        return None
    starts, ends = found.starts, found.ends
    if start == 0 and tokens and index.tokenizer.artificial_bytes(tokens[0]):
        # The space that the tokenizer put before the text is not in the text.
        starts, ends = starts[starts > 0], ends[starts > 0]
    # The token that contains the first byte, and the first edge of a token that is not before the end.
    begin = np.searchsorted(at, starts, side="right") - 1
    end = np.searchsorted(at, ends, side="left")
    return Spots(begin + start, end - begin, starts - at[begin], at[end] - ends)
