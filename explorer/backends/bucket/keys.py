"""Sampled keys beside an index, with which a search elsewhere begins close to its end.

A file `keys.N` beside the files of shard N has the first 16 bytes of every `step`-th suffix, as the program keeps them
for indexes on this machine. Every 1,024th of them comes before the others, and is read when the index is opened. Then a
search reads 16 KiB of keys in one request, and knows `step` ranks among which its border is.

The file is little-endian: the bytes "CEKEYS1\\n", then the tokens of the shard, the step and 1,024 as u64; then the
keys, 16 bytes each as they are in the text, filled up with zeros at its end.

Keys are never trusted: a search looks at both suffixes that they give as the ends of its range.
"""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.http.parts import FilePart

KEY = 16
GROUP = 1024
"""Keys to each one that is read at first."""
MAGIC = b"CEKEYS1\n"
HEADER = struct.Struct("<8sQQQ")


def header_of(token_count: int, step: int) -> bytes:
    """Make the first bytes of a file of keys."""
    return HEADER.pack(MAGIC, token_count, step, GROUP)


def counts(token_count: int, step: int) -> tuple[int, int]:
    """How many keys a shard has, and how many of them are read at first."""
    keys = -(-token_count // step)
    return keys, -(-keys // GROUP)


@dataclass(frozen=True)
class Range:
    """Ranks around a border: it is after `low` and not after `high`, if the keys are right."""

    low: int
    high: int


class Keys:
    """The keys of one shard.

    name: The name of their file.
    step: Suffixes to each key.
    heads: Every 1,024th key, one after the other.
    """

    def __init__(self, name: str, token_count: int, step: int, heads: bytes) -> None:
        self.name, self.token_count, self.step = name, token_count, step
        self.count, few = counts(token_count, step)
        self._first = HEADER.size + few * KEY
        self._heads = _split(heads)

    @classmethod
    def step_in(cls, header: bytes, token_count: int, size: int) -> int | None:
        """Read the first bytes of a file.

        Returns: The step; None if these are not the keys of a shard of this size.
        """
        if len(header) != HEADER.size:
            return None
        magic, tokens, step, group = HEADER.unpack(header)
        if magic != MAGIC or tokens != token_count or group != GROUP or step < 1:
            return None
        return step if size == HEADER.size + sum(counts(tokens, step)) * KEY else None

    @staticmethod
    def heads_part(name: str, token_count: int, step: int) -> FilePart:
        """The part of a file that is read at first, after its header."""
        return FilePart(name, HEADER.size, counts(token_count, step)[1] * KEY)

    def parts(self, query: bytes) -> tuple[FilePart, FilePart]:
        """Which keys must be read for a query: those around its first border, and those around its second one."""
        left, right = self._ends(self._heads, query)
        return self._group(left), self._group(right)

    def _group(self, head: int) -> FilePart:
        """The keys between a head and the one before it, both left out."""
        if head == 0:
            # Nothing is before the first key.
            return FilePart(self.name, self._first, 0)
        first = (head - 1) * GROUP + 1
        last = min(head * GROUP, self.count)
        return FilePart(self.name, self._first + first * KEY, (last - first) * KEY)

    def ranges(self, query: bytes, data: tuple[bytes, bytes]) -> tuple[Range, Range]:
        """Find the ranks around both borders of a query.

        query: Stored bytes of an n-gram, one or more.
        data: What the two parts contain.
        Returns: Around the first suffix that begins with the query, and around the first one after them.
        """
        lefts, rights = self._ends(self._heads, query)
        left = self._place(lefts, self._ends(_split(data[0]), query)[0])
        right = self._place(rights, self._ends(_split(data[1]), query)[1])
        # Of a longer query, nothing is known about suffixes that begin with its first 16 bytes.
        if len(query) > KEY:
            return self._range(left - 1, right), self._range(left - 1, right)
        return self._range(left - 1, left), self._range(right - 1, right)

    @staticmethod
    def _place(head: int, inside: int) -> int:
        """The number of a key: `inside` of those after the head before."""
        return (head - 1) * GROUP + 1 + inside if head else 0

    def _range(self, low: int, high: int) -> Range:
        # There is a rank before the first, and one past the last: these need no look.
        return Range(low * self.step if low >= 0 else -1, high * self.step if high < self.count else self.token_count)

    @staticmethod
    def _ends(keys: Sequence[bytes], query: bytes) -> tuple[int, int]:
        """How many keys are before a query, and how many are before what is after it."""
        short = query[:KEY]
        size = len(short)
        return bisect_left(keys, short, key=lambda key: key[:size]), bisect_right(
            keys, short, key=lambda key: key[:size]
        )


def _split(data: bytes) -> list[bytes]:
    return [data[at : at + KEY] for at in range(0, len(data), KEY)]
