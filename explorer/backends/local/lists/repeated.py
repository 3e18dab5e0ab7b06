"""Passages that occur more than once in some shards, and stretches that repeat themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.backends.local.lists.prefixes import ShardPrefixes
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.places import Places
from explorer.backends.protocol.list_values import LONGEST_SHARED, RepeatPiece, Runs
from explorer.backends.protocol.values import Numbers
from explorer.core.jobs import CancelToken, Report
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.index.guard import Guard
from explorer.index.lcp import Neighbors
from explorer.index.shard import MappedShard

# Tokens that are compared at once, at first; each further comparison takes twice as many.
_COMPARED = 64


def find_repeats(
    shards: ShardSet, prefixes: ShardPrefixes, least: int, report: Report, cancel: CancelToken | None
) -> Iterator[RepeatPiece]:
    """Answer `ListQuestions.repeats`.

    prefixes: What their suffixes share.
    least: Tokens of the shortest passages.
    Raises `QueryError` if `least` is too small or too large.
    """
    if not 1 <= least <= LONGEST_SHARED:
        raise QueryError(
            mark("Repeats have at least 1 to {most:,} tokens, not {least:,}."),
            reason="bad-repeat-length",
            most=LONGEST_SHARED,
            least=least,
        )
    places = _Stored(shards, prefixes.whole_shards())
    walk = _fastsa.RepeatWalk(least)
    guard = Guard(places.shards)
    for piece in prefixes.neighbors(report, cancel):
        before = befores(places.shards, piece, least)
        with guard:
            walk.feed(
                piece.positions + places.firsts[piece.shards], piece.lengths, before, cancel.flag if cancel else None
            )
        yield places.piece(*walk.taken(), cancel)
    walk.end()
    yield places.piece(*walk.taken(), cancel)


def befores(shards: Sequence[MappedShard], piece: Neighbors, least: int) -> Numbers:
    """Read the token before each suffix that shares enough with a neighbor in the table.

    Returns: The tokens, -1 at the start of a document and where too little is shared.
    """
    enough = piece.lengths >= least
    # The last one's neighbor is in the next piece.
    wanted = np.flatnonzero(enough | np.append(enough[1:], True))
    # The first of a shard is a separator, which shares nothing.
    wanted = wanted[piece.positions[wanted] > 0]
    found = np.full(len(enough), -1, np.int64)
    for number, shard in enumerate(shards):
        here = wanted[piece.shards[wanted] == number]
        with Guard([shard]):
            found[here] = shard.tokens[piece.positions[here] - 1]
        found[here[found[here] == shard.separator]] = -1
    return found


class _Stored:
    """Places in all texts of some shards, one after the other, as they are stored."""

    def __init__(self, shards: ShardSet, stored: Sequence[MappedShard]) -> None:
        self._set = shards
        self.shards = stored
        self.firsts: Numbers = np.cumsum([0, *(shard.token_count for shard in self.shards)])

    def piece(self, found: Numbers, near: Numbers, cancel: CancelToken | None) -> RepeatPiece:
        """What the walk found, with documents and offsets."""
        lengths, counts, places, overlapping = np.ascontiguousarray(found.T)
        where = self._located(places, lengths)
        runs = self._runs(near, cancel)
        return RepeatPiece(lengths, counts, overlapping.astype(bool), where.documents, where.offsets, runs)

    def _located(self, places: Numbers, lengths: Numbers) -> Places:
        documents, offsets = np.empty_like(places), np.empty_like(places)
        which = np.searchsorted(self.firsts, places, "right") - 1
        for number in np.unique(which).tolist():
            here = which == number
            found = self._set.position_places(number, places[here] - self.firsts[number], lengths[here])
            documents[here], offsets[here] = found.documents, found.offsets
        return Places(documents, offsets)

    def _runs(self, near: Numbers, cancel: CancelToken | None) -> Runs:
        """The stretch around each pair of occurrences that overlap, each once."""
        found: list[tuple[int, int, int]] = []
        # By distance, then by place: what is within the stretch before it is the same one.
        for place, period in near[np.lexsort((near[:, 0], near[:, 1]))].tolist():
            if found and found[-1][2] == period and place + period < found[-1][1]:
                continue
            if cancel is not None:
                cancel.check()
            found.append((*self._stretch(place, period), period))
        starts, ends, periods = np.array(found, np.int64).reshape(-1, 3).T
        where = self._located(starts, ends - starts)
        return Runs(where.documents, where.offsets, where.offsets + ends - starts, periods)

    def _stretch(self, place: int, period: int) -> tuple[int, int]:
        """How far each token equals the one a period further, to both sides of a place."""
        number = int(np.searchsorted(self.firsts, place, "right")) - 1
        shard, first = self.shards[number], int(self.firsts[number])
        at = place - first
        starts, ends = shard.bounds(shard.documents_of(np.array([at])))
        with Guard([shard]):
            text = shard.tokens[int(starts[0]) : int(ends[0])]
            at -= int(starts[0])
            # The same tokens from both sides, read away from the place.
            after = _agreement(text[at:], text[at + period :])
            before = _agreement(text[:at][::-1], text[: at + period][::-1])
        start = place - before
        return start, place + after + period


def _agreement(one: NDArray[np.integer], other: NDArray[np.integer]) -> int:
    """How many tokens at the beginning of two texts are equal."""
    done, step = 0, _COMPARED
    most = min(len(one), len(other))
    while done < most:
        end = min(done + step, most)
        different = np.flatnonzero(one[done:end] != other[done:end])
        if len(different):
            return done + int(different[0])
        done, step = end, 2 * step
    return most
