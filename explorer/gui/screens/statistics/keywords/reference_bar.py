"""What is compared with what: the reference, the measure, and the least count."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog

from explorer.analyses.metadata.values import OPERATORS
from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.chrome.folders import begin_in
from explorer.gui.screens.screen import named
from explorer.gui.screens.statistics.keywords.presenter import KeywordsPresenter
from explorer.gui.screens.statistics.keywords.state import KeywordState
from explorer.gui.screens.statistics.keywords.work import COMPARED, INDEX, REST, KeywordRule
from explorer.gui.style.surfaces import keep_least
from explorer.gui.style.untrusted import caption, tip
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.value_field import ValueField
from explorer.i18n import tr


class ReferenceBar(QuestionForm):
    """The settings of the comparison, in rows that wrap."""

    def __init__(self, presenter: KeywordsPresenter) -> None:
        self._presenter = presenter
        self.field = named(QComboBox(), tr("Metadata field"))
        self.operator = named(QComboBox(), tr("Comparison"))
        self.operator.addItems([tr(OPERATORS[sign]) for sign in COMPARED])
        self.value = named(ValueField(), tr("Value of the field"))
        self.value.setPlaceholderText(tr("Value …"))
        keep_least(self.value, wide=13)
        self.path, self.missing = push_button(""), QCheckBox()
        self.missing.setToolTip(tr("Nobody knows on which side documents without this field are"))
        compared = (self.field, self.operator, self.value, self.missing, "reference", self.path)
        asked = ("measure", "min_count", "min_documents", "min_d_a", "stop")
        super().__init__(KeywordRule, (*compared, *asked), self._set)
        self.field.activated.connect(lambda place: presenter.choose_field(presenter.state.fields[place]))
        self.operator.activated.connect(lambda place: presenter.set(operator=COMPARED[place]))
        self.value.chosen.connect(presenter.choose_value)
        self.value.returnPressed.connect(presenter.run)
        self.path.clicked.connect(self.ask_path)
        self.missing.toggled.connect(lambda on: presenter.set(exclude_missing=on))

    def _set(self, **values: Any) -> None:
        self._presenter.set(**values)
        rule = self._presenter.state.rule
        if "reference" in values and rule.reference != REST and not rule.against:
            self.ask_path()

    def ask_path(self) -> None:
        """Ask for the folder of another index, or the file of a word list."""
        if self._presenter.state.rule.reference == INDEX:
            path = QFileDialog.getExistingDirectory(self, tr("Index to compare with"), begin_in(""))
            if path:
                self._presenter.set(index=path)
            return
        # Apart from the filter: what is within an f-string is not collected for translators.
        lists, others = tr("Word lists"), tr("All files")
        kinds = f"{lists} (*.tsv *.txt);;{others} (*)"
        path, _ = QFileDialog.getOpenFileName(self, tr("Word list to compare with"), begin_in(""), kinds)
        if path:
            self._presenter.set(list=path)

    def draw_state(self, state: KeywordState, before: KeywordState | None) -> None:
        """Show what is compared.

        before: The one that was drawn before; None for the first.
        """
        rule = state.rule
        self.draw(rule)
        if before is None or state.corpus is not before.corpus:
            self.field.clear()
            self.field.addItems([caption(name) for name in state.fields])
        if rule.field in state.fields:
            self.field.setCurrentIndex(state.fields.index(rule.field))
        self.operator.setCurrentIndex(COMPARED.index(rule.operator))
        if before is None or state.values is not before.values:
            self.value.show_values(state.values)
        if self.value.text() != rule.value:
            self.value.setText(rule.value)
        rest = rule.reference == REST
        self.missing.setVisible(rest and bool(state.without_value))
        self.missing.setText(state.without_value)
        self.missing.setChecked(rule.exclude_missing)
        for part in (self.field, self.operator, self.value):
            part.setVisible(rest)
            part.setEnabled(bool(state.fields))
        self.path.setVisible(not rest)
        asked = tr("Choose an index …") if rule.reference == INDEX else tr("Choose a word list …")
        self.path.setText(caption(state.against) or asked)
        self.path.setToolTip(tip(rule.against or asked))
