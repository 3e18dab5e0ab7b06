"""The tab of clusters: which n-grams are listed, the table, and beside it the lines of a row."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.analyses.clusters.compute import SIDES
from explorer.gui.figures.table_export import FORMS
from explorer.gui.save_dialog import ask_where
from explorer.gui.screen import label, named
from explorer.gui.screens.search.clusters_presenter import LIMITS, ClustersPresenter
from explorer.gui.screens.search.clusters_state import ClustersState
from explorer.gui.screens.search.near_view import NearView, TableLook
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.flow_layout import flowing, side_by_side
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.segments import Segments
from explorer.i18n import tr

_LESS_IMPORTANT = (0, 5, 4, 3)
_FORM = 1


class ClusterRuleBar(QWidget):
    """Which clusters are listed, in rows that wrap.

    export: The button after the settings.
    """

    def __init__(self, presenter: ClustersPresenter, export: QWidget) -> None:
        super().__init__()
        self.boxes = {
            name: named(NumberBox(minimum=LIMITS[name][0], maximum=LIMITS[name][1]), words)
            for name, words in (
                ("shortest", tr("Shortest size")),
                ("longest", tr("Longest size")),
                ("min_count", tr("Minimum hits")),
                ("min_documents", tr("Minimum documents")),
            )
        }
        self.unit = Segments((tr("Words"), tr("Tokens")), tr("What is counted"))
        # Not left and right, which would be wrong for texts from right to left.
        self.side = Segments((tr("Anywhere"), tr("First"), tr("Last")), tr("Where the query is"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(
            flowing(
                side_by_side(
                    label(tr("Size"), "muted"), self.boxes["shortest"], label(tr("to"), "muted"), self.boxes["longest"]
                ),
                side_by_side(label(tr("Query"), "muted"), self.side),
                self.unit,
                side_by_side(label(tr("Min. hits"), "muted"), self.boxes["min_count"]),
                side_by_side(label(tr("Min. documents"), "muted"), self.boxes["min_documents"]),
                export,
            )
        )
        self.unit.chosen.connect(lambda place: presenter.set(words=place == 0))
        self.side.chosen.connect(lambda place: presenter.set(side=SIDES[place]))
        for name, box in self.boxes.items():
            box.valueChanged.connect(lambda value, name=name: presenter.set(**{name: value}))

    def draw(self, state: ClustersState) -> None:
        """Show which are listed."""
        self.unit.choose(0 if state.rule.words else 1)
        self.side.choose(SIDES.index(state.rule.side))
        for name, box in self.boxes.items():
            box.setValue(getattr(state.rule, name))


class ClustersView(NearView):
    """The n-grams that contain the query."""

    def __init__(self, presenter: ClustersPresenter) -> None:
        super().__init__(presenter, TableLook(tr("Clusters"), _FORM, _LESS_IMPORTANT))
        self.export = push_button(tr("Export table …"))
        self.rule = ClusterRuleBar(presenter, self.export)
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
        self.rule.draw(state)
        self.export.setEnabled(self.draw_frame(state, before))
