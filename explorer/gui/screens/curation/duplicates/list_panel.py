"""The passages that repeat, and what can be done with one."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from explorer.analyses.repeats.table import RepeatRecord
from explorer.gui.screens.curation.duplicates.list_state import RepeatsState
from explorer.gui.screens.curation.duplicates.presenter import DuplicatesPresenter
from explorer.gui.screens.curation.duplicates.state import LISTED, CopiesState
from explorer.gui.screens.screen import named
from explorer.gui.style.surfaces import keep_least
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr


class RepeatsPanel(Panel):
    """What is listed and a filter on top, the rows, and the buttons of the chosen one.

    presenter: What the tab does.
    """

    def __init__(self, presenter: DuplicatesPresenter) -> None:
        self._told = ElidedLabel()
        self._told.setProperty("role", "muted")
        self.keep = push_button(tr("Always keep this"), "quiet", "pin")
        self.keep.setToolTip(tr("Keep all copies of the chosen passage, such as a license or a poem"))
        self.reset = push_button(tr("Remove kept ones again"), "quiet", "undo")
        super().__init__(footer=(self._told, self.reset, self.keep))
        self.footer_row.setStretch(0, 1)
        self.order = Segments([tr(each) for each in LISTED.values()], tr("What is listed"))
        self.order.button(3).setToolTip(tr("Parts of a document that repeat themselves"))
        self.filter = named(QLineEdit(), tr("Filter repeats"))
        self.filter.setPlaceholderText(tr("Filter repeats …"))
        keep_least(self.filter, wide=10)
        above = QWidget()
        row = FlowLayout(above, gap=8)
        row.addWidget(self.order)
        row.addWidget(self.filter)
        frame = QVBoxLayout()
        frame.setContentsMargins(12, 8, 12, 8)
        frame.addWidget(above)
        self.body.addLayout(frame)
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Repeats"), wide=(0,))
        self.hold(self.table)
        at_least(self, 22, 14)
        self.stale = Dimmer(self.table, parent=self)
        self._connect(presenter)
        # Drawn once by hand: `watch` reports changes only.
        self._draw(presenter.list.state, None)
        presenter.list.watch(self._draw)

    def _connect(self, presenter: DuplicatesPresenter) -> None:
        self.order.chosen.connect(lambda place: presenter.show(list(LISTED)[place]))
        self.filter.textChanged.connect(presenter.list.look_for)
        self.keep.clicked.connect(presenter.keep)
        self.reset.clicked.connect(lambda: presenter.set(never=()))
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(lambda at: presenter.list.choose(at.row()))

    def draw_rule(self, state: CopiesState) -> None:
        """Show what is listed, and whether passages are kept."""
        self.order.choose(list(LISTED).index(state.listed))
        self.reset.setVisible(bool(state.rule.never))

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: RepeatsState, before: RepeatsState | None) -> None:
        if self.filter.text() != state.filter:
            self.filter.setText(state.filter)
        other = before is None or state.listed.value is not before.listed.value
        if other or before is None or (state.filter, state.runs) != (before.filter, before.runs):
            columns = state.columns if state.listed.value else ()
            names, tips = [tr(each.label) for each in columns], [tr(each.help) for each in columns]
            self.model.show(names, state.table, tips)
            self._told.setText(state.told)
        if state.row in state.places:
            flags = QItemSelectionModel.SelectionFlag
            chosen = self.model.index(state.places.index(state.row), 0)
            self.table.selectionModel().setCurrentIndex(chosen, flags.ClearAndSelect | flags.Rows)
        self.keep.setEnabled(isinstance(state.chosen, RepeatRecord))
        self.stale.set_stale(state.listed.dimmed, at_once=not state.listed.awaited)
