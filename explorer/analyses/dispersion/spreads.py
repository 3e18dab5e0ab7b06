"""The dispersion of many words at once, from the parts in which they occur.

A word occurs in few of the parts, so every measure is written as a sum over these, and the others are added in one
step. `dispersion` has the same measures for one word, over all parts, as people write them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import ArrayValue

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Spreads(ArrayValue):
    """In which parts words occur, and how often.

    starts: Where the cells of each word begin, and the end of the last one, int64 [words + 1]; each word has a cell.
    parts: The part of each cell, int64 [cells].
    counts: How often the word occurs in it, above 0, int64 [cells].
    sizes: The words of each part, above 0, float64 [parts].
    """

    starts: Numbers
    parts: Numbers
    counts: Numbers
    sizes: Floats

    @classmethod
    def of(cls, words: Numbers, parts: Numbers, counts: Numbers, sizes: Floats) -> Spreads:
        """Take cells in any order; those of the same word and part are added up.

        words: The word of each cell, 0 to words − 1, int64 [cells]; each of these has a cell.
        """
        keys, places = np.unique(words * len(sizes) + parts, return_inverse=True)
        summed = np.bincount(places, weights=counts, minlength=len(keys)).astype(np.int64)
        starts = np.searchsorted(keys // len(sizes), np.arange(int(words.max()) + 2 if len(words) else 1))
        return cls(starts.astype(np.int64), keys % len(sizes), summed, sizes)

    def measures(self) -> Mapping[str, Floats]:
        """Compute the measures of `DISPERSIONS` for all words.

        Returns: Each by its id, float64 [words]; nan where a measure is not defined, such as over one part. Cost: some
            steps of numpy over all cells, and a sort of them.
        """
        found = {"range": np.diff(self.starts).astype(np.float64), **self._deviations(), **self._by_rates()}
        if len(self.sizes) < 2:
            undefined = ("dp_norm", "d_a", "juilland", "carroll")
            found |= {name: np.full(len(found["range"]), np.nan) for name in undefined}
        return found

    def _sum(self, cells: Floats) -> Floats:
        """Per word."""
        return np.add.reduceat(cells, self.starts[:-1]) if len(cells) else np.zeros(0)

    def _deviations(self) -> dict[str, Floats]:
        shares = self.sizes / self.sizes.sum()
        totals = self._sum(self.counts.astype(np.float64))
        own, cell_shares = self.counts / np.repeat(totals, np.diff(self.starts)), shares[self.parts]
        # A part without the word adds its share: all of them together 1 less those of the parts with it.
        dp = (self._sum(np.abs(own - cell_shares) - cell_shares) + 1) / 2
        roots = self._sum(np.sqrt(cell_shares * self.counts))
        with np.errstate(divide="ignore", invalid="ignore"):
            # A corpus without words has no part.
            return {"dp": dp, "dp_norm": dp / (1 - shares.min(initial=1)), "rosengren": roots**2 / totals}

    def _by_rates(self) -> dict[str, Floats]:
        parts, per_word = len(self.sizes), np.diff(self.starts)
        rates = self.counts / self.sizes[self.parts]
        sums = self._sum(rates)
        means = sums / parts
        shares = rates / np.repeat(sums, per_word)
        variances = self._sum((rates - np.repeat(means, per_word)) ** 2) + (parts - per_word) * means**2
        with np.errstate(divide="ignore", invalid="ignore"):
            return {
                "d_a": 1 - self._pair_differences(rates) / (parts * (parts - 1) / 2) / (2 * means),
                "juilland": 1 - np.sqrt(variances / parts) / means / np.sqrt(parts - 1),
                # One part gives −0.
                "carroll": np.abs(self._sum(shares * np.log(shares))) / np.log(parts),
            }

    def _pair_differences(self, rates: Floats) -> Floats:
        """The sum of |rᵢ − rⱼ| over all pairs of parts, of each word: sorted, a rate's place tells its factor."""
        parts, per_word = len(self.sizes), np.diff(self.starts)
        words = np.repeat(np.arange(len(per_word)), per_word)
        order = np.lexsort((rates, words))
        # Rates of 0 come first and add nothing, but they move the places of the others.
        places = np.arange(len(rates)) - np.repeat(self.starts[1:], per_word) + parts + 1
        return self._sum((2 * places - parts - 1) * rates[order])
