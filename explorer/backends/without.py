"""A set of shards as if some documents were not in it: a subtracted shard of just these, made on the spot."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from explorer.backends.protocol import Numbers
from explorer.backends.shard_set import ShardSet
from explorer.backends.temporary import MOST_TOKENS, temporary_shard
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.jobs import CancelToken


def without(shards: ShardSet, documents: Sequence[int], cancel: CancelToken | None = None) -> ShardSet:
    """Leave out documents. The files that this needs are in a temporary folder for as long as the result lives.

    Parameters
    ----------
    shards
        The shards.
    documents
        Numbers of documents that are not subtracted yet.
    cancel
        Stops the work.

    Returns
    -------
    ShardSet
        The shards without them.

    Raises
    ------
    QueryError
        If the documents have more than 50 million tokens.
    Cancelled
        If it was cancelled.

    Notes
    -----
    Reads the documents and sorts their tokens.
    """
    # Raises for a document that is already left out: its tokens would be subtracted twice.
    places = [shards.shard_of(number) for number in documents]
    bounds = [shard.document_bounds(local) for shard, local in places]
    tokens = sum(end - start for start, end in bounds)
    if tokens > MOST_TOKENS:
        raise QueryError(
            mark("These documents have {tokens:,} tokens, and only {most:,} can be left out at once."),
            reason="too-many-tokens-left-out",
            tokens=tokens,
            most=MOST_TOKENS,
        )

    def texts() -> Iterator[Numbers]:
        for shard, local in places:
            yield shard.reading(local)

    shard, folder = temporary_shard(shards.token_width, texts(), cancel or CancelToken())
    before = shards.subtraction
    left_out = np.union1d(before.left_out, np.array(documents, dtype=np.int64))
    # The shard of just these documents is subtracted, beside what was subtracted before.
    result = ShardSet(shards.shards, replace(before, minus=(*before.minus, shard), left_out=left_out), shards)
    # With the set, not with the backend: a set made from this one still reads the files.
    weakref.finalize(result, shutil.rmtree, folder, True)
    return result
