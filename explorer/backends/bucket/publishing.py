"""Sampled keys of an index on this machine as files beside it, for whoever reads it from a web server or a bucket."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from explorer.backends.bucket.keys import GROUP, counts, header_of
from explorer.core.files.paths import sync
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.index.folder import read_folder
from explorer.index.key_samples import key_step, keys_of
from explorer.index.shard import MappedShard


@dataclass(frozen=True)
class WrittenKeys:
    """The keys of one shard.

    keys: How many there are.
    step: Suffixes to each key.
    size: Bytes of the file.
    """

    path: Path
    keys: int
    step: int
    size: int


def write_keys(
    folder: Path, out: Path, report: Report = no_report, cancel: CancelToken | None = None
) -> tuple[WrittenKeys, ...]:
    """Write the sampled keys of each shard of an index.

    out: The folder for the files, which may be that of the index.
    Raises `CorpusError` if the index cannot be opened.
    Raises `OSError` if a file cannot be written.
    Raises `Cancelled` if it was cancelled; files of keys are whole or as before.
    """
    files, _ = read_folder(folder)
    return tuple(_write(MappedShard(shard), out, report, cancel) for shard in files)


def _write(shard: MappedShard, out: Path, report: Report, cancel: CancelToken | None) -> WrittenKeys:
    keys = keys_of(shard, report, cancel)
    assert keys is not None  # they may be made
    step = key_step(shard.token_count)
    # Numbers in the order of this machine; in the file, the bytes of the text.
    rows = keys.reshape(-1, 2).astype(">u8")
    path = out / shard.files.tokenized.name.replace("tokenized", "keys")
    part = path.with_name(f"{path.name}.part")
    try:
        with open(part, "wb") as file:
            file.write(header_of(shard.token_count, step))
            np.ascontiguousarray(rows[::GROUP]).tofile(file)
            rows.tofile(file)
            sync(file)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return WrittenKeys(path, counts(shard.token_count, step)[0], step, path.stat().st_size)
