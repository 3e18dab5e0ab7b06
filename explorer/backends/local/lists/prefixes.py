"""Common prefixes of all suffixes of some shards, and what follows from them: distinct n-grams of any length."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.protocol.list_values import LONGEST_SHARED, GrowthRule, NgramGrowth
from explorer.backends.protocol.values import Numbers
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import CapabilityError, QueryError
from explorer.i18n import mark, tr
from explorer.index.guard import Guard
from explorer.index.lcp import Lcp, Neighbors, is_small, make_lcp, neighbors, open_lcp
from explorer.index.shard import MappedShard


class ShardPrefixes:
    """The LCP of some shards, each found once, and the questions that it answers for all of them together."""

    def __init__(self, shards: ShardSet) -> None:
        self._shards = shards
        # By the number of the shard. Two threads that both make one make the same one.
        self._found: dict[int, Lcp] = {}

    def of(self, number: int, report: Report = no_report, cancel: CancelToken | None = None) -> Lcp:
        """Give the LCP of a shard: of a small one it is made, of a larger one it is in the cache or made for it."""
        if number not in self._found:
            shard = self._shards.counted[number][0]
            # Mapped with the files of the shard, so that one file is mapped and checked once.
            self._found[number] = (
                make_lcp(shard, report=report, cancel=cancel) if is_small(shard) else open_lcp(shard, report, cancel)
            )
        return self._found[number]

    def shared(self, report: Report, cancel: CancelToken | None) -> Numbers:
        """Answer `ListQuestions.shared_prefixes`."""
        counts = np.zeros(LONGEST_SHARED + 1, dtype=np.int64)
        for piece in self.neighbors(report, cancel):
            counts += np.bincount(piece.lengths, minlength=len(counts))
        return counts

    def growth(self, rule: GrowthRule, report: Report, cancel: CancelToken | None) -> NgramGrowth:
        """Answer `ListQuestions.growth`.

        Raises `QueryError` if n is too large.
        """
        if rule.max_n > _fastsa.LONGEST_NGRAM:
            raise QueryError(
                mark("N-grams have 1 to {most} tokens here, not {n}."),
                reason="ngram-too-long",
                most=_fastsa.LONGEST_NGRAM,
                n=rule.max_n,
            )
        shards = self.plain_shards()
        firsts = np.cumsum([0, *(shard.token_count for shard in shards)])
        ends = np.concatenate([_document_ends(shard) + first for shard, first in zip(shards, firsts, strict=False)])
        lasts = size_ends(ends, rule.steps)
        if not len(lasts):
            return NgramGrowth(lasts, lasts, np.zeros((rule.max_n - rule.min_n + 1, 0), np.int64))
        walk = _fastsa.GrowthWalk(rule.min_n, rule.max_n, rule.min_count, ends[lasts])
        guard = Guard(shards)
        for piece in self.neighbors(report, cancel):
            places = piece.positions + firsts[piece.shards]
            # What the engine raises when it is stopped becomes the user's error.
            with guard:
                walk.feed(places, piece.lengths, piece.rooms, cancel.flag if cancel else None)
        return NgramGrowth(lasts + 1, ends[lasts] - (lasts + 1), walk.ended())

    def neighbors(self, report: Report, cancel: CancelToken | None) -> Iterator[Neighbors]:
        """Go through all suffixes in one order; see `explorer.index.lcp.neighbors`."""
        shards = self.plain_shards()
        found = [self.of(number, report, cancel) for number in range(len(shards))]
        return neighbors(shards, found, report, cancel)

    def whole_shards(self) -> list[MappedShard]:
        """The shards, if no document is left out; raises CapabilityError otherwise."""
        shards = self.plain_shards()
        # Of chosen documents there is an index of their own, in which they have other numbers.
        if self._shards.adjusting:
            raise CapabilityError(
                tr("Repeats are found in whole indexes only, not where documents are subtracted or left out."),
                capability="lists",
            )
        return shards

    def plain_shards(self) -> list[MappedShard]:
        """The shards; raises CapabilityError if their suffixes do not tell what the corpus has."""
        if any(sign < 0 for _, sign in self._shards.counted):
            raise CapabilityError(
                tr("Distinct n-grams are counted in whole indexes only, not where documents are subtracted."),
                capability="lists",
            )
        shards = [shard for shard, _ in self._shards.counted]
        if any(shard.reversed_text != shards[0].reversed_text for shard in shards):
            raise CapabilityError(
                tr("N-grams and repeats of indexes that are stored in different directions cannot be listed together."),
                capability="lists",
            )
        return shards


def size_ends(ends: Numbers, steps: int) -> NDArray[np.int64]:
    """Choose the documents with which growing parts of a corpus end.

    ends: The tokens up to the end of each document, separators included, ascending.
    Returns: The place of the last document of each, ascending, each once.

    Examples
    --------
    >>> size_ends(np.array([10, 12, 30, 40]), 2).tolist()
    [2, 3]
    """
    total = int(ends[-1]) if len(ends) else 0
    # Rounded up, in whole numbers: the same on every machine.
    wanted = [-(-total * step // steps) for step in range(1, steps + 1)]
    return np.unique(np.searchsorted(ends, wanted)).astype(np.int64) if total else np.empty(0, np.int64)


def _document_ends(shard: MappedShard) -> Numbers:
    return shard.bounds(np.arange(shard.document_count, dtype=np.int64))[1]
