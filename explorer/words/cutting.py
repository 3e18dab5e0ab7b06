"""The pass over a corpus: its tokens as words, shard by shard."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled
from explorer.index.layout import separator
from explorer.index.shard import MappedShard
from explorer.index.shard_text import TOKEN_TYPES
from explorer.text.segments import classes
from explorer.text.tokens.tokenizer import TextTokenizer
from explorer.words.rule import WordRule

SEPARATOR = separator(4)
PLACE_TYPES: dict[int, np.dtype[Any]] = {4: np.dtype("<u4"), 8: np.dtype("<u8")}
_CHUNK = 1 << 20
_SPARE = 8
Done = Callable[[int], None]


class ShardCutter:
    """Cuts the shards of an index into words; spellings are numbered through all of them."""

    def __init__(self, tokenizer: TextTokenizer, rule: WordRule) -> None:
        parts = [tokenizer.token_bytes(token) for token in range(tokenizer.vocabulary_size)]
        starts = np.cumsum([0, *map(len, parts)], dtype=np.int64)
        data = np.frombuffer(b"".join(parts), dtype=np.uint8)
        # A seed of its own for each run: nobody can prepare a corpus whose spellings collide.
        seed = int.from_bytes(os.urandom(8), "little")
        self._engine = _fastsa.WordCutter(data, starts, classes(), rule.signs, seed)
        room = max([_CHUNK, *map(len, parts)]) + 2 * _SPARE
        self._ids = np.empty(room, dtype=np.uint32)
        self._places = np.empty(room, dtype=np.int64)

    def write(self, shard: MappedShard, folder: Path, number: int, done: Done, cancel: CancelToken) -> None:
        """Write the spellings of one shard, and the place of each.

        folder: Where `spellings.N` and `places.N` go.
        done: Called with the tokens that were read.
        Raises `OSError` if the drive is full or cannot be written.
        """
        place_type = PLACE_TYPES[place_width(shard.token_count)]
        with open(folder / f"spellings.{number}", "wb") as ids, open(folder / f"places.{number}", "wb") as places:

            def put(count: int) -> None:
                ids.write(self._ids[:count].astype("<u4", copy=False).tobytes())
                places.write(self._places[:count].astype(place_type).tobytes())

            # In reading order, so that places do not depend on the direction in which documents are stored.
            first = 0
            for tokens in _reading_order(shard):
                self._cut(tokens, first, put, cancel)
                first += len(tokens)
                done(first)
            # The last word of the shard, which further tokens could have continued.
            put(self._engine.finish(self._ids, self._places))

    def _cut(self, tokens: NDArray[np.generic], first: int, put: Done, cancel: CancelToken) -> None:
        width = tokens.dtype.itemsize
        raw = np.ascontiguousarray(tokens).view(np.uint8)
        at = 0
        while at < len(tokens):
            try:
                read, written = self._engine.cut(
                    raw[at * width :], width, first + at, self._ids, self._places, cancel.flag
                )
            except _fastsa.Stopped as error:
                raise Cancelled from error
            put(written)
            at += read

    def spellings(self) -> tuple[list[str], NDArray[np.int64]]:
        """Give all distinct spellings by their numbers, and how often each occurs."""
        data, begins, counts = self._engine.spellings()
        raw = data.tobytes()
        bounds = begins.tolist()
        return [raw[start:end].decode("utf-8") for start, end in pairwise(bounds)], counts


def place_width(token_count: int) -> int:
    """Bytes per place in a shard of this size: 4, or 8 for more tokens than 32 bits can number."""
    return 4 if token_count < 1 << 32 else 8


def _reading_order(shard: MappedShard) -> Iterator[NDArray[np.generic]]:
    """The tokens in pieces; documents that are stored backwards are turned, after their separators."""
    if not shard.reversed_text:
        for start in range(0, shard.token_count, _CHUNK):
            # Copied inside the guard, which notices a drive that fails.
            with shard.guarded():
                piece = np.array(shard.tokens[start : start + _CHUNK])
            yield piece
        return
    end = np.array([shard.separator], dtype=TOKEN_TYPES[shard.widths.token])
    for document in range(shard.document_count):
        yield np.concatenate([end, shard.reading(document).astype(end.dtype)])
