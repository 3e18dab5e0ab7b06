"""What may follow a context under a method: every token with its probability."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from explorer.analyses.model.fallback import Fallback
from explorer.analyses.model.levels import Levels, Reach, TransformName
from explorer.analyses.model.method import NOTHING, Method, Shares
from explorer.analyses.model.methods import InfGram
from explorer.analyses.model.transforms import context_under
from explorer.backends.protocol.protocol import Backend, Level, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken


@dataclass(frozen=True, eq=False)
class Distribution(ArrayValue):
    """The probabilities of the next token.

    tokens: Ids, most probable first, then by id, int64.
    shares: Their probabilities, float64; scores that do not add up to 1 where the method is not normalized.
    other: The probability of each token that is not listed.
    other_count: How many of these there are.
    levels: What was weighed of the context, the longest suffix first; () if a fallback is used.
    end: The share of the occurrences of the longest context that are the last tokens of a document, 0 to 1.
    transform: The transform under which the context was looked up; "" for the context as it is.
    form: The ids that were looked up, int64.
    fallback: What the shares come from if no part of the context counts: "unigram", how often each token occurs, or
        "uniform", the same for each; "" if a part of the context counts, and for scores of nothing.
    """

    tokens: Numbers
    shares: Shares
    other: float
    other_count: int
    levels: tuple[Level, ...]
    end: float = 0.0
    transform: TransformName | Literal[""] = ""
    form: Numbers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    fallback: Fallback = ""

    @property
    def total(self) -> float:
        """The sum over all tokens: 1 for a normalized method."""
        return float(self.shares.sum()) + self.other * self.other_count


def distribution(
    index: Backend, method: Method, context: Numbers, kinds: int, cancel: CancelToken | None = None
) -> Distribution:
    """Compute the probability of every token after a context.

    context: Checked ids, int64; may be empty. The method looks at the last of them only.
    kinds: Distinct tokens that there may be.
    Returns: The tokens that follow any of the suffixes that the method weighs, and what is left for every other. If
        none counts, that of a normalized method is the unigram distribution, or the uniform one in an empty index.

    Notes
    -----
    Cost: that of `next_tokens` of each suffix that is weighed. A method that uses the empty context lists every token
    of the index, and so does a fallback.
    """
    found = own_distribution(index, method, context, kinds, cancel)
    if found.total or not method.normalised:
        return found
    alone = own_distribution(index, InfGram(), context[:0], kinds, cancel)
    if not alone.total:
        return replace(found, levels=(), other=1 / kinds, fallback="uniform")
    values = {name: getattr(alone, name) for name in ("tokens", "shares", "other", "other_count")}
    return replace(found, **values, levels=(), fallback="unigram")


def own_distribution(
    index: Backend, method: Method, context: Numbers, kinds: int, cancel: CancelToken | None = None
) -> Distribution:
    """The same by the formula alone: its total is 0 if no part of the context counts and the method does not smooth."""
    levels, end, transform, form = _longest_form(index, context, method.reach, cancel)
    # What follows a suffix follows every shorter one, so the last level has all tokens.
    tokens = levels[-1].tokens if levels else np.empty(0, dtype=np.int64)
    # One row more, of a token that follows none: every other token is like it.
    rows = _rows(tokens, levels)
    shares, used = method.shares(rows, kinds), int(method.used(rows)[-1])
    fallback: Fallback = "unigram" if used == 0 else "uniform" if used == NOTHING and method.smooths else ""
    # The tokens ascend, and a stable sort keeps it so for equal shares.
    order = (-shares[:-1]).argsort(kind="stable")
    other_count = max(0, kinds - len(tokens))
    other = float(shares[-1]) if other_count else 0.0
    return Distribution(tokens[order], shares[order], other, other_count, levels, end, transform, form, fallback)


def _longest_form(
    index: Backend, context: Numbers, reach: Reach, cancel: CancelToken | None
) -> tuple[tuple[Level, ...], float, TransformName | Literal[""], Numbers]:
    """The levels of the form of a context with the longest match; of equal ones, as it is and then in order."""
    best, form = levels_after(index, context, reach, cancel), context
    chosen: TransformName | Literal[""] = ""
    for name in reach.transforms:
        other = context_under(index, context, name, reach.context)
        found = levels_after(index, other, reach, cancel)
        if found[0] and (not best[0] or found[0][0].length > best[0][0].length):
            best, chosen, form = found, name, other
    return *best, chosen, form


def _rows(tokens: Numbers, levels: tuple[Level, ...]) -> Levels:
    """The levels with one row per token, and one for a token that never follows."""
    # One array for all four, since each array costs as much as what is written into it.
    made = np.zeros((4, len(tokens) + 1, max(1, len(levels))), dtype=np.int64)
    for number, level in enumerate(levels):
        made[0, :, number] = level.length
        made[1, :, number] = level.followed
        made[2, :, number] = len(level.tokens)
        made[3, tokens.searchsorted(level.tokens), number] = level.counts
    known = np.ones(len(tokens) + 1, dtype=np.bool_)
    # Closed in place: the result would otherwise make views of them.
    made.setflags(write=False)
    known.setflags(write=False)
    return Levels(made[0], made[1], made[2], made[3], known)


def levels_after(
    index: Backend, context: Numbers, reach: Reach, cancel: CancelToken | None = None
) -> tuple[tuple[Level, ...], float]:
    """Find the levels of one context, and what follows each.

    Returns: The levels, longest first; () if nothing of the context occurs. The share of the occurrences of the longest
        context that end a document.
    """
    near = context[len(context) - min(len(context), reach.context) :]
    least = 0 if reach.empty else 1
    levels, is_end = index.counts.levels(near, least, reach.most, reach.selective, cancel)
    # A context that only ever ends documents is not a level, but no shorter one is a reason to continue.
    if is_end:
        return levels, 1.0
    return levels, levels[0].ends / (levels[0].ends + levels[0].followed) if levels else 0.0
