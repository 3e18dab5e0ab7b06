"""How much of a text is in another in the same order, with a few other words between the parts that agree."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.protocol import Numbers

MOST_BETWEEN = 4
"""Other words or tokens between two matches, on either side: as many mismatches as Llama 2 allows in one."""


def chained_units(item: Numbers, text: Numbers) -> int:
    """Count the words of an item that a chain of matches with a text covers.

    Returns: The most words in matches of two or more that are in the same order in both, with at most `MOST_BETWEEN`
        others between one match and the next on either side.

    Notes
    -----
    O(len(item) × len(text)) in vectorized steps, one per word of the item.

    Examples
    --------
    >>> chained_units(np.array([1, 2, 3, 9, 4, 5]), np.array([0, 1, 2, 3, 4, 5, 6]))
    5
    """
    none = np.zeros(len(text), np.int64)
    # Best chains that end at the current word of the item and each word of the text: with a last match of one word so
    # far, and of two or more. 0 for none.
    one, more = none, none
    # The best complete chains of the words of the item before, by their ends; the oldest is dropped.
    ended = deque([none] * (MOST_BETWEEN + 1), MOST_BETWEEN + 1)
    best = 0
    for word, paired in zip(item.tolist(), _paired(item, text).tolist(), strict=True):
        if paired:
            here = text == word
            # Most of them are empty, and then nothing can be reached.
            some = [each for each in ended if each is not none]
            before = _reached(some) if some else none
            grown = np.maximum(_after(one), _after(more))
            one, more = np.where(here, 1 + before, 0), np.where(here & (grown > 0), 1 + grown, 0)
            if most := int(more.max(initial=0)):
                best = max(best, most)
            else:
                more = none
        else:
            one = more = none
        ended.append(more)
    return best


def _paired(item: Numbers, text: Numbers) -> NDArray[np.bool_]:
    """Whether each word of an item is with a neighbor in the text, too: no other is in a match of two."""
    found = np.zeros(len(item), np.bool_)
    if min(len(item), len(text)) > 1:
        # Ids are below 2³².
        here, there = (each[:-1] << 32 | each[1:] for each in (item.astype(np.int64), text.astype(np.int64)))
        at = np.flatnonzero(np.isin(here, there))
        found[at] = found[at + 1] = True
    return found


def _after(chains: Numbers) -> Numbers:
    """Those that end one word earlier in the text."""
    return np.concatenate([np.zeros(1, np.int64), chains[:-1]])


def _reached(chains: Sequence[Numbers]) -> Numbers:
    """The best of some that end at most `MOST_BETWEEN` words before each word of the text."""
    best = chains[0]
    for each in chains[1:]:
        best = np.maximum(best, each)
    size = len(best)
    padded = np.concatenate([np.zeros(MOST_BETWEEN + 1, np.int64), best[:-1]])
    found = padded[:size]
    # A window over the array takes three times as long.
    for first in range(1, MOST_BETWEEN + 1):
        found = np.maximum(found, padded[first : first + size])
    return found
