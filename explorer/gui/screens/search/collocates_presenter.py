"""What the tab of collocates does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import ClassVar

from explorer.chart import Chart
from explorer.export.collocate_charts import network_chart
from explorer.export.provenance import with_facts
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.presenter import Services
from explorer.gui.requests import Request
from explorer.gui.screens.search.collocates_state import CollocatesState
from explorer.gui.screens.search.collocates_work import (
    CollocateAnswer,
    CollocateRule,
    lines_of,
    run_collocates,
)
from explorer.gui.screens.search.near_presenter import NearPresenter
from explorer.gui.screens.search.near_state import NearQuestion
from explorer.gui.text_positions import cell_text
from explorer.i18n import mark, tr
from explorer.jobs import CancelToken, Report
from explorer.statistics.association import ASSOCIATIONS
from explorer.statistics.text_ends import WITHIN

LIMITS = {"left": (0, 100), "right": (0, 100), "min_count": (1, 999_999), "min_documents": (1, 999_999)}
"""The ranges of the fields, by the names in `CollocateRule`."""


class CollocatesPresenter(NearPresenter[CollocatesState]):
    """The tab without its widgets.

    Parameters
    ----------
    services
        Slots and delays.
    request
        Asks for a document to be shown, and reports files.
    """

    id = "collocates"
    title = mark("Collocates")
    limits = LIMITS
    texts: ClassVar = {"measure": tuple(ASSOCIATIONS), "within": WITHIN}

    def __init__(self, services: Services, request: Callable[[Request], None]) -> None:
        super().__init__(CollocatesState(), services, request)

    def count(
        self, question: NearQuestion, rule: CollocateRule, make: bool, before: CollocateAnswer | None
    ) -> Callable[[Report, CancelToken], CollocateAnswer]:
        """What counts the words near the query.

        Parameters
        ----------
        question
            The query, and where it is counted.
        rule
            How is counted.
        make
            Whether the index of words may be made.
        before
            The answer before; None for none.
        """
        return partial(run_collocates, question, rule, make, before)

    def adjusted(self, rule: CollocateRule, changed: str) -> CollocateRule:
        """A window of nothing has no neighbors: the other side takes over.

        Parameters
        ----------
        rule
            The rule.
        changed
            The name of the number that was changed.
        """
        if rule.left + rule.right:
            return rule
        return replace(rule, right=1) if changed == "left" else replace(rule, left=1)

    def lines_of(self, row: int) -> LinesOf:
        """What finds the lines of a row: one for each time that it was counted.

        Parameters
        ----------
        row
            The row of the answer that is shown.
        """
        assert self.state.listed is not None
        return lines_of(self.state.listed, row)

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the network; None if there is nothing to draw."""
        answer = self.state.listed
        return partial(_charts, answer, self.state.query) if answer is not None and answer.rows else None


def _charts(answer: CollocateAnswer, query: str) -> tuple[Chart, ...]:
    assert answer.found is not None
    name = answer.question.corpus.index.name
    chart = network_chart(
        tr("Collocates of “{query}” in {name}", query=cell_text(answer.question.text), name=name), query, answer.rows
    )
    return with_facts((chart,), answer.found.provenance)
