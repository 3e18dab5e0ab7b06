"""How far each place of some shards repeats others: found once, and kept in the user's cache folder.

One walk over the suffix array answers every length and every rule of duplicates afterwards. Only places from which at
least `LEAST` tokens occur elsewhere are kept: in most corpora some percent.
"""

from __future__ import annotations

import logging
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.backends.places import Places
from explorer.backends.prefixes import ShardPrefixes
from explorer.backends.shard_set import ShardSet
from explorer.backends.values import LONGEST_SHARED, Numbers, RepeatProfile
from explorer.errors import QueryError
from explorer.files.paths import cache_folder
from explorer.i18n import mark
from explorer.index.guard import Guard
from explorer.index.key_samples import index_fingerprint, keep
from explorer.index.lcp import SMALLEST, Neighbors
from explorer.index.shard import MappedShard
from explorer.jobs import CancelToken, Report

_LOG = logging.getLogger("explorer.index")
LEAST = 16
"""Tokens of the shortest matches of a profile that is kept: shorter ones are everywhere."""
# The first number of a file; another layout gets another one.
_KIND = 0x314C46505552
_HEAD = 5
_ROW = 3 * 8 + 2 * 2
_NOWHERE = -1


class ShardProfiles:
    """The repeat profile of some shards."""

    def __init__(self, shards: ShardSet, prefixes: ShardPrefixes) -> None:
        self._shards = shards
        self._prefixes = prefixes
        # One at a time: threads that make the same one at once make equal ones.
        self._made: RepeatProfile | None = None

    def of(self, least: int, report: Report, cancel: CancelToken | None) -> RepeatProfile:
        """Answer `ListQuestions.repeat_profile`.

        Parameters
        ----------
        least
            Tokens of the shortest matches that are asked about.
        report
            Called with the progress.
        cancel
            Stops the work.
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
        # What is longer is among what is kept.
        if self._made is None or self._made.least > wanted:
            path = cache_folder() / f"{index_fingerprint(shards)}.repeats"
            is_kept = wanted == LEAST and self._shards.token_count >= SMALLEST
            made = _load(path, shards[0].reversed_text) if is_kept else None
            if made is None:
                made = self._make(shards, wanted, report, cancel)
                if is_kept:
                    keep(path, _pieces(made))
            self._made = made
        return self._made

    def _make(self, shards: list[MappedShard], least: int, report: Report, cancel: CancelToken | None) -> RepeatProfile:
        firsts = np.cumsum([0, *(shard.token_count for shard in shards)])
        walk = _fastsa.ProfileWalk(least)
        guard = Guard(shards)
        found = []
        for piece in self._prefixes.neighbors(report, cancel):
            places = _reading_places(shards, firsts, piece)
            with guard:
                walk.feed(places, piece.lengths, cancel.flag if cancel else None)
            found.append(_packed(walk.taken()))
        walk.end()
        found.append(_packed(walk.taken()))
        places, elsewhere, earlier, sources = (np.concatenate(column) for column in zip(*found, strict=True))
        del found
        order = np.argsort(places)
        places, elsewhere, earlier, sources = places[order], elsewhere[order], earlier[order], sources[order]
        # What shares that much with a place is itself in the list.
        rows = np.where(earlier >= least, np.searchsorted(places, sources), _NOWHERE)
        spectrum = walk.spectrum
        # A separator is a suffix of the table, but not a token of a document.
        spectrum[:, 0] -= sum(shard.document_count for shard in shards)
        where = self._located(firsts, places)
        to_left = shards[0].reversed_text
        return RepeatProfile(where.documents, where.offsets, elsewhere, earlier, rows, to_left, least, spectrum)

    def _located(self, firsts: Numbers, places: Numbers) -> Places:
        """Documents and offsets of places, which ascend."""
        borders = np.searchsorted(places, firsts)
        parts = []
        for number, (shard, first) in enumerate(self._shards.with_first()):
            positions = places[borders[number] : borders[number + 1]] - firsts[number]
            documents = shard.documents_of(positions)
            starts, _ = shard.bounds(documents)
            parts.append(Places(documents + first, positions - starts))
        return Places.join(parts)


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


def _packed(rows: Numbers) -> tuple[Numbers, NDArray[np.uint16], NDArray[np.uint16], Numbers]:
    """The columns of rows: places, lengths elsewhere and earlier, and sources."""
    short = rows[:, 1:3].astype(np.uint16)
    return rows[:, 0].copy(), short[:, 0].copy(), short[:, 1].copy(), rows[:, 3].copy()


def _pieces(made: RepeatProfile) -> list[NDArray[np.generic]]:
    """The file: a head, then each column, as this machine stores them."""
    columns: list[NDArray[np.generic]] = [
        made.spectrum,
        made.documents,
        made.offsets,
        made.sources,
        made.elsewhere,
        made.earlier,
    ]
    head = np.array([_KIND, len(made.documents), made.least, int(made.to_left), _checksum(columns)], np.int64)
    return [head, *columns]


def _checksum(columns: list[NDArray[np.generic]]) -> int:
    checksum = 0
    for column in columns:
        checksum = zlib.crc32(np.ascontiguousarray(column).view(np.uint8).reshape(-1).data, checksum)
    return checksum


def _load(path: Path, to_left: bool) -> RepeatProfile | None:
    """The profile of the cache if it is there and whole."""
    try:
        data = np.fromfile(path, dtype=np.uint8)
    except OSError:
        return None
    spectrum = 2 * (LONGEST_SHARED + 1)
    first = 8 * (_HEAD + spectrum)
    size = (len(data) - first) // _ROW
    if len(data) < first or len(data) != first + size * _ROW:
        return None
    head = data[: 8 * _HEAD].view(np.int64).tolist()
    counts = data[8 * _HEAD : first].view(np.int64).reshape(2, -1)
    numbers = data[first : first + 24 * size].view(np.int64).reshape(3, size)
    short = data[first + 24 * size :].view(np.uint16).reshape(2, size)
    columns = [counts, *numbers, *short]
    if head != [_KIND, size, LEAST, int(to_left), _checksum(columns)]:
        _LOG.warning("%s is damaged and is made again", path)
        return None
    return RepeatProfile(numbers[0], numbers[1], short[0], short[1], numbers[2], to_left, LEAST, counts)
