"""How much of some texts the corpus has word for word: then it is scored on what it was counted from. No Qt."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.overlap.self_match import LEAST, SHARE
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken

_SHORTEST = 8
"""The tokens from which a short text that occurs as a whole counts: shorter ones occur in many corpora."""
_PER_TOKEN = 4
"""About as many bytes as a token has, for indexes of bytes."""


def copied_share(index: Backend, texts: Iterable[NDArray[np.int64]], cancel: CancelToken) -> float:
    """Compute the share of the tokens of some texts that are in long passages of the corpus.

    Returns: From 0 to 1. A passage is long from 25 tokens on, as in `explorer.analyses.overlap`, or 100 bytes; of a
        shorter text, if it is all of it. Costs one pass over the tokens.
    """
    factor = _PER_TOKEN if index.tokenizer.vocabulary_size == 256 else 1
    copied = total = 0
    for ids in texts:
        longest = index.counts.longest_matches(ids, cancel)
        least = min(LEAST * factor, max(_SHORTEST * factor, len(ids)))
        starts = np.flatnonzero(longest >= least)
        # Where passages begin and end; between them, the sum is above 0.
        steps = np.zeros(len(ids) + 1, dtype=np.int64)
        np.add.at(steps, starts, 1)
        np.add.at(steps, starts + longest[starts], -1)
        copied += int(np.count_nonzero(np.cumsum(steps[:-1])))
        total += len(ids)
    return copied / total if total else 0.0


def is_copied(share: float) -> bool:
    """Whether that is most of the texts."""
    return share >= SHARE
