"""A set of shards as if some documents were not in it, or no others: a shard of just these, made on the spot."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from explorer.backends.local.shard_set import ShardSet
from explorer.backends.local.subtracting.temporary import MOST_TOKENS, temporary_shard
from explorer.backends.protocol.protocol import Numbers
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.index.shard import MappedShard


def without(shards: ShardSet, documents: Sequence[int], cancel: CancelToken | None = None) -> ShardSet:
    """Leave out documents. The files that this needs are in a temporary folder for as long as the result lives.

    documents: Numbers of documents that are not subtracted yet.
    Raises `QueryError` if the documents have more than 50 million tokens.

    Notes
    -----
    Reads the documents and sorts their tokens.
    """
    shard = _shard_of(shards, documents, _too_many_left_out, cancel)
    before = shards.subtraction
    left_out = np.union1d(before.left_out, np.array(documents, dtype=np.int64))
    # The shard of just these documents is subtracted, beside what was subtracted before.
    return ShardSet(
        shards.shards, replace(before, minus=(*before.minus, shard), left_out=left_out, selected=False), shards
    )


def within(shards: ShardSet, documents: Numbers, cancel: CancelToken | None = None) -> ShardSet:
    """Leave out all documents but some, which keep their numbers.

    documents: Numbers of documents that are not subtracted, int64.
    Returns: The shards with only them.
    Raises `QueryError` if both they and the others have more than 50 million tokens.

    Notes
    -----
    Reads these documents or the others, whichever are shorter, and sorts their tokens.
    """
    kept = np.unique(documents)
    before = shards.subtraction
    others = np.setdiff1d(np.arange(shards.document_slots, dtype=np.int64), np.union1d(before.left_out, kept))
    if not len(others):
        return shards
    rest = _tokens_of(shards, others)
    if rest <= MOST_TOKENS and rest < _tokens_of(shards, kept):
        return without(shards, others.tolist(), cancel)
    # No suffix array can be made of no documents.
    restored = (_shard_of(shards, kept.tolist(), _too_many_chosen, cancel),) if len(kept) else ()
    # The shards less themselves, and with the chosen documents again: the sums are exact, and the numbers stay.
    chosen = replace(
        before,
        minus=shards.shards,
        restored=restored,
        left_out=np.union1d(before.left_out, others),
        selected=True,
    )
    return ShardSet(shards.shards, chosen, shards)


def _tokens_of(shards: ShardSet, documents: Numbers) -> int:
    """The tokens of some documents."""
    total = 0
    for shard, _, local in shards.by_shard(documents):
        starts, ends = shard.bounds(local)
        total += int((ends - starts).sum())
    return total


def _too_many_left_out(tokens: int) -> QueryError:
    return QueryError(
        mark("These documents have {tokens:,} tokens, and only {most:,} can be left out at once."),
        reason="too-many-tokens-left-out",
        tokens=tokens,
        most=MOST_TOKENS,
    )


def _too_many_chosen(tokens: int) -> QueryError:
    return QueryError(
        mark(
            "The chosen documents have {tokens:,} tokens. A temporary index has at most {most:,}, and the others have "
            "more."
        ),
        reason="too-many-tokens-left-out",
        tokens=tokens,
        most=MOST_TOKENS,
    )


def _shard_of(
    shards: ShardSet,
    documents: Sequence[int],
    too_many: Callable[[int], QueryError],
    cancel: CancelToken | None,
) -> MappedShard:
    """A temporary shard of some documents; raises the error that `too_many` makes of their tokens."""
    # Raises for a document that is already left out: its tokens would be subtracted twice.
    places = [shards.shard_of(number) for number in documents]
    bounds = [shard.document_bounds(local) for shard, local in places]
    tokens = sum(end - start for start, end in bounds)
    if tokens > MOST_TOKENS:
        raise too_many(tokens)

    def texts() -> Iterator[Numbers]:
        for shard, local in places:
            yield shard.reading(local)

    shard, folder = temporary_shard(shards.token_width, texts(), cancel or CancelToken())
    # With the shard, not with the set or the backend: whatever was made from this one still reads the files.
    weakref.finalize(shard, shutil.rmtree, folder, True)
    return shard
