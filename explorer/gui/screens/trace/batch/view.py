"""The page of a file of answers: its fields, a histogram, and a table each row of which opens its trace."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from explorer.export.registry import TABLES
from explorer.gui.chrome.save_dialog import ask_where
from explorer.gui.help.topics import help_button
from explorer.gui.screens.screen import Notice, label, named, offer
from explorer.gui.screens.trace.batch.answers_table import AnswersModel, AnswersTable, Histogram
from explorer.gui.screens.trace.batch.presenter import BatchPresenter
from explorer.gui.screens.trace.batch.state import BatchState
from explorer.gui.screens.trace.start_page import StartPage, example_answers
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.chip import Chip
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.gui.widgets.layouts.stack import Stack
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.notices.empty_state import EmptyState
from explorer.gui.widgets.notices.job_bar import JobBar
from explorer.i18n import tr

_LOWEST = 24.0
"""Height from which there is room for the histogram, in em."""


class BatchView(QWidget):
    """Draws a file of answers. `drawn(BatchState)`: another state was drawn.

    presenter: What it shows, and what is done with it.
    """

    drawn = Signal(object)

    def __init__(self, presenter: BatchPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.text_field = named(QComboBox(), tr("Answer field"))
        self.prompt_field = named(QComboBox(), tr("Prompt field"))
        for box in (self.text_field, self.prompt_field):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.run_button = push_button(tr("Trace all"), "primary")
        self.export = push_button(tr("Export …"), "", "export")
        self.summary = label("", "muted")
        self.summary.setWordWrap(True)
        self.notice = Notice()
        self.outdated = Notice()
        self.job = JobBar(stop=tr("Stop and keep"))
        self.histogram = Histogram()
        self.caption = label("", "muted")
        self.caption.setWordWrap(True)
        self.filter = Chip("", "filter", removable=True)
        self.model = AnswersModel(self)
        self.table = AnswersTable(self.model)
        self.empty = EmptyState("list")
        self.open = push_button(tr("Open a file …"), "primary", "folder")
        self.start = StartPage(
            tr("Drop a file of answers here"),
            tr(
                "JSON Lines, CSV or Parquet with one answer per line and its text in a field. Each answer is traced by "
                "itself."
            ),
            example_answers(),
            (self.open,),
            presenter.open,
        )
        self.stack = Stack()
        self._lay_out()
        # Not before: without a parent it would be a window for a moment.
        self.outdated.show_text(tr("The settings were changed. “Trace all” traces the file again with the new ones."))
        self._connect()
        self._draw(presenter.state, None)
        presenter.watch(self._draw)

    def _lay_out(self) -> None:
        self.fields = flowing(
            label(tr("Answer field"), "muted"),
            self.text_field,
            label(tr("Prompt field"), "muted"),
            self.prompt_field,
            self.run_button,
            self.export,
            help_button("trace", tr("Files of answers")),
        )
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.caption)
        column.addWidget(self.histogram)
        row = QHBoxLayout()
        row.addWidget(self.filter)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        for page in (self.start, self.empty, whole):
            self.stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 12)
        layout.setSpacing(8)
        for part in (self.fields, self.summary, self.notice, self.outdated, self.job):
            layout.addWidget(part)
        layout.addWidget(self.stack, 1)
        self._stale = Dimmer(self.histogram, self.table, parent=self)

    def _connect(self) -> None:
        presenter = self.presenter
        self.text_field.currentTextChanged.connect(presenter.choose_text_field)
        self.prompt_field.currentIndexChanged.connect(
            lambda number: presenter.choose_prompt_field(self.prompt_field.currentText() if number > 0 else "")
        )
        self.run_button.clicked.connect(presenter.run)
        self.export.clicked.connect(self._ask_export)
        self.histogram.chosen.connect(presenter.choose_length)
        self.filter.removed.connect(lambda: presenter.choose_length(None))
        self.filter.clicked.connect(lambda: presenter.choose_length(None))
        self.table.sorted_by.connect(presenter.sort)
        self.table.activated.connect(lambda index: presenter.open_row(index.row()))
        self.job.cancelled.connect(presenter.stop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A low window has no room for bars above the table."""
        super().resizeEvent(event)
        roomy = self.height() > em(_LOWEST)
        for part in (self.caption, self.histogram):
            part.setVisible(roomy)

    def _ask_export(self) -> None:
        path: Path | None = ask_where(self, tr("Export the table"), "answers", TABLES)
        if path is not None:
            self.presenter.save(path)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: BatchState, before: BatchState | None) -> None:
        self._draw_fields(state, before)
        self.notice.show_text(state.notice)
        self.outdated.setVisible(state.outdated)
        offer(self.run_button, state.why_not_run)
        self.run_button.setText(state.run_words)
        self.export.setEnabled(bool(state.shown))
        if before is None or (state.rows, state.length, state.shown) != (before.rows, before.length, before.shown):
            self._draw_rows(state)
        self.table.show_order(state.order)
        self.summary.setText(state.summary)
        self.summary.setVisible(state.summary != "")
        has_rows = bool(state.rows.value)
        if not has_rows:
            self.empty.say(*state.invitation)
        self.stack.setCurrentIndex(2 if has_rows else int(state.begun))
        # While it is traced, the rows that are done are true; those of another file are not.
        self._stale.set_stale(state.rows.dimmed and not state.working and not state.kept)
        # The bar measures how long a job takes: it is told when one begins and ends.
        if state.working != (before is not None and before.working):
            self.job.set_busy(state.working)
        if state.progress is not None and (before is None or state.progress is not before.progress):
            self.job.show_progress(state.progress)
        self.drawn.emit(state)

    def _draw_rows(self, state: BatchState) -> None:
        self.caption.setText(
            tr("Answers by their longest match in words. Click a bar to show only these.")
            if state.in_words
            else tr("Answers by their longest match in tokens. Click a bar to show only these.")
        )
        self.model.show(state.shown)
        self.histogram.show_bins(state.bins)
        self.filter.set_words(state.filter_text)
        self.filter.setVisible(state.filter_text != "")

    def _draw_fields(self, state: BatchState, before: BatchState | None) -> None:
        self.fields.setVisible(bool(state.fields))
        for box, first, chosen in (
            (self.text_field, (), state.text_field),
            (self.prompt_field, (tr("(none)"),), state.prompt_field),
        ):
            # Filling a list chooses its first entry, which the user did not choose.
            with QSignalBlocker(box):
                if before is None or state.source is not before.source:
                    box.clear()
                    box.addItems([*first, *state.fields])
                box.setCurrentIndex(max(0, box.findText(chosen)))
