"""All n-grams of some shards, counted in one walk over their suffix arrays.

Nothing is sorted or hashed: the suffixes that begin with an n-gram are neighbors. Of one shard, what neighbors share
is found once and kept (`explorer.index.lcp`), and the text need not be read again. Shards that are subtracted take part
in the walk with the sign -1, so counts and numbers of documents are exact without their documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import _fastsa
from explorer.backends.local.lists.prefixes import ShardPrefixes
from explorer.backends.local.lists.repeat_profile import ShardProfiles
from explorer.backends.local.lists.repeated import find_repeats
from explorer.backends.local.shard_set import ShardSet
from explorer.backends.longest import find_in_text
from explorer.backends.protocol.list_values import (
    GrowthRule,
    NgramGrowth,
    NgramList,
    NgramRows,
    NgramRule,
    RepeatPiece,
    RepeatProfile,
)
from explorer.backends.protocol.values import Numbers
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import CapabilityError, QueryError
from explorer.i18n import mark, tr
from explorer.index.guard import Guard
from explorer.index.lcp import is_unasked
from explorer.index.shard import MappedShard

# Ranks between two looks at the progress: a few hundredths of a second.
_RANKS = 1 << 19
# Rows whose text is gathered, or whose documents are counted, at once.
_ROWS = 1 << 16
_MOST_ROWS = 1 << 25
"""Rows of one answer: about two gigabytes."""
# Rows that a walk keeps at first, where some are left out afterwards, and by how much more it keeps the next time.
_DEEP = 1 << 16
_DEEPER = 16
_ANY_COUNT = (1 << 63) - 1
_Found = tuple[Numbers, Numbers, Numbers]
_Walk = _fastsa.NgramWalk | _fastsa.LcpWalk


class ShardLists:
    """Answers `explorer.backends.protocol.list_questions.ListQuestions` for some shards."""

    def __init__(self, shards: ShardSet) -> None:
        self._shards = shards
        self._prefixes = ShardPrefixes(shards)
        self._profiles = ShardProfiles(shards, self._prefixes)

    def ngrams(
        self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
    ) -> tuple[NgramList, ...]:
        """Count every n-gram, and list some."""
        top = _limits(rule)[0]
        while (found := self._lists(rule, top, report, cancel)) is None:
            # Most of these rows have a token that is left out.
            top = top * _DEEPER if top * _DEEPER <= _MOST_ROWS else 0
        return found

    def _lists(
        self, rule: NgramRule, top: int, report: Report, cancel: CancelToken | None
    ) -> tuple[NgramList, ...] | None:
        """The lists by a walk that keeps `top` rows, 0 for all; None if too few of these have no token of `stop`."""
        # Counts come from one walk; all that is done afterwards concerns the rows only.
        walk = self._any_walk(rule, top, report, cancel)
        found: dict[int, list[_Found]] = {n: [] for n in range(rule.min_n, rule.max_n + 1)}
        for _ in self._advanced(walk, report, cancel):
            _check_size(walk.waiting + sum(len(piece[0]) for pieces in found.values() for piece in pieces))
            # The most frequent are known at the end. All rows are taken as they come: at once, it would take a second
            # that nobody could cancel.
            for n, pieces in found.items():
                if not top or walk.done == walk.total:
                    pieces.append(walk.rows(n))
        totals, spectrum = walk.totals, walk.spectrum
        lists: list[NgramList] = []
        for n in range(rule.min_n, rule.max_n + 1):
            # What was found of one n is dropped when it has been read.
            rows = _joined(found.pop(n))
            each = self._listed(n, int(totals[n - 1]), spectrum[n - 1], rows, rule, report, cancel)
            if rule.stop and 0 < top <= len(rows[0]) and len(each.ids) < (rule.top or 0):
                return None
            lists.append(each)
        return tuple(lists)

    def ngram_rows(
        self, rule: NgramRule, report: Report = no_report, cancel: CancelToken | None = None
    ) -> Iterator[NgramRows]:
        """List all n-grams of one n, some at a time."""
        walk = self._any_walk(rule, 0, report, cancel)
        pieces: list[_Found] = []
        waiting = 0
        for _ in self._advanced(walk, report, cancel):
            waiting += walk.waiting
            pieces.append(walk.rows(rule.max_n))
            # A cost per question besides that per row.
            if waiting >= _ROWS or walk.done == walk.total:
                yield from self._rows(rule.max_n, _joined(pieces), rule, cancel)
                pieces, waiting = [], 0

    def shared_prefixes(self, report: Report = no_report, cancel: CancelToken | None = None) -> Numbers:
        """Count how many tokens neighbors share in the order of all suffixes."""
        return self._prefixes.shared(report, cancel)

    def growth(self, rule: GrowthRule, report: Report = no_report, cancel: CancelToken | None = None) -> NgramGrowth:
        """Count the distinct n-grams of growing parts of the corpus."""
        return self._prefixes.growth(rule, report, cancel)

    def repeats(
        self, least: int, report: Report = no_report, cancel: CancelToken | None = None
    ) -> Iterator[RepeatPiece]:
        """Find every passage that occurs twice or more and cannot be made longer."""
        return find_repeats(self._shards, self._prefixes, least, report, cancel)

    def repeat_profile(
        self,
        least: int,
        report: Report = no_report,
        cancel: CancelToken | None = None,
        preferred: NDArray[np.bool_] | None = None,
    ) -> RepeatProfile:
        """Find the longest stretches that occur elsewhere, and the longest that begin earlier as well."""
        return self._profiles.of(least, report, cancel, preferred)

    def _rows(self, n: int, found: _Found, rule: NgramRule, cancel: CancelToken | None) -> Iterator[NgramRows]:
        for part in _parts(len(found[0]), cancel):
            yield NgramRows(*self._kept(n, _cut(found, part), replace(rule, top=None), no_report, cancel))

    def _any_walk(self, rule: NgramRule, top: int, report: Report, cancel: CancelToken | None) -> _Walk:
        if rule.max_n > _fastsa.LONGEST_NGRAM:
            raise QueryError(
                mark("N-grams have 1 to {most} tokens here, not {n}."),
                reason="ngram-too-long",
                most=_fastsa.LONGEST_NGRAM,
                n=rule.max_n,
            )
        return self._lcp_walk(rule, top, report, cancel) or self._walk(rule, top)

    def _lcp_walk(
        self, rule: NgramRule, top: int, report: Report, cancel: CancelToken | None
    ) -> _fastsa.LcpWalk | None:
        """A walk that reads no text; None if there must be one that does."""
        shard, sign = self._shards.counted[0]
        # What n-grams contain is in the text, and only the text puts the suffixes of several shards into one order.
        if rule.begins or rule.contains or len(self._shards.counted) > 1 or sign < 0 or not is_unasked(shard):
            return None
        least = _limits(rule)[1]
        lcp = self._prefixes.of(0, report, cancel)
        return _fastsa.LcpWalk(shard.engine, lcp.lengths, lcp.rooms, rule.min_n, rule.max_n, top, least, _ANY_COUNT)

    def _walk(self, rule: NgramRule, top: int) -> _fastsa.NgramWalk:
        # With subtracted shards: their suffixes count less than nothing.
        counted = self._shards.counted
        first = counted[0][0]
        if any(shard.reversed_text != first.reversed_text for shard, _ in counted):
            raise CapabilityError(
                tr("N-grams of indexes that are stored in different directions cannot be listed together."),
                capability="lists",
            )
        # The engine merges suffixes as they are stored, so one order must hold for all.
        ranges = [_range(shard, rule) for shard, _ in counted]
        needle = np.array(rule.begins or rule.contains, dtype=np.int64)
        # What an n-gram begins with is at its end where texts are stored backwards.
        anchor = 0 if not rule.begins else 2 if first.reversed_text else 1
        return _fastsa.NgramWalk(
            [shard.engine for shard, _ in counted],
            np.array([sign for _, sign in counted], dtype=np.int64),
            np.array([each[0] for each in ranges], dtype=np.int64),
            np.array([each[1] for each in ranges], dtype=np.int64),
            self._shards.separator,
            rule.min_n,
            rule.max_n,
            top,
            _limits(rule)[1],
            first.query_bytes(needle),
            anchor,
        )

    def _advanced(self, walk: _Walk, report: Report, cancel: CancelToken | None) -> Iterator[None]:
        """Walk to the end; yields after each step."""
        guard = Guard([shard for shard, _ in self._shards.counted])
        # At least once: the end of a walk closes its groups, also that of an empty one.
        while True:
            report(Progress("Counting n-grams", walk.done, walk.total, "tokens"))
            with guard:
                walk.advance(_RANKS, cancel.flag if cancel else None)
            yield
            if walk.done == walk.total:
                return

    def _listed(
        self, n: int, total: int, spectrum: Numbers, found: _Found, rule: NgramRule, report: Report,
        cancel: CancelToken | None,
    ) -> NgramList:  # fmt: skip
        return NgramList(n, total, spectrum, *self._kept(n, found, rule, report, cancel))

    def _kept(
        self, n: int, found: _Found, rule: NgramRule, report: Report, cancel: CancelToken | None
    ) -> tuple[NDArray[np.uint32], Numbers, Numbers | None]:
        """The ids, counts and documents of the rows that are in enough documents."""
        counts = found[0]
        ids = self._tokens(n, found, cancel)
        if rule.stop:
            kept = np.flatnonzero(~np.isin(ids, list(rule.stop)).any(axis=1))
            if rule.min_documents == 1:
                kept = _first(kept, counts, rule.top)
            ids, counts = ids[kept], counts[kept]
        # A cost per occurrence, which whoever needs counts only does not pay.
        documents = None
        if rule.documents or rule.min_documents > 1:
            documents = self._documents(ids, report, cancel)
            if rule.min_documents > 1:
                kept = _first(np.flatnonzero(documents >= rule.min_documents), counts, rule.top)
                ids, counts, documents = ids[kept], counts[kept], documents[kept]
        return ids, counts, documents

    def _tokens(self, n: int, found: _Found, cancel: CancelToken | None) -> NDArray[np.uint32]:
        """The n-grams that begin at the stored positions, in reading order."""
        counts, positions, which = found
        ids = np.empty((len(counts), n), dtype=np.uint32)
        for part in _parts(len(counts), cancel):
            here = which[part]
            for number in np.unique(here).tolist() if len(self._shards.counted) > 1 else [0]:
                shard: MappedShard = self._shards.counted[number][0]
                rows = np.flatnonzero(here == number) if len(self._shards.counted) > 1 else slice(None)
                with Guard([shard]):
                    ids[part][rows] = _runs(shard, positions[part][rows], n)
        return ids[:, ::-1] if self._shards.counted[0][0].reversed_text else ids

    def _documents(self, ids: NDArray[np.uint32], report: Report, cancel: CancelToken | None) -> Numbers:
        """How many documents each n-gram is in."""
        # Sums over shards: no document is in two of them.
        documents = np.zeros(len(ids), dtype=np.int64)
        n = ids.shape[1]
        for shard, sign in self._shards.counted:
            for part in _parts(len(ids), cancel):
                report(Progress("Counting documents", part.start, len(ids), "n-grams"))
                # One text of all n-grams, since the engine finds parts of a text.
                text = ids[part].astype(np.int64).reshape(-1)
                starts = np.arange(0, len(text), n, dtype=np.int64)
                first, last = find_in_text(shard, text, starts, starts + n, cancel)
                with shard.guarded() as engine:
                    documents[part] += sign * _fastsa.document_counts(
                        engine, shard.offsets, first, last, cancel.flag if cancel else None
                    )
        return documents


def _runs(shard: MappedShard, positions: Numbers, n: int) -> NDArray[Any]:
    """The n tokens from each position on, as they are stored."""
    # Each run as one value, so that it is copied as a whole.
    width = shard.tokens.itemsize
    runs = np.ndarray((shard.token_count - n + 1,), np.dtype(f"V{n * width}"), shard.tokens, strides=(width,))
    return runs[positions].view(shard.tokens.dtype).reshape(len(positions), n)


def _check_size(rows: int) -> None:
    # While they are found: afterwards, the memory would be gone.
    if rows > _MOST_ROWS:
        raise QueryError(
            mark("There are more than {most:,} such n-grams. Raise the least count, or list the most frequent."),
            reason="too-many-ngrams",
            most=_MOST_ROWS,
        )


def _joined(pieces: Sequence[_Found]) -> _Found:
    counts, positions, which = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return counts, positions, which


def _cut(found: _Found, part: slice) -> _Found:
    return found[0][part], found[1][part], found[2][part]


def _parts(rows: int, cancel: CancelToken | None) -> Iterator[slice]:
    for start in range(0, rows, _ROWS):
        if cancel is not None:
            cancel.check()
        yield slice(start, min(start + _ROWS, rows))


def _first(rows: Numbers, counts: Numbers, top: int | None) -> Numbers:
    """The most frequent of some rows; all of them, as they are, if `top` is None."""
    # Stable: of equal counts, the first in the order of the table.
    return rows if top is None else rows[np.argsort(-counts[rows], kind="stable")][:top]


def _limits(rule: NgramRule) -> tuple[int, int]:
    """How many rows a walk keeps, 0 for all, and their least count."""
    least = max(rule.min_count, rule.min_documents)
    # Which n-grams are in enough documents is known after the walk.
    if rule.top is None or rule.min_documents > 1:
        return 0, least
    if not rule.stop:
        return rule.top, least
    # Each token that is left out takes one row of single tokens, but any number of longer ones.
    return rule.top + len(rule.stop) if rule.max_n == 1 else max(rule.top * _DEEPER, _DEEP), least


def _range(shard: MappedShard, rule: NgramRule) -> tuple[int, int]:
    """The ranks of the walk: fewer where the beginning is known, which is stored first."""
    if rule.begins and not shard.reversed_text:
        return shard.find(np.array(rule.begins, dtype=np.int64))
    return 0, shard.token_count
