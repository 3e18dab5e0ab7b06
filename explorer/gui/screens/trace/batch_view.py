"""A file of answers as a sortable table; each row opens its trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QPushButton, QVBoxLayout, QWidget

from explorer.api import Corpus
from explorer.export.registry import TABLES
from explorer.gui.cells import Cell
from explorer.gui.runner import Runner
from explorer.gui.save_dialog import ask_where
from explorer.gui.screen import Notice, label, named
from explorer.gui.screens.trace.work import save_batch, trace_file
from explorer.gui.text_positions import cell_text, one_line
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.i18n import mark, numeral, tr, trn
from explorer.trace.batch import AnswerFile, BatchRow, inspect_answers
from explorer.trace.settings import TraceSettings

_HEADER = (
    mark("Line"),
    mark("Text"),
    mark("Tokens"),
    mark("Longest match"),
    mark("Covered"),
    mark("Novelty"),
    mark("Most relevant source"),
)
_SORTS: tuple[tuple[str, Callable[[BatchRow], Any]], ...] = (
    (mark("Longest match first"), lambda row: -row.longest_match),
    (mark("Most covered first"), lambda row: -row.coverage),
    (mark("Least novel first"), lambda row: row.novelty),
    (mark("Most novel first"), lambda row: -row.novelty),
    (mark("By source"), lambda row: (row.source == "", row.source)),
    (mark("File order"), lambda row: row.line),
)
_SHOWN = 90


class BatchView(QWidget):
    """`row_opened(BatchRow)`: trace this answer by itself."""

    row_opened = Signal(object)

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._corpus: Corpus | None = None
        self._source: AnswerFile | None = None
        self._settings = TraceSettings()
        self.rows: tuple[BatchRow, ...] = ()
        self._shown: tuple[BatchRow, ...] = ()
        self.open_button = QPushButton(tr("Open a file …"))
        self.open_button.setToolTip(tr("JSON Lines with one answer per line"))
        self.text_field = named(QComboBox(), tr("Answer field"))
        self.prompt_field = named(QComboBox(), tr("Prompt field"))
        self.run_button = QPushButton(tr("Trace all"))
        self.run_button.setProperty("role", "primary")
        self.sort = named(QComboBox(), tr("Sort by"))
        for text, _ in _SORTS:
            self.sort.addItem(tr(text))
        self.export = QPushButton(tr("Export …"))
        self.summary = label(tr("Open a JSON Lines file with one answer per line and its text in a field."), "muted")
        self.summary.setWordWrap(True)
        self.notice = Notice()
        self.job = JobBar()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Answers"), wide=(1, 6))
        self._lay_out()
        self._connect()
        self._enable()

    def _lay_out(self) -> None:
        top = flowing(
            self.open_button,
            label(tr("Answer field"), "muted"),
            self.text_field,
            label(tr("Prompt field"), "muted"),
            self.prompt_field,
            self.run_button,
            self.sort,
            self.export,
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 12)
        layout.addWidget(top)
        for part in (self.summary, self.notice, self.job):
            layout.addWidget(part)
        layout.addWidget(self.table, 1)

    def _connect(self) -> None:
        self.open_button.clicked.connect(self._ask_file)
        self.run_button.clicked.connect(self.run)
        self.sort.currentIndexChanged.connect(self._show_rows)
        self.export.clicked.connect(self._ask_export)
        self.table.activated.connect(lambda index: self.row_opened.emit(self._shown[index.row()]))
        self._runner.progressed.connect(self.job.show_progress)
        self._runner.busy_changed.connect(self.job.set_busy)
        self.job.cancelled.connect(self._runner.cancel)

    def _enable(self) -> None:
        self.run_button.setEnabled(self._source is not None and self._corpus is not None)
        self.export.setEnabled(bool(self.rows))

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Use another index; the table of the previous one is cleared."""
        self._corpus, self.rows = corpus, ()
        self._show_rows()

    def set_settings(self, settings: TraceSettings) -> None:
        """Use these settings for the next trace."""
        self._settings = settings

    def _ask_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Answers to trace"), "", tr("JSON Lines (*.jsonl *.ndjson);;All files (*)")
        )
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Read a file's first records, and offer their fields."""
        self._runner.run(lambda cancel: inspect_answers(path), self._opened, self.notice.show_error)

    def _opened(self, source: AnswerFile) -> None:
        self._source = source
        self.notice.show_text("")
        for box, first, chosen in (
            (self.text_field, (), source.text_field),
            (self.prompt_field, ("(none)",), source.prompt_field),
        ):
            with QSignalBlocker(box):
                box.clear()
                box.addItems([*first, *source.fields])
                box.setCurrentIndex(max(0, box.findText(chosen)))
        self.summary.setText(
            trn(
                "{name}: {n:,} byte. Choose the fields, then click “Trace all”.",
                "{name}: {n:,} bytes. Choose the fields, then click “Trace all”.",
                source.size,
                name=source.path.name,
            )
        )
        self._enable()

    def run(self) -> None:
        """Trace every answer of the file."""
        if self._source is None or self._corpus is None:
            return
        prompt = self.prompt_field.currentText() if self.prompt_field.currentIndex() > 0 else ""
        source = AnswerFile(
            self._source.path, self._source.size, self._source.fields, self.text_field.currentText(), prompt
        )
        index, settings, report = self._corpus.index, self._settings, self._runner.reporter()
        self._runner.run(
            lambda cancel: trace_file(index, source, settings, report, cancel), self._done, self.notice.show_error
        )

    def _done(self, rows: tuple[BatchRow, ...]) -> None:
        self.rows = rows
        self._show_rows()

    def _show_rows(self) -> None:
        self._shown = tuple(sorted(self.rows, key=_SORTS[self.sort.currentIndex()][1]))
        self.model.show(tuple(map(tr, _HEADER)) if self.rows else (), [_cells(row) for row in self._shown])
        if self.rows:
            wrong = sum(bool(row.problem) for row in self.rows)
            mean = sum(row.coverage for row in self.rows) / len(self.rows)
            self.summary.setText(
                trn(
                    "{n:,} answer · {mean:.0%} of its tokens in matches of 5 or more · ",
                    "{n:,} answers · on average {mean:.0%} of their tokens in matches of 5 or more · ",
                    len(self.rows),
                    mean=mean,
                )
                + (tr("{wrong:,} could not be traced · ", wrong=wrong) if wrong else "")
                + tr("press Enter on a row to trace its answer")
            )
        self._enable()

    def _ask_export(self) -> None:
        path = ask_where(self, tr("Export the table"), "answers", TABLES)
        if path is not None:
            self.save(path)

    def save(self, path: Path) -> None:
        """Write the table."""
        rows = self._shown
        self._runner.run(
            lambda cancel: save_batch(path, rows),
            lambda _: self.summary.setText(
                trn("Wrote {n:,} row to {path}.", "Wrote {n:,} rows to {path}.", len(rows), path=path)
            ),
            self.notice.show_error,
        )


def _cells(row: BatchRow) -> tuple[Cell, ...]:
    text = one_line(row.text)[:_SHOWN]
    if row.problem:
        rest = (Cell(""),) * 4
        return (Cell(numeral(row.line), right=True, muted=True), Cell(row.problem, muted=True), *rest, Cell(""))
    return (
        Cell(numeral(row.line), right=True, muted=True),
        Cell(text, tip=row.text[:1000]),
        Cell(numeral(row.tokens), right=True, muted=True),
        Cell(numeral(row.longest_match), right=True),
        Cell(numeral(row.coverage, ".0%"), right=True),
        Cell(numeral(row.novelty, ".0%"), right=True),
        Cell(cell_text(row.source), tip=row.source),
    )
