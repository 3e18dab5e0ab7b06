"""How much of a text is in matches, and how long the longest one is at each token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.trace.measures.measure import MatchedText, Measure, Unit
from explorer.chart import Bars, Chart, Panel, Point, count_axis, whole_axis
from explorer.core.arrays import ArrayValue
from explorer.i18n import mark, tr

# Shorter matches occur by chance in any text of the language.
LEAST = 5
"""Tokens of a match from which its tokens count as covered."""
_MOST_BARS = 500
"""Bars of a strip along a text: more cannot be told apart on paper."""


@dataclass(frozen=True, eq=False)
class Coverage(ArrayValue):
    """How much of a text is in matches.

    lengths: For each token, the length of the longest match that contains it; int64 of shape (tokens,).
    """

    lengths: NDArray[np.int64]

    @property
    def share(self) -> float:
        """The share of tokens in matches of five tokens or more, 0 to 1."""
        return float(np.mean(self.lengths >= LEAST)) if len(self.lengths) else 0.0


def matches_chart(title: str, lengths: Sequence[int], unit: Unit = "tokens") -> Chart:
    """Draw the longest match that contains each token, from the text's beginning to its end.

    Returns: The chart; a long text has bars of several tokens, each as high as the longest match in it. Its table has a
        row per token or word.
    """
    # Rounded up: -(-a // b).
    width = max(1, -(-len(lengths) // _MOST_BARS))
    bars = tuple(
        # The middle of tokens first + 1 to first + width, since the axis counts from 1.
        Point(first + (width + 1) / 2, max(lengths[first : first + width]))
        for first in range(0, len(lengths), width)
    )
    in_words = unit == "words"
    height = tr("Longest match (words)") if in_words else tr("Longest match (tokens)")
    left = count_axis(height, max(lengths, default=1))
    # An axis of a text without tokens ends at 1, too: from 1 to 0 it would have no length.
    along = tr("Word of the text") if in_words else tr("Token of the text")
    x = whole_axis(along, 1, max(1, len(lengths)))
    panel = Panel(
        "",
        # The last bar may represent fewer tokens than the others, but has the same width.
        replace(x, high=max(x.high, width * len(bars) + 0.5)),
        left,
        bars=(Bars(tr("Longest match"), bars, width=width),),
    )
    rows = tuple(enumerate(lengths, start=1))
    return Chart(mark("matches"), title, ((panel,),), ("word" if in_words else "token", "longest_match"), rows)


class CoverageMeasure(Measure[Coverage]):
    """The longest match along the text."""

    id = "coverage"
    label = mark("Coverage")

    def compute(self, matched: MatchedText) -> Coverage:
        """Compute the lengths from the matches alone."""
        return Coverage(matched.covering)

    def fields(self, value: Coverage) -> dict[str, Any]:
        """Give the lengths, under the name that they have always had."""
        return {"covering": value.lengths}

    def chart(self, value: Coverage, index_name: str) -> Chart:
        """Draw the lengths along the text."""
        title = tr("Longest match in {name} along the text", name=index_name)
        return matches_chart(title, value.lengths.tolist(), self.unit)
