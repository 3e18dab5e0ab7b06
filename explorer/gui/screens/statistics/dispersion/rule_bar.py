"""What is measured: the parts, the least count, and words that are typed."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QLineEdit

from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.screens.screen import named
from explorer.gui.screens.statistics.dispersion.presenter import SpreadPresenter
from explorer.gui.screens.statistics.dispersion.state import SpreadState
from explorer.gui.screens.statistics.dispersion.work import FIELD, SLICES, SpreadRule
from explorer.gui.style.surfaces import keep_least
from explorer.gui.style.untrusted import caption
from explorer.i18n import tr


class SpreadBar(QuestionForm):
    """The settings of the tab, in rows that wrap."""

    def __init__(self, presenter: SpreadPresenter) -> None:
        self.field, self.text = (
            named(QComboBox(), tr("Metadata field")),
            named(QLineEdit(), tr("Words that are compared")),
        )
        self.text.setPlaceholderText(tr("Words, with commas …"))
        keep_least(self.text, wide=14)
        super().__init__(SpreadRule, ("parts", self.field, "slices", "min_count", self.text), presenter.set)
        self.field.activated.connect(lambda place: presenter.set(field=presenter.state.fields[place]))
        self.text.textChanged.connect(lambda text: presenter.set(text=text))
        self.text.returnPressed.connect(presenter.run)

    def draw_state(self, state: SpreadState, before: SpreadState | None) -> None:
        """Show what is measured.

        before: The one that was drawn before; None for the first.
        """
        rule = state.rule
        self.draw(rule)
        if before is None or state.corpus is not before.corpus:
            self.field.clear()
            self.field.addItems(list(map(caption, state.fields)))
        self.field.setVisible(rule.parts == FIELD)
        if rule.field in state.fields:
            self.field.setCurrentIndex(state.fields.index(rule.field))
        self.row("slices").setVisible(rule.parts == SLICES)
        # Typed words are measured however rare they are.
        self.row("min_count").setEnabled(not rule.forms)
        if self.text.text() != rule.text:
            self.text.setText(rule.text)
