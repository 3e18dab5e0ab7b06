"""A file of numbered items, such as lines or bytes, compressed in blocks, each of which can be read by itself.

A dictionary comes first, what blocks have in common; then the blocks: frames of Zstandard, each with a checksum of its
content. Then, as little-endian numbers of eight bytes: where each block begins, and where the last one ends; the first
item of each block, and the number of all items; the number of blocks; the checksum of the dictionary, 0 for none; the
checksum of these numbers; and `fmblocks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from _fastsa import fm
from explorer.core.files.paths import sync
from explorer.errors import DamagedIndexError
from explorer.i18n import mark

MAGIC = int.from_bytes(b"fmblocks", "little")
BLOCK = 1 << 15
"""Bytes of a block of lines; a line that is longer has a block of its own."""
TEXT_BLOCK = 1 << 13
"""Bytes of a block of text, of which a few hundred are wanted as a rule."""
DICTIONARY = 110 << 10
_SAMPLE = 4096
_SAMPLES = 2048
"""Bytes of a dictionary, of a piece of which it is made, and how many of these there are."""
_MOST = 1 << 27
"""Bytes of the largest block that is read; a line of metadata has at most half of it."""
_KEPT = 64
"""Blocks that are kept once they were read."""
_TAIL = 32


class BlockWriter:
    """Writes such a file; it appears under its name when `finish` is called.

    level: How hard to compress, from 1 to 22.
    Raises `OSError` if the file cannot be written.
    """

    def __init__(self, path: Path, level: int, dictionary: bytes = b"") -> None:
        self._path, self._dictionary = path, dictionary
        self._partial = path.with_name(path.name + ".part")
        self._file = open(self._partial, "wb")  # noqa: SIM115 - closed by `close`
        self._compressor = zstandard.ZstdCompressor(
            level=level,
            dict_data=zstandard.ZstdCompressionDict(dictionary) if dictionary else None,
            write_checksum=True,
            write_content_size=True,
            write_dict_id=False,
        )
        self._file.write(dictionary)
        self._offsets, self._firsts = [len(dictionary)], [0]

    def add(self, data: bytes | memoryview, items: int) -> None:
        """Write a block.

        items: How many items they are.
        Raises `OSError` if the drive is full or cannot be written.
        """
        frame = self._compressor.compress(data)
        self._file.write(frame)
        self._offsets.append(self._offsets[-1] + len(frame))
        self._firsts.append(self._firsts[-1] + items)

    def finish(self) -> None:
        """Write the table, wait for the drive, and give the file its name.

        Raises `OSError` if the drive is full or cannot be written.
        """
        count, check = len(self._offsets) - 1, _check_of(self._dictionary)
        numbers = np.array([*self._offsets, *self._firsts, count, check], dtype="<u8")
        tail = np.array([fm.whole_check(numbers.view(np.uint8)), MAGIC], dtype="<u8")
        self._file.write(numbers.tobytes() + tail.tobytes())
        sync(self._file)
        self.close()
        self._partial.replace(self._path)

    def close(self) -> None:
        """Close the file as it is."""
        self._file.close()


def dictionary_of(path: Path) -> bytes:
    """Find what pieces of a file have in common.

    Returns: A dictionary for blocks of the file; empty if the file is too small to gain from one.
    Raises `OSError` if the file cannot be read.
    """
    size = path.stat().st_size
    if size < 10 * DICTIONARY:
        return b""
    step = max(_SAMPLE, size // _SAMPLES)
    with open(path, "rb") as file:
        pieces: list[bytes | bytearray | memoryview[int]] = []
        for at in range(0, size - _SAMPLE, step):
            file.seek(at)
            pieces.append(file.read(_SAMPLE))
    try:
        return zstandard.train_dictionary(DICTIONARY, pieces, k=200, d=8).as_bytes()
    except zstandard.ZstdError:
        # Pieces that have nothing in common, such as random bytes.
        return b""


def _check_of(dictionary: bytes) -> int:
    return fm.whole_check(np.frombuffer(dictionary, dtype=np.uint8)) if dictionary else 0


class Blocks:
    """Reads such a file.

    Raises `DamagedIndexError` if its table makes no sense, or its dictionary is not as it was written.
    """

    def __init__(self, path: Path, data: NDArray[np.uint8]) -> None:
        self.path, self._data = path, data
        self._offsets, self._firsts, check = self._table()
        dictionary = data[: int(self._offsets[0])].tobytes()
        if _check_of(dictionary) != check:
            raise self._damaged(0)
        self._shared = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        self.items = int(self._firsts[-1])
        self._kept: dict[int, bytes] = {}
        self._spare: list[zstandard.ZstdDecompressor] = []

    def _table(self) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Where blocks begin, and their first items, each with an end; and the checksum of the dictionary."""
        data = self._data
        if len(data) < _TAIL + 16:
            raise self._damaged(len(data))
        count, shared, check, magic = _numbers(data[-_TAIL:])
        size = 16 * (count + 1) + _TAIL
        start = len(data) - size
        if magic != MAGIC or count >= len(data) or start < 0:
            raise self._damaged(len(data) - 8)
        if fm.whole_check(np.ascontiguousarray(data[start:-16])) != check:
            raise self._damaged(start)
        found = np.frombuffer(data[start:-_TAIL].tobytes(), dtype="<u8").astype(np.int64).reshape(2, -1)
        if found[0, -1] != start or not 0 <= found[0, 0] <= _MOST or found[1, 0] != 0 or (np.diff(found) < 0).any():
            raise self._damaged(start)
        return found[0], found[1], int(shared)

    def _damaged(self, byte: int) -> DamagedIndexError:
        return DamagedIndexError(
            mark("{path} is damaged at byte {byte:,}: it is not as it was written."),
            reason="not-as-written",
            path=self.path,
            byte=byte,
        )

    def _decompressed(self, number: int) -> bytes:
        first, last = int(self._offsets[number]), int(self._offsets[number + 1])
        frame = self._data[first:last].tobytes()
        try:
            # Asked first: a damaged size must not fill the memory.
            if zstandard.frame_content_size(frame) not in range(_MOST + 1):
                raise self._damaged(first)
            with self._decompressor() as decompressor:
                return decompressor.decompress(frame)
        except zstandard.ZstdError as error:
            raise self._damaged(first) from error

    @contextmanager
    def _decompressor(self) -> Iterator[zstandard.ZstdDecompressor]:
        """One that no other thread has: they cannot share one, and making one takes as long as a small block."""
        try:
            one = self._spare.pop()
        except IndexError:
            one = zstandard.ZstdDecompressor(dict_data=self._shared)
        yield one
        # Not after an error: then nobody knows its state.
        self._spare.append(one)

    def marks(self) -> bytes:
        """What tells its content from others: the sizes of its blocks, and the checksum of its last one."""
        return self._data[max(0, int(self._offsets[-1]) - 4) :].tobytes()

    def block_of(self, item: int) -> tuple[bytes, int, int]:
        """Read the block of an item.

        Returns: The block, its first item, and the one past its last.
        Raises `DamagedIndexError` if the block is not as it was written.
        """
        number = int(np.searchsorted(self._firsts, item, side="right")) - 1
        # Two threads may read the same block; both are right, and the later one stays.
        block = self._kept.get(number)
        if block is None:
            block = self._kept[number] = self._decompressed(number)
            while len(self._kept) > _KEPT:
                self._kept.pop(next(iter(self._kept)), None)
        return block, int(self._firsts[number]), int(self._firsts[number + 1])

    def bytes_between(self, start: int, end: int) -> bytes:
        """Read some items where each is a byte.

        Raises `DamagedIndexError` if a block is not as it was written.
        """
        found = []
        while start < end:
            data, first, last = self.block_of(start)
            if len(data) != last - first:
                raise self._damaged(0)
            found.append(data[start - first : end - first])
            start = last
        return b"".join(found)

    def each(self) -> Iterator[tuple[int, bytes]]:
        """Read all blocks, one after the other, with the first item of each; raises DamagedIndexError."""
        for number in range(len(self._firsts) - 1):
            yield int(self._firsts[number]), self._decompressed(number)


def _numbers(data: NDArray[np.uint8]) -> list[Any]:
    numbers: list[Any] = np.frombuffer(data.tobytes(), dtype="<u8").tolist()
    return numbers
