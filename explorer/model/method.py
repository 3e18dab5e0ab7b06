"""What a method of the model is: how the levels of a token become its probability."""

from __future__ import annotations

from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.model.levels import Levels, Reach

Shares = NDArray[np.float64]
"""Per token, from 0 to 1."""


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

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """Weigh the levels.

        Parameters
        ----------
        levels
            The levels of some tokens.
        kinds
            Distinct tokens that there may be, 1 or more.

        Returns
        -------
        Shares
            The probability of each token, or its score if the method is not normalized.
        """
