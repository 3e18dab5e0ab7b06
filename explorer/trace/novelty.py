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
    """For each token, the length of the longest match that contains it."""
    best = np.zeros(len(longest), dtype=np.int64)
    # Matches by length, shortest first, so that the longest is written last.
    for start in np.argsort(longest, kind="stable").tolist():
        best[start : start + int(longest[start])] = longest[start]
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
