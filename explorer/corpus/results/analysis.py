"""The result of an analysis in a folder of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, TypeVar

from explorer.analyses.analysis import Analysis, Found
from explorer.chart import Chart
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RowsResult
from explorer.derive.question import Question
from explorer.i18n import counted

Q = TypeVar("Q", bound=Question)
R = TypeVar("R")
F = TypeVar("F")


class AnalysisTable(RowsResult[R], Generic[Q, R, F]):
    """The rows of an analysis of a whole corpus; also a table with one row each.

    Attributes
    ----------
    question
        The settings.
    facts
        What describes all rows.
    """

    def __init__(self, analysis: Analysis[Q, R, F], question: Q, found: Found[R, F], origin: Origin) -> None:
        super().__init__(origin)
        self._record, self._rows = analysis.record, found.rows
        self.question, self.facts = question, found.facts
        self._analysis, self._found = analysis, found

    def chart(self, title: str) -> Chart | None:
        """Draw the result.

        Parameters
        ----------
        title
            The title of the figure.

        Returns
        -------
        Chart or None
            The figure, with what it was computed from; None if the analysis has none.
        """
        draw = self._analysis.chart
        return None if draw is None else replace(draw(title, self.question, self._found), facts=self.provenance)

    def __repr__(self) -> str:
        return f"AnalysisTable({type(self.question).__name__}, {counted('row', len(self))})"
