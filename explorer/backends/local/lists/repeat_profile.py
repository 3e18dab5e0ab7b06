"""How far each place of some shards repeats others: found once, and kept in the user's cache folder.

One walk over the suffix array answers every length and every rule of duplicates afterwards. Kept are the longest
stretches of at least `LEAST` tokens that occur twice: far fewer than there are places with such a match.
"""

from __future__ import annotations

import logging
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.backends.local.lists.prefixes import ShardPrefixes
from explorer.backends.local.lists.repeated import befores
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.protocol.list_values import LONGEST_SHARED, RepeatProfile, RepeatSpans
from explorer.backends.protocol.values import Numbers
from explorer.core.files.paths import cache_folder
from explorer.core.jobs import CancelToken, Report
from explorer.core.jobs.turns import one_at_a_time
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.index.guard import Guard
from explorer.index.key_samples import index_fingerprint, keep
from explorer.index.lcp import SMALLEST, Neighbors
from explorer.index.shard import MappedShard

_LOG = logging.getLogger("explorer.index")
LEAST = 16
"""Tokens of the shortest matches of a profile that is kept: shorter ones are everywhere."""
# The first number of a file; another layout gets another one.
_KIND = 0x324C46505552
_HEAD = 6
_AT_ONCE = 1 << 20
"""Spans that are sorted at once, at least."""


class ShardProfiles:
    """The repeat profile of some shards."""

    def __init__(self, shards: ShardSet, prefixes: ShardPrefixes) -> None:
        self._shards = shards
        self._prefixes = prefixes
        self._made: RepeatProfile | None = None
        self._by_preference: tuple[NDArray[np.bool_], RepeatProfile] | None = None

    def of(
        self, least: int, report: Report, cancel: CancelToken | None, preferred: NDArray[np.bool_] | None = None
    ) -> RepeatProfile:
        """Answer `ListQuestions.repeat_profile`.

        least: Tokens of the shortest matches that are asked about.
        preferred: Whether the document of each number comes before all that are not, in what "earlier" means.
        Raises `QueryError` if `least` is too small or too large.
        """
        if not 1 <= least <= LONGEST_SHARED:
            raise QueryError(
                mark("Repeats have at least 1 to {most:,} tokens, not {least:,}."),
                reason="bad-repeat-length",
                most=LONGEST_SHARED,
                least=least,
            )
        shards = self._prefixes.whole_shards()
        wanted = min(least, LEAST)
        if preferred is not None:
            return self._preferring(shards, wanted, report, cancel, preferred)
        if self._made is not None and self._made.least <= wanted:
            return self._made
        path = cache_folder() / f"{index_fingerprint(shards)}.repeats"
        # A thread that waited finds what the other has made.
        with one_at_a_time(path, cancel):
            # What is longer is among what is kept.
            if self._made is None or self._made.least > wanted:
                self._made = self._loaded(path, shards, wanted, report, cancel)
            return self._made

    def _preferring(
        self,
        shards: list[MappedShard],
        wanted: int,
        report: Report,
        cancel: CancelToken | None,
        preferred: NDArray[np.bool_],
    ) -> RepeatProfile:
        """The profile in another order of documents: only the last one is kept, and only in memory."""
        if self._by_preference is not None:
            known, made = self._by_preference
            if made.least <= wanted and np.array_equal(known, preferred):
                return made
        made = self._make(shards, wanted, report, cancel, preferred)
        self._by_preference = preferred, made
        return made

    def _loaded(
        self, path: Path, shards: list[MappedShard], wanted: int, report: Report, cancel: CancelToken | None
    ) -> RepeatProfile:
        is_kept = wanted == LEAST and self._shards.token_count >= SMALLEST
        made = _load(path) if is_kept else None
        if made is None:
            made = self._make(shards, wanted, report, cancel)
            if is_kept:
                keep(path, _pieces(made))
        return made

    def _make(
        self,
        shards: list[MappedShard],
        least: int,
        report: Report,
        cancel: CancelToken | None,
        preferred: NDArray[np.bool_] | None = None,
    ) -> RepeatProfile:
        ends = np.cumsum([0, *(shard.token_count for shard in shards)])
        firsts = _document_firsts(shards, ends)
        walk = _fastsa.ProfileWalk(least, shards[0].reversed_text, _by_place(preferred, firsts))
        guard, found = Guard(shards), (_Longest(), _Longest())
        for piece in self._prefixes.neighbors(report, cancel):
            places, before = _reading_places(shards, ends, piece), befores(shards, piece, least)
            with guard:
                walk.feed(places, piece.lengths, piece.rooms, before, cancel.flag if cancel else None)
            for longest, some in zip(found, walk.taken(), strict=True):
                longest.add(some)
        walk.end()
        elsewhere, earlier = (longest.spans(some) for longest, some in zip(found, walk.taken(), strict=True))
        spectrum = walk.spectrum
        # A separator is a suffix of the table, but not a token of a document.
        spectrum[:, 0] -= sum(shard.document_count for shard in shards)
        return RepeatProfile(firsts, elsewhere, earlier, least, spectrum)


class _Longest:
    """Spans as they are found: now and then, those within others are left out."""

    def __init__(self) -> None:
        self._kept = np.empty((0, 3), np.int64)
        self._new: list[Numbers] = []
        self._waiting = 0

    def add(self, some: Numbers) -> None:
        """Add spans, int64 [spans, 3]."""
        self._new.append(some)
        self._waiting += len(some)
        # A share of those that are kept: so each is sorted a few times at most, in little more memory.
        if self._waiting > max(_AT_ONCE, len(self._kept) // 4):
            self._sort()

    def spans(self, some: Numbers) -> RepeatSpans:
        """Add the last spans, and give all; nothing is left."""
        self.add(some)
        self._sort()
        return RepeatSpans(*np.ascontiguousarray(self._kept.T))

    def _sort(self) -> None:
        both = np.concatenate([self._kept, *self._new])
        # Each copy of the spans goes before the next is made.
        self._kept, self._new, self._waiting = self._kept[:0].copy(), [], 0
        both = both[np.argsort(both[:, 0], kind="stable")]
        size = _fastsa.longest_spans(both)
        self._kept = both[:size].copy()


def _document_firsts(shards: list[MappedShard], ends: Numbers) -> Numbers:
    """The place of each document's first token, and one more beyond the last."""
    found = [
        first + shard.bounds(np.arange(shard.document_count, dtype=np.int64))[0]
        for shard, first in zip(shards, ends[:-1], strict=True)
    ]
    return np.concatenate([*found, ends[-1:] + 1])


def _by_place(preferred: NDArray[np.bool_] | None, firsts: Numbers) -> NDArray[np.bool_] | None:
    """Whether the document of each place is preferred."""
    if preferred is None:
        return None
    # A separator is before its document; which of the two it belongs to makes no difference.
    return np.repeat(np.append(False, preferred), np.diff(np.concatenate([[0], firsts])))


def _reading_places(shards: list[MappedShard], firsts: Numbers, piece: Neighbors) -> Numbers:
    """Where each suffix begins in the texts of all shards: of reversed ones, the place at which it is read."""
    places = piece.positions + firsts[piece.shards]
    if not shards[0].reversed_text:
        return places
    for number, shard in enumerate(shards):
        here = np.flatnonzero(piece.shards == number)
        starts, ends = shard.bounds(shard.documents_of(piece.positions[here]))
        places[here] = firsts[number] + starts + ends - 1 - piece.positions[here]
    return places


def _pieces(made: RepeatProfile) -> list[NDArray[np.generic]]:
    """The file: a head, then each column, as this machine stores them."""
    columns: list[NDArray[np.generic]] = [made.spectrum, made.firsts]
    for spans in (made.elsewhere, made.earlier):
        columns += [spans.starts, spans.ends, spans.others]
    sizes = [len(made.firsts), len(made.elsewhere), len(made.earlier)]
    return [np.array([_KIND, made.least, *sizes, _checksum(columns)], np.int64), *columns]


def _checksum(columns: list[NDArray[np.generic]]) -> int:
    checksum = 0
    for column in columns:
        checksum = zlib.crc32(np.ascontiguousarray(column).view(np.uint8).reshape(-1).data, checksum)
    return checksum


def _load(path: Path) -> RepeatProfile | None:
    """The profile of the cache if it is there and whole."""
    try:
        size = path.stat().st_size
        data = np.fromfile(path, dtype=np.int64)
    except OSError:
        return None
    if len(data) < _HEAD or size != data.nbytes:
        return None
    kind, least, documents, elsewhere, earlier, checksum = data[:_HEAD].tolist()
    lengths = [2 * (LONGEST_SHARED + 1), documents, *3 * [elsewhere], *3 * [earlier]]
    if kind != _KIND or min(lengths) < 0 or len(data) != _HEAD + sum(lengths):
        return None
    if least != LEAST or checksum != zlib.crc32(data[_HEAD:].view(np.uint8).data):
        _LOG.warning("%s is damaged and is made again", path)
        return None
    spectrum, firsts, *columns = np.split(data[_HEAD:], np.cumsum(lengths)[:-1])
    spans = RepeatSpans(*columns[:3]), RepeatSpans(*columns[3:])
    return RepeatProfile(firsts, *spans, LEAST, spectrum.reshape(2, -1))
