"""Counts of n-grams over all shards of an index, less what is subtracted, and what follows n-grams.

Every count is the sum over the shards, to which `_settled` adds what sums do not show: n-grams with a separator, where
documents are subtracted. `find` and `count_many` compute it in this way; `count` asks the engine's searcher, which sums
in one call from Python, wherever nothing has to be added.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

import _fastsa
from explorer.backends.defaults.hints import hints_by_counts
from explorer.backends.defaults.ids import checked_ids
from explorer.backends.defaults.levels import greedy_by_counts, levels_by_counts
from explorer.backends.local.followed import Follower
from explorer.backends.local.follower_table import FollowerTable
from explorer.backends.local.followers import followers
from explorer.backends.local.shard_set import Range, ShardSet
from explorer.backends.local.subtracting.subtract import Ends, joined_places, joins_documents
from explorer.backends.longest import count_in_text, longest_matches
from explorer.backends.places import Places
from explorer.backends.protocol.protocol import Followed, HintArrays, HintRule, Ids, Level, Matches, NextTokens, Numbers
from explorer.core.jobs import CancelToken
from explorer.index.guard import Guard


@dataclass(frozen=True)
class ShardMatches(Matches):
    """Occurrences of an n-gram in shards.

    ranges: Ranks (first, one past the last) per shard. If documents are subtracted, they include their occurrences;
        `count` does not.
    adjusting: Ranks in the shards that are subtracted or added back.
    """

    ranges: tuple[Range, ...] = ()
    adjusting: tuple[Range, ...] = ()


class ShardCounts:
    """Counts of n-grams in some shards; the questions of `explorer.backends.protocol.protocol.Backend`."""

    asks_elsewhere = False

    def __init__(self, shards: ShardSet) -> None:
        self._shards = shards
        self._separator = shards.separator
        subtraction = shards.subtraction
        added = [shard for shard, sign in shards.counted if sign > 0]
        subtracted = [shard for shard, sign in shards.counted if sign < 0]
        # Restored shards count like those of the index: the engine knows only what is added and what is subtracted.
        self.searcher = _fastsa.Searcher(
            [shard.engine for shard in added],
            [shard.engine for shard in subtracted],
            [shard.reversed_text for shard in (*added, *subtracted)],
        )
        self.guard = Guard((*added, *subtracted))
        # Without subtracted shards the sums are exact for every n-gram, also for those with a separator.
        self._ends = Ends(shards.shards, subtraction) if subtraction.minus else None
        self._table: FollowerTable | None = None

    def use_table(self, table: FollowerTable | None) -> None:
        """Answer what follows frequent tokens from this table from now on."""
        self._table = table

    def check_ids(self, ids: Ids, allow_empty: bool = False) -> Numbers:
        """The ids as an int64 array; raises QueryError for what cannot be ids of this index."""
        return checked_ids(ids, self._separator, allow_empty)

    def _separated(self, ids: Ids, *further: int) -> Numbers | None:
        """All the ids if the engine's counts do not apply: with a separator, where documents are subtracted."""
        if self._ends is None:
            return None
        array = self.check_ids(ids, allow_empty=True)
        if further:
            array = np.append(array, self.check_ids(further))
        return array if (array == self._separator).any() else None

    # --- one by one ----------------------------------------------------------------------------

    def count(self, ids: Ids) -> int:
        """Occurrences of an n-gram; the empty one counts tokens. The fastest way to a count, about 2 µs."""
        # The usual case is an index without subtraction: then one test, and one call.
        if self._ends is not None and (separated := self._separated(ids)) is not None:
            return self.find(separated).count
        with self.guard:
            return self.searcher.count(ids)

    def continuation(self, context: Ids, token: int) -> tuple[int, int]:
        """Occurrences of the context, and of it with the token after it."""
        if (ids := self._separated(context, token)) is not None:
            return self.count(ids[:-1]), self.count(ids)
        with self.guard:
            return self.searcher.prob(context, token)

    def backed_off(self, context: Ids, token: int) -> tuple[int, int, int]:
        """Length of the longest suffix of the context that occurs, its count, and its count with the token."""
        if (ids := self._separated(context, token)) is not None:
            # The ids end with the token, so the context is all but the last of them.
            length = self.longest_suffix(ids[:-1])
            return length, *self.continuation(ids[len(ids) - 1 - length : -1], token)
        with self.guard:
            return self.searcher.infgram_prob(context, token)

    def longest_suffix(self, context: Ids) -> int:
        """Length of the longest suffix of the context that occurs."""
        if (ids := self._separated(context)) is not None:
            # A suffix of what occurs occurs, so the lengths can be searched by halving.
            lengths = range(1, len(ids) + 1)
            return bisect.bisect_left(lengths, True, key=lambda n: not self.find(ids[len(ids) - n :]).count)
        with self.guard:
            return self.searcher.longest_occurring_suffix(context)

    # --- many ----------------------------------------------------------------------------------

    def find(self, ids: Ids) -> ShardMatches:
        """Occurrences of an n-gram; the empty one occurs at every token. Cost: one search per shard."""
        array = self.check_ids(ids, allow_empty=True)
        ranges = [shard.find(array) for shard, _ in self._shards.signed]
        total = sum(sign * (last - first) for (_, sign), (first, last) in zip(self._shards.signed, ranges, strict=True))
        # The shards of the index come first in `signed`, the adjusting ones after them.
        base = len(self._shards.shards)
        count = self._settled(array, total)
        return ShardMatches(tuple(array.tolist()), count, tuple(ranges[:base]), tuple(ranges[base:]))

    def count_many(self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None) -> Numbers:
        """Counts of the n-grams ids[starts[i]:ends[i]] of one text; an empty one counts every token."""
        totals = np.zeros(len(starts), dtype=np.int64)
        for shard, sign in self._shards.counted:
            totals += sign * count_in_text(shard, ids, starts, ends, cancel)
        if self._ends is not None:
            # separators[i]: those among the first i tokens, so that each n-gram is judged by one subtraction.
            separators = np.cumsum(np.concatenate([[0], ids == self._separator]))
            for number in np.flatnonzero(separators[ends] > separators[starts]).tolist():
                totals[number] = self._settled(ids[starts[number] : ends[number]], int(totals[number]))
        return totals

    def _settled(self, ids: Numbers, total: int) -> int:
        """The count of an n-gram, given the sum over the shards."""
        if self._ends is None or not (ids == self._separator).any():
            return total
        if joins_documents(ids, self._separator):
            # Sums do not apply: which documents are neighbors differs between the index and the subtracted shards.
            return sum(len(places) for places in self._joined(ids))
        return max(0, total + self._ends.count(ids))

    def _joined(self, ids: Numbers) -> Iterator[Numbers]:
        """The places of an n-gram that spans several documents, shard by shard; every occurrence is checked."""
        for shard, first in self._shards.with_first():
            yield joined_places(shard, first, ids, self._shards.subtraction.left_out)

    def longest_matches(self, ids: Ids, cancel: CancelToken | None = None) -> Numbers:
        """For each start in the text: length of the longest n-gram from there that occurs."""
        array = self.check_ids(ids, allow_empty=True)
        added = [shard for shard, sign in self._shards.counted if sign > 0]
        subtracted = [shard for shard, sign in self._shards.counted if sign < 0]
        found = longest_matches(added, subtracted, array, cancel)
        if self._ends is not None and (array == self._separator).any():
            # Only for a text with a separator, in an index from which documents are subtracted: a search by halving per
            # start.
            for start in range(len(array)):
                found[start] = self._longest_prefix(array[start:])
        return found

    def _longest_prefix(self, ids: Numbers) -> int:
        return bisect.bisect_left(range(1, len(ids) + 1), True, key=lambda n: not self.find(ids[:n]).count)

    # --- what follows --------------------------------------------------------------------------

    def followed(
        self, ids: Ids, orders: Sequence[int | None], longest: Numbers | None = None, cancel: CancelToken | None = None
    ) -> tuple[Followed, ...]:
        """What each token of a text follows, for several models of it."""
        return Follower(self._shards, self).followed(ids, orders, longest, cancel)

    def followers(
        self, ids: Numbers, starts: Numbers, ends: Numbers, cancel: CancelToken | None = None
    ) -> tuple[Numbers, Numbers]:
        """How many tokens follow each context in its document, and how many distinct ones."""
        return followers(self._shards, self, self._table, ids, starts, ends, cancel)

    def levels(
        self, context: Ids, least: int, most: int | None, selective: bool, cancel: CancelToken | None = None
    ) -> tuple[tuple[Level, ...], bool]:
        """The suffixes of a context that a token follows, and what follows each."""
        if not self._shards.is_forward or self._ends is not None:
            return levels_by_counts(self, self._separator, context, least, most, selective, cancel)
        # The table is faster than the engine for what it holds: the shortest levels.
        shortest = least if self._table is None else max(least, 2)
        # There are no more suffixes than that, the empty one included.
        most = len(context) + 1 if most is None else most
        with self.guard:
            longest, is_followed, found = self.searcher.levels(
                context, shortest, most, selective, cancel.flag if cancel else None
            )
        levels = []
        for length, ends, tokens, counts in found:
            # Closed in place, as below.
            tokens.setflags(write=False)
            counts.setflags(write=False)
            levels.append(Level(length, tokens, counts, ends))
        if shortest > least and len(levels) < most:
            few, ends_here = levels_by_counts(
                self, self._separator, context[len(context) - min(1, longest) :], least, most, selective, cancel
            )
            # One token may be followed as often as a longer suffix of it.
            few = tuple(
                level for level in few
                if not selective or not levels or not level.length or level.followed > levels[-1].followed
            )  # fmt: skip
            levels, is_followed = [*levels, *few][:most], is_followed or (longest == 1 and not ends_here)
        return tuple(levels), longest > 0 and not is_followed

    def greedy(self, context: Ids, most: int, least: float, cancel: CancelToken | None = None) -> tuple[int, list[int]]:
        """Follow the longest suffix of a context that occurs, by the most frequent token each time."""
        if not self._shards.is_forward or self._ends is not None or len(self._shards.counted) > 1:
            # What follows in several shards, or before an occurrence, has to be added up first.
            return greedy_by_counts(self, self._separator, context, most, least, cancel)
        with self.guard:
            match, tokens = self.searcher.greedy(context, most, least, cancel.flag if cancel else None)
        return match, tokens

    def hints(
        self,
        ids: Numbers,
        places: Numbers,
        begins: Numbers,
        numbers: Numbers,
        rule: HintRule,
        cancel: CancelToken | None = None,
    ) -> HintArrays:
        """Samples of what follows the contexts of some tokens."""
        if self._ends is not None:
            # The engine's samples would include what is subtracted.
            return hints_by_counts(self, self._separator, ids, places, begins, numbers, rule, cancel)
        shards = [shard for shard, _ in self._shards.counted]
        with self.guard:
            found = _fastsa.hints(
                [shard.engine for shard in shards],
                [shard.reversed_text for shard in shards],
                ids,
                places,
                begins,
                numbers,
                rule.plateau,
                rule.samples,
                rule.context,
                rule.leaves_out,
                rule.is_inside,
                rule.seed,
                cancel.flag if cancel else None,
            )
        return HintArrays(*found)

    def next_tokens(
        self, context: Ids, backoff: bool = False, limit: int | None = None, cancel: CancelToken | None = None
    ) -> NextTokens:
        """Tokens after a context, or after its longest suffix that occurs; from `limit` occurrences, an estimate."""
        if limit is None:
            if self._table is not None and (known := self._table.next_tokens(context)) is not None:
                return known
            if (found := self._asked_of_searcher(context, backoff, cancel)) is not None:
                return found
        ids = self.check_ids(context, allow_empty=True)
        # Either an estimate is enough, or the searcher cannot answer.
        matches = self.find(ids[len(ids) - self.longest_suffix(ids) :] if backoff else ids)
        if limit is None or matches.count <= limit:
            return NextTokens(*self._following(matches, cancel), matches.count, matches.length)
        tokens, looked_at = self._sampled(matches, limit)
        sampled = added_up(tokens, np.ones(len(tokens), dtype=np.int64))
        return NextTokens(*sampled, matches.count, matches.length, exact=False, sample_size=looked_at)

    def _asked_of_searcher(self, context: Ids, backoff: bool, cancel: CancelToken | None) -> NextTokens | None:
        """The exact answer in one call of the engine, where what follows is next to each other and sums are right."""
        if not self._shards.is_forward or self._separated(context) is not None:
            return None
        with self.guard:
            length, count, tokens, counts = self.searcher.next_tokens(context, backoff, cancel.flag if cancel else None)
        if self._ends is not None:
            ids = self.check_ids(context, allow_empty=True)
            # The answer lacks what `_ends` would change, so it is computed again, shard by shard.
            if any(self._ends.following(ids[len(ids) - length :])):
                return None
        # Nobody else has these arrays, so they can be closed in place. The result would otherwise make views of them,
        # which takes a sixth of the whole call.
        tokens.setflags(write=False)
        counts.setflags(write=False)
        return NextTokens(tokens, counts, count, length)

    def _following(self, matches: ShardMatches, cancel: CancelToken | None) -> tuple[Numbers, Numbers]:
        """Tokens that follow the occurrences and their exact counts, shard by shard."""
        ids = np.array(matches.ids, dtype=np.int64)
        base = list(zip(self._shards.shards, matches.ranges, strict=True))
        if self._ends is not None and joins_documents(np.append(ids, 0), self._separator):
            # The next token may be in another document, so every occurrence is checked.
            every = np.unique(np.concatenate([s.next_tokens(r, len(ids), cancel)[0] for s, r in base]))
            return added_up(every, np.array([self.find([*matches.ids, t]).count for t in every.tolist()], np.int64))
        # The empty context counts the tokens themselves, so no end of a shard changes it.
        changes = [*self._ends.following(ids)] if self._ends is not None and len(ids) else []
        tokens = [np.array([token for token, _ in changes], dtype=np.int64)]
        counts = [np.array([change for _, change in changes], dtype=np.int64)]
        for (shard, sign), span in zip(self._shards.signed, (*matches.ranges, *matches.adjusting), strict=True):
            more, times = shard.next_tokens(span, matches.length, cancel)
            tokens.append(more)
            counts.append(sign * times)
        return added_up(np.concatenate(tokens), np.concatenate(counts))

    def _sampled(self, matches: ShardMatches, limit: int) -> tuple[Numbers, int]:
        """The tokens after `limit` occurrences, and how many were looked at."""
        places = self._spread(matches, limit)
        tokens = [np.empty(0, dtype=np.int64)]
        for shard, chosen, local in self._shards.by_shard(places.documents):
            tokens.append(shard.reading_at(local, places.offsets[chosen] + matches.length))
        return np.concatenate(tokens), len(places)

    def _spread(self, matches: ShardMatches, limit: int) -> Places:
        """`limit` occurrences spread evenly over the ranks of all shards, or all of them if there are fewer."""
        total = sum(last - first for first, last in matches.ranges)
        drawn = limit
        while True:
            # Ranks of neighbors have similar continuations, so an even spread is a better sample than the first ranks.
            numbers = (np.arange(drawn, dtype=np.int64) * total) // drawn
            places = self._shards.places(matches.ranges, numbers, matches.ids)
            kept = np.flatnonzero(~self._shards.is_left_out(places.documents))
            # Occurrences in subtracted documents were dropped. Twice as many are drawn until enough remain.
            if len(kept) >= limit or drawn >= total:
                break
            drawn = min(total, 2 * drawn)
        size = min(limit, len(kept))
        kept = kept[(np.arange(size, dtype=np.int64) * len(kept)) // max(1, size)]
        return places[kept]


def added_up(tokens: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """Add up counts of tokens.

    tokens: Ids, which may repeat.
    Returns: Distinct tokens whose counts sum to more than 0, with the sums; most frequent first, then by id.
    """
    distinct, which = np.unique(tokens, return_inverse=True)
    totals = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(totals, which, counts)
    # The last key of lexsort is the first to sort by.
    order = np.lexsort((distinct, -totals))
    # Tokens that follow in subtracted documents only have a sum of 0.
    order = order[totals[order] > 0]
    return distinct[order], totals[order]
