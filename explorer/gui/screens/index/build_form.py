"""The widgets of the form for builds: they draw the presenter's state and hand on what a person does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.screen import Notice, label, named
from explorer.gui.screens.index.build_presenter import BuildPresenter
from explorer.gui.screens.index.build_state import BuildState, Entries, Tokenizers
from explorer.gui.screens.index.left_out import LeftOutDialog, left_out_title
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.i18n import tr

_LOW_FORM = 700
"""Height of the form in a window of ordinary height."""


class BuildForm(QWidget):
    """Sources, target, tokenizer, and the build itself.

    Parameters
    ----------
    presenter
        Estimates and builds.
    parent
        The object that keeps this one alive.
    """

    def __init__(self, presenter: BuildPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._draw(presenter.state, None)
        presenter.watch(self._draw)

    def _make_widgets(self) -> None:
        self.sources = named(QListWidget(), tr("Sources"))
        self.sources.setMinimumHeight(72)
        self.out = QLineEdit(placeholderText=tr("Folder of the new index"))
        self.tokenizer = QComboBox()
        self.tokenizer.addItems(
            [tr("Train a byte-level BPE on these texts"), tr("Bytes (no tokenizer)"), tr("A tokenizer.json file …")]
        )
        self.vocabulary = NumberBox(minimum=512, maximum=65_535, value=16_384, singleStep=1024, suffix=tr(" entries"))
        self.vocabulary.setAccessibleName(tr("Vocabulary"))
        self.tokenizer_file = QLineEdit(placeholderText="tokenizer.json")
        self.text_field = QLineEdit("text")
        self.text_field.setToolTip(tr("JSONL field or Parquet column that contains the text"))
        self.shards = NumberBox(minimum=1, maximum=1024, value=1)
        self.skip_bad = QCheckBox(tr("Leave bad lines out and count them"))
        self.estimated = label("", "muted")
        self.estimated.setWordWrap(True)
        self.samples = PlainModel(self)
        self.sample_table = PlainTable(self.samples, tr("Preview of the documents"), wide=(2,))
        self._stale = Dimmer(self.estimated, self.sample_table, parent=self)
        self.resume = QPushButton(tr("Resume"))
        self.resume.setToolTip(tr("Continue the interrupted build in that folder"))
        self.build = push_button(tr("Build index"), "primary")
        self.left_out = QPushButton()
        self.notice = Notice()
        self.remedies = {
            "skip_bad": QPushButton(tr("Leave bad lines out")),
            "text_field": QPushButton(tr("Choose another field")),
            "restart": QPushButton(tr("Start over")),
        }
        self.job = JobBar(stop=tr("Pause"))

    def _lay_out(self) -> None:
        target = QHBoxLayout()
        target.addWidget(self.out, 1)
        target.addWidget(_button(tr("Choose …"), self._ask_out))
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(8)
        form.addRow(tr("Save index in"), target)
        form.addRow(tr("Tokenizer"), self.tokenizer)
        form.addRow(tr("Vocabulary"), self.vocabulary)
        form.addRow(tr("Tokenizer file"), self.tokenizer_file)
        form.addRow(tr("Text field"), self.text_field)
        form.addRow(tr("Shards"), self.shards)
        form.addRow("", self.skip_bad)
        self._form = form
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 16, 16, 12)
        layout.setSpacing(10)
        layout.addWidget(label(tr("Build an index"), "heading"))
        hint = label(
            tr("Drop files or folders here: plain text, Markdown, source code, JSONL (.gz, .zst), Parquet."),
            "muted",
        )
        hint.setWordWrap(True)
        layout.addWidget(hint)
        layout.addWidget(self.sources, 1)
        add_files = _button(tr("Add files …"), self._ask_files)
        add_folder = _button(tr("Add folder …"), self._ask_folder)
        remove = _button(tr("Remove"), self._remove)
        layout.addWidget(flowing(add_files, add_folder, remove, self.left_out))
        layout.addLayout(form)
        layout.addWidget(self.notice)
        layout.addWidget(flowing(*self.remedies.values()))
        layout.addWidget(self.estimated)
        layout.addWidget(self.sample_table, 1)
        layout.addWidget(self.job)
        layout.addStretch(1)
        bottom = QHBoxLayout()
        bottom.addStretch(1)
        bottom.addWidget(self.resume)
        bottom.addWidget(self.build)
        layout.addLayout(bottom)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the lists low, so that the button below them is visible; they grow in a tall window."""
        super().resizeEvent(event)
        # The visible height: the form itself is as tall as its content.
        seen = self.parentWidget()
        height = max(0, (seen.height() if seen is not None else event.size().height()) - _LOW_FORM)
        self.sources.setMaximumHeight(100 + height // 3)
        self.sample_table.setMaximumHeight(110 + height // 3)

    def _connect(self) -> None:
        presenter = self.presenter
        self.out.textChanged.connect(lambda text: presenter.enter(out=text))
        self.out.editingFinished.connect(presenter.settle_target)
        self.tokenizer.currentIndexChanged.connect(lambda number: presenter.enter(tokenizer=Tokenizers(number)))
        self.vocabulary.valueChanged.connect(lambda value: presenter.enter(vocabulary=value))
        self.tokenizer_file.textChanged.connect(lambda text: presenter.enter(tokenizer_file=text))
        self.text_field.textChanged.connect(lambda text: presenter.enter(text_field=text))
        self.shards.valueChanged.connect(lambda value: presenter.enter(shards=value))
        self.skip_bad.toggled.connect(lambda ticked: presenter.enter(skip_bad=ticked))
        self.left_out.clicked.connect(lambda _=False: self.show_left_out())
        self.remedies["skip_bad"].clicked.connect(lambda _=False: presenter.remedy("skip_bad"))
        self.remedies["restart"].clicked.connect(lambda _=False: presenter.remedy("restart"))
        self.remedies["text_field"].clicked.connect(lambda _=False: self._choose_field())
        self.resume.clicked.connect(lambda _=False: presenter.start(resume=True))
        self.build.clicked.connect(lambda _=False: presenter.start())
        self.job.cancelled.connect(presenter.pause)

    def add_sources(self, paths: Sequence[str]) -> None:
        """Add files or folders to the list."""
        self.presenter.add_sources(paths)

    def _ask_files(self) -> None:
        self.add_sources(QFileDialog.getOpenFileNames(self, tr("Sources of the index"))[0])

    def _ask_folder(self) -> None:
        self.add_sources([QFileDialog.getExistingDirectory(self, tr("Folder with sources"))])

    def _ask_out(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, tr("Folder of the new index"), self.out.text() or "my-index")
        if name:
            self.presenter.enter(out=name)

    def _remove(self) -> None:
        self.presenter.remove_source(self.sources.currentRow())

    def _choose_field(self) -> None:
        # Selected, so that the next key replaces the name. The error stays until another one is typed.
        self.text_field.setFocus()
        self.text_field.selectAll()

    def show_left_out(self) -> LeftOutDialog | None:
        """List what the build would leave out, as far as it is known in advance."""
        found = self.presenter.state.estimate.value
        if found is None:
            return None
        dialog = LeftOutDialog(self, found.estimate.skipped, found.estimate.left_out)
        dialog.open()
        return dialog

    def _draw(self, state: BuildState, before: BuildState | None) -> None:
        if before is None or state.entries != before.entries:
            self._draw_entries(state.entries)
        if before is None or state.estimate is not before.estimate:
            self._draw_estimate(state)
        self.estimated.setText(state.estimated)
        self.notice.show_text(state.notice)
        for name, button in self.remedies.items():
            button.setVisible(name in state.remedies)
        self.build.setEnabled(state.can_build)
        self.resume.setVisible(state.can_resume)
        self._draw_job(state, before)

    def _draw_entries(self, entries: Entries) -> None:
        # A list that is filled again loses its chosen row.
        if entries.sources != tuple(self.sources.item(row).text() for row in range(self.sources.count())):
            self.sources.clear()
            self.sources.addItems(entries.sources)
        # Setting an equal text would move the cursor.
        for field, text in (
            (self.out, entries.out),
            (self.tokenizer_file, entries.tokenizer_file),
            (self.text_field, entries.text_field),
        ):
            if field.text() != text:
                field.setText(text)
        self.tokenizer.setCurrentIndex(entries.tokenizer)
        self.vocabulary.setValue(entries.vocabulary)
        self.shards.setValue(entries.shards)
        self.skip_bad.setChecked(entries.skip_bad)
        self._form.setRowVisible(self.vocabulary, entries.tokenizer is Tokenizers.TRAIN)
        self._form.setRowVisible(self.tokenizer_file, entries.tokenizer is Tokenizers.FILE)

    def _draw_estimate(self, state: BuildState) -> None:
        self.left_out.setText(tr("{title} …", title=left_out_title(state.left_out)))
        self.left_out.setVisible(state.left_out > 0)
        self.sample_table.setVisible(state.estimate.value is not None)
        header = (tr("Recognized"), tr("Fields"), tr("Text")) if state.estimate.value is not None else ()
        self.samples.show(header, state.samples)
        self._stale.set_stale(state.estimate.dimmed, at_once=not state.estimate.awaited)

    def _draw_job(self, state: BuildState, before: BuildState | None) -> None:
        # The bar measures how long a job takes: it is told when one begins and ends.
        if before is not None and state.building != before.building:
            self.job.set_busy(state.building)
        if state.building and state.progress is not None and (before is None or state.progress is not before.progress):
            self.job.show_progress(state.progress)
        # A build reports on its way to the safe point; that it is to pause matters more.
        if state.pausing:
            self.job.stage.setText(tr("Pausing at a safe point …"))


def _button(text: str, action: Callable[[], None]) -> QPushButton:
    """A button; `action` is called without what the signal carries."""
    made = QPushButton(text)
    made.clicked.connect(lambda _=False: action())
    return made
