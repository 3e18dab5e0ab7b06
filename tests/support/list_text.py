"""Text patterns in documents that are lists of tokens: each document is spelled out and scanned from its beginning."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from scan import in_bytes, longest_by_posix
from tree_scan import tree_spans

from explorer.text.patterns.pattern import Pattern

if TYPE_CHECKING:
    from list_backend import ListBackend

Row = tuple[int, int, int, int, int]
"""Document, offset and length in tokens, bytes of the first token before the match, bytes of the last one after it."""


class TextHits:
    """Where patterns occur in a backend's documents."""

    def __init__(self, backend: ListBackend) -> None:
        self._backend = backend
        self._known: dict[tuple[Pattern, ...], list[Row]] = {}

    def find(self, patterns: tuple[Pattern, ...]) -> list[Row]:
        """The longest match at each place, by document and byte; found once per pattern."""
        if patterns not in self._known:
            numbers = self._backend.numbers().tolist()
            self._known[patterns] = [row for number in numbers for row in self._in_document(number, patterns)]
        return self._known[patterns]

    def _in_document(self, number: int, patterns: tuple[Pattern, ...]) -> list[Row]:
        pieces = [self._backend.tokenizer.token_bytes(token) for token in self._backend.document(number)]
        at = list(accumulate(map(len, pieces), initial=0))
        first = self._backend.document(number)[:1]
        artificial = self._backend.tokenizer.artificial_bytes(first[0]) if first else 0
        rows = []
        for start, end in _matches(b"".join(pieces), patterns):
            # The space that the tokenizer put before the text is not in the text.
            if start >= artificial:
                token, last = bisect_right(at, start) - 1, bisect_left(at, end)
                rows.append((number, token, last - token, start - at[token], at[last] - end))
        return rows


@lru_cache(maxsize=100_000)
def _matches(data: bytes, patterns: tuple[Pattern, ...]) -> tuple[tuple[int, int], ...]:
    """Bytes [start, end) of the longest match at each place."""
    text, byte_of = _decoded(data)
    return tuple((byte_of[start], byte_of[end]) for start, end in _longest(text, patterns))


def _longest(text: str, patterns: tuple[Pattern, ...]) -> list[tuple[int, int]]:
    """The package folds case in its own way, and knows nothing of what is equated: such expressions are tried."""
    ends: dict[int, int] = {}
    for pattern in patterns:
        tried = pattern.match == "regex" and (pattern.ignore_case or pattern.equate)
        for start, end in tree_spans(text, pattern) if tried else longest_by_posix(text, pattern):
            ends[start] = max(end, ends.get(start, 0))
    return sorted(ends.items())


@cache
def _decoded(data: bytes) -> tuple[str, list[int]]:
    return in_bytes(data)
