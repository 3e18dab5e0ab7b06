"""Where documents of the same tokens are: asked of a group of folders for many documents at once, by their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.backends.local.subtracting.subtract import Copies
from explorer.backends.protocol.values import Numbers
from explorer.core.jobs import CancelToken
from explorer.index.shard import MappedShard

COPIES = "copies"
"""The name of the question, which only the workers of a cluster answer: it is not one of the seam."""


def asked_copies(texts: Sequence[Numbers], most: Sequence[int]) -> list[Any]:
    """Write the arguments of the question.

    texts: The tokens of each document, int64, without a separator.
    most: How many copies of each are wanted, at most.
    """
    joined = np.concatenate([np.empty(0, np.int64), *texts])
    return [joined.astype("<i8").tobytes(), [len(text) for text in texts], [*most]]


def copies_of(shards: Sequence[MappedShard], arguments: Sequence[Any], cancel: CancelToken) -> list[list[int]]:
    """Answer the question, where the folders are.

    arguments: As `asked_copies` writes them.
    Returns: For each text, the numbers of the first documents that have just its tokens, ascending.

    Notes
    -----
    One search per text and shard.
    """
    stored, lengths, most = arguments
    joined = np.frombuffer(stored, "<i8").astype(np.int64)
    ends = np.cumsum(lengths, dtype=np.int64).tolist()
    copies = Copies(shards)
    found = []
    for length, end, wanted in zip(lengths, ends, most, strict=True):
        cancel.check()
        found.append(copies.of(joined[end - length : end])[:wanted])
    return found
