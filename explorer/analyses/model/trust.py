"""Learned trust: how much of the probability each level gives, by how often it is followed and by how many tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.model.levels import Levels, Reach
from explorer.analyses.model.method import Formula, Shares
from explorer.analyses.model.methods import context_setting, floor_setting
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.i18n import mark

STEPS = 40
"""Steps of EM: the perplexity changes in the fourth digit after 20."""
_MOST_DISTINCT, _MOST_LENGTH, _COUNTS = 6, 15, 64
_START = 0.5
_PRIOR = 2.0
"""Made-up levels per group, trusted by half: a group that was seen twice does not get a trust of 0 or 1."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Trust(ArrayValue):
    """The trust in a level, for each group of levels.

    shares: float64 array by ⌊log2 followed⌋ (0 to 63), distinct tokens (1 to 6 and more) and length (0 to 15 and more):
        the part of what longer levels left that the level gets, 0 to 1.
    """

    shares: Matrix

    def of(self, levels: Levels) -> Matrix:
        """Look up the trust in each level.

        Returns: float64 [tokens, levels]; 0 where there is no level.
        """
        return np.where(levels.exists, self.shares.ravel()[groups(levels)], 0.0)


def groups(levels: Levels) -> NDArray[np.int64]:
    """Find the group of each level.

    Returns: int64 [tokens, levels]: the place in `Trust.shares`, flattened.
    """
    by_count = np.frexp(np.maximum(levels.followed, 1))[1].astype(np.int64) - 1
    by_kinds = np.clip(levels.distinct, 1, _MOST_DISTINCT) - 1
    by_length = np.minimum(levels.lengths, _MOST_LENGTH)
    return (by_count * _MOST_DISTINCT + by_kinds) * (_MOST_LENGTH + 1) + by_length


@dataclass(frozen=True)
class Learned(Formula):
    """Levels mixed by learned trust: the longest gets its trust of the probability, the next its trust of what is left,
    and so on; what the empty context leaves goes to every token that there may be. `Trained` has the trust.
    """

    title: ClassVar = mark("Learned trust")

    context: int = context_setting()
    floor: float | None = floor_setting()
    name: ClassVar[str] = "learned"
    normalised: ClassVar[bool] = True
    of_tokenizer: ClassVar[bool] = False

    @property
    def reach(self) -> Reach:
        """The levels that are weighed."""
        return Reach(self.context, empty=True)

    @property
    def smooths(self) -> bool:
        """What no level takes is for every token."""
        return True


@dataclass(frozen=True)
class Trained(Learned):
    """The method with the trust in each group of levels."""

    trust: Trust = field(kw_only=True)

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """The formula."""
        trust = self.trust.of(levels)
        left = _left(trust)
        mixed: Shares = (_before(left) * trust * _ratios(levels)).sum(axis=1)
        return mixed + left[:, -1] * levels.known / kinds


def learn(read: Iterable[Levels], kinds: int, cancel: CancelToken | None = None) -> Trust:
    """Learn the trust under which a text is most probable.

    read: The levels of the text's tokens, the empty context included.
    kinds: Distinct tokens that there may be.
    Returns: The trust of each group; one half for a group that did not occur.

    Notes
    -----
    Expectation–maximization for a stick-breaking mixture: a level's trust becomes the share that it has of the
    probability that it and all shorter levels explain. Cost: a few passes over the levels per step, in memory.
    """
    blocks = [_Block(levels, kinds) for levels in read]
    shape = (_COUNTS, _MOST_DISTINCT, _MOST_LENGTH + 1)
    trust = np.full(int(np.prod(shape)), _START)
    for _ in range(STEPS):
        if cancel is not None:
            cancel.check()
        taken, reached = np.full((2, len(trust)), _PRIOR)
        taken *= _START
        for block in blocks:
            block.explain(trust, taken, reached)
        trust = taken / reached
    return Trust(trust.reshape(shape))


class _Block:
    """Tokens whose levels are explained again in each step."""

    def __init__(self, levels: Levels, kinds: int) -> None:
        self._groups = groups(levels)
        self._exists = levels.exists
        self._ratios = _ratios(levels)
        self._uniform = levels.known / kinds

    def explain(self, trust: Shares, taken: Shares, reached: Shares) -> None:
        """Add, per group, how much of the probability its levels explain, and how much they and shorter ones do."""
        shares = np.where(self._exists, trust[self._groups], 0.0)
        left = _left(shares)
        parts = _before(left) * shares * self._ratios
        rest = left[:, -1] * self._uniform
        whole = parts.sum(axis=1) + rest
        possible = whole > 0
        parts[possible] /= whole[possible, None]
        rest[possible] /= whole[possible]
        from_here = np.cumsum(parts[:, ::-1], axis=1)[:, ::-1] + rest[:, None]
        size = len(trust)
        taken += np.bincount(self._groups[self._exists], parts[self._exists], size)
        reached += np.bincount(self._groups[self._exists], from_here[self._exists], size)


def _left(trust: Matrix) -> Matrix:
    """What each level leaves of the probability, to all shorter ones."""
    return cast(Matrix, np.cumprod(1 - trust, axis=1))


def _before(left: Matrix) -> Matrix:
    """What the longer levels leave to each level."""
    return np.concatenate([np.ones((len(left), 1)), left[:, :-1]], axis=1)


def _ratios(levels: Levels) -> Matrix:
    return levels.times / np.maximum(levels.followed, 1)
