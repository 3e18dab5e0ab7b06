"""The engine's slow twin: every answer by looking at everything, in plain Python.

A corpus here is a list of shards, a shard a list of documents, a document a list of ids.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

Documents = Sequence[Sequence[int]]
Span = tuple[int, int, int]

FORMATS = {1: "B", 2: "H", 4: "I"}


def separator(width: int) -> int:
    return (1 << (8 * width)) - 1


def flatten(documents: Documents, width: int) -> list[int]:
    """All documents one after the other, a separator before each."""
    return [token for document in documents for token in [separator(width), *document]]


def pack(ids: Sequence[int], width: int) -> bytes:
    return struct.pack(f"<{len(ids)}{FORMATS[width]}", *ids)


def suffix_order(text: Sequence[int], width: int) -> list[int]:
    """Token positions of the suffixes, ordered as bytes."""
    data = pack(text, width)
    return sorted(range(len(text)), key=lambda i: data[i * width :])


def pointer_width(size: int) -> int:
    width = 1
    while 256**width < size:
        width += 1
    return width


def write_index(
    folder: Path, shards: Sequence[Documents], width: int = 2, version: int = 4, metadata: bool = True
) -> Path:
    """Write an index folder in the package's layout, sorted naively."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, documents in enumerate(shards):
        suffix = "" if version == 6 else f".{number}"
        stored = [list(reversed(d)) for d in documents] if version == 5 else documents
        text = flatten(stored, width)
        data = pack(text, width)
        pw = pointer_width(len(data))
        (folder / f"tokenized{suffix}").write_bytes(data)
        table = b"".join((i * width).to_bytes(pw, "little") for i in suffix_order(text, width))
        (folder / f"table{suffix}").write_bytes(table)
        offsets, at = [], 0
        for document in documents:
            offsets.append(at)
            at += (len(document) + 1) * width
        (folder / f"offset{suffix}").write_bytes(struct.pack(f"<{len(offsets)}Q", *offsets))
        if metadata:
            lines = [
                b'{"path": "p%d", "linenum": %d, "metadata": {"n": %d}}\n' % (number, i, i)
                for i in range(len(documents))
            ]
            starts = [sum(map(len, lines[:i])) for i in range(len(lines))]
            (folder / f"metadata{suffix}").write_bytes(b"".join(lines))
            (folder / f"metaoff{suffix}").write_bytes(struct.pack(f"<{len(starts)}Q", *starts))
    return folder


class Twin:
    """Answers over the shards as they are read (version 5 stores each document reversed)."""

    def __init__(self, shards: Sequence[Documents], width: int = 2, version: int = 4) -> None:
        self.width = width
        self.version = version
        stored = [[list(reversed(d)) if version == 5 else d for d in documents] for documents in shards]
        self._keep([flatten(documents, width) for documents in stored])

    def _keep(self, texts: list[list[int]]) -> None:
        self.texts = texts
        self._packed = [pack(text, self.width) for text in texts]

    @classmethod
    def of_index(cls, index: Any) -> Self:
        """The twin of an opened index."""
        looking = cls([], index.local.token_width)
        looking._keep([shard.tokens.tolist() for shard in index.shards])
        return looking

    def _places(self, ids: Sequence[int]) -> Iterator[tuple[list[int], int]]:
        """Every place of an n-gram as (text, token position), one after the other."""
        wanted = pack(list(reversed(ids)) if self.version == 5 else list(ids), self.width)
        for text, data in zip(self.texts, self._packed, strict=True):
            at = data.find(wanted)
            while at >= 0:
                if at % self.width == 0:
                    yield text, at // self.width
                at = data.find(wanted, at + 1)

    def _stands(self, ids: Sequence[int]) -> bool:
        return next(self._places(ids), None) is not None

    def count(self, ids: Sequence[int]) -> int:
        if not len(ids):
            return sum(map(len, self.texts))
        return sum(1 for _ in self._places(ids))

    def next_tokens(self, ids: Sequence[int]) -> Counter[int]:
        if not len(ids):
            return Counter(token for text in self.texts for token in text)
        found: Counter[int] = Counter()
        for text, i in self._places(ids):
            at = i - 1 if self.version == 5 else i + len(ids)
            if 0 <= at < len(text):
                found[text[at]] += 1
        return found

    def longest_match(self, ids: Sequence[int]) -> int:
        """Length of the longest prefix that occurs."""
        low, high = 0, len(ids)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._stands(ids[:middle]) else (low, middle - 1)
        return low

    def longest_suffix(self, ids: Sequence[int]) -> int:
        return max(n for n in range(len(ids) + 1) if n == 0 or self.count(ids[len(ids) - n :]))

    def documents(self) -> Iterator[list[int]]:
        """The documents' tokens, in order."""
        for text in self.texts:
            starts = [i for i, token in enumerate(text) if token == separator(self.width)]
            for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
                yield text[start + 1 : end]

    def spans(
        self, ids: Sequence[int], begins: Sequence[bool], delimiters: Collection[int], min_length: int, max_count: int
    ) -> list[Span]:
        """Maximal spans by OLMoTrace's rules: (start, end, count), `begins` telling which tokens begin a word."""
        found: list[Span] = []
        furthest = 0
        for start in (i for i in range(len(ids)) if begins[i]):
            end = start + self.longest_match(ids[start:])
            end = min([end, *(i + 1 for i in range(start, len(ids)) if ids[i] in delimiters)])
            while start < end < len(ids) and not begins[end]:
                end -= 1
            if end - start < min_length or end <= furthest:
                continue
            count = self.count(ids[start:end])
            if count <= max_count:
                found.append((start, end, count))
                furthest = end
        return found
