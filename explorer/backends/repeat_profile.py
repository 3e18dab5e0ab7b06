"""How far each place of some shards repeats others: found once, and kept in the user's cache folder.

One walk over the suffix array answers every length and every rule of duplicates afterwards. Only places from which at
least `LEAST` tokens occur elsewhere are kept: in most corpora some percent.
"""

from __future__ import annotations

import logging
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

import _fastsa
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
from explorer.jobs.turns import one_at_a_time

_LOG = logging.getLogger("explorer.index")
LEAST = 16
"""Tokens of the shortest matches of a profile that is kept: shorter ones are everywhere."""
# The first number of a file; another layout gets another one.
_KIND = 0x314C46505552
_HEAD = 5
_ROW = 3 * 8 + 2 * 2
_NOWHERE = -1
_ONES = np.array([number.bit_count() for number in range(256)], dtype=np.uint8)
"""How many bits of each byte are set."""


class ShardProfiles:
    """The repeat profile of some shards."""

    def __init__(self, shards: ShardSet, prefixes: ShardPrefixes) -> None:
        self._shards = shards
        self._prefixes = prefixes
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
        if self._made is not None and self._made.least <= wanted:
            return self._made
        path = cache_folder() / f"{index_fingerprint(shards)}.repeats"
        # A thread that waited finds what the other has made.
        with one_at_a_time(path, cancel):
            # What is longer is among what is kept.
            if self._made is None or self._made.least > wanted:
                self._made = self._loaded(path, shards, wanted, report, cancel)
            return self._made

    def _loaded(
        self, path: Path, shards: list[MappedShard], wanted: int, report: Report, cancel: CancelToken | None
    ) -> RepeatProfile:
        is_kept = wanted == LEAST and self._shards.token_count >= SMALLEST
        made = _load(path, shards[0].reversed_text) if is_kept else None
        if made is None:
            made = self._make(shards, wanted, report, cancel)
            if is_kept:
                keep(path, _pieces(made))
        return made

    def _make(self, shards: list[MappedShard], least: int, report: Report, cancel: CancelToken | None) -> RepeatProfile:
        firsts = np.cumsum([0, *(shard.token_count for shard in shards)])
        walk = _fastsa.ProfileWalk(least)
        guard = Guard(shards)
        is_row = np.zeros(int(firsts[-1]), dtype=np.bool_)
        found: list[_Rows] = []
        for piece in self._prefixes.neighbors(report, cancel):
            places = _reading_places(shards, firsts, piece)
            with guard:
                walk.feed(places, piece.lengths, cancel.flag if cancel else None)
            found.append(_Rows.of(walk.taken(), is_row))
        walk.end()
        found.append(_Rows.of(walk.taken(), is_row))
        # First what uses up the rows as they were found: they take more room than all that is made of them.
        columns = _in_text_order(found, _Ranks(is_row), least, cancel or CancelToken())
        documents, offsets = self._located(firsts, is_row, len(columns[0]))
        spectrum = walk.spectrum
        # A separator is a suffix of the table, but not a token of a document.
        spectrum[:, 0] -= sum(shard.document_count for shard in shards)
        return RepeatProfile(documents, offsets, *columns, shards[0].reversed_text, least, spectrum)

    def _located(self, firsts: Numbers, is_row: NDArray[np.bool_], total: int) -> tuple[Numbers, Numbers]:
        """Documents and offsets of the places that are rows, in the order of the text."""
        documents, offsets = np.empty(total, np.int64), np.empty(total, np.int64)
        done = 0
        for (shard, first), begin, end in zip(self._shards.with_first(), firsts[:-1], firsts[1:], strict=True):
            places = np.flatnonzero(is_row[begin:end])
            starts, ends = shard.bounds(np.arange(shard.document_count, dtype=np.int64))
            # How many each document has is one search per document, and not one per place.
            counts = np.searchsorted(places, ends) - np.searchsorted(places, starts)
            part = slice(done, done + len(places))
            offsets[part] = places
            done += len(places)
            del places
            offsets[part] -= np.repeat(starts, counts)
            documents[part] = np.repeat(np.arange(first, first + len(counts), dtype=np.int64), counts)
        return documents, offsets


@dataclass(frozen=True, eq=False)
class _Rows:
    """Some rows as the walk finds them: in the order of the table."""

    places: Numbers
    elsewhere: NDArray[np.uint16]
    earlier: NDArray[np.uint16]
    sources: Numbers

    @classmethod
    def of(cls, taken: Numbers, is_row: NDArray[np.bool_]) -> Self:
        """Pack what the engine found, and mark its places."""
        short = taken[:, 1:3].astype(np.uint16)
        is_row[taken[:, 0]] = True
        return cls(taken[:, 0].copy(), short[:, 0].copy(), short[:, 1].copy(), taken[:, 3].copy())


class _Ranks:
    """How many places that are rows lie before one, in five bits per token of the text.

    Sorting the rows and searching among them would take several times as long, and half as much memory again.
    """

    def __init__(self, is_row: NDArray[np.bool_]) -> None:
        self._bits = np.packbits(is_row, bitorder="little")
        self._before = np.zeros(len(self._bits) + 1, dtype=np.int64 if len(is_row) >= 1 << 31 else np.int32)
        np.cumsum(_ONES[self._bits], out=self._before[1:], dtype=self._before.dtype)
        self.total = int(self._before[-1])

    def of(self, places: Numbers) -> Numbers:
        """The rank of each place, int64."""
        group = places >> 3
        below = self._bits[group] & ((1 << (places & 7)) - 1).astype(np.uint8)
        found: Numbers = self._before[group].astype(np.int64) + _ONES[below]
        return found


def _in_text_order(
    found: list[_Rows], ranks: _Ranks, least: int, cancel: CancelToken
) -> tuple[NDArray[np.uint16], NDArray[np.uint16], Numbers]:
    """Lengths elsewhere, earlier ones and the rows of these, in the order of the text; `found` is used up."""
    elsewhere, earlier = (np.empty(ranks.total, dtype=np.uint16) for _ in range(2))
    sources = np.full(ranks.total, _NOWHERE, dtype=np.int64)
    while found:
        cancel.check()
        some = found.pop()
        rows = ranks.of(some.places)
        elsewhere[rows], earlier[rows] = some.elsewhere, some.earlier
        # What shares that much with a place is itself a row.
        known = some.earlier >= least
        sources[rows[known]] = ranks.of(some.sources[known])
    return elsewhere, earlier, sources


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
