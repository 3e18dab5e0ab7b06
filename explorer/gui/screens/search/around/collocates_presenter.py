"""What the tab of collocates does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from explorer.analyses.collocates.chart import network_chart
from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.chart import Chart
from explorer.core.jobs import CancelToken, Report
from explorer.export.provenance import with_facts
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import Request
from explorer.gui.screens.search.around.collocates_state import CollocatesState
from explorer.gui.screens.search.around.collocates_work import (
    CollocateAnswer,
    lines_of,
    run_collocates,
)
from explorer.gui.screens.search.around.near_presenter import NearPresenter
from explorer.gui.screens.search.around.near_state import NearQuestion
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import tr


class CollocatesPresenter(NearPresenter[CollocatesState]):
    """The tab without its widgets.

    request: Asks for a document to be shown, and reports files.
    """

    name = "collocates"
    title = CollocatesQuestion.title

    def __init__(self, services: Services, request: Callable[[Request], None]) -> None:
        super().__init__(CollocatesState(), services, request)

    def count(
        self, question: NearQuestion, rule: CollocatesQuestion, make: bool, before: CollocateAnswer | None
    ) -> Callable[[Report, CancelToken], CollocateAnswer]:
        """What counts the words near the query.

        make: Whether the index of words may be made.
        before: The answer before; None for none.
        """
        return partial(run_collocates, question, rule, make, before)

    def set(self, **values: Any) -> None:
        """Change settings. A window of nothing has no neighbors: the other side takes over."""
        if values.get("window") == (0, 0):
            values["window"] = (0, 1) if self.state.rule.window[0] else (1, 0)
        super().set(**values)

    def row_forgotten(self) -> dict[str, Any]:
        """Show the network, and no lines until they are asked for."""
        return {**super().row_forgotten(), "reading": False}

    def lines_of(self, row: int) -> LinesOf:
        """What finds the lines of a row: one for each time that it was counted."""
        assert self.state.found is not None
        return lines_of(self.state.found, row)

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes the figure of the network; None if there is nothing to draw."""
        answer = self.state.found
        return partial(_charts, answer, self.state.query) if answer is not None and answer.rows else None


def _charts(answer: CollocateAnswer, query: str) -> tuple[Chart, ...]:
    assert answer.found is not None
    name = answer.question.corpus.index.name
    chart = network_chart(
        tr("Collocates of “{query}” in {name}", query=cell_text(answer.question.text), name=name), query, answer.rows
    )
    return with_facts((chart,), answer.found.provenance)
