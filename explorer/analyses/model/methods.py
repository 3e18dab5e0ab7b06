"""The methods without anything learned: one class each, with its settings and its formula."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.model.levels import Levels, Reach
from explorer.analyses.model.method import NOTHING, Formula, Shares
from explorer.backends.protocol.protocol import Numbers
from explorer.derive.kinds import Choice, Flag, Maybe, Real, Whole
from explorer.derive.question import setting
from explorer.errors import QueryError
from explorer.i18n import mark

MOST_CONTEXT = 1_000
Weight = Literal["linear", "quadratic", "exponential", "sigmoid"]
WEIGHTS: Mapping[str, str] = {"linear": "n", "quadratic": "n²", "exponential": "2ⁿ", "sigmoid": mark("sigmoid")}
"""How the weight of a context may grow with its length, as the window writes it."""
_LARGEST_POWER = 280
"""Powers of ten of the largest weight of a context that is still a number when many are added."""


def context_setting() -> int:
    """The setting `context` of a method."""
    help = mark("maximum number of tokens of context")
    return setting(100, Whole(1, MOST_CONTEXT), mark("Context"), help, fact="context", always=False)


def floor_setting(usual: float | None = None) -> float | None:
    """The setting `floor` of a method."""
    kind = Maybe(Real(0, 1, above=True, decimals=12, metavar="P"), label=mark("none"))
    return setting(usual, kind, mark("Floor"), mark("what a probability of 0 counts as"), fact="floor", always=False)


def _added(usual: float) -> float:
    """The setting `alpha` of a method that adds to counts."""
    kind = Real(0, 1e6, offered=1_000, decimals=3, metavar="A")
    return setting(usual, kind, mark("Alpha"), mark("added to the count of each token"), fact="alpha")


def _every_length() -> bool:
    help = mark("include contexts with the same followers as a longer one")
    return setting(False, Flag(), mark("Every length"), help, fact="every_length", always=False)


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
    """An n-gram model without smoothing: count of context and token / count of the context."""

    title: ClassVar = mark("N-gram")

    n: int = setting(
        5, Whole(1, MOST_CONTEXT, offered=100), mark("n"), mark("tokens of an n-gram, n - 1 of them context"), fact="n"
    )
    floor: float | None = floor_setting()
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
    """The ∞-gram: the same after the longest context that occurs (Liu et al. 2024, section 2)."""

    title: ClassVar = mark("∞-gram")

    context: int = context_setting()
    floor: float | None = floor_setting()
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
    """

    title: ClassVar = mark("Blend levels")

    levels: int | None = setting(
        2,
        Maybe(Whole(1, offered=100, metavar="K"), "all", mark("all")),
        mark("Levels"),
        mark("how many levels are blended, from the longest context"),
        fact="levels",
    )
    decay: float = setting(
        0.1,
        Real(0, 1, decimals=3, metavar="D"),
        mark("Decay"),
        mark("weight of a level relative to the next longer one"),
        fact="decay",
    )
    context: int = context_setting()
    floor: float | None = floor_setting(1e-10)
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
    """Counts of all contexts, weighted by length: n, n², base^n or a sigmoid (the Infinigram paper, equation 2)."""

    title: ClassVar = mark("Weighted")

    weight: Weight = setting(
        "linear",
        Choice(WEIGHTS),
        mark("Weight"),
        mark("how the weight grows with the length of the context"),
        fact="weight",
    )
    base: float = setting(
        2.0,
        Real(1e-3, 1e3, decimals=3, metavar="B"),
        mark("Base"),
        mark("base of the exponential weight"),
        fact="base",
        always=False,
    )
    alpha: float = _added(0.0)
    context: int = context_setting()
    floor: float | None = floor_setting()
    name: ClassVar[str] = "weighted"
    normalised: ClassVar[bool] = True
    of_tokenizer: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weight == "exponential" and abs(self.context * math.log10(self.base)) > _LARGEST_POWER:
            raise QueryError(
                mark("{base} to the power of {context} is too large or too small for a number."),
                reason="weight-too-large",
                base=self.base,
                context=self.context,
            )

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
    """

    title: ClassVar = mark("Back-off")

    alpha: float = setting(
        0.4,
        Real(0, 1e6, offered=1_000, decimals=3, metavar="A"),
        mark("Alpha"),
        mark("factor for each step to a shorter context"),
        fact="alpha",
    )
    context: int = context_setting()
    floor: float | None = floor_setting()
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
    """

    title: ClassVar = mark("Infinigram's back-off")

    factor: float = setting(
        0.4,
        Real(0, 1, decimals=3, metavar="F"),
        mark("Factor"),
        mark("weight of a context relative to the next longer one"),
        fact="factor",
    )
    threshold: int = setting(
        1,
        Whole(1),
        mark("Threshold"),
        mark("minimum number of times that a context is followed"),
        fact="threshold",
        always=False,
    )
    alpha: float = _added(0.0)
    context: int = context_setting()
    floor: float | None = floor_setting()
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
    """Add-alpha after the longest context that occurs: (c + alpha) / (m + alpha V), for V tokens that there may be."""

    title: ClassVar = mark("Add alpha")

    alpha: float = _added(1.0)
    context: int = context_setting()
    floor: float | None = floor_setting()
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
    """Witten–Bell over the levels: P_j = (c_j + D_j P_{j+1}) / (m_j + D_j), from the uniform distribution up."""

    title: ClassVar = mark("Witten–Bell")

    context: int = context_setting()
    every_length: bool = _every_length()
    floor: float | None = floor_setting()
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
    """Absolute discounting over the levels: P_j = (max(c_j - discount, 0) + discount D_j P_{j+1}) / m_j."""

    title: ClassVar = mark("Absolute discounting")

    discount: float = setting(
        0.9,
        Real(0, 1, decimals=3, metavar="D"),
        mark("Discount"),
        mark("subtracted from each count"),
        fact="discount",
    )
    context: int = context_setting()
    every_length: bool = _every_length()
    floor: float | None = floor_setting()
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
