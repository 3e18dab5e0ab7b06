"""Which benchmarks are looked for, and how they are compared."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from explorer.gui.folders import begin_in
from explorer.gui.screen import label, named
from explorer.gui.screens.curation.contamination.index_choice import IndexChoice
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.gui.screens.curation.contamination.state import BenchState
from explorer.gui.screens.curation.contamination.work import UNITS
from explorer.gui.surfaces import keep_least
from explorer.gui.text_positions import short_text
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.flow_layout import FlowLayout, together
from explorer.gui.widgets.segments import Segments
from explorer.i18n import tr


class BenchBar(QWidget):
    """The settings of the tab, in rows that wrap."""

    def __init__(self, presenter: ContaminationPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        self.add = push_button(tr("Add a benchmark …"), "", "plus")
        self.clear = push_button(tr("Clear"), "quiet", "trash")
        self.unit = Segments((tr("Words"), tr("Tokens")), tr("What is compared"))
        self.unit.button(0).setToolTip(tr("In lower case, whatever the line breaks and the punctuation are"))
        self.unit.button(1).setToolTip(tr("The tokens of this index as they are"))
        self.fields = {
            name: named(QLineEdit(), words)
            for name, words in (
                ("question", tr("Question field")),
                ("answer", tr("Answer field")),
                ("score", tr("Score field")),
            )
        }
        self.fields["score"].setToolTip(
            tr("The score of a model for each item, a number or true and false: then its gain by flagged items is told")
        )
        row = FlowLayout(self, gap=8)
        row.addWidget(self.add)
        row.addWidget(together(label(tr("Compare"), "muted"), self.unit))
        for field in self.fields.values():
            field.setPlaceholderText(tr("guessed"))
            keep_least(field, wide=8)
            row.addWidget(together(label(field.accessibleName(), "muted"), field))
        row.addWidget(self.clear)
        self.indexes = IndexChoice(row, self)
        self._connect()

    def _connect(self) -> None:
        presenter = self._presenter
        self.add.clicked.connect(self.ask_files)
        self.clear.clicked.connect(lambda: presenter.set(files=()))
        self.indexes.added.connect(presenter.beside.add)
        self.indexes.removed.connect(presenter.beside.remove)
        self.unit.chosen.connect(lambda place: presenter.set(unit=UNITS[place]))
        for name, field in self.fields.items():
            field.textChanged.connect(lambda text, name=name: presenter.set(**{name: text}))

    def ask_files(self) -> None:
        """Ask for benchmarks and look for their items."""
        kinds = tr("Benchmarks (*.jsonl *.json *.csv *.tsv *.parquet *.gz *.zst);;All files (*)")
        names, _ = QFileDialog.getOpenFileNames(self, tr("Add benchmarks"), begin_in(), kinds)
        self._presenter.add_files([Path(name) for name in names])

    def draw(self, state: BenchState) -> None:
        """Show what is looked for."""
        self.unit.choose(UNITS.index(state.rule.unit))
        self.clear.setVisible(bool(state.rule.files))
        self.indexes.show_places(state.beside, state.sources)
        for name, field in self.fields.items():
            found = state.field_of(name)
            field.setPlaceholderText(tr("guessed: {name}", name=short_text(found)) if found else tr("guessed"))
            if field.text() != getattr(state.rule, name):
                field.setText(getattr(state.rule, name))
