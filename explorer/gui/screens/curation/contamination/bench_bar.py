"""Which benchmarks are looked for, and how they are compared."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QLineEdit, QVBoxLayout, QWidget

from explorer.analyses.contamination.question import ContaminationQuestion
from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.chrome.folders import begin_in
from explorer.gui.screens.curation.contamination.index_choice import IndexChoice
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.gui.screens.curation.contamination.state import BenchState
from explorer.gui.style.text_positions import short_text
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.i18n import tr

_FIELDS = ("question", "answer", "score")


class BenchBar(QWidget):
    """The settings of the tab, in rows that wrap."""

    def __init__(self, presenter: ContaminationPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        self.add = push_button(tr("Add a benchmark …"), "", "plus")
        self.clear = push_button(tr("Clear"), "quiet", "trash")
        self.form = QuestionForm(ContaminationQuestion, (self.add, "unit", *_FIELDS, self.clear), presenter.set)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.form)
        row = FlowLayout(gap=8)
        column.addLayout(row)
        self.indexes = IndexChoice(row, self)
        self._connect()

    def _connect(self) -> None:
        presenter = self._presenter
        self.add.clicked.connect(self.ask_files)
        self.clear.clicked.connect(lambda: presenter.set(files=()))
        self.indexes.added.connect(presenter.beside.add)
        self.indexes.removed.connect(presenter.beside.remove)

    def ask_files(self) -> None:
        """Ask for benchmarks and look for their items."""
        kinds = tr("Benchmarks (*.jsonl *.json *.csv *.tsv *.parquet *.gz *.zst);;All files (*)")
        names, _ = QFileDialog.getOpenFileNames(self, tr("Add benchmarks"), begin_in(), kinds)
        self._presenter.add_files([Path(name) for name in names])

    def draw(self, state: BenchState) -> None:
        """Show what is looked for."""
        self.form.draw(state.rule)
        self.clear.setVisible(bool(state.rule.files))
        self.indexes.show_places(state.beside, state.sources)
        for name in _FIELDS:
            found = state.field_of(name)
            [field] = self.form.widgets(name)
            assert isinstance(field, QLineEdit)
            field.setPlaceholderText(tr("guessed: {name}", name=short_text(found)) if found else tr("guessed"))
