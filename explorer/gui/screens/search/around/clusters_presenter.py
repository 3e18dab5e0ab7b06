"""What the tab of clusters does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from explorer.analyses.clusters.question import ClustersQuestion
from explorer.core.jobs import CancelToken, Report
from explorer.gui.found_lines.work import LinesOf
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import Request
from explorer.gui.screens.search.around.clusters_state import ClustersState
from explorer.gui.screens.search.around.clusters_work import ClusterAnswer, lines_of, run_clusters
from explorer.gui.screens.search.around.near_presenter import NearPresenter
from explorer.gui.screens.search.around.near_state import NearQuestion


class ClustersPresenter(NearPresenter[ClustersState]):
    """The tab without its widgets.

    request: Asks for a document to be shown, and reports files.
    """

    name = "clusters"
    title = ClustersQuestion.title

    def __init__(self, services: Services, request: Callable[[Request], None]) -> None:
        super().__init__(ClustersState(), services, request)

    def count(
        self, question: NearQuestion, rule: ClustersQuestion, make: bool, before: ClusterAnswer | None
    ) -> Callable[[Report, CancelToken], ClusterAnswer]:
        """What counts the n-grams with the query.

        make: Whether the index of words may be made.
        before: The answer before; None for none.
        """
        return partial(run_clusters, question, rule, make)

    def lines_of(self, row: int) -> LinesOf:
        """What finds the lines of a row: one for each place that it is at."""
        assert self.state.found is not None
        return lines_of(self.state.found, row)
