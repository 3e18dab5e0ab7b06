"""Every measure of a text: one row here, and one file beside this one.

A trace computes them; its JSON, the report, and the lines and charts of the window are made from these rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from explorer.analyses.trace.measures.coverage import CoverageMeasure
from explorer.analyses.trace.measures.longest_passage import LongestPassageMeasure
from explorer.analyses.trace.measures.measure import MatchedText, Measure, Quote
from explorer.analyses.trace.measures.novelty import NoveltyMeasure
from explorer.analyses.trace.measures.self_match import SelfMatchMeasure
from explorer.chart import Chart


@dataclass(frozen=True)
class Measured:
    """A measure and its value for one text."""

    measure: Measure[Any]
    value: Any

    @property
    def id(self) -> str:
        """The name of the measure."""
        return self.measure.id

    @property
    def summary(self) -> str:
        """The value in a few words; "" leaves it out."""
        return self.measure.summary(self.value)

    @property
    def sentence(self) -> str:
        """The value in a sentence; "" leaves it out."""
        return self.measure.sentence(self.value)

    @property
    def warning(self) -> str:
        """What a reader has to know first; "" if there is nothing."""
        return self.measure.warning(self.value)

    @property
    def quote(self) -> Quote | None:
        """The part of the text that the measure is about."""
        return self.measure.quote(self.value)

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of JSON."""
        return self.measure.fields(self.value)

    def chart(self, index_name: str) -> Chart | None:
        """The value as a chart, if it can be drawn."""
        return self.measure.chart(self.value, index_name)


class Measures:
    """The measures, in the order in which they are shown."""

    def __init__(self, *rows: Measure[Any]) -> None:
        self.rows = rows

    def __iter__(self) -> Iterator[Measure[Any]]:
        return iter(self.rows)

    def measure(self, matched: MatchedText) -> tuple[Measured, ...]:
        """Compute every measure of a text, in their order."""
        # In order, and one after the other: they share what `MatchedText` caches.
        return tuple(Measured(row.of(matched.unit), row.compute(matched)) for row in self.rows)


MEASURES = Measures(
    # This order is that of the window and of reports.
    CoverageMeasure(),
    LongestPassageMeasure(),
    NoveltyMeasure(),
    SelfMatchMeasure(),
)
