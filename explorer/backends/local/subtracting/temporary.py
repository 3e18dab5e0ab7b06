"""An index of a few documents, made on demand in a temporary folder."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from explorer.backends.local.subtracting.subtract import Ids
from explorer.core.jobs import CancelToken
from explorer.index.layout import find_shards
from explorer.index.shard import MappedShard
from explorer.index.writer import ShardWriter, SourceDocument, write_table

MOST_TOKENS = 50_000_000
"""The most tokens of such an index."""


def temporary_shard(token_width: int, documents: Iterable[Ids], cancel: CancelToken) -> tuple[MappedShard, Path]:
    """Make a shard of some documents in a temporary folder.

    Returns: The shard, and the folder, which must be kept for as long as the shard is used.
    Raises `Cancelled` if it was cancelled; the folder is then removed.

    Notes
    -----
    Sorts the documents' tokens.
    """
    folder = Path(tempfile.mkdtemp(prefix="corpus-explorer-without-"))
    try:
        writer = ShardWriter(folder, 0, token_width)
        try:
            for ids in documents:
                cancel.check()
                writer.add(SourceDocument("", "", 0, {}), ids)
        finally:
            writer.close()
        # Nobody looks at the progress of so small a sort.
        write_table(folder, 0, token_width, cancel, np.zeros(1, dtype=np.int64))
        return MappedShard(find_shards(folder)[0]), folder
    # Also for Ctrl-C: nobody else knows this folder.
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
