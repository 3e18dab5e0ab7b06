"""What is measured: the groups, the window of MATTR, and the order in which the growth reads documents."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox

from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.screens.screen import label, named
from explorer.gui.screens.statistics.growth.presenter import GrowthPresenter
from explorer.gui.screens.statistics.growth.state import GrowthState
from explorer.gui.screens.statistics.growth.work import GrowthRule
from explorer.gui.style.untrusted import caption
from explorer.gui.widgets.layouts.flow_layout import side_by_side
from explorer.i18n import tr


class GrowthBar(QuestionForm):
    """The settings of the tab, in rows that wrap."""

    def __init__(self, presenter: GrowthPresenter) -> None:
        self.by = named(QComboBox(), tr("Group by"))
        groups = side_by_side(label(tr("Group by"), "muted"), self.by)
        super().__init__(GrowthRule, (groups, "window", "shuffle"), presenter.set)
        self.by.activated.connect(lambda place: presenter.group_by((None, *presenter.state.fields)[place]))

    def draw_state(self, state: GrowthState, before: GrowthState | None) -> None:
        """Show what is measured.

        before: The one that was drawn before; None for the first.
        """
        self.draw(state.rule)
        fields = (None, *state.fields)
        if before is None or state.corpus is not before.corpus:
            self.by.clear()
            self.by.addItems([tr("whole index"), *map(caption, state.fields)])
        self.by.setCurrentIndex(fields.index(state.rule.by) if state.rule.by in fields else 0)
