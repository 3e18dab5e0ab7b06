"""What may follow a context under a method: every token with its probability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.arrays import ArrayValue
from explorer.backends.protocol import Backend, NextTokens, Numbers
from explorer.jobs import CancelToken
from explorer.model.levels import Levels, Reach
from explorer.model.method import Method, Shares


@dataclass(frozen=True, eq=False)
class Level(ArrayValue):
    """A suffix of one context, and what follows it.

    Attributes
    ----------
    length
        Its tokens.
    tokens
        The tokens that follow it, ascending, int64; separators are left out.
    counts
        How often each does, int64.
    ends
        Its occurrences at the end of a document.
    """

    length: int
    tokens: Numbers
    counts: Numbers
    ends: int

    @property
    def followed(self) -> int:
        """Its occurrences that a token follows."""
        return int(self.counts.sum())


@dataclass(frozen=True, eq=False)
class Distribution(ArrayValue):
    """The probabilities of the next token.

    Attributes
    ----------
    tokens
        Ids, most probable first, then by id, int64.
    shares
        Their probabilities, float64; scores that do not add up to 1 where the method is not normalized.
    other
        The probability of each token that is not listed.
    other_count
        How many of these there are.
    levels
        What was weighed, the longest suffix first.
    end
        The share of the occurrences of the longest context that are the last tokens of a document, 0 to 1.
    """

    tokens: Numbers
    shares: Shares
    other: float
    other_count: int
    levels: tuple[Level, ...]
    end: float = 0.0

    @property
    def total(self) -> float:
        """The sum over all tokens: 1 for a normalized method, 0 if it knows nothing of the context."""
        return float(self.shares.sum()) + self.other * self.other_count


def distribution(
    index: Backend, method: Method, context: Numbers, kinds: int, cancel: CancelToken | None = None
) -> Distribution:
    """Compute the probability of every token after a context.

    Parameters
    ----------
    index
        The index.
    method
        The method.
    context
        Checked ids, int64; may be empty. The method looks at the last of them only.
    kinds
        Distinct tokens that there may be.
    cancel
        Stops the work.

    Returns
    -------
    Distribution
        The tokens that follow any of the suffixes that the method weighs, and what is left for every other.

    Notes
    -----
    Cost: that of `next_tokens` of each suffix that is weighed. A method that uses the empty context lists every token
    of the index.
    """
    levels, end = levels_after(index, context, method.reach, cancel)
    # What follows a suffix follows every shorter one, so the last level has all tokens.
    tokens = levels[-1].tokens if levels else np.empty(0, dtype=np.int64)
    # One row more, of a token that follows none: every other token is like it.
    shares = method.shares(_rows(tokens, levels), kinds)
    order = np.lexsort((tokens, -shares[:-1]))
    other_count = max(0, kinds - len(tokens))
    other = float(shares[-1]) if other_count else 0.0
    return Distribution(tokens[order], shares[order], other, other_count, levels, end)


def _rows(tokens: Numbers, levels: tuple[Level, ...]) -> Levels:
    """The levels with one row per token, and one for a token that never follows."""
    shape = len(tokens) + 1, max(1, len(levels))
    times = np.zeros(shape, dtype=np.int64)
    for number, level in enumerate(levels):
        times[np.searchsorted(tokens, level.tokens), number] = level.counts

    def row(values: list[int]) -> Numbers:
        return np.broadcast_to(np.array(values or [0], dtype=np.int64), shape)

    return Levels(
        row([level.length for level in levels]),
        row([level.followed for level in levels]),
        row([len(level.tokens) for level in levels]),
        times,
        np.ones(shape[0], dtype=np.bool_),
    )


def levels_after(
    index: Backend, context: Numbers, reach: Reach, cancel: CancelToken | None = None
) -> tuple[tuple[Level, ...], float]:
    """Find the levels of one context, and what follows each.

    Parameters
    ----------
    index
        The index.
    context
        Checked ids, int64.
    reach
        Which levels there are.
    cancel
        Stops the work.

    Returns
    -------
    tuple[tuple[Level, ...], float]
        The levels, longest first; () if nothing of the context occurs. The share of the occurrences of the longest
        context that end a document.
    """
    near = context[len(context) - min(len(context), reach.context) :]
    longest = index.counts.longest_suffix(near)
    ends = np.full(longest, len(near), dtype=np.int64)
    followed, _ = index.counts.followers(near, ends - np.arange(longest, 0, -1), ends, cancel)
    lengths = [*range(longest, 0, -1)]
    kept = [(length, int(times)) for length, times in zip(lengths, followed, strict=True) if times]
    if reach.selective:
        # From the longest: one that is followed no oftener than the one before it has the same followers.
        kept = [pair for number, pair in enumerate(kept) if not number or pair[1] > kept[number - 1][1]]
    wanted = [length for length, _ in kept] + ([0] if reach.empty else [])
    found = (_level(index, near, length, cancel) for length in wanted[: reach.most])
    levels = tuple(level for level in found if level.followed)
    # A context that only ever ends documents is not a level, but no shorter one is a reason to continue.
    if longest and not followed[0]:
        return levels, 1.0
    return levels, levels[0].ends / (levels[0].ends + levels[0].followed) if levels else 0.0


def _level(index: Backend, near: Numbers, length: int, cancel: CancelToken | None) -> Level:
    found: NextTokens = index.counts.next_tokens(near[len(near) - length :], cancel=cancel)
    is_token = found.tokens != index.separator
    order = np.argsort(found.tokens[is_token])
    ends = found.context_count - int(found.counts[is_token].sum()) if length else 0
    return Level(length, found.tokens[is_token][order], found.counts[is_token][order], ends)
