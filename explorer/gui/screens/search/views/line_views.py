"""The views that count the lines or what is near them, of which one is in front at most. No Qt."""

from __future__ import annotations

from collections.abc import Callable

from explorer.analyses.metadata.values import FieldFilter
from explorer.gui.presenting.presenter import Services
from explorer.gui.presenting.requests import Request
from explorer.gui.screens.search.around.clusters_presenter import ClustersPresenter
from explorer.gui.screens.search.around.collocates_presenter import CollocatesPresenter
from explorer.gui.screens.search.state import View
from explorer.gui.screens.search.views.presenter import BreakdownPresenter, DispersionPresenter
from explorer.gui.screens.search.work import LinesAnswer


class LineViews:
    """Gives the views new lines, and has the one in front count them.

    filtered: Called with a condition that keeps only the lines of one value.
    request: Asks another part of the window for something.
    """

    def __init__(
        self, services: Services, filtered: Callable[[FieldFilter], None], request: Callable[[Request], None]
    ) -> None:
        self.breakdown = BreakdownPresenter(services, filtered)
        self.dispersion = DispersionPresenter(services)
        self.collocates = CollocatesPresenter(services, request)
        self.clusters = ClustersPresenter(services, request)

    def use_fields(self, fields: tuple[str, ...]) -> None:
        """Take another index, without lines so far."""
        self.breakdown.use_fields(fields)
        self.dispersion.use_lines(None)
        self.collocates.use_lines(None)
        self.clusters.use_lines(None)

    def use_lines(self, lines: LinesAnswer | None) -> None:
        """Take other lines, which are counted when a view is opened; None: there are none."""
        for view in (self.breakdown, self.dispersion, self.collocates, self.clusters):
            view.use_lines(lines)

    def open(self, view: View) -> None:
        """Ask for what a view needs beyond the lines. Views of no lines ask the index for nothing."""
        if view is View.BREAKDOWN:
            self.breakdown.open()
        elif view is View.DISPERSION:
            self.dispersion.open()
        elif view is View.COLLOCATES:
            self.collocates.open()
        elif view is View.CLUSTERS:
            self.clusters.open()

    def stop(self) -> None:
        """Stop counting: what is known stays."""
        for view in (self.breakdown, self.dispersion, self.collocates, self.clusters):
            view.stop()
