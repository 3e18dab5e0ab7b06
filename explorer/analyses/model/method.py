"""What a method of the model is: how the levels of a token become its probability."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.model.levels import Levels, Reach
from explorer.backends.protocol.protocol import Numbers
from explorer.derive.question import Question

Shares = NDArray[np.float64]
"""Per token, from 0 to 1."""
NOTHING = -1
"""In place of the length of a context: none counts, not even the empty one."""


class Method(Protocol):
    """A way from levels to probabilities: the name in `METHODS`, the settings, and one formula.

    The formula sees one row per token, so the rows may be tokens of a text, each after its own context, or all tokens
    that may follow one context: their probabilities add up to 1 then, if the method is normalized.
    """

    name: ClassVar[str]
    normalised: ClassVar[bool]
    of_tokenizer: ClassVar[bool]
    """Whether something is left to every token of the tokenizer; otherwise only to those that the corpus has."""

    @property
    def reach(self) -> Reach:
        """The levels that the formula needs."""

    @property
    def floor(self) -> float | None:
        """What a probability of 0 counts as; None: it is 0."""

    @property
    def smooths(self) -> bool:
        """Whether the formula is a distribution where no context counts: it leaves every token the same."""

    def used(self, levels: Levels) -> Numbers:
        """Tokens of the longest context that counts, of each token; `NOTHING` if none does."""

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """Weigh the levels.

        kinds: Distinct tokens that there may be, 1 or more.
        Returns: The probability of each token, or its score if the method is not normalized.
        """


class Formula(Question):
    """What most methods have: settings, every level counts, and without one the formula gives nothing."""

    name: ClassVar[str]
    normalised: ClassVar[bool]
    of_tokenizer: ClassVar[bool]

    @property
    @abstractmethod
    def reach(self) -> Reach:
        """The levels that are weighed."""

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The method and its settings."""
        return (("method", self.name), *super().facts)

    @property
    def options(self) -> list[str]:
        """The method and its settings that differ from their defaults."""
        return [f"--method={self.name}", *super().options]

    @property
    def smooths(self) -> bool:
        """See `Method`."""
        return False

    def used(self, levels: Levels) -> Numbers:
        """See `Method`."""
        return np.where(levels.exists[:, 0], levels.lengths[:, 0], NOTHING)
