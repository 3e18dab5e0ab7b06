"""How much of a text is new to the corpus.

A token is covered at L where some n-gram of at least L tokens that contains it occurs in the corpus.
uniq(L) is the share of tokens that are not (Lu et al., "AI as Humanity's Salieri", 2024; the index
is taken as the mean over L = 5…11, as its author's demo does).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LENGTHS = tuple(range(2, 21))
INDEX_LENGTHS = tuple(range(5, 12))


@dataclass(frozen=True)
class Novelty:
    """uniq at each of `lengths`; `index`: its mean over L = 5…11; `longest_match` in tokens."""

    lengths: tuple[int, ...]
    uncovered: tuple[float, ...]
    index: float
    longest_match: int


def longest_covering(longest: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each token, the length of the longest match that contains it.

    longest: the longest match at each start; their ends never decrease. Cost: O(tokens × log of the matches that
    overlap).
    """
    starts = np.arange(len(longest), dtype=np.int64)
    ends = starts + longest
    # A match that ends where the previous one ends is part of it.
    whole = np.flatnonzero((longest > 0) & (ends > np.concatenate([[0], ends[:-1]])))
    first = np.searchsorted(ends[whole], starts, side="right")
    last = np.searchsorted(whole, starts, side="right")
    return _largest_within(longest[whole], first, last)


def _largest_within(values: NDArray[np.int64], first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.int64]:
    """The largest of values[first[i]:last[i]] for each i, 0 for none: by the largest of every 1, 2, 4 … in a row."""
    best = np.zeros(len(first), dtype=np.int64)
    sizes = last - first
    runs, width = values, 1
    while len(runs) and (sizes >= width).any():
        mine = np.flatnonzero((sizes >= width) & (sizes < 2 * width))
        best[mine] = np.maximum(runs[first[mine]], runs[last[mine] - width])
        runs, width = np.maximum(runs[:-width], runs[width:]), 2 * width
    return best


def measure_novelty(longest: NDArray[np.int64]) -> Novelty:
    """Novelty from the longest match at each start."""
    best = longest_covering(longest)

    def uncovered(length: int) -> float:
        return float(np.mean(best < length)) if len(best) else 0.0

    return Novelty(
        lengths=LENGTHS,
        uncovered=tuple(uncovered(length) for length in LENGTHS),
        index=float(np.mean([uncovered(length) for length in INDEX_LENGTHS])),
        longest_match=int(longest.max()) if len(longest) else 0,
    )
