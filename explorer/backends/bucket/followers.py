"""What follows an n-gram in tables elsewhere: by the borders between tokens, or by looking at each occurrence."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.bucket.search import PROBES, Search, out_of_order
from explorer.backends.bucket.shards import FarShards, Numbers
from explorer.backends.defaults.ranked import Rank, Span, ranks_of
from explorer.backends.local.counting import added_up
from explorer.backends.protocol.protocol import NextTokens
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError
from explorer.i18n import tr

MOST_LOOKS = 1000
"""Most occurrences that are looked at for an exact answer."""
MOST_SAMPLED = 256
"""Most occurrences that an estimate is from."""
_NOTHING = -1
"""In place of a token: the text ends."""


class FarFollowers:
    """Reads what follows."""

    def __init__(self, shards: FarShards, search: Search) -> None:
        self._shards, self._search = shards, search

    @property
    def why_not(self) -> str:
        """Why what follows is not always exact."""
        return tr(
            "What follows cannot be counted exactly here: more than {most:,} places on {host} would have to be read.",
            host=self._shards.blocks.files.host,
            most=MOST_LOOKS,
        )

    def next_tokens(
        self, ids: Numbers, spans: Sequence[Span], limit: int | None, cancel: CancelToken | None
    ) -> NextTokens:
        """Count the tokens after an n-gram.

        limit: Occurrences to look at; None for an exact answer.
        Raises `CapabilityError` if an exact answer was asked for, and too much would have to be read.
        """
        count = sum(last - first for first, last in spans)
        if limit is not None and count > limit:
            tokens = self._sampled(spans, len(ids), min(limit, MOST_SAMPLED), cancel)
            return NextTokens(
                *added_up(tokens, np.ones_like(tokens)), count, len(ids), exact=False, sample_size=len(tokens)
            )
        if self._shards.reversed_text and len(ids):
            tokens = self._all(spans, len(ids), cancel)
            return NextTokens(*added_up(tokens, np.ones_like(tokens)), count, len(ids))
        pairs = self._by_borders(spans, len(ids), cancel)
        found = [np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True)] or [np.zeros(0, np.int64)] * 2
        return NextTokens(*added_up(found[0], found[1]), count, len(ids))

    def _sampled(self, spans: Sequence[Span], length: int, most: int, cancel: CancelToken | None) -> Numbers:
        # Ranks of neighbors have similar continuations, so an even spread is a better sample than the first ranks.
        total = sum(last - first for first, last in spans)
        ranks = ranks_of(spans, [i * total // most for i in range(most)])
        found = np.array(self.tokens_after([(rank, length) for rank in ranks], cancel), dtype=np.int64)
        # A document ends where a text does, too.
        found[found == _NOTHING] = self._shards.separator
        return found

    def _all(self, spans: Sequence[Span], length: int, cancel: CancelToken | None) -> Numbers:
        """In a reversed text what follows is stored before an occurrence, and so in no order."""
        total = sum(last - first for first, last in spans)
        if total > MOST_LOOKS:
            raise CapabilityError(self.why_not, capability="next_tokens")
        ranks = ranks_of(spans, range(total))
        found = np.array(self.tokens_after([(rank, length) for rank in ranks], cancel), dtype=np.int64)
        kept: Numbers = found[found != _NOTHING]
        return kept

    def tokens_after(self, wanted: Sequence[tuple[Rank, int]], cancel: CancelToken | None) -> list[int]:
        """Read the token after each of some occurrences.

        wanted: Shards and ranks, and the tokens of each n-gram.
        Returns: The tokens; -1 where the text ends. The empty n-gram is followed by the token at its place.
        """
        width = self._shards.token_width
        pointers = self._shards.pointers([rank for rank, _ in wanted], cancel)
        backwards = self._shards.reversed_text
        places = [
            (shard, at - width if backwards and length else at + length * (not backwards) * width, width)
            for ((shard, _), length), at in zip(wanted, pointers, strict=True)
        ]
        inside = [place for place in places if place[1] >= 0]
        data = dict(zip(inside, self._shards.texts(inside, cancel), strict=True))
        return [int.from_bytes(text, "little") if (text := data.get(place)) else _NOTHING for place in places]

    def _by_borders(self, spans: Sequence[Span], length: int, cancel: CancelToken | None) -> list[tuple[int, int]]:
        """Tokens and their counts: what follows is in order within a range, so only its borders are looked for."""
        known: dict[Rank, int] = {}

        def look(ranks: Sequence[Rank]) -> None:
            new = [rank for rank in dict.fromkeys(ranks) if rank not in known]
            if len(known) + len(new) > MOST_LOOKS:
                raise CapabilityError(self.why_not, capability="next_tokens")
            known.update(zip(new, self.tokens_after([(rank, length) for rank in new], cancel), strict=True))

        look([(shard, rank) for shard, (first, last) in enumerate(spans) if first < last for rank in (first, last - 1)])
        while gaps := _gaps(known):
            look([rank for gap in gaps for rank in _cuts(*gap, max(1, PROBES // len(gaps)))])
        return [pair for shard, span in enumerate(spans) for pair in self._runs(known, shard, span[1])]

    def _runs(self, known: dict[Rank, int], shard: int, end: int) -> list[tuple[int, int]]:
        """Tokens and counts in one shard, where every border between two tokens is known."""
        ranks = sorted(rank for number, rank in known if number == shard)
        begins = [
            rank
            for rank, before in zip(ranks, [None, *ranks], strict=False)
            if before is None or known[shard, rank] != known[shard, before]
        ]
        runs = [(known[shard, first], last - first) for first, last in zip(begins, [*begins[1:], end], strict=False)]
        if len({token for token, _ in runs}) < len(runs):
            raise out_of_order(self._shards, shard)
        return [run for run in runs if run[0] != _NOTHING]

    def alone(
        self, spans: Sequence[Sequence[Span]], contexts: Sequence[Numbers], cancel: CancelToken | None
    ) -> NDArray[np.bool_]:
        """Tell whether the same token follows every occurrence of each context.

        contexts: The contexts, in reading order.
        """
        return (
            self._alone_backwards(spans, contexts, cancel)
            if self._shards.reversed_text
            else self._alone(spans, [len(context) for context in contexts], cancel)
        )

    def _alone(
        self, spans: Sequence[Sequence[Span]], lengths: Sequence[int], cancel: CancelToken | None
    ) -> NDArray[np.bool_]:
        # Ranks are sorted by what follows. Only the lowest can lack a next token, so the second is looked at, too.
        wanted = [
            (number, (shard, rank), length)
            for number, (ranges, length) in enumerate(zip(spans, lengths, strict=True))
            for shard, (first, last) in enumerate(ranges)
            for rank in sorted({first, min(first + 1, last - 1), last - 1} if first < last else ())
        ]
        tokens = self.tokens_after([(rank, length) for _, rank, length in wanted], cancel)
        seen: list[set[int]] = [set() for _ in spans]
        for (number, _, _), token in zip(wanted, tokens, strict=True):
            seen[number].add(token)
        return np.array([len(some - {_NOTHING}) == 1 for some in seen], dtype=np.bool_)

    def _alone_backwards(
        self, spans: Sequence[Sequence[Span]], contexts: Sequence[Numbers], cancel: CancelToken | None
    ) -> NDArray[np.bool_]:
        """Take a token that follows, and see whether it follows as often as any."""
        counts = [sum(last - first for first, last in ranges) for ranges in spans]
        # Nothing follows an occurrence at the beginning of a stored text. One of two is surely followed.
        some = [
            (number, rank)
            for number, ranges in enumerate(spans)
            for rank in ranks_of(ranges, range(min(counts[number], len(ranges) + 1)))
        ]
        tokens = self.tokens_after([(rank, len(contexts[number])) for number, rank in some], cancel)
        one = {number: token for (number, _), token in zip(some, tokens, strict=True) if token != _NOTHING}
        extended = [self._shards.stored(np.append(contexts[number], token)) for number, token in one.items()]
        every = range(len(self._shards.shards))
        found = iter(self._search.find([(shard, query) for query in extended for shard in every], cancel))
        starts = self._starts(contexts, cancel)
        result = np.zeros(len(contexts), dtype=np.bool_)
        for number in one:
            with_it = sum(last - first for first, last in (next(found) for _ in every))
            result[number] = with_it == counts[number] - starts[number]
        return result

    def _starts(self, contexts: Sequence[Numbers], cancel: CancelToken | None) -> list[int]:
        """In how many shards the stored text begins with each context."""
        stored = [self._shards.stored(context) for context in contexts]
        most = max(map(len, stored), default=0)
        heads = self._shards.texts([(shard, 0, most) for shard in range(len(self._shards.shards))], cancel)
        return [sum(bool(query) and head.startswith(query) for head in heads) for query in stored]


def _gaps(known: dict[Rank, int]) -> list[tuple[int, int, int]]:
    """Ranges of a shard between two ranks that different tokens follow, with ranks in between."""
    ranks = sorted(known)
    pairs = itertools.pairwise(ranks)
    return [
        (one[0], one[1], other[1])
        for one, other in pairs
        if one[0] == other[0] and other[1] - one[1] > 1 and known[one] != known[other]
    ]


def _cuts(shard: int, first: int, last: int, most: int) -> list[Rank]:
    """Ranks between two, evenly spread."""
    inside = last - first - 1
    if inside <= most:
        return [(shard, rank) for rank in range(first + 1, last)]
    return [(shard, first + (i + 1) * (last - first) // (most + 1)) for i in range(most)]
