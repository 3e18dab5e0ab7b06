"""Writing a shard's files: tokens as they come, then the suffix array."""

from __future__ import annotations

import os
import zlib
from collections import deque
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.core.arrays import ArrayValue
from explorer.core.files.json_text import write_json
from explorer.core.files.paths import sync
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled
from explorer.index.layout import pointer_width, separator
from explorer.index.shard_text import TOKEN_TYPES

STREAMS = ("tokenized", "offset", "metadata", "metaoff")
_TABLE_CHUNK = 1 << 20
# Tokens that are counted at once: 32 MiB for their copy as int64.
_COUNT_CHUNK = 1 << 22
# The sort numbers suffixes with int32.
MAX_SHARD_TOKENS = 2**31 - 2


@dataclass(frozen=True, eq=False)
class SourceDocument(ArrayValue):
    """One document of the sources.

    linenum: Its line or row in that file, from 0.
    metadata: All its other fields.
    ids: Its token ids, if the source has these in place of a text; otherwise None.
    """

    text: str
    path: str
    linenum: int
    metadata: dict[str, Any]
    ids: NDArray[Any] | None = None

    @property
    def size(self) -> int:
        """Its characters, or its token ids."""
        return len(self.text) if self.ids is None else len(self.ids)


@dataclass(frozen=True, slots=True)
class Written:
    """The beginning of a file that is known to be written.

    size: The number of bytes.
    """

    size: int = 0
    checksum: int = 0

    def and_then(self, data: bytes | memoryview) -> Written:
        """The same with more data appended."""
        return Written(self.size + len(data), zlib.crc32(data, self.checksum))


def written_of(path: Path) -> Written:
    """Describe a whole file.

    Raises `OSError` if it cannot be read.
    """
    written = Written()
    with open(path, "rb") as file:
        while data := file.read(_TABLE_CHUNK):
            written = written.and_then(data)
    return written


@dataclass(frozen=True)
class ShardState:
    """How much of a shard is safely on disk; more of each file may have been written.

    files: Size and checksum of each file, by name.
    """

    token_count: int
    document_count: int
    files: dict[str, Written]


class ShardWriter:
    """Appends documents to one shard's `tokenized`, `offset`, `metadata` and `metaoff` files.

    token_width: Bytes per token: 1, 2 or 4.
    going_on: Where writing was interrupted: anything beyond is cut off. None for a new shard.
    Raises `OSError` if a file cannot be written.
    """

    def __init__(self, folder: Path, number: int, token_width: int, going_on: ShardState | None = None) -> None:
        self.token_width = token_width
        self.token_count = going_on.token_count if going_on else 0
        self.document_count = going_on.document_count if going_on else 0
        self._type: np.dtype[Any] = TOKEN_TYPES[token_width]
        self._separator = np.array([separator(token_width)], dtype=self._type).tobytes()
        self._paths = {name: folder / f"{name}.{number}" for name in STREAMS}
        self._unigram_path = folder / f"unigram.{number}"
        kept = going_on.files if going_on else {}
        self._written = {name: kept.get(path.name, Written()) for name, path in self._paths.items()}
        # If the third file cannot be opened, the first two are closed again.
        with ExitStack() as opened:
            self._files = {name: opened.enter_context(self._open(name)) for name in STREAMS}
            # Closed by close(); here only if one of them cannot be opened.
            opened.pop_all()
        self._counts: NDArray[np.int64] = np.zeros(256, dtype=np.int64)
        self._uncounted: list[NDArray[Any]] = []
        self._uncounted_tokens = 0
        if going_on:
            self._count_again()

    def _open(self, name: str) -> IO[bytes]:
        size = self._written[name].size
        # Whatever is beyond the known size was written after the last safe point, and is cut off.
        file = open(self._paths[name], "r+b" if size else "wb")  # noqa: SIM115 - closed by close()
        file.truncate(size)
        file.seek(size)
        return file

    def _count_again(self) -> None:
        """Count the tokens that an interrupted build had written."""
        mark = separator(self.token_width)
        with open(self._paths["tokenized"], "rb") as file:
            while data := file.read(_COUNT_CHUNK * self.token_width):
                ids = np.frombuffer(data, dtype=self._type)
                self._count(ids[ids != mark].astype(np.int64))

    def add(self, document: SourceDocument, ids: NDArray[Any]) -> None:
        """Append one document.

        document: Its metadata and place; its text is not used.
        ids: Its token ids, each below the separator of this shard's width.
        Raises `OSError` if the drive is full or cannot be written.
        """
        self.add_record({"path": document.path, "linenum": document.linenum, "metadata": document.metadata}, ids)

    def add_record(self, record: dict[str, Any], ids: NDArray[Any]) -> None:
        """Append one document with its metadata as they are stored."""
        # The offset of the separator, not of the first token.
        self._append("offset", np.array([self.token_count * self.token_width], dtype="<u8").tobytes())
        self._append("tokenized", self._separator)
        self._append("tokenized", ids.astype(self._type, copy=False).tobytes())
        # Before the line is appended: its offset is the size so far.
        self._append("metaoff", np.array([self._written["metadata"].size], dtype="<u8").tobytes())
        self._append("metadata", write_json(record).encode("utf-8") + b"\n")
        self.token_count += len(ids) + 1
        self.document_count += 1
        # Many documents at a time: to count one takes 50 µs, since an entry per id of the vocabulary is added.
        self._uncounted.append(ids)
        self._uncounted_tokens += len(ids)
        if self._uncounted_tokens >= _COUNT_CHUNK // 8:
            self._count_waiting()

    def _append(self, name: str, data: bytes) -> None:
        self._files[name].write(data)
        # The checksum is of what was meant to be written, so that a resumed build can compare it with the file.
        self._written[name] = self._written[name].and_then(data)

    def _count_waiting(self) -> None:
        if self._uncounted:
            self._count(np.concatenate(self._uncounted))
        self._uncounted, self._uncounted_tokens = [], 0

    def _count(self, ids: NDArray[Any]) -> None:
        # In pieces, since bincount makes a copy of eight bytes per token.
        for start in range(0, len(ids), _COUNT_CHUNK):
            counts = np.bincount(ids[start : start + _COUNT_CHUNK])
            if len(counts) > len(self._counts):
                self._counts = np.pad(self._counts, (0, len(counts) - len(self._counts)))
            self._counts[: len(counts)] += counts

    def sync(self) -> ShardState:
        """Wait until the drive holds everything that was added; returns its extent."""
        for file in self._files.values():
            sync(file)
        return self._state()

    def _state(self) -> ShardState:
        files = {path.name: self._written[name] for name, path in self._paths.items()}
        return ShardState(self.token_count, self.document_count, files)

    def finish(self) -> ShardState:
        """Write the unigram counts and close the files; the drive may not hold them yet."""
        self.close()
        self._count_waiting()
        lines = unigram_lines(self._counts, self.token_width, self.document_count)
        self._unigram_path.write_text(lines, encoding="ascii", newline="")
        state = self._state()
        unigram = {self._unigram_path.name: Written().and_then(lines.encode("ascii"))}
        return replace(state, files=state.files | unigram)

    def close(self) -> None:
        """Close the files as they are, each one even if a full disk refuses the end of another."""
        with ExitStack() as closing:
            for file in self._files.values():
                closing.callback(file.close)


def unigram_lines(counts: NDArray[np.int64], token_width: int, documents: int) -> str:
    """Write how often each token occurs in a shard, as in `unigram.N`.

    counts: The occurrences of each id, without separators.
    token_width: Bytes per token: 1, 2 or 4.
    """
    # As in the package's own files, separators are tokens, too: one per document, and the largest id.
    rows = [*enumerate(counts.tolist()), (separator(token_width), documents)]
    return "".join(f"{token} {count}\n" for token, count in rows if count)


def dense_text(
    raw: NDArray[np.uint8], token_width: int, pool: Executor | None, cancel: CancelToken
) -> tuple[NDArray[Any], int]:
    """Map the tokens of a text to consecutive symbols, in the order of the tokens' bytes.

    raw: The stored bytes of the tokens, uint8.
    token_width: Bytes per token: 1, 2 or 4.
    pool: Threads that may help; None for this one only.
    Returns: The symbols, from 1 on (from 0 if every possible token occurs), and one more than the largest.
    """
    if token_width == 4:
        return _dense_wide(raw.view("<u4"), cancel)
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
    # Little-endian tokens in the order of their stored bytes: the infini-gram package sorts bytes, not numbers.
    in_order = np.arange(1 << 16, dtype=np.uint16).byteswap()
    symbols[in_order] = np.cumsum(used[in_order]) - 1 + first
    dense = np.empty(len(tokens), dtype=np.uint16)
    # Consumed, because `map` is lazy, and because the errors of `pool.map` are raised here.
    for _ in run(replace_in, pieces):
        pass
    return dense, int(used.sum()) + first


def _dense_wide(ids: NDArray[np.uint32], cancel: CancelToken) -> tuple[NDArray[np.int32], int]:
    """As `dense_text`, for four-byte tokens: in pieces, since a sort of all would take too much memory."""
    pieces = range(0, len(ids), _TABLE_CHUNK)
    found: list[NDArray[np.uint32]] = []
    for start in pieces:
        cancel.check()
        found.append(np.unique(ids[start : start + _TABLE_CHUNK]))
    distinct = np.unique(np.concatenate(found))
    # The order of the stored bytes, as in `dense_text`.
    order = np.argsort(distinct.byteswap(), kind="stable")
    ranks = np.empty(len(distinct), dtype=np.int32)
    ranks[order] = np.arange(1, len(distinct) + 1)
    dense = np.empty(len(ids), dtype=np.int32)
    for start in pieces:
        cancel.check()
        part = ids[start : start + _TABLE_CHUNK]
        dense[start : start + len(part)] = ranks[np.searchsorted(distinct, part)]
    return dense, len(distinct) + 1


def write_table(folder: Path, number: int, token_width: int, cancel: CancelToken, steps: NDArray[np.int64]) -> Written:
    """Sort a shard's suffixes and write `table.{number}`.

    token_width: Bytes per token: 1, 2 or 4.
    steps: An int64 array that the sort increments as it runs, for progress.
    Returns: The size and checksum of the file.
    Raises `Cancelled` if it was cancelled; the table is then not there.
    Raises `OSError` if the drive is full or cannot be written.

    Notes
    -----
    Uses all cores. The table appears under its name only when it is complete.
    """
    raw = np.memmap(folder / f"tokenized.{number}", dtype=np.uint8, mode="r")
    width = pointer_width(len(raw))
    partial = folder / f"table.{number}.part"
    # Threads, not processes: numpy and the engine release the lock while they work, and share the text.
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        text, alphabet = dense_text(raw, token_width, pool, cancel)
        try:
            order = _fastsa.suffix_array(text, alphabet, cancel.flag, steps, pool)
        except _fastsa.Stopped as error:
            raise Cancelled from error
        chunks = [order[start : start + _TABLE_CHUNK] for start in range(0, len(order), _TABLE_CHUNK)]
        written = Written()
        with open(partial, "wb") as file:
            # A few chunks are packed ahead of the one that is written.
            waiting: deque[Future[NDArray[np.uint8]]] = deque()
            # None: the end, at which all that waits is written.
            for chunk in [*chunks, None]:
                cancel.check()
                if chunk is not None:
                    waiting.append(pool.submit(_pack, chunk, token_width, width))
                # At most a few packed chunks are in memory, and the file is written in order.
                while len(waiting) > (4 if chunk is not None else 0):
                    packed = waiting.popleft().result()
                    file.write(packed.data)
                    written = written.and_then(packed.data)
    # Renamed at the end: an interrupted build has no table, rather than half of one.
    partial.replace(folder / f"table.{number}")
    return written


def _pack(positions: NDArray[np.int32], token_width: int, width: int) -> NDArray[np.uint8]:
    packed = np.empty(len(positions) * width, dtype=np.uint8)
    _fastsa.pack_pointers(positions, token_width, packed, width)
    return packed
