"""Whether a shard's table is the suffix array of its text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.errors import DamagedIndexError
from explorer.i18n import mark
from explorer.index.shard import MappedShard

_RANKS = 1 << 16
"""Number of ranks between two checks for cancellation: some hundredths of a second if the files are in memory."""

_TOKENS = 1 << 20
_COMPARED = 1 << 16
"""Maximum number of bytes compared of two neighbors when single places are checked."""


def places_in(tokens: int, spots: int) -> range:
    """Choose the ranks whose suffixes are compared with the next.

    Returns: The ranks, evenly spread; each place is a pair of neighbors.
    """
    return range(0, tokens, max(2, tokens // spots))


def check_order_at(shard: MappedShard, spots: int, cancel: CancelToken) -> None:
    """Compare neighboring suffixes at a number of places, at most 64 KiB of each.

    spots: The approximate number of places, evenly spread over the table.
    Raises `DamagedIndexError` if two suffixes are not in order, or an entry points outside the text.
    """
    for first in places_in(shard.token_count, spots):
        cancel.check()
        last = min(first + 2, shard.token_count)
        with shard.guarded() as engine:
            wrong = _fastsa.first_disorder(engine, first, last, _COMPARED, cancel.flag)
        if wrong >= 0:
            raise _unsorted(shard, wrong)


def check_whole_order(shard: MappedShard, report: Report, cancel: CancelToken) -> None:
    """Check every entry of a table: each position occurs once, and the suffixes ascend.

    Raises `DamagedIndexError` for the first entry that is wrong.

    Notes
    -----
    Linear time even for repetitive text, since no two suffixes are compared: the order of two that begin with the same
    token follows from the order of the suffixes after that token. Takes 4 MiB of memory, and 28 bytes per distinct
    token, not per token of the text.
    """
    tokens, counts = _token_counts(shard, report, cancel)
    # Suffixes that begin with the same token are neighbors in the table: they begin at the sum of the counts before.
    starts = np.cumsum(counts) - counts
    check = _fastsa.OrderCheck(shard.engine, tokens, starts)
    # In steps, so that a cancellation and a fault of the drive are noticed between them. The check keeps its place.
    while check.done < shard.token_count:
        cancel.check()
        report(Progress("Checking the order", check.done, shard.token_count, "entries"))
        with shard.guarded():
            wrong = check.advance(_RANKS, cancel.flag)
        if wrong >= 0:
            raise _wrong_entry(shard, wrong, cancel)
    # No entry was wrong, and yet nothing led to this rank: one position occurs twice, and another one nowhere.
    if (unmet := check.unmet()) >= 0:
        raise _wrong_entry(shard, unmet, cancel)


def _token_counts(
    shard: MappedShard, report: Report, cancel: CancelToken
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Distinct tokens of the text in the order of their stored bytes, and how often each occurs."""
    tokens = np.empty(0, dtype=np.uint32)
    counts = np.empty(0, dtype=np.int64)
    for first in range(0, shard.token_count, _TOKENS):
        cancel.check()
        report(Progress("Counting the tokens", first, shard.token_count, "tokens"))
        with shard.guarded():
            found, times = _counted(shard.tokens[first : first + _TOKENS])
        # Merged piece by piece: the memory is that of the distinct tokens, not of the text.
        both, places = np.unique(np.concatenate([tokens, found]), return_inverse=True)
        total = np.zeros(len(both), dtype=np.int64)
        np.add.at(total, places, np.concatenate([counts, times]))
        tokens, counts = both, total
    # Tokens are stored with their lowest byte first, and compare by it first.
    order = np.argsort(tokens.astype(shard.tokens.dtype).byteswap(), kind="stable")
    return np.ascontiguousarray(tokens[order]), np.ascontiguousarray(counts[order])


def _counted(tokens: NDArray[Any]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    # Counting by index takes memory for the largest possible id: 64 Ki entries for two bytes, but 4 Gi for four.
    if tokens.dtype.itemsize > 2:
        found, times = np.unique(tokens, return_counts=True)
        return found.astype(np.uint32), times.astype(np.int64)
    every = np.bincount(tokens)
    used = np.flatnonzero(every)
    return used.astype(np.uint32), every[used].astype(np.int64)


def _wrong_entry(shard: MappedShard, rank: int, cancel: CancelToken) -> DamagedIndexError:
    """The check knows that this entry or one that leads to it is wrong; its neighbors may show more."""
    # One rank on either side, which are two pairs. Two suffixes in the wrong order are the more useful message.
    first, last = max(0, rank - 1), min(rank + 2, shard.token_count)
    with shard.guarded() as engine:
        wrong = _fastsa.first_disorder(engine, first, last, _COMPARED, cancel.flag)
    if wrong >= 0:
        return _unsorted(shard, wrong)
    return DamagedIndexError(
        mark(
            "{path} is not the suffix array of {tokenized}: the position at entry {entry:,} (byte {byte:,}) is "
            "wrong, so counts would be wrong."
        ),
        reason="not-suffix-array",
        path=shard.files.table,
        tokenized=shard.files.tokenized.name,
        entry=rank,
        byte=rank * shard.widths.pointer,
    )


def _unsorted(shard: MappedShard, rank: int) -> DamagedIndexError:
    return DamagedIndexError(
        mark("{path} is not sorted at entry {entry:,} (byte {byte:,}), so counts would be wrong."),
        reason="not-sorted",
        path=shard.files.table,
        entry=rank,
        byte=rank * shard.widths.pointer,
    )
