"""A small shard, a vocabulary of six tokens, and an automaton that is never the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import twin

from _fastsa import Shard, Vocabulary

TEXT = [255, 1, 2, 1, 3, 255, 1, 2]


def shard(width: int = 1) -> Shard:
    data = np.frombuffer(twin.pack(TEXT, width), dtype=np.uint8)
    table = bytes(i * width for i in twin.suffix_order(TEXT, width))
    return Shard(data, np.frombuffer(table, dtype=np.uint8), width, 1)


class Shifting:
    """An automaton whose tables are of any size, hold anything, and are others after each row that is asked for."""

    def __init__(self, seed: int, sane: bool) -> None:
        self.random = np.random.default_rng(seed)
        self.sane = sane
        self.change()

    def change(self) -> None:
        rows = int(self.random.integers(1, 6))
        low, high = (-2, rows) if self.sane else (-4, rows + 3)
        self.table = self.random.integers(low, high, (rows, 256)).astype(np.int32)
        self.starts = self.random.integers(low + 1, high, 3).astype(np.int32)
        self.filled = bytearray(self.random.integers(0, 2, rows if self.sane else int(self.random.integers(0, 9))))
        self.at_end = bytearray(self.random.integers(0, 2, rows if self.sane else int(self.random.integers(0, 9))))

    def fill(self, number: int) -> None:
        if self.random.integers(0, 2):
            self.change()
        if number < len(self.filled):
            self.filled[number] = 1


PIECES = [b"", b"a", b"ab", b"b\xc3", b"\xa9", b"ba"]


def vocabulary(pieces: Sequence[bytes] = PIECES) -> Vocabulary:
    data = np.frombuffer(b"".join(pieces), dtype=np.uint8)
    starts = np.cumsum([0, *map(len, pieces)])
    order = np.array(sorted(range(len(pieces)), key=pieces.__getitem__), dtype=np.int32)
    return Vocabulary(data, starts, order, np.resize(np.array([-1, 0, 1, 2, -2], dtype=np.int8), len(data)))
