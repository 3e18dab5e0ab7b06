"""The engine's slow twin: every answer by looking at everything, in plain Python.

A corpus here is a list of shards, a shard a list of documents, a document a list of ids.
"""

from __future__ import annotations

import struct
from collections import Counter
from pathlib import Path

FORMATS = {1: "B", 2: "H", 4: "I"}


def separator(width):
    return (1 << (8 * width)) - 1


def flatten(documents, width):
    """All documents one after the other, a separator before each."""
    return [token for document in documents for token in [separator(width), *document]]


def pack(ids, width):
    return struct.pack(f"<{len(ids)}{FORMATS[width]}", *ids)


def suffix_order(text, width):
    """Token positions of the suffixes, ordered as bytes."""
    data = pack(text, width)
    return sorted(range(len(text)), key=lambda i: data[i * width :])


def pointer_width(size):
    width = 1
    while 256**width < size:
        width += 1
    return width


def write_index(folder: Path, shards, width=2, version=4, metadata=True):
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

    def __init__(self, shards, width=2, version=4):
        self.width = width
        self.version = version
        stored = [[list(reversed(d)) if version == 5 else d for d in documents] for documents in shards]
        self.texts = [flatten(documents, width) for documents in stored]

    def _places(self, ids):
        wanted = list(reversed(ids)) if self.version == 5 else list(ids)
        return [
            (text, i)
            for text in self.texts
            for i in range(len(text) - len(wanted) + 1)
            if text[i : i + len(wanted)] == wanted
        ]

    def count(self, ids):
        if not len(ids):
            return sum(map(len, self.texts))
        return len(self._places(ids))

    def next_tokens(self, ids):
        if not len(ids):
            return Counter(token for text in self.texts for token in text)
        found = Counter()
        for text, i in self._places(ids):
            at = i - 1 if self.version == 5 else i + len(ids)
            if 0 <= at < len(text):
                found[text[at]] += 1
        return found

    def longest_match(self, ids):
        """Length of the longest prefix that occurs."""
        return max(n for n in range(len(ids) + 1) if n == 0 or self.count(ids[:n]))

    def longest_suffix(self, ids):
        return max(n for n in range(len(ids) + 1) if n == 0 or self.count(ids[len(ids) - n :]))
