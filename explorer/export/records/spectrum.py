"""How many n-grams a corpus has, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SpectrumRecord:
    """How many n-grams of one length there are.

    Attributes
    ----------
    n
        Words or tokens of each.
    at
        What they are counted by: occurrences of all n-grams of this length in the view "distinct"; the count of each in
        "counts"; a count that they exceed in "above"; a count that they reach in "zipf"; words or tokens of a part of
        the corpus in "growth" and "vocabulary".
    ngrams
        Distinct n-grams. In "zipf", this is the rank of the last one with the count.
    share
        Of `at` in the view "distinct", otherwise of all distinct n-grams of this length, 0 to 1; None in "growth" and
        "vocabulary".
    """

    n: int
    at: int
    ngrams: int
    share: float | None


@dataclass(frozen=True)
class SpectrumFacts:
    """What n-grams were counted by.

    Attributes
    ----------
    view
        The view: "distinct", "counts", "above", "growth", "vocabulary" or "zipf".
    unit
        What an n-gram is made of: words or tokens.
    min_count
        The least count of an n-gram in "growth"; None in other views.
    all_distinct
        Distinct n-grams of all lengths in "distinct", those without a row included; None in other views.
    exact
        Whether `all_distinct` is exact; if not, there are fewer. None in other views.
    exponent, factor
        The straight line in logarithms, y = factor · x^exponent: Heaps' law in "vocabulary", with y distinct words or
        tokens and x all; Zipf's law in "zipf", with y counts and x ranks. None of fewer than two points, and in other
        views.
    points
        The number of points that the line is fitted to; None without a line.
    """

    view: str
    unit: str
    min_count: int | None
    all_distinct: int | None
    exact: bool | None
    exponent: float | None = None
    factor: float | None = None
    points: int | None = None
