"""How many tokens each suffix of a shard shares with the one before it (LCP), kept in the user's cache folder.

From it, all n-grams are counted without reading the text, and all repeats are found. It is made by the engine's
`LcpPass`, and stored as a whole or not at all, under the fingerprint of the shard.
"""

from __future__ import annotations

import logging
import os
import traceback
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.core.arrays import ArrayValue
from explorer.core.files.paths import cache_folder
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.core.jobs.turns import one_at_a_time
from explorer.index.guard import Guard
from explorer.index.key_samples import LARGEST_UNASKED, fingerprint
from explorer.index.shard import MappedShard

_LOG = logging.getLogger("explorer.index")
LONGEST = _fastsa.LONGEST_PREFIX
"""Tokens of the longest common prefix that is told from longer ones."""
LARGEST_ROOM = _fastsa.LARGEST_ROOM
"""Tokens to the end of a document that are told from more."""
SMALLEST = 1 << 20
"""Tokens of a shard from which it is worth a file: in a smaller one, reading the text takes a tenth of a second."""
BLOCK = 1 << 26
"""Positions whose neighbors are in memory at once: 256 MiB."""
# Steps between two looks at the progress, and bytes of a checksum between two looks at `cancel`.
_STEPS = 1 << 20
_CHECKED = 1 << 24
# Suffixes of a piece.
_PIECE = 1 << 19
# The first number of a file; another layout gets another one.
_KIND = 0x3150434C
_HEAD = 32
_Arrays = tuple[NDArray[np.uint16], NDArray[np.uint8]]


@dataclass(frozen=True, eq=False)
class Lcp(ArrayValue):
    """The common prefixes of a shard's suffixes, by rank.

    lengths: Tokens that the suffix of each rank shares with that of the rank before, 0 for the first, uint16. It ends
        before a separator, so what is shared is within a document. `LONGEST` means this many or more.
    rooms: Tokens from the beginning of each rank's suffix to the next separator or the end of the text, uint8.
        `LARGEST_ROOM` means this many or more.
    """

    lengths: NDArray[np.uint16]
    rooms: NDArray[np.uint8]


def is_small(shard: MappedShard) -> bool:
    """Whether the LCP of a shard is made as quickly as a file would be read."""
    return shard.token_count < SMALLEST


def is_unasked(shard: MappedShard) -> bool:
    """Whether the LCP of a shard is made where it saves time: neither for small ones nor for those over 2 GiB."""
    return not is_small(shard) and len(shard.table) + shard.tokens.nbytes <= LARGEST_UNASKED


def open_lcp(shard: MappedShard, report: Report = no_report, cancel: CancelToken | None = None) -> Lcp:
    """Give the LCP of a shard, from the cache or newly made.

    report: Called with the steps of the pass if it must be made.
    Returns: Its arrays, mapped if they are from the cache.
    Raises `DamagedIndexError` if an entry of the table points to no token.
    Raises `Cancelled` if it was cancelled; nothing is written then.

    Notes
    -----
    Making it takes linear time however often the text repeats itself, and at most 256 MiB: what is found, 3 bytes per
    token, is written into the file, which is mapped, so the system can take that memory back. Opening a file reads all
    of it, for its checksum. A cache that cannot be written is logged; the LCP is in memory then.
    """
    path = cache_folder() / f"{fingerprint(shard)}.lcp"
    # Two threads would write into one file.
    with one_at_a_time(path, cancel):
        found = _load(path, shard, cancel)
        if found is None and _make_file(path, shard, report, cancel):
            found = _load(path, shard, cancel)
    return make_lcp(shard, BLOCK, report, cancel) if found is None else found


def make_lcp(
    shard: MappedShard, block: int = BLOCK, report: Report = no_report, cancel: CancelToken | None = None
) -> Lcp:
    """Make the LCP of a shard.

    block: Positions whose neighbors are in memory at once, 4 bytes each; the table is read twice for each block.
    Raises `DamagedIndexError` if an entry of the table points to no token.
    """
    size = shard.token_count
    arrays = np.zeros(size, dtype=np.uint16), np.zeros(size, dtype=np.uint8)
    _fill(shard, arrays, block, report, cancel)
    return Lcp(*arrays)


def _fill(shard: MappedShard, arrays: _Arrays, block: int, report: Report, cancel: CancelToken | None) -> None:
    # Places of four bytes hold every position but the largest, which means that there is none.
    entry = 4 if shard.token_count < (1 << 32) - 1 else 8
    made = _fastsa.LcpPass(shard.engine, shard.separator, *arrays, block, entry)
    while made.done < made.total:
        report(Progress("Comparing neighbors", made.done, made.total, "steps"))
        with shard.guarded():
            made.advance(_STEPS, cancel.flag if cancel else None)


@dataclass(frozen=True, eq=False)
class Neighbors(ArrayValue):
    """Some suffixes of shards, in the order of one table of all their texts.

    shards: The number of each one's shard, int64.
    positions: Where it begins in that shard, int64.
    lengths, rooms: As in `Lcp`; the one before it may be of another shard.
    """

    shards: NDArray[np.int64]
    positions: NDArray[np.int64]
    lengths: NDArray[np.uint16]
    rooms: NDArray[np.uint8]


def neighbors(
    shards: Sequence[MappedShard], found: Sequence[Lcp], report: Report = no_report, cancel: CancelToken | None = None
) -> Iterator[Neighbors]:
    """Go through the suffixes of some shards with what each shares with the one before it.

    shards: The shards, stored in the same direction, with tokens of one width.
    Yields: The next suffixes, half a million at most.
    Raises `DamagedIndexError` if an entry of a table points to no token.

    Notes
    -----
    Of one shard, the table is read in its order. Of several, suffixes are merged: Ng and Kakehi, "Merging String
    Sequences by Longest Common Prefixes", 2008. Memory: one piece.
    """
    if len(shards) == 1:
        yield from _ranks(shards[0], found[0], report, cancel)
        return
    merge = _fastsa.SuffixMerge(
        [shard.engine for shard in shards],
        [each.lengths for each in found],
        [each.rooms for each in found],
        shards[0].separator,
    )
    guard = Guard(shards)
    while merge.done < merge.total:
        report(Progress("Comparing neighbors", merge.done, merge.total, "tokens"))
        with guard:
            piece = merge.take(_PIECE, cancel.flag if cancel else None)
        yield Neighbors(*piece)


def _ranks(shard: MappedShard, found: Lcp, report: Report, cancel: CancelToken | None) -> Iterator[Neighbors]:
    for first in range(0, shard.token_count, _PIECE):
        if cancel is not None:
            cancel.check()
        report(Progress("Comparing neighbors", first, shard.token_count, "tokens"))
        ranks = np.arange(first, min(first + _PIECE, shard.token_count), dtype=np.int64)
        # Mapped files: whoever reads them does so under the guard of the shard.
        with shard.guarded():
            lengths, rooms = found.lengths[first : first + _PIECE].copy(), found.rooms[first : first + _PIECE].copy()
        yield Neighbors(np.zeros(len(ranks), np.int64), shard.positions(ranks), lengths, rooms)


def permuted(
    shard: MappedShard, found: Lcp, block: int = BLOCK, report: Report = no_report, cancel: CancelToken | None = None
) -> Iterator[tuple[int, NDArray[np.uint16]]]:
    """Go through the LCP of a shard in the order of its text (PLCP).

    block: Positions of one piece, 2 bytes each; the table is read once for each.
    Yields: The first position, and the length of it and of those after it.
    Raises `DamagedIndexError` if an entry of the table points to no token.
    """
    for first in range(0, shard.token_count, block):
        lengths = np.zeros(min(block, shard.token_count - first), dtype=np.uint16)
        for piece in _ranks(shard, found, report, cancel):
            here = np.flatnonzero((piece.positions >= first) & (piece.positions < first + len(lengths)))
            lengths[piece.positions[here] - first] = piece.lengths[here]
        yield first, lengths


def _make_file(path: Path, shard: MappedShard, report: Report, cancel: CancelToken | None) -> bool:
    """Make the file of the cache as a whole; False, and a line in the log, if it cannot be written."""
    # Under a name of this process: two may open the same index at the same time.
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(partial, "w+b") as file:
            # All of it before it is mapped: a drive that is full is an error here, and would end the process there.
            for first in range(0, _HEAD + 3 * shard.token_count, _CHECKED):
                if cancel is not None:
                    cancel.check()
                file.write(bytes(min(_CHECKED, _HEAD + 3 * shard.token_count - first)))
            file.flush()
            mapped = mmap(file.fileno(), 0)
            try:
                _write(mapped, shard, report, cancel)
            except BaseException as error:
                # An error keeps the arrays of the functions that it has left, and with them nothing can be closed.
                traceback.clear_frames(error.__traceback__)
                raise
            finally:
                mapped.close()
        partial.replace(path)
    except OSError as error:
        _LOG.info("%s is not kept: %s", path.name, error)
        return False
    finally:
        partial.unlink(missing_ok=True)
    return True


def _write(mapped: mmap, shard: MappedShard, report: Report, cancel: CancelToken | None) -> None:
    """Fill a file of the right size. No array of it may be left afterwards, or it cannot be closed."""
    data = np.frombuffer(mapped, dtype=np.uint8)
    arrays = _arrays(data, shard.token_count)
    _fill(shard, arrays, BLOCK, report, cancel)
    data[:_HEAD] = np.array([_KIND, shard.token_count, _checksum(arrays, cancel), 0], dtype=np.int64).view(np.uint8)


def _arrays(data: NDArray[np.uint8], size: int) -> _Arrays:
    return data[_HEAD : _HEAD + 2 * size].view(np.uint16), data[_HEAD + 2 * size :]


def _load(path: Path, shard: MappedShard, cancel: CancelToken | None) -> Lcp | None:
    """The LCP of the cache if it is there and whole."""
    size = shard.token_count
    try:
        if path.stat().st_size != _HEAD + 3 * size:
            return None
        # Before it is mapped: a file that is mapped with the shard must not be replaced.
        if not _is_whole(path, size, cancel):
            _LOG.warning("%s is damaged and is made again", path)
            return None
        # With the shard's own files: answers depend on it as much as on them.
        data = shard.map(path)
    except OSError:
        return None
    return Lcp(*_arrays(data, size))


def _is_whole(path: Path, size: int, cancel: CancelToken | None) -> bool:
    checksum = 0
    with open(path, "rb") as file:
        head = np.frombuffer(file.read(_HEAD), dtype=np.int64)
        while piece := file.read(_CHECKED):
            if cancel is not None:
                cancel.check()
            checksum = zlib.crc32(piece, checksum)
    return bool(head.tolist() == [_KIND, size, checksum, 0])


def _checksum(arrays: _Arrays, cancel: CancelToken | None) -> int:
    checksum = 0
    for part in (arrays[0].view(np.uint8), arrays[1]):
        for first in range(0, len(part), _CHECKED):
            if cancel is not None:
                cancel.check()
            checksum = zlib.crc32(part[first : first + _CHECKED].data, checksum)
    return checksum
