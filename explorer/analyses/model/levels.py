"""The levels of a text in an index: for each token, the suffixes of its context that occur, and what follows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken

TransformName = Literal["lower", "upper", "casefold", "strip", "blanks"]
"""What is done to a context: lower, upper or folded case; no white space around it; one space for each white space."""
BLOCK = 16_384
"""Tokens whose levels are in memory at once: 3 MB per 6 levels."""


@dataclass(frozen=True)
class Reach:
    """Which levels there are.

    context: Most tokens of a context, 0 or more.
    selective: Whether a suffix is left out that is followed as often as a longer one: it has the same continuations.
    most: Most levels of a token, from the longest; None for all.
    empty: Whether the empty context is the last level.
    leave_one_out: Whether to count as if each occurrence that is scored were not in the index: for texts of the corpus.
    transforms: What else is done to a context, each a name of `explorer.analyses.model.transforms.TRANSFORMS`; the
        form with the longest match counts.
    """

    context: int = 100
    selective: bool = True
    most: int | None = None
    empty: bool = False
    leave_one_out: bool = False
    transforms: tuple[TransformName, ...] = ()


@dataclass(frozen=True, eq=False)
class Places(ArrayValue):
    """Tokens of texts, in the order in which they are asked about.

    ids: Checked ids of all texts, one after another, int64.
    tokens: Places of the tokens in `ids`, int64.
    begins: The first token of the text of each, int64: no context begins before it.
    own: How many tokens before each are the text's own, where a context was transformed, int64; None for all of them.
    """

    ids: Numbers
    tokens: Numbers
    begins: Numbers
    own: Numbers | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    def part(self, first: int, last: int) -> Places:
        """The tokens first to last - 1 of these; the text stays whole."""
        own = None if self.own is None else self.own[first:last]
        return Places(self.ids, self.tokens[first:last], self.begins[first:last], own)


def places_in(texts: Sequence[Numbers], firsts: Sequence[int]) -> Places:
    """Make one text of many.

    texts: Checked ids of each text, int64.
    firsts: The first token of each text that is asked about; those before it are context.
    Returns: The tokens of all texts, in order.

    Examples
    --------
    >>> found = places_in([np.array([7, 8, 9]), np.array([5, 6])], [1, 0])
    >>> found.tokens.tolist(), found.begins.tolist()
    ([1, 2, 3, 4], [0, 0, 3, 3])
    """
    begins = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    asked = [np.arange(min(first, len(text)), len(text)) for text, first in zip(texts, firsts, strict=True)]
    none = np.empty(0, dtype=np.int64)
    return Places(
        np.concatenate([none, *texts]),
        np.concatenate([none, *(begin + each for begin, each in zip(begins, asked, strict=False))]),
        np.repeat(begins[:-1], [len(each) for each in asked]),
    )


@dataclass(frozen=True, eq=False)
class Levels(ArrayValue):
    """The levels of consecutive tokens, longest first: int64 arrays [tokens, levels], 0 where a token has fewer.

    There is at least one column.

    lengths: Tokens of the context.
    followed: Occurrences of the context that a token follows, m; 1 or more at every level.
    distinct: Distinct tokens that follow it, D.
    times: Those occurrences that are followed by this token, c.
    known: Whether the index has the token at all, bool [tokens].
    matched: The form of its context: 0 as it is, n under the n-th transform, int64 [tokens]; None without transforms.
    alone: The part of all tokens of the index that are this one, float64 [tokens], also where the empty context is not
        a level; NaN where there is no other token. None if that is not known.
    """

    lengths: Numbers
    followed: Numbers
    distinct: Numbers
    times: Numbers
    known: NDArray[np.bool_]
    matched: Numbers | None = None
    alone: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.lengths)

    def longest(self) -> Levels:
        """The longest level of each token: one column."""
        first = slice(0, 1)
        return replace(
            self,
            lengths=self.lengths[:, first],
            followed=self.followed[:, first],
            distinct=self.distinct[:, first],
            times=self.times[:, first],
        )

    def from_shortest(self) -> Iterator[tuple[Numbers, Numbers, Numbers, NDArray[np.bool_]]]:
        """(followed, distinct, times, exists) of the last level of each token, the last but one, …, the longest."""
        for column in reversed(range(self.lengths.shape[1])):
            followed = self.followed[:, column]
            yield followed, self.distinct[:, column], self.times[:, column], followed > 0

    @property
    def exists(self) -> NDArray[np.bool_]:
        """Which entries are levels, bool [tokens, levels]."""
        return self.followed > 0


def levels_of(index: Backend, places: Places, reach: Reach, cancel: CancelToken | None = None) -> Iterator[Levels]:
    """Find the levels of tokens.

    Yields: The levels of the next tokens, at most `BLOCK`.

    Notes
    -----
    Cost: two searches per distinct n-gram of the text that occurs, up to `reach.context` + 1 tokens.
    """
    for first in range(0, len(places), BLOCK):
        if cancel is not None:
            cancel.check()
        yield _Block(index, places.part(first, first + BLOCK), reach, cancel).levels()


class _Asked(NamedTuple):
    """The n-grams of one length that are asked for, each once.

    length: of the context. members: the tokens. begins, ends, which: the contexts, and the number of each token's.
    with_token, whole: where the tokens after them are, and the number of each token's n-gram.
    """

    length: int
    members: Numbers
    begins: Numbers
    ends: Numbers
    which: Numbers
    with_token: Numbers
    whole: Numbers


class _Answer(NamedTuple):
    """What follows the contexts of one length, for each of their tokens."""

    length: int
    members: Numbers
    followed: Numbers
    distinct: Numbers
    times: Numbers


class _Block:
    """Levels of some tokens, found from the shortest to the longest, and told from the longest to the shortest."""

    def __init__(self, index: Backend, places: Places, reach: Reach, cancel: CancelToken | None) -> None:
        self._index, self._reach, self._cancel = index, reach, cancel
        self._ids, self._places, self._room = places.ids, places.tokens, places.tokens - places.begins
        self._own = places.own
        # Contexts of one length with equal names are equal. A name is below the number of places.
        self._names = np.zeros(len(places), dtype=np.int64)

    def levels(self) -> Levels:
        """The levels."""
        lengths, followed, distinct, times = np.stack(list(self._columns()), axis=2)
        return kept(Levels(lengths, followed, distinct, times, self._known), self._reach)

    def _columns(self) -> Iterator[Numbers]:
        """Lengths, followed, distinct and times of each length, [4, tokens]: 0, 1, … up to the longest that occurs."""
        alive = np.ones(len(self._places), dtype=np.bool_)
        first, together = 0, 1
        while first <= self._reach.context:
            lengths = range(first, min(first + together, self._reach.context + 1))
            for each in self._answers(np.flatnonzero(alive), lengths):
                # Of several lengths that were asked for together, a longer one counts only where the shorter one does.
                found = (each.followed > 0) & alive[each.members]
                chosen = each.members[found]
                alive[:] = False
                alive[chosen] = True
                column = np.zeros((4, len(self._places)), dtype=np.int64)
                column[0, chosen] = each.length
                column[1:, chosen] = np.stack([each.followed, each.distinct, each.times])[:, found]
                yield column
                if not len(chosen):
                    return
            first = lengths.stop
            # Elsewhere, some n-grams too many take less time than some messages more.
            together *= 2 if self._index.counts.asks_elsewhere else 1

    def _answers(self, members: Numbers, lengths: range) -> Iterator[_Answer]:
        """What follows the contexts of these tokens, and how often the tokens do; each n-gram is asked for once."""
        counts, asked = self._index.counts, list(self._asked(members, lengths))
        begins, ends = (np.concatenate([getattr(each, name) for each in asked]) for name in ("begins", "ends"))
        followed, distinct = counts.followers(self._ids, begins, ends, self._cancel)
        begins = np.concatenate([each.with_token - each.length for each in asked])
        times = counts.count_many(
            self._ids, begins, np.concatenate([each.with_token + 1 for each in asked]), self._cancel
        )
        of_contexts = of_tokens = 0
        for each in asked:
            some = slice(of_contexts, of_contexts + len(each.ends))
            of_contexts = some.stop
            mine = slice(of_tokens, of_tokens + len(each.with_token))
            of_tokens = mine.stop
            yield self._scored(each, followed[some][each.which], distinct[some][each.which], times[mine][each.whole])

    def _asked(self, members: Numbers, lengths: range) -> Iterator[_Asked]:
        """The n-grams of each length."""
        for length in lengths:
            members = members[self._room[members] >= length]
            if length:
                self._names[members] = _named(self._names[members], self._ids[self._places[members] - length])
            names, places = self._names[members], self._places[members]
            _, shown, which = np.unique(names, return_index=True, return_inverse=True)
            pairs = _named(names, self._ids[places])
            _, shown_with, whole = np.unique(pairs, return_index=True, return_inverse=True)
            yield _Asked(length, members, places[shown] - length, places[shown], which, places[shown_with], whole)

    def _scored(self, asked: _Asked, followed: Numbers, distinct: Numbers, times: Numbers) -> _Answer:
        """The answer of one length, without the occurrence that is scored if it is to be left out."""
        if not asked.length:
            self._known = times > 0
        if self._reach.leave_one_out:
            # Only where the text is in the index: a token that never follows has no occurrence to leave out.
            mine = times > 0
            if self._own is not None:
                # A context that a transform changed is at another place than the text.
                mine &= self._own[asked.members] >= asked.length
            less = mine.astype(np.int64)
            followed, distinct, times = followed - less, distinct - (mine & (times == 1)), times - less
        return _Answer(asked.length, asked.members, followed, distinct, times)


def _named(names: Numbers, tokens: Numbers) -> Numbers:
    """A number for each pair, equal for equal pairs and below the number of pairs."""
    # Both are below 2^32: names because they number places of one block, tokens because ids have four bytes at most.
    numbers: Numbers = np.unique(names << 32 | tokens, return_inverse=True)[1].astype(np.int64)
    return numbers


def kept(every: Levels, reach: Reach) -> Levels:
    """Keep the levels that a method weighs.

    every: One column per length of context, the empty one first.
    Returns: One column per level that is kept, the longest first.
    """
    followed, all_tokens = every.followed, every.followed[:, 0]
    alone = np.divide(every.times[:, 0], all_tokens, out=np.full(len(every), np.nan), where=all_tokens > 0)
    keep = followed > 0
    if reach.selective:
        # What follows a context follows its suffixes, so numbers never grow with the length: of equal ones, the last.
        keep[:, :-1] &= followed[:, :-1] > followed[:, 1:]
    if not reach.empty:
        keep[:, 0] = False
    # The longest comes first, so the number of a level is the number of those kept from its column on.
    order = np.cumsum(keep[:, ::-1], axis=1)[:, ::-1] - 1
    if reach.most is not None:
        keep &= order < reach.most
    rows, columns = np.nonzero(keep)
    shape = len(followed), int(order.max(initial=0, where=keep)) + 1

    def moved(values: Numbers) -> Numbers:
        made = np.zeros(shape, dtype=np.int64)
        made[rows, order[rows, columns]] = values[rows, columns]
        return made

    return replace(
        every,
        lengths=moved(every.lengths),
        followed=moved(followed),
        distinct=moved(every.distinct),
        times=moved(every.times),
        alone=alone,
    )
