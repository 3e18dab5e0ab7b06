"""The tab of clusters: which n-grams are listed, the table, and beside it the lines of a row."""

from __future__ import annotations

from explorer.analyses.clusters.question import ClustersQuestion
from explorer.derive.question import settings_of
from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.asking.table_panel import TableLook
from explorer.gui.charts.export.table_export import FORMS
from explorer.gui.chrome.save_dialog import ask_where
from explorer.gui.screens.search.around.clusters_presenter import ClustersPresenter
from explorer.gui.screens.search.around.clusters_state import ClustersState
from explorer.gui.screens.search.around.near_view import NearView
from explorer.gui.widgets.fields.buttons import push_button
from explorer.i18n import tr

_LESS_IMPORTANT = (0, 5, 4, 3)
_FORM = 1


class ClustersView(NearView):
    """The n-grams that contain the query."""

    def __init__(self, presenter: ClustersPresenter) -> None:
        super().__init__(presenter, TableLook(tr("Clusters"), _FORM, _LESS_IMPORTANT))
        self.export = push_button(tr("Export table …"))
        settings = tuple(settings_of(ClustersQuestion))
        self.rule = QuestionForm(ClustersQuestion, settings, presenter.set, self.export)
        self.frame(self.rule, self.lines, (560, 440), (self.lines,))
        self.export.clicked.connect(self.ask_table)

    def ask_table(self) -> None:
        """Ask for a file, and have all clusters written to it."""
        path = ask_where(self, tr("Save all rows"), "clusters", FORMS)
        if path is not None:
            self._presenter.save(path)

    def draw(self, state: ClustersState, before: ClustersState | None) -> None:
        """Show the clusters.

        before: The one that was drawn before; None for the first.
        """
        self.rule.draw(state.rule)
        self.export.setEnabled(self.draw_frame(state, before))
