"""Where no context counts: the unigram, or the uniform distribution, in place of a formula that gives nothing."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.model.levels import Levels
from explorer.analyses.model.method import NOTHING, Method, Shares
from explorer.backends.protocol.protocol import Numbers

Fallback = Literal["", "unigram", "uniform"]
"""What a probability comes from if no context counts: how often each token occurs, or no count; "" if one counts."""
FALLBACKS: tuple[Fallback, ...] = get_args(Fallback)
UNIGRAM, UNIFORM = 1, 2


class Weighed(NamedTuple):
    """The probability of each token, tokens of the longest context that counts, and the place in `FALLBACKS`."""

    shares: Shares
    lengths: Numbers
    fallbacks: NDArray[np.int8]


def weighed(method: Method, levels: Levels, kinds: int) -> Weighed:
    """Weigh levels, with a distribution for every token whose context does not occur.

    kinds: Distinct tokens that there may be, 1 or more.
    Returns: The values of each token. The scores of a method that is not normalized stay as they are.
    """
    used, shares = method.used(levels), method.shares(levels, kinds)
    fallbacks = np.where(used == 0, UNIGRAM, 0).astype(np.int8)
    nothing = used == NOTHING
    if method.normalised and nothing.any():
        alone = np.full(len(levels), np.nan) if levels.alone is None else levels.alone
        is_uniform = np.isnan(alone) | method.smooths
        if not method.smooths:
            shares = np.where(nothing, np.where(is_uniform, levels.known / kinds, alone), shares)
        fallbacks[nothing] = np.where(is_uniform, UNIFORM, UNIGRAM)[nothing]
    return Weighed(shares, np.maximum(used, 0), fallbacks)
