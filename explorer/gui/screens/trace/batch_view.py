"""The widgets of a file of answers: a table, each row of which opens its trace."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QFileDialog, QPushButton, QVBoxLayout, QWidget

from explorer.export.registry import TABLES
from explorer.gui.save_dialog import ask_where
from explorer.gui.screen import Notice, label, named
from explorer.gui.screens.trace.batch_presenter import BatchPresenter
from explorer.gui.screens.trace.batch_state import ORDERS, BatchState, row_cells
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.i18n import tr


class BatchView(QWidget):
    """Draws a file of answers.

    Parameters
    ----------
    presenter
        What it shows, and what is done with it.
    parent
        Qt's parent.
    """

    def __init__(self, presenter: BatchPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.open_button = QPushButton(tr("Open a file …"))
        self.open_button.setToolTip(tr("JSON Lines with one answer per line"))
        self.text_field = named(QComboBox(), tr("Answer field"))
        self.prompt_field = named(QComboBox(), tr("Prompt field"))
        self.run_button = push_button(tr("Trace all"), "primary")
        self.sort = named(QComboBox(), tr("Sort by"))
        for text, _ in ORDERS:
            self.sort.addItem(tr(text))
        self.export = QPushButton(tr("Export …"))
        self.summary = label("", "muted")
        self.summary.setWordWrap(True)
        self.notice = Notice()
        self.job = JobBar()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Answers"), wide=(1, 6))
        self._lay_out()
        self._connect()
        self._draw(presenter.state, None)
        presenter.watch(self._draw)

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
        self._stale = Dimmer(self.table, parent=self)

    def _connect(self) -> None:
        presenter = self.presenter
        self.open_button.clicked.connect(self._ask_file)
        self.text_field.currentTextChanged.connect(presenter.choose_text_field)
        self.prompt_field.currentIndexChanged.connect(
            lambda number: presenter.choose_prompt_field(self.prompt_field.currentText() if number > 0 else "")
        )
        self.run_button.clicked.connect(presenter.run)
        self.sort.currentIndexChanged.connect(presenter.sort)
        self.export.clicked.connect(self._ask_export)
        self.table.activated.connect(lambda index: presenter.open_row(index.row()))
        self.job.cancelled.connect(presenter.stop)

    def _ask_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Answers to trace"), "", tr("JSON Lines (*.jsonl *.ndjson);;All files (*)")
        )
        if name:
            self.presenter.open(Path(name))

    def _ask_export(self) -> None:
        path = ask_where(self, tr("Export the table"), "answers", TABLES)
        if path is not None:
            self.presenter.save(path)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: BatchState, before: BatchState | None) -> None:
        self._draw_fields(state, before)
        self.sort.setCurrentIndex(state.order)
        self.summary.setText(state.summary)
        self.notice.show_text(state.notice)
        self.run_button.setEnabled(state.can_run)
        self.export.setEnabled(bool(state.shown))
        if before is None or state.shown is not before.shown:
            self.model.show(state.header, [row_cells(row) for row in state.shown])
        self._stale.set_stale(state.rows.dimmed, at_once=not state.rows.awaited)
        # The bar measures how long a job takes: it is told when one begins and ends.
        if state.working != (before is not None and before.working):
            self.job.set_busy(state.working)
        if state.progress is not None and (before is None or state.progress is not before.progress):
            self.job.show_progress(state.progress)

    def _draw_fields(self, state: BatchState, before: BatchState | None) -> None:
        for box, first, chosen in (
            (self.text_field, (), state.text_field),
            (self.prompt_field, (tr("(none)"),), state.prompt_field),
        ):
            with QSignalBlocker(box):
                if before is None or state.source is not before.source:
                    box.clear()
                    box.addItems([*first, *state.fields])
                box.setCurrentIndex(max(0, box.findText(chosen)))
