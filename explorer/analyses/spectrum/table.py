"""The table of a spectrum: its columns, and the facts about all of it."""

from __future__ import annotations

from explorer.derive.table import column, row

_OTHERS = "None in other views"
_LINE = "None of fewer than two points, and in other views"


@row
class SpectrumRecord:
    """How many n-grams of one length there are."""

    n: int = column("Words or tokens of each")
    at: int = column(
        'What they are counted by: occurrences of all n-grams of this length in the view "distinct"; the count of each '
        'in "counts"; a count that they exceed in "above"; a count that they reach in "zipf"; words or tokens of a '
        'part of the corpus in "growth" and "vocabulary"'
    )
    ngrams: int = column('Distinct n-grams; in "zipf", the rank of the last one with the count')
    share: float | None = column(
        'Of `at` in the view "distinct", otherwise of all distinct n-grams of this length, 0 to 1',
        missing='None in "growth" and "vocabulary"',
    )


@row
class SpectrumFacts:
    """What n-grams were counted by."""

    view: str = column('The view: "distinct", "counts", "above", "growth", "vocabulary" or "zipf"')
    unit: str = column("What an n-gram is made of: words or tokens")
    min_count: int | None = column('The least count of an n-gram in "growth"', missing=_OTHERS)
    all_distinct: int | None = column(
        'Distinct n-grams of all lengths in "distinct", those without a row included', missing=_OTHERS
    )
    exact: bool | None = column("Whether `all_distinct` is exact; if not, there are fewer", missing=_OTHERS)
    exponent: float | None = column(
        'The exponent of the straight line in logarithms, y = factor · x^exponent: Heaps\' law in "vocabulary", with '
        'y distinct words or tokens and x all; Zipf\'s law in "zipf", with y counts and x ranks',
        missing=_LINE,
        default=None,
    )
    factor: float | None = column("The factor of this line", missing=_LINE, default=None)
    points: int | None = column(
        "The number of points that the line is fitted to", missing="None without a line", default=None
    )
