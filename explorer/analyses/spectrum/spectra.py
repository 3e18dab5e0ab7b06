"""How many n-grams an index has: distinct ones of every length, by count, and as the corpus grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.backends.protocol.list_values import LONGEST_SHARED, SPECTRUM
from explorer.backends.protocol.protocol import Backend, GrowthRule, NgramGrowth, NgramRule, Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken, Report, no_report


@dataclass(frozen=True, eq=False)
class DistinctNgrams(ArrayValue):
    """How many n-grams within documents an index has, for every n.

    Attributes
    ----------
    totals
        Occurrences of all n-grams, for n from 1 to the longest document, at most 65,535, int64.
    distinct
        Distinct n-grams, likewise.
    all_total
        Occurrences of n-grams of all lengths.
    all_distinct
        Distinct n-grams of all lengths, which no list could hold.
    exact
        Whether `all_distinct` is exact; otherwise, passages of 65,535 tokens or more occur twice, and there are fewer.
    """

    totals: Numbers
    distinct: Numbers
    all_total: int
    all_distinct: int
    exact: bool


@dataclass(frozen=True, eq=False)
class CountSpectrum(ArrayValue):
    """How many n-grams of one length occur how often.

    Attributes
    ----------
    n
        Tokens of each n-gram.
    counts
        The counts that occur, ascending, int64.
    ngrams
        How many distinct n-grams have each, int64.
    """

    n: int
    counts: Numbers
    ngrams: Numbers

    @property
    def types(self) -> int:
        """Distinct n-grams."""
        return int(self.ngrams.sum())

    def above(self, limits: Sequence[int]) -> Numbers:
        """Count the n-grams that occur more often than each limit.

        Parameters
        ----------
        limits
            Counts.

        Returns
        -------
        Numbers
            Distinct n-grams, int64 [limits].
        """
        # What is left from each count on, and nothing after the last one.
        left = np.append(np.cumsum(self.ngrams[::-1])[::-1], 0)
        return left[np.searchsorted(self.counts, limits, side="right")].astype(np.int64)


def count_distinct(index: Backend, report: Report = no_report, cancel: CancelToken | None = None) -> DistinctNgrams:
    """Count the distinct n-grams of every length.

    Raises `CapabilityError` if the index cannot list n-grams or tell the sizes of documents, or documents are
        subtracted.

    Notes
    -----
    Every suffix begins with one n-gram of each length up to the end of its document. It is new unless the suffix before
    it in the order of all suffixes shares it. So the distinct n-grams are all occurrences but the suffixes that share n
    tokens or more.
    """
    for needed in ("lists", "sizes"):
        index.capabilities.require(needed)
    shared = index.lists.shared_prefixes(report, cancel)
    sizes = index.documents.sizes()
    # Without separators; a number without a document has no size.
    lengths = np.sort(sizes[sizes > 1] - 1)
    lengths_of_n = np.arange(1, min(int(lengths[-1]) if len(lengths) else 0, LONGEST_SHARED) + 1)
    at = np.searchsorted(lengths, lengths_of_n)
    tokens = np.append(np.cumsum(lengths[::-1])[::-1], 0)[at]
    totals = tokens - (lengths_of_n - 1) * (len(lengths) - at)
    known = np.cumsum(shared[::-1])[::-1][lengths_of_n]
    # In Python's numbers: documents of four billion tokens would not fit into 64 bits.
    all_total = sum(length * (length + 1) // 2 for length in lengths.tolist())
    all_shared = sum(size * count for size, count in enumerate(shared.tolist()) if count)
    return DistinctNgrams(totals, totals - known, all_total, all_total - all_shared, not shared[-1])


def count_spectra(
    index: Backend, max_n: int, report: Report = no_report, cancel: CancelToken | None = None
) -> tuple[CountSpectrum, ...]:
    """Count how many n-grams occur how often.

    Returns: One for each n from 1 to `max_n`, exact for every count.
    Raises `CapabilityError` if the index cannot list n-grams.
    """
    index.capabilities.require("lists")
    # Those that a spectrum does not tell apart are few, so they are listed.
    rule = NgramRule(1, max_n, min_count=SPECTRUM - 1, documents=False)
    made: list[CountSpectrum] = []
    for each in index.lists.ngrams(rule, report, cancel):
        rare = np.flatnonzero(each.spectrum[: SPECTRUM - 1])
        frequent, numbers = np.unique(each.counts, return_counts=True)
        counts = np.concatenate([rare, frequent]).astype(np.int64)
        made.append(CountSpectrum(each.n, counts, np.concatenate([each.spectrum[rare], numbers]).astype(np.int64)))
    return tuple(made)


def count_growth(
    index: Backend, rule: GrowthRule, report: Report = no_report, cancel: CancelToken | None = None
) -> NgramGrowth:
    """Count the distinct n-grams of growing parts of an index.

    rule: Which n-grams, and how many sizes.
    Raises `CapabilityError` if the index cannot list n-grams, or documents are subtracted.
    """
    index.capabilities.require("lists")
    return index.lists.growth(rule, report, cancel)
