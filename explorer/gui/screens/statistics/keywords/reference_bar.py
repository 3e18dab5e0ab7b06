"""What is compared with what: the reference, the measure, and the least count."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QWidget

from explorer.gui.folders import begin_in
from explorer.gui.screen import label, named
from explorer.gui.screens.statistics.keywords.presenter import LEAST, KeywordsPresenter
from explorer.gui.screens.statistics.keywords.state import KeywordState
from explorer.gui.screens.statistics.keywords.work import COMPARED, INDEX, REFERENCES, REST
from explorer.gui.stop_list import StopList
from explorer.gui.surfaces import keep_least
from explorer.gui.untrusted import caption, tip
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.flow_layout import FlowLayout, together
from explorer.gui.widgets.number_box import DecimalBox, NumberBox
from explorer.gui.widgets.segments import Segments
from explorer.gui.widgets.value_field import ValueField
from explorer.i18n import tr
from explorer.search.values import OPERATORS
from explorer.statistics.keyness import KEYNESS

RANKS = ("g2", "log_ratio", "bic", "percent_difference")
"""The measures that a button offers; the command has all of them."""


class ReferenceBar(QWidget):
    """The settings of the comparison, in rows that wrap."""

    def __init__(self, presenter: KeywordsPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        self.field = named(QComboBox(), tr("Metadata field"))
        self.value = named(ValueField(), tr("Value of the field"))
        self.value.setPlaceholderText(tr("Value …"))
        keep_least(self.value, wide=13)
        self.reference = named(QComboBox(), tr("Compared with"))
        self.reference.addItems([tr("the rest of this index"), tr("another index"), tr("a word list")])
        self.path = push_button("")
        self.measure = Segments([KEYNESS[id].label for id in RANKS], tr("Rank by"))
        self.least = named(NumberBox(minimum=LEAST[0], maximum=LEAST[1]), tr("Minimum hits"))
        self.homes = named(NumberBox(minimum=LEAST[0], maximum=LEAST[1]), tr("Minimum documents"))
        self.homes.setToolTip(tr("Of the side where a word is more frequent: one long document makes a keyword"))
        self.even = named(DecimalBox(minimum=0, maximum=1, decimals=2, singleStep=0.05), tr("Minimum D_A"))
        self.even.setToolTip(tr("Of the same side: leaves out words that are crowded in few of its documents"))
        self.missing = QCheckBox()
        self.missing.setToolTip(tr("Nobody knows on which side documents without this field are"))
        self.stop = StopList()
        self.operator = named(QComboBox(), tr("Comparison"))
        self.operator.addItems([tr(OPERATORS[sign]) for sign in COMPARED])
        row = FlowLayout(self, gap=8)
        parts: tuple[QWidget, ...] = (
            self.field,
            self.operator,
            self.value,
            self.missing,
            together(label(tr("compared with"), "muted"), self.reference),
            self.path,
            together(label(tr("Rank by"), "muted"), self.measure),
            together(label(tr("Min. hits"), "muted"), self.least),
            together(label(tr("Min. documents"), "muted"), self.homes),
            together(label(tr("Min. D_A"), "muted"), self.even),
            self.stop,
        )
        for part in parts:
            row.addWidget(part)
        self._connect()

    def _connect(self) -> None:
        presenter = self._presenter
        self.field.activated.connect(lambda place: presenter.choose_field(presenter.state.fields[place]))
        self.operator.activated.connect(lambda place: presenter.set(operator=COMPARED[place]))
        self.value.chosen.connect(presenter.choose_value)
        self.value.returnPressed.connect(presenter.run)
        self.reference.activated.connect(self._choose_reference)
        self.path.clicked.connect(self.ask_path)
        self.missing.toggled.connect(lambda on: presenter.set(exclude_missing=on))
        self.measure.chosen.connect(lambda place: presenter.set(measure=RANKS[place]))
        self.least.valueChanged.connect(lambda value: presenter.set(min_count=value))
        self.homes.valueChanged.connect(lambda value: presenter.set(min_documents=value))
        # Rounded: the field has no more digits than it shows.
        self.even.valueChanged.connect(lambda value: presenter.set(min_d_a=round(value, 2)))
        self.stop.chosen.connect(lambda path: presenter.set(stop=path))

    def _choose_reference(self, place: int) -> None:
        self._presenter.set(reference=REFERENCES[place])
        rule = self._presenter.state.rule
        if rule.reference != REST and not rule.against:
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

    def draw(self, state: KeywordState, before: KeywordState | None) -> None:
        """Show what is compared.

        before: The one that was drawn before; None for the first.
        """
        rule = state.rule
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
        self.reference.setCurrentIndex(REFERENCES.index(rule.reference))
        self.path.setVisible(not rest)
        asked = tr("Choose an index …") if rule.reference == INDEX else tr("Choose a word list …")
        self.path.setText(caption(state.against) or asked)
        self.path.setToolTip(tip(rule.against or asked))
        self.measure.choose(RANKS.index(rule.measure) if rule.measure in RANKS else -1)
        self.least.setValue(rule.min_count)
        self.homes.setValue(rule.min_documents)
        self.even.setValue(rule.min_d_a)
        self.stop.show_path(rule.stop)
