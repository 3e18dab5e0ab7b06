"""The methods without anything learned: one class each, and its formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol import Numbers
from explorer.model.levels import Levels, Reach
from explorer.model.method import NOTHING, Formula, Shares

Weight = Literal["linear", "quadratic", "exponential", "sigmoid"]


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> Shares:
    """Their ratio; 0 where there is nothing to divide."""
    ratio: Shares = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return ratio


def _smoothed(part: NDArray[Any], whole: NDArray[Any], alpha: float, kinds: int) -> Shares:
    """Their ratio after `alpha` more of each kind of token."""
    return _ratio(part + alpha, whole + alpha * kinds)


def _every_level(context: int, every_length: bool) -> Reach:
    """The levels of a method that goes down to the empty context."""
    return Reach(context, selective=not every_length, empty=True)


def _from_uniform(
    levels: Levels, kinds: int, step: Callable[[Numbers, Numbers, Numbers, Shares], NDArray[Any]]
) -> Shares:
    """Go from the uniform distribution up; `step` makes the share of a level of m, D, c and the next shorter one's."""
    found: Shares = levels.known / kinds
    for m, d, c, exists in levels.from_shortest():
        # A level that a token does not have changes nothing.
        found = np.where(exists, step(m, d, c, found), found)
    return found


@dataclass(frozen=True)
class NGram(Formula):
    """An n-gram model without smoothing: count of context and token / count of the context.

    n: Tokens of an n-gram: n - 1 of context, 1 or more.
    """

    n: int = 5
    floor: float | None = None
    name: ClassVar[str] = "ngram"
    normalised: ClassVar[bool] = True
    of_tokenizer: ClassVar[bool] = False

    @property
    def reach(self) -> Reach:
        """The levels that are weighed."""
        # Not selective: the level of n - 1 tokens is wanted, not another with the same followers.
        return Reach(context=self.n - 1, selective=False, most=1, empty=self.n == 1)

    def used(self, levels: Levels) -> Numbers:
        """The context of n - 1 tokens, or none: a shorter one is of another model."""
        longest = super().used(levels)
        return np.where(longest == self.n - 1, longest, NOTHING)

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """The formula."""
        longest = levels.longest()
        return np.where(self.used(levels) != NOTHING, _ratio(longest.times[:, 0], longest.followed[:, 0]), 0.0)


@dataclass(frozen=True)
class InfGram(Formula):
    """The ∞-gram: the same after the longest context that occurs (Liu et al. 2024, section 2).

    context: Most tokens of context.
    """

    context: int = 100
    floor: float | None = None
    name: ClassVar[str] = "infgram"
    normalised: ClassVar[bool] = True
    of_tokenizer: ClassVar[bool] = False

    @property
    def reach(self) -> Reach:
        """The levels that are weighed."""
        return Reach(self.context, most=1, empty=True)

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """The formula."""
        longest = levels.longest()
        return _ratio(longest.times[:, 0], longest.followed[:, 0])


@dataclass(frozen=True)
class LevelCounts(Formula):
    """Counts of several levels, each worth a tenth of the longer one: the Tiny Shakespeare procedure.

    P = Σ decay^j c_j / Σ decay^j m_j over the selective levels j = 0, 1, … from the longest, without the empty context.

    levels: Most levels; None for all.
    decay: Weight of a level against that of the next longer one.
    context: Most tokens of context.
    floor: What a probability of 0 counts as.
    """

    levels: int | None = 2
    decay: float = 0.1
    context: int = 100
    floor: float | None = 1e-10
    name: ClassVar[str] = "levels"
    normalised: ClassVar[bool] = True
    of_tokenizer: ClassVar[bool] = False

    @property
    def reach(self) -> Reach:
        """The levels that are weighed."""
        return Reach(self.context, most=self.levels)

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """The formula."""
        weights = self.decay ** np.arange(levels.lengths.shape[1], dtype=np.float64)
        return _ratio(levels.times @ weights, levels.followed @ weights)


@dataclass(frozen=True)
class Weighted(Formula):
    """Counts of all contexts, weighted by their length: n, n², base^n or a sigmoid (the Infinigram paper, equation 2).

    weight: How the weight grows with the length.
    alpha: Added to the count of each token.
    context: Most tokens of context.
    floor: What a probability of 0 counts as; None: it is 0.
    """

    weight: Weight = "linear"
    base: float = 2.0
    alpha: float = 0.0
    context: int = 100
    floor: float | None = None
    name: ClassVar[str] = "weighted"
    normalised: ClassVar[bool] = True
    of_tokenizer: ClassVar[bool] = True

    @property
    def reach(self) -> Reach:
        """The levels that are weighed."""
        return Reach(self.context, selective=False)

    @property
    def smooths(self) -> bool:
        """With alpha, every token has something."""
        return self.alpha > 0

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """The formula."""
        weights = np.where(levels.exists, self._weights(levels), 0.0)
        return _smoothed(
            (weights * levels.times).sum(axis=1), (weights * levels.followed).sum(axis=1), self.alpha, kinds
        )

    def _weights(self, levels: Levels) -> Shares:
        lengths = levels.lengths.astype(np.float64)
        match self.weight:
            case "linear":
                return lengths
            case "quadratic":
                return lengths**2
            case "exponential":
                return self.base**lengths
            case "sigmoid":
                # Midpoint 5 and steepness 1, as in the paper's package.
                return 1 / (1 + np.exp(5 - lengths))


@dataclass(frozen=True)
class Backoff(Formula):
    """Stupid back-off (Brants et al. 2007): alpha^j c / m at the longest context that the token follows, j tokens
    shorter than the longest that occurs. A score: over all tokens it does not add up to 1.

    alpha: The factor of each step.
    context: Most tokens of context.
    floor: What a score of 0 counts as; None: it is 0.
    """

    alpha: float = 0.4
    context: int = 100
    floor: float | None = None
    name: ClassVar[str] = "backoff"
    normalised: ClassVar[bool] = False
    of_tokenizer: ClassVar[bool] = False

    @property
    def reach(self) -> Reach:
        """The levels that are weighed."""
        return Reach(self.context, selective=False, empty=True)

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """The formula."""
        follows = levels.times > 0
        column = np.argmax(follows, axis=1)
        row = np.arange(len(levels))
        steps = (levels.longest().lengths[:, 0] - levels.lengths[row, column]).astype(np.float64)
        score = self.alpha**steps * _ratio(levels.times[row, column], levels.followed[row, column])
        return np.where(follows.any(axis=1), score, 0.0)


@dataclass(frozen=True)
class InfinigramBackoff(Formula):
    """What Infinigram's package calls back-off: factor^j c_j over the contexts from the longest, j = 0, 1, …, up to the
    first that is followed five times as often as `threshold`; divided by the same sum of m_j.

    factor: The weight of a context against that of the next longer one.
    threshold: How often a context must be followed to count.
    alpha: Added to the count of each token.
    context: Most tokens of context.
    floor: What a probability of 0 counts as; None: it is 0.
    """

    factor: float = 0.4
    threshold: int = 1
    alpha: float = 0.0
    context: int = 100
    floor: float | None = None
    name: ClassVar[str] = "infinigram-backoff"
    normalised: ClassVar[bool] = True
    of_tokenizer: ClassVar[bool] = True

    @property
    def reach(self) -> Reach:
        """The levels that are weighed."""
        return Reach(self.context, selective=False)

    @property
    def smooths(self) -> bool:
        """With alpha, every token has something."""
        return self.alpha > 0

    def used(self, levels: Levels) -> Numbers:
        """The longest context that is followed often enough."""
        counts = self._weights(levels) > 0
        lengths = levels.lengths[np.arange(len(levels)), np.argmax(counts, axis=1)]
        return np.where(counts.any(axis=1), lengths, NOTHING)

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """The formula."""
        weights = self._weights(levels)
        return _smoothed(
            (weights * levels.times).sum(axis=1), (weights * levels.followed).sum(axis=1), self.alpha, kinds
        )

    def _weights(self, levels: Levels) -> Shares:
        enough = levels.followed >= 5 * self.threshold
        # A context counts if no longer one was enough.
        open_: NDArray[np.bool_] = np.cumsum(enough, axis=1) - enough == 0
        weights = self.factor ** np.arange(levels.lengths.shape[1], dtype=np.float64)
        return np.where(open_ & levels.exists & (levels.followed >= self.threshold), weights, 0.0)


@dataclass(frozen=True)
class Laplace(Formula):
    """Add-alpha after the longest context that occurs: (c + alpha) / (m + alpha V).

    alpha: Added to the count of each of the V tokens that there may be; above 0.
    context: Most tokens of context.
    """

    alpha: float = 1.0
    context: int = 100
    floor: float | None = None
    name: ClassVar[str] = "laplace"
    normalised: ClassVar[bool] = True
    of_tokenizer: ClassVar[bool] = True

    @property
    def reach(self) -> Reach:
        """The levels that are weighed."""
        return Reach(self.context, most=1)

    @property
    def smooths(self) -> bool:
        """With alpha, every token has something."""
        return self.alpha > 0

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """The formula."""
        longest = levels.longest()
        return _smoothed(longest.times[:, 0], longest.followed[:, 0], self.alpha, kinds)


@dataclass(frozen=True)
class WittenBell(Formula):
    """Witten–Bell over the levels: P_j = (c_j + D_j P_{j+1}) / (m_j + D_j), from the uniform distribution up.

    context: Most tokens of context.
    every_length: Whether contexts with the same followers as a longer one count, too.
    """

    context: int = 100
    every_length: bool = False
    floor: float | None = None
    name: ClassVar[str] = "witten-bell"
    normalised: ClassVar[bool] = True
    of_tokenizer: ClassVar[bool] = False

    @property
    def reach(self) -> Reach:
        """The levels that are weighed."""
        return _every_level(self.context, self.every_length)

    @property
    def smooths(self) -> bool:
        """It begins with the uniform distribution."""
        return True

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """The formula."""
        return _from_uniform(levels, kinds, lambda m, d, c, shorter: _ratio(c + d * shorter, m + d))


@dataclass(frozen=True)
class Discount(Formula):
    """Absolute discounting over the levels: P_j = (max(c_j - discount, 0) + discount D_j P_{j+1}) / m_j.

    discount: Subtracted from each count, 0 to 1.
    context: Most tokens of context.
    every_length: Whether contexts with the same followers as a longer one count, too.
    """

    discount: float = 0.9
    context: int = 100
    every_length: bool = False
    floor: float | None = None
    name: ClassVar[str] = "discount"
    normalised: ClassVar[bool] = True
    of_tokenizer: ClassVar[bool] = False

    @property
    def reach(self) -> Reach:
        """The levels that are weighed."""
        return _every_level(self.context, self.every_length)

    @property
    def smooths(self) -> bool:
        """It begins with the uniform distribution."""
        return True

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """The formula."""
        less = self.discount
        return _from_uniform(
            levels, kinds, lambda m, d, c, shorter: _ratio(np.maximum(c - less, 0) + less * d * shorter, m)
        )
