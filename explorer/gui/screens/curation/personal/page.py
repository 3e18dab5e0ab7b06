"""The widgets of the tab of personal data: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.analyses.personal_data.question import PersonalDataQuestion
from explorer.analyses.personal_data.table import PersonalRecord
from explorer.derive.table import columns_of
from explorer.gui.asking.page import AskingPage
from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.screens.curation.personal.presenter import PersonalPresenter
from explorer.gui.screens.curation.personal.state import SHOWN, PersonalState
from explorer.gui.screens.screen import label
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.toggle import Toggle
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, personal_recipe


class PersonalPage(AskingPage):
    """The kinds on top, how much there is in a sentence, and the findings, each of which opens its document."""

    PICTURE = "curation"

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = PersonalPresenter(self.lanes, self.requested.emit, self.requested.emit)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self.begin(self._draw)

    def _make_widgets(self) -> None:
        self.shown = Toggle(tr("Show all in full"))
        self.bar = QuestionForm(PersonalDataQuestion, ("kinds", self.shown), self.presenter.set)
        self.reveal = push_button(tr("Reveal this one"), "quiet", "eye")
        self.reveal.setToolTip(tr("Show the chosen row in full, or mask it again"))
        self.facts = label("", "muted")
        self.facts.setWordWrap(True)
        self.cut = push_button(tr("Preview and export …"), "primary", "eye")
        self.listed, self.model = Panel(), PlainModel(self)
        self.table = PlainTable(self.model, tr("Personal data"), wide=(1, 3))
        self.listed.hold(self.table)
        at_least(self.listed, 22, 12)

    def _lay_out(self) -> None:
        told = QWidget()
        line = QHBoxLayout(told)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.facts, 1)
        line.addWidget(self.reveal)
        line.addWidget(self.cut)
        self.frame(self.presenter, "personal-data", self.bar, self.listed, (told,))
        self.stale = Dimmer(self.headline, self.facts, self.listed, parent=self)

    def _connect(self) -> None:
        presenter = self.presenter
        self.shown.toggled.connect(lambda on: presenter.set(masked=not on))
        self.table.activated.connect(lambda at: presenter.open_row(at.row()))
        self.reveal.clicked.connect(self._reveal)
        self.table.selectionModel().currentRowChanged.connect(lambda at, _: self._offer_revealing())
        self.cut.clicked.connect(self._hand_over)

    def _reveal(self) -> None:
        # The row stays the chosen one in the table that is shown again.
        at = self.table.currentIndex()
        self.presenter.reveal(at.row())
        self.table.setCurrentIndex(self.model.index(at.row(), at.column()))

    def _offer_revealing(self) -> None:
        state, row = self.presenter.state, self.table.currentIndex().row()
        self.reveal.setVisible(state.found is not None and state.rule.masked)
        self.reveal.setEnabled(row >= 0)
        self.reveal.setText(tr("Mask this one") if row in state.revealed else tr("Reveal this one"))

    def _hand_over(self) -> None:
        if (cuts := self.presenter.state.cuts) is not None:
            self.requested.emit(cuts)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: PersonalState, before: PersonalState | None) -> None:
        self.bar.draw(state.rule)
        self.shown.setChecked(not state.rule.masked)
        self.draw_frame(state, before)
        shown = (state.answer.value, state.revealed)
        if before is None or shown != (before.answer.value, before.revealed):
            columns = [columns_of(PersonalRecord)[name] for name in (SHOWN if state.found else ())]
            self.model.show([tr(each.label) for each in columns], state.table, [tr(each.help) for each in columns])
        self._offer_revealing()
        self.facts.setText(state.told)
        current = state.answer.current
        self.cut.setEnabled(current is not None and current.found.total > 0)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def recipe(self, source: Source) -> Recipe | None:
        """What was found."""
        # Only what is current: what is dimmed belongs to other settings than these.
        found = self.presenter.state.answer.current
        return None if found is None else personal_recipe(source, found.rule)

    def focus_input(self) -> None:
        """The first kind."""
        self.bar.focus("kinds")
