"""How much of a text is new to the corpus.

A token is covered at L where some n-gram of at least L tokens that contains it occurs in the corpus.
uniq(L) is the share of tokens that are not (Lu et al., "AI as Humanity's Salieri", 2024; the index
is taken as the mean over L = 5…11, as its author's demo does).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.trace.measures.covering import longest_covering
from explorer.analyses.trace.measures.measure import MatchedText, Measure, Unit
from explorer.chart import Chart, Dots, Panel, Point, share_axis, whole_axis
from explorer.i18n import mark, tr

# Those that the chart shows; the index is the mean over fewer of them.
LENGTHS = tuple(range(2, 21))
INDEX_LENGTHS = tuple(range(5, 12))


@dataclass(frozen=True)
class Novelty:
    """How much of a text is not in the corpus.

    Attributes
    ----------
    lengths
        Lengths of matches in tokens.
    uncovered
        For each, the share of tokens outside of matches of that length or more, 0 to 1.
    index
        The mean of these shares over lengths 5 to 11.
    longest_match
        Tokens of the longest match.
    """

    lengths: tuple[int, ...]
    uncovered: tuple[float, ...]
    index: float
    longest_match: int


def measure_novelty(longest: NDArray[np.int64], covering: NDArray[np.int64] | None = None) -> Novelty:
    """Compute the novelty of a text.

    longest: The longest match at each start, in tokens, int64 of shape (tokens,).
    covering: The longest match that contains each token, where it is known already.
    Returns: The shares of tokens outside of matches; 0.0 for a text without tokens.
    """
    # For callers that have only the matches; a trace has computed it for all measures.
    best = longest_covering(longest) if covering is None else covering

    def uncovered(length: int) -> float:
        # A token in no match has 0 here, so it is uncovered for every length.
        return float(np.mean(best < length)) if len(best) else 0.0

    return Novelty(
        lengths=LENGTHS,
        uncovered=tuple(uncovered(length) for length in LENGTHS),
        index=float(np.mean([uncovered(length) for length in INDEX_LENGTHS])),
        longest_match=int(longest.max()) if len(longest) else 0,
    )


def novelty_chart(title: str, novelty: Novelty, unit: Unit = "tokens") -> Chart:
    """Draw the share of tokens outside of matches of L tokens or more, for each L.

    Returns: The chart; its table has a row per length.
    """
    points = tuple(Point(n, share) for n, share in zip(novelty.lengths, novelty.uncovered, strict=True))
    in_words = unit == "words"
    along = tr("Match length L (words)") if in_words else tr("Match length L (tokens)")
    height = tr("Share of words outside matches") if in_words else tr("Share of tokens outside matches")
    x = whole_axis(along, novelty.lengths[0], novelty.lengths[-1])
    band = (INDEX_LENGTHS[0] - 0.5, INDEX_LENGTHS[-1] + 0.5, tr("novelty index {index:.0%}", index=novelty.index))
    dots = Dots(tr("Share outside matches"), points, line=True)
    panel = Panel("", x, share_axis(height), dots=(dots,), band=band)
    rows = tuple(zip(novelty.lengths, novelty.uncovered, strict=True))
    return Chart(mark("novelty"), title, ((panel,),), ("match_length", "share_outside"), rows)


class NoveltyMeasure(Measure[Novelty]):
    """The share of the text outside of matches, by their length."""

    id = "novelty"
    label = mark("Novelty")
    note = mark("share of tokens outside matches of L tokens or more, mean of L = 5…11")

    def of(self, unit: Unit) -> Self:
        """Give the measure for lengths in another unit, which its note names."""
        found = super().of(unit)
        if unit == "words":
            found.note = mark("share of words outside matches of L words or more, mean of L = 5…11")
        return found

    def compute(self, matched: MatchedText) -> Novelty:
        """Compute the shares from the matches alone."""
        return measure_novelty(matched.longest, matched.covering)

    def summary(self, value: Novelty) -> str:
        """Give the index in percent."""
        return tr("novelty {index:.0%}", index=value.index)

    def sentence(self, value: Novelty) -> str:
        """Give the index, and how it is defined."""
        of = f"mean share of {self.unit} outside matches of at least L {self.unit}, L = 5…11"
        return f"Novelty ({of}): {value.index:.1%}."

    def chart(self, value: Novelty, index_name: str) -> Chart:
        """Draw the share for each length."""
        return novelty_chart(tr("Share of the text outside matches in {name}", name=index_name), value, self.unit)
