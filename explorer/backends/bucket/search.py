"""Searches in tables elsewhere, many at once and in rounds: entries of the table, then the text that they point to.

A search for one n-gram looks at 32 suffixes in each round, so it ends after a few; a thousand searches look at one
each, so that they need few requests. Each search has two borders: the first suffix that begins with the n-gram, and the
first one after those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from explorer.backends.bucket.keys import KEY
from explorer.backends.bucket.shards import FarShards
from explorer.backends.defaults.ranked import Rank, Span
from explorer.core.jobs import CancelToken
from explorer.errors import DamagedIndexError
from explorer.i18n import mark

PROBES = 32
"""Suffixes that a round looks at, if there are not more searches than that."""
_WINDOW = 1024
"""Entries that are read together, once the border is among them: then only text is left to be read."""
_LOOK = 64
"""Bytes of text of each suffix that are compared, unless the query is longer."""


@dataclass(eq=False)
class _Border:
    """A border that is searched for: it is after rank `low`, and not after rank `high`."""

    shard: int
    query: bytes
    is_second: bool
    low: int
    high: int
    proven: set[int] = field(default_factory=set)

    @property
    def is_open(self) -> bool:
        return self.high - self.low > 1 or not {self.low, self.high} <= self.proven

    def wants(self, most: int) -> list[int]:
        """Ranks to look at, ascending; both ends if they are not proven."""
        inside = self.high - self.low - 1
        some = min(inside, most)
        if inside <= most:
            ranks = [*range(self.low + 1, self.high)]
        else:
            ranks = [self.low + (i + 1) * (self.high - self.low) // (some + 1) for i in range(some)]
        ends = [end for end in (self.low, self.high) if end not in self.proven]
        return sorted({*ranks, *ends})

    def is_before(self, text: bytes) -> bool:
        """Whether a suffix is before the border."""
        head = text[: len(self.query)]
        return head < self.query or (self.is_second and head == self.query)


class Search:
    """Finds n-grams in the tables of shards.

    keys_fit: Whether all keys that were used are those of their table. Answers are right in any case.
    """

    def __init__(self, shards: FarShards) -> None:
        self._shards = shards
        self.keys_fit = True

    def find(
        self, queries: Sequence[tuple[int, bytes]], cancel: CancelToken | None = None, within: Sequence[Span] = ()
    ) -> list[Span]:
        """Find the ranks of many n-grams.

        within: Ranks (first, one past the last) in which each n-gram is, as those of its first tokens; () for all.
        Returns: The first rank and the one past the last; both are the place of the n-gram in the order if it does not
            occur.
        Raises `DamagedIndexError` if an entry does not point to a token, or the table is not in order.
        Raises `RemoteError` if something cannot be read.
        """
        every: dict[tuple[int, bytes], Span] = {}
        spans = dict(zip(queries, within, strict=True)) if within else {}
        # The empty n-gram has all ranks.
        different = [*dict.fromkeys(query for query in queries if query[1])]
        borders = [
            _Border(shard, query, is_second, *self._outer(shard, spans.get((shard, query))))
            for shard, query in different
            for is_second in (False, True)
        ]
        for border in borders:
            border.proven = {border.low, border.high}
        if not within:
            self._narrow(borders, cancel)
        while active := [border for border in borders if border.is_open]:
            self._round(active, cancel)
        for (shard, query), first, second in zip(different, borders[::2], borders[1::2], strict=True):
            every[shard, query] = (first.high, second.high)
        return [every[query] if query[1] else (0, self._count(query[0])) for query in queries]

    def _count(self, shard: int) -> int:
        return self._shards.shards[shard].token_count

    def _outer(self, shard: int, span: Span | None) -> Span:
        """Ranks that are before and after every border. None of a smaller n-gram's ranks is outside of its own."""
        return (-1, self._count(shard)) if span is None else (span[0] - 1, span[1])

    def _narrow(self, borders: Sequence[_Border], cancel: CancelToken | None) -> None:
        """Begin where the keys tell."""
        pairs = []
        for first, second in zip(borders[::2], borders[1::2], strict=True):
            keys = self._shards.shards[first.shard].keys
            if keys is not None:
                pairs.append((first, second, keys))
        parts = [part for first, _, keys in pairs for part in keys.parts(first.query)]
        data = self._shards.blocks.read(parts, cancel)
        for (first, second, keys), left, right in zip(pairs, data[::2], data[1::2], strict=True):
            for border, found in zip((first, second), keys.ranges(first.query, (left, right)), strict=True):
                border.low, border.high = found.low, found.high

    def _round(self, active: Sequence[_Border], cancel: CancelToken | None) -> None:
        # Borders in the same range look at the same suffixes.
        ranges = {(border.shard, border.low, border.high) for border in active}
        most = max(1, PROBES // len(ranges))
        wanted = [border.wants(most) for border in active]
        sizes: dict[Rank, int] = {}
        for border, ranks in zip(active, wanted, strict=True):
            for rank in ranks:
                at = (border.shard, rank)
                sizes[at] = max(sizes.get(at, _LOOK), len(border.query))
        self._read_windows(active, cancel)
        pointers = self._shards.pointers([*sizes], cancel)
        places = [(shard, at, size) for ((shard, _), size), at in zip(sizes.items(), pointers, strict=True)]
        texts = dict(zip(sizes, self._shards.texts(places, cancel), strict=True))
        for border, ranks in zip(active, wanted, strict=True):
            before = [border.is_before(texts[border.shard, rank]) for rank in ranks]
            if not self._settle(border, ranks, before):
                ends = [texts[border.shard, end] for end in (border.low, border.high) if end not in border.proven]
                self._forget_keys(border, min(map(len, ends)) < KEY)

    def _read_windows(self, active: Sequence[_Border], cancel: CancelToken | None) -> None:
        """All entries of narrow ranges, together with those that are looked at now."""
        near = [border for border in active if border.high - border.low <= _WINDOW]
        if near and len(near) == len(active):
            shards = self._shards
            parts = [
                shards.entries_part(
                    shards.shards[border.shard], max(0, border.low), min(border.high + 1, self._count(border.shard))
                )
                for border in near
            ]
            shards.blocks.read(parts, cancel)

    def _settle(self, border: _Border, ranks: list[int], before: list[bool]) -> bool:
        """Bring the ends of a border together; False if those that the keys gave are wrong."""
        inside = sum(before)
        in_order = before == [True] * inside + [False] * (len(before) - inside)
        is_wrong_end = (inside == 0 and ranks[0] <= border.low) or (inside == len(ranks) and ranks[-1] >= border.high)
        if not in_order or is_wrong_end:
            # Either the table is not in order, or the keys are not of this table. A search without them shows which.
            if {border.low, border.high} <= border.proven:
                raise out_of_order(self._shards, border.shard)
            return False
        border.proven.update(ranks)
        border.low = ranks[inside - 1] if inside else border.low
        border.high = ranks[inside] if inside < len(ranks) else border.high
        return True

    def _forget_keys(self, border: _Border, is_short: bool) -> None:
        """Search this border in all ranks."""
        # The last suffixes of a text are shorter than a key, which cannot be told from zeros: the keys are right.
        self.keys_fit = self.keys_fit and is_short
        border.low, border.high = -1, self._count(border.shard)
        border.proven = {border.low, border.high}


def out_of_order(shards: FarShards, number: int) -> DamagedIndexError:
    """Make the error for a table that is not in order."""
    return DamagedIndexError(
        mark("{path} is not in order, so the index cannot be searched."),
        reason="table-out-of-order",
        path=shards.path(shards.shards[number], "table"),
    )
