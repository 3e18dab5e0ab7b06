"""Sampled keys of a suffix array, kept in the user's cache folder.

A search in a large table reads a page of text at each of its first steps. With the first bytes of
every n-th suffix in one small file, it begins close to its end. The file is made at the first
opening, and named by a fingerprint of the shard, so that an index folder may be read-only.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.files.paths import cache_folder
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.index.shard import MappedShard

_LOG = logging.getLogger("explorer.index")
# Among fewer tokens a binary search takes at most 14 steps, of which keys would save few.
_FEWEST_TOKENS = 1 << 14
# Keys are 16 bytes: at this step they take 2 bytes per token.
_SMALLEST_STEP = 8
# A limit of 128 MiB per shard, in the cache folder and when mapped.
_MOST_KEYS = 1 << 23
LARGEST_UNASKED = 2 << 30
"""Bytes of text and table up to which the keys are made without being asked: seconds, not hours."""

# Bytes that are read between two looks at the cancel flag.
_READ = 8 << 20
_BLOCKS = 32
_BLOCK = 4096


def fingerprint(shard: MappedShard) -> str:
    """Name a shard by its sizes and by 32 blocks spread over its text and its table.

    Notes
    -----
    Reads 64 blocks, whatever the shard's size.
    """
    digest = hashlib.sha256(f"{shard.widths} {shard.token_count} {shard.document_count}".encode())
    with shard.guarded():
        for data in (shard.tokens.view(np.uint8), shard.table):
            # The same blocks for the same sizes, so a copy has the same fingerprint, wherever it is and whenever it was
            # made.
            for start in np.linspace(0, max(0, len(data) - _BLOCK), _BLOCKS).astype(np.int64).tolist():
                digest.update(data[start : start + _BLOCK].tobytes())
    return digest.hexdigest()[:32]


def index_fingerprint(shards: Sequence[MappedShard]) -> str:
    """Name an index by its shards.

    shards: The shards in their order.
    Returns: 32 hexadecimal digits.
    """
    return hashlib.sha256(" ".join(map(fingerprint, shards)).encode()).hexdigest()[:32]


def key_step(token_count: int) -> int:
    """Choose how many suffixes share a key.

    Returns: 8, or the least multiple by two that makes no more than eight million keys.
    """
    step = _SMALLEST_STEP
    while token_count // step > _MOST_KEYS:
        step *= 2
    return step


def prepare(
    shard: MappedShard, asked: bool = False, report: Report = no_report, cancel: CancelToken | None = None
) -> None:
    """Give a shard its sampled keys, from the cache or newly made; shards that are small need none.

    asked: Whether to make keys for a shard over 2 GiB, too; the whole table must be read for them.
    Raises `Cancelled` if it was cancelled; the shard then has no keys.

    Notes
    -----
    A cache that cannot be written is logged: the keys are then made at each opening.
    """
    if shard.token_count < _FEWEST_TOKENS:
        return
    # Searches are right without keys; only the first ones are slower.
    is_small = len(shard.table) + shard.tokens.nbytes <= LARGEST_UNASKED
    keys = keys_of(shard, report, cancel, may_make=asked or is_small)
    # Before anybody searches: the engine does not lock its keys.
    if keys is not None:
        shard.engine.use_keys(keys, key_step(shard.token_count))


def keys_of(
    shard: MappedShard, report: Report = no_report, cancel: CancelToken | None = None, may_make: bool = True
) -> NDArray[np.uint64] | None:
    """Give the sampled keys of a shard, from the cache or newly made.

    may_make: Whether they are made if the cache has none; the whole table must be read for them.
    Returns: Two big-endian halves of each key, as numbers; one key for each `key_step` suffixes. None if there are
        none.
    """
    step = key_step(shard.token_count)
    # The step is part of the name: another version of the program may choose another one.
    path = cache_folder() / f"{fingerprint(shard)}-{step}.keys"
    keys = _load(path, shard, step)
    if keys is None and may_make:
        report(Progress("Preparing the index", 0, 0))
        keys = _make(shard, step, cancel)
        keep(path, [keys])
    return keys


def _read_through(path: Path, cancel: CancelToken | None) -> None:
    """Bring a file into memory from one end to the other, which is far faster than page by page."""
    with open(path, "rb", buffering=0) as file:
        while file.read(_READ):
            if cancel is not None:
                cancel.check()


def _make(shard: MappedShard, step: int, cancel: CancelToken | None) -> NDArray[np.uint64]:
    # Sampling reads single places all over both files. After this, they are in memory, as far as it has room.
    for path in (shard.files.tokenized, shard.files.table):
        _read_through(path, cancel)
    with shard.guarded() as engine:
        return engine.sample_keys(step, cancel.flag if cancel else None)


def _load(path: Path, shard: MappedShard, step: int) -> NDArray[np.uint64] | None:
    """The cached keys if they are there and fit; a few are compared with the table."""
    expected = -(-shard.token_count // step)
    try:
        # A file that another process is still writing has another name: see `keep`.
        if path.stat().st_size != 16 * expected:
            return None
        # Mapped with the shard's own files: searches depend on it as much as on them.
        keys = shard.map(path, scattered=True).view(np.uint64)
    except OSError:
        return None
    # The fingerprint samples the shard, so two different shards could share it. Wrong keys would give wrong answers.
    for number in np.linspace(0, expected - 1, 16).astype(np.int64).tolist():
        if not _fits(keys, number, shard, step):
            _LOG.warning("%s does not fit its index and is made again", path)
            return None
    return keys


def _fits(keys: NDArray[np.uint64], number: int, shard: MappedShard, step: int) -> bool:
    position = int(shard.positions(np.array([number * step], dtype=np.int64))[0])
    with shard.guarded():
        # Keys hold the first 16 stored bytes as two big-endian numbers; a suffix that is shorter is filled up with
        # zeros.
        data = shard.tokens[position : position + 16].tobytes()[:16].ljust(16, b"\0")
    return data == keys[2 * number : 2 * number + 2].astype(">u8").tobytes()


def keep(path: Path, pieces: Sequence[NDArray[Any]]) -> None:
    """Write a file of the cache as a whole; what cannot be written is logged.

    pieces: What it holds, one after another.
    """
    # Under a name of this process: two may open the same index at the same time.
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(partial, "wb") as file:
            for piece in pieces:
                piece.tofile(file)
        partial.replace(path)
    except OSError as error:
        _LOG.info("%s is not kept: %s", path.name, error)
        if partial.is_file():
            partial.unlink()
