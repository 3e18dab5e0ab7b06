"""The longest match that contains each token of a text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def longest_covering(longest: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find the longest match that contains each token.

    longest: For each token, the longest match from there, int64; the ends of the matches never decrease.
    Returns: The lengths in tokens, int64.

    Notes
    -----
    O(tokens × log of the matches that overlap).
    """
    # Match i is [i, i + longest[i]). Its ends never decrease: what is left of a match without its first token occurs,
    # too.
    starts = np.arange(len(longest), dtype=np.int64)
    ends = starts + longest
    # A match that ends where the previous one ends is part of it.
    whole = np.flatnonzero((longest > 0) & (ends > np.concatenate([[0], ends[:-1]])))
    # The matches that contain token i are a range of `whole`: from the first that ends after i to the last that begins
    # at or before i.
    first = np.searchsorted(ends[whole], starts, side="right")
    last = np.searchsorted(whole, starts, side="right")
    return _largest_within(longest[whole], first, last)


def _largest_within(values: NDArray[np.int64], first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.int64]:
    """The largest of values[first[i]:last[i]] for each i, 0 for none: by the largest of every 1, 2, 4 … in a row."""
    best = np.zeros(len(first), dtype=np.int64)
    sizes = last - first
    # runs[i] is the largest of values[i:i + width]. Two such runs, one from each end, cover every range of width to 2 ×
    # width - 1.
    runs, width = values, 1
    while len(runs) and (sizes >= width).any():
        mine = np.flatnonzero((sizes >= width) & (sizes < 2 * width))
        best[mine] = np.maximum(runs[first[mine]], runs[last[mine] - width])
        # The run of twice the width is the larger of two neighbors.
        runs, width = np.maximum(runs[:-width], runs[width:]), 2 * width
    return best
