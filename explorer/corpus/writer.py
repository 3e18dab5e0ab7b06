"""Writing a shard's files: tokens as they come, then the suffix array."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.corpus.layout import pointer_width, separator
from explorer.corpus.readers import SourceDocument
from explorer.corpus.shard import TOKEN_TYPES
from explorer.errors import Cancelled
from explorer.jobs import CancelToken

_STREAMS = ("tokenized", "offset", "metadata", "metaoff")
_TABLE_CHUNK = 1 << 20
MAX_SHARD_TOKENS = 2**31 - 2


class ShardWriter:
    """Appends documents to one shard's `tokenized`, `offset`, `metadata` and `metaoff` files."""

    def __init__(self, folder: Path, number: int, token_width: int) -> None:
        self.token_width = token_width
        self.token_count = 0
        self.document_count = 0
        self._type: np.dtype[Any] = TOKEN_TYPES[token_width]
        self._separator = np.array([separator(token_width)], dtype=self._type).tobytes()
        self._counts: NDArray[np.int64] = np.zeros(256, dtype=np.int64)
        self._unigram_path = folder / f"unigram.{number}"
        self._files: dict[str, IO[bytes]] = {
            name: open(folder / f"{name}.{number}", "wb")  # noqa: SIM115 - closed by close()
            for name in _STREAMS
        }

    def add(self, document: SourceDocument, ids: NDArray[np.int64]) -> None:
        """Append one document."""
        offset = np.array([self.token_count * self.token_width], dtype="<u8")
        self._files["offset"].write(offset.tobytes())
        self._files["tokenized"].write(self._separator)
        self._files["tokenized"].write(ids.astype(self._type).tobytes())
        record = {"path": document.path, "linenum": document.linenum, "metadata": document.metadata}
        self._files["metaoff"].write(np.array([self._files["metadata"].tell()], dtype="<u8").tobytes())
        line = json.dumps(record, ensure_ascii=False, default=str)
        self._files["metadata"].write(line.encode("utf-8", "replace") + b"\n")
        self.token_count += len(ids) + 1
        self.document_count += 1
        self._count(ids)

    def _count(self, ids: NDArray[np.int64]) -> None:
        counts = np.bincount(ids)
        if len(counts) > len(self._counts):
            self._counts = np.pad(self._counts, (0, len(counts) - len(self._counts)))
        self._counts[: len(counts)] += counts

    def close(self) -> None:
        """Write the unigram counts and close the files."""
        lines = [f"{token} {count}\n" for token, count in enumerate(self._counts.tolist()) if count]
        self._unigram_path.write_text("".join(lines), encoding="ascii")
        for file in self._files.values():
            file.close()


def close_all(writers: Sequence[ShardWriter]) -> None:
    """Close every shard's files."""
    for writer in writers:
        writer.close()


def dense_text(
    raw: NDArray[np.uint8], token_width: int, pool: Executor | None, cancel: CancelToken
) -> tuple[NDArray[Any], int]:
    """The text over symbols from 1 on, in the order of the tokens' bytes, and one more than the largest.

    Where every possible token occurs, symbols begin at 0. `pool`: threads that may help.
    """
    if token_width == 4:
        return _dense_wide(raw.view("<u4"))
    if token_width == 1:
        used = np.bincount(raw, minlength=256) > 0
        first = 0 if used.all() else 1
        return (np.cumsum(used) - 1 + first).astype(np.uint8)[raw], int(used.sum()) + first
    tokens = raw.view("<u2")
    run = map if pool is None else pool.map
    pieces = [slice(start, start + _TABLE_CHUNK) for start in range(0, len(tokens), _TABLE_CHUNK)]

    def used_in(piece: slice) -> NDArray[np.bool_]:
        cancel.check()
        return _fastsa.used_tokens(tokens[piece])

    def replace_in(piece: slice) -> None:
        cancel.check()
        _fastsa.replace_tokens(tokens[piece], symbols, dense[piece])

    used = np.any([*run(used_in, pieces)], axis=0)
    first = 0 if used.all() else 1
    symbols = np.empty(1 << 16, dtype=np.uint16)
    in_order = np.arange(1 << 16, dtype=np.uint16).byteswap()
    symbols[in_order] = np.cumsum(used[in_order]) - 1 + first
    dense = np.empty(len(tokens), dtype=np.uint16)
    for _ in run(replace_in, pieces):
        pass
    return dense, int(used.sum()) + first


def _dense_wide(ids: NDArray[np.uint32]) -> tuple[NDArray[np.int32], int]:
    """As `dense_text`, for four-byte tokens: in pieces, since a sort of all would take too much memory."""
    pieces = range(0, len(ids), _TABLE_CHUNK)
    distinct = np.unique(np.concatenate([np.unique(ids[start : start + _TABLE_CHUNK]) for start in pieces]))
    order = np.argsort(distinct.byteswap(), kind="stable")
    ranks = np.empty(len(distinct), dtype=np.int32)
    ranks[order] = np.arange(1, len(distinct) + 1)
    dense = np.empty(len(ids), dtype=np.int32)
    for start in pieces:
        part = ids[start : start + _TABLE_CHUNK]
        dense[start : start + len(part)] = ranks[np.searchsorted(distinct, part)]
    return dense, len(distinct) + 1


def write_table(folder: Path, number: int, token_width: int, cancel: CancelToken, steps: NDArray[np.int64]) -> None:
    """Sort a shard's suffixes and write `table.{number}`; `steps` grows while the sort runs."""
    raw = np.memmap(folder / f"tokenized.{number}", dtype=np.uint8, mode="r")
    width = pointer_width(len(raw))
    partial = folder / f"table.{number}.part"
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        text, alphabet = dense_text(raw, token_width, pool, cancel)
        try:
            order = _fastsa.suffix_array(text, alphabet, cancel.flag, steps, pool)
        except _fastsa.Stopped as error:
            raise Cancelled from error
        chunks = [order[start : start + _TABLE_CHUNK] for start in range(0, len(order), _TABLE_CHUNK)]
        with open(partial, "wb") as file:
            # A few chunks are packed ahead of the one that is written.
            waiting: deque[Future[NDArray[np.uint8]]] = deque()
            for chunk in chunks:
                cancel.check()
                waiting.append(pool.submit(_pack, chunk, token_width, width))
                if len(waiting) > 4:
                    file.write(waiting.popleft().result().data)
            while waiting:
                file.write(waiting.popleft().result().data)
    partial.replace(folder / f"table.{number}")


def _pack(positions: NDArray[np.int32], token_width: int, width: int) -> NDArray[np.uint8]:
    packed = np.empty(len(positions) * width, dtype=np.uint8)
    _fastsa.pack_pointers(positions, token_width, packed, width)
    return packed
