"""Building an index from the window."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
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

from explorer.building.estimate import BuildEstimate, size_text
from explorer.building.process import build_in_process, estimate_in_process
from explorer.building.request import BuildRequest
from explorer.building.source import noticed_lines
from explorer.building.state import can_resume
from explorer.errors import CorpusError
from explorer.gui.cells import Cell
from explorer.gui.hints import offers
from explorer.gui.runner import Runner
from explorer.gui.screen import Notice, label, named
from explorer.gui.screens.index.left_out import LeftOutDialog, left_out_title
from explorer.gui.text_positions import cell_text
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.i18n import counted, mark, tr
from explorer.index.manifest import Manifest

_TRAIN, _BYTES, _FILE = range(3)


_ESTIMATE_MS = 400
_LOW_FORM = 700
"""Height of the form in a window of ordinary height."""
_NO_ESTIMATE = mark("Add sources to see an estimate of the index and of the disk space, memory and time it needs.")


class BuildForm(QWidget):
    """Sources, target, tokenizer, and the build itself.

    `built(str, bool)`: the new index's folder, and whether anything was left out of it; `paused()`: a build ended that
    can be resumed. target: the folder of the current build.
    """

    built = Signal(str, bool)
    paused = Signal()

    def __init__(self, runner: Runner, estimator: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.runner, self._estimator = runner, estimator
        self.target: Path | None = None
        self._begun: BuildRequest | None = None
        self._estimate: BuildEstimate | None = None
        self._pause = QTimer(self, singleShot=True, interval=_ESTIMATE_MS)
        self._pause.timeout.connect(self.estimate)
        self._make_widgets()
        self._lay_out()
        runner.progressed.connect(self.job.show_progress)
        runner.busy_changed.connect(self._set_busy)
        self.job.cancelled.connect(self.pause)
        self._update()

    def _make_widgets(self) -> None:
        self.sources = named(QListWidget(), tr("Sources"))
        self.sources.setMinimumHeight(72)
        self.add_files = QPushButton(tr("Add files …"))
        self.add_folder = QPushButton(tr("Add folder …"))
        self.remove = QPushButton(tr("Remove"))
        self.out = QLineEdit(placeholderText=tr("Folder of the new index"))
        self.choose_out = QPushButton(tr("Choose …"))
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
        self.estimated = label(tr(_NO_ESTIMATE), "muted")
        self.estimated.setWordWrap(True)
        self.samples = PlainModel(self)
        self.sample_table = PlainTable(self.samples, tr("Preview of the documents"), wide=(2,))
        self.sample_table.hide()
        self.resume = QPushButton(tr("Resume"))
        self.resume.setToolTip(tr("Continue the interrupted build in that folder"))
        self.resume.clicked.connect(lambda _=False: self.start(resume=True))
        self.build = QPushButton(tr("Build index"))
        self.build.setProperty("role", "primary")
        self.left_out = QPushButton()
        self.left_out.clicked.connect(lambda _=False: self.show_left_out())
        self.left_out.hide()
        self.notice = Notice()
        self._make_remedies()
        self.job = JobBar(stop=tr("Pause"))
        self.add_files.clicked.connect(self._ask_files)
        self.add_folder.clicked.connect(self._ask_folder)
        self.remove.clicked.connect(self._remove)
        self.choose_out.clicked.connect(self._ask_out)
        self.tokenizer.currentIndexChanged.connect(lambda _: self._update())
        self.out.textChanged.connect(lambda _: self._update())
        self.out.editingFinished.connect(self._show_target)
        self.tokenizer_file.textChanged.connect(lambda _: self._update())
        self.build.clicked.connect(lambda _=False: self.start())
        self.text_field.textChanged.connect(lambda _: self._update())
        for box in (self.vocabulary, self.shards):
            box.valueChanged.connect(lambda _: self._update())
        self.skip_bad.toggled.connect(lambda _: self._update())

    def _make_remedies(self) -> None:
        """Add buttons for the remedies that an error names."""
        self.remedies = {
            "skip_bad": QPushButton(tr("Leave bad lines out")),
            "text_field": QPushButton(tr("Choose another field")),
            "restart": QPushButton(tr("Start over")),
        }
        self.remedies["skip_bad"].clicked.connect(lambda _=False: self._leave_bad_out())
        self.remedies["text_field"].clicked.connect(lambda _=False: self._ask_field())
        self.remedies["restart"].clicked.connect(lambda _=False: self.start())
        for button in self.remedies.values():
            button.hide()

    def _lay_out(self) -> None:
        target = QHBoxLayout()
        target.addWidget(self.out, 1)
        target.addWidget(self.choose_out)
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
        layout.addWidget(flowing(self.add_files, self.add_folder, self.remove, self.left_out))
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

    def add_sources(self, paths: Sequence[str]) -> None:
        """Add files or folders to the list, each once; proposes where to build."""
        known = {self.sources.item(i).text() for i in range(self.sources.count())}
        for path in dict.fromkeys(paths):
            if path and path not in known:
                self.sources.addItem(path)
        if not self.out.text() and self.sources.count():
            first = Path(self.sources.item(0).text())
            self.out.setText(str(first.with_name(f"{first.name.split('.')[0]}-index")))
        self._update()

    def _ask_files(self) -> None:
        self.add_sources(QFileDialog.getOpenFileNames(self, tr("Sources of the index"))[0])

    def _ask_folder(self) -> None:
        self.add_sources([QFileDialog.getExistingDirectory(self, tr("Folder with sources"))])

    def _ask_out(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, tr("Folder of the new index"), self.out.text() or "my-index")
        if name:
            self.out.setText(name)

    def _remove(self) -> None:
        self.sources.takeItem(self.sources.currentRow())
        self._update()

    def _update(self) -> None:
        """Show which fields the choices need, and whether a build can start."""
        choice = self.tokenizer.currentIndex()
        self._form.setRowVisible(self.vocabulary, choice == _TRAIN)
        self._form.setRowVisible(self.tokenizer_file, choice == _FILE)
        complete = bool(self.sources.count() and self.out.text().strip())
        complete = complete and (choice != _FILE or bool(self.tokenizer_file.text().strip()))
        self.build.setEnabled(complete and not self.runner.busy)
        self.resume.hide()
        self._pause.start()

    def estimate(self) -> None:
        """Show what the build would need, and documents as it would read them."""
        self._pause.stop()
        if not self.build.isEnabled():
            if not self.runner.busy:
                self._estimator.cancel()
                self._show_estimate(None)
            return
        request = self.request()
        self._estimator.run(
            lambda cancel: (estimate_in_process(request, cancel), can_resume(request.out)),
            self._estimated,
            self._no_estimate,
        )

    def _estimated(self, found: tuple[BuildEstimate, bool]) -> None:
        estimate, resumable = found
        self._show_estimate(estimate)
        self.resume.setVisible(resumable)
        if estimate.stops_at is not None:
            self._show_error(estimate.stops_at)
            return
        self._hide_remedies()
        self.notice.show_text(" ".join(estimate.warnings))

    def _no_estimate(self, error: CorpusError) -> None:
        self._show_estimate(None)
        self._show_error(error)

    def _show_error(self, error: CorpusError) -> None:
        """Show the error, with buttons for the remedies."""
        self.notice.show_error(error)
        shown = offers(error)
        for name, button in self.remedies.items():
            button.setVisible(name in shown)

    def _hide_remedies(self) -> None:
        for button in self.remedies.values():
            button.hide()

    def _leave_bad_out(self) -> None:
        """Tick the box; a build that stopped at a bad line continues from there."""
        begun, self._begun = self._begun, None
        self._hide_remedies()
        self.notice.show_text("")
        self.skip_bad.setChecked(True)
        if begun is not None:
            self.start_request(replace(begun, skip_bad=True, resume=True))

    def _ask_field(self) -> None:
        self._begun = None
        self.text_field.setFocus()
        self.text_field.selectAll()

    def show_left_out(self) -> LeftOutDialog | None:
        """List what the build would leave out, as far as it is known in advance."""
        if self._estimate is None:
            return None
        dialog = LeftOutDialog(self, self._estimate.skipped, self._estimate.left_out)
        dialog.open()
        return dialog

    def _show_estimate(self, estimate: BuildEstimate | None) -> None:
        self._estimate = estimate
        self.sample_table.setVisible(estimate is not None)
        skipped = sum(estimate.skipped.values()) if estimate else 0
        self.left_out.setText(tr("{title} …", title=left_out_title(skipped)))
        self.left_out.setVisible(skipped > 0)
        if estimate is None:
            # The notice reports problems of sources that exist.
            self.estimated.setText("" if self.sources.count() else tr(_NO_ESTIMATE))
            self.samples.show((), ())
            return
        self.estimated.setText(_describe(estimate))
        rows = [
            (
                Cell(cell_text(sample.path), tip=sample.path),
                Cell(cell_text(", ".join(sample.fields)) or tr("none"), muted=True),
                Cell(cell_text(sample.beginning), tip=sample.beginning),
            )
            for sample in estimate.samples
        ]
        self.samples.show((tr("Recognized"), tr("Fields"), tr("Text")), rows)

    def _target(self) -> Path:
        """The new index's folder; a bare name is placed next to the first source, not in the working directory."""
        # Path.expanduser would fail for the home of nobody.
        path = Path(os.path.expanduser(self.out.text().strip()))  # noqa: PTH111
        return Path(self.sources.item(0).text()).parent / path if self.sources.count() else path

    def _show_target(self) -> None:
        if self.out.text().strip() and self.sources.count():
            self.out.setText(str(self._target()))

    def request(self) -> BuildRequest:
        """The build request that the widgets describe."""
        names = {
            _TRAIN: f"train:{self.vocabulary.value()}",
            _BYTES: "bytes",
            _FILE: self.tokenizer_file.text().strip(),
        }
        return BuildRequest(
            sources=tuple(Path(self.sources.item(i).text()) for i in range(self.sources.count())),
            out=self._target(),
            tokenizer=names[self.tokenizer.currentIndex()],
            text_field=self.text_field.text().strip() or "text",
            shards=self.shards.value(),
            skip_bad=self.skip_bad.isChecked(),
        )

    def show_request(self, request: BuildRequest) -> None:
        """Fill the fields from a build request."""
        self.sources.clear()
        self.out.setText(str(request.out))
        self.add_sources([str(source) for source in request.sources])
        choice, _, vocabulary = request.tokenizer.partition(":")
        kind = {"train": _TRAIN, "bytes": _BYTES}.get(choice, _FILE)
        self.tokenizer.setCurrentIndex(kind)
        if kind == _TRAIN and vocabulary.isdecimal():
            self.vocabulary.setValue(int(vocabulary))
        elif kind == _FILE:
            self.tokenizer_file.setText(request.tokenizer)
        self.text_field.setText(request.text_field)
        self.shards.setValue(request.shards)
        self.skip_bad.setChecked(request.skip_bad)

    def start(self, resume: bool = False) -> None:
        """Start the build that the fields describe."""
        self.start_request(replace(self.request(), resume=resume))

    def start_request(self, request: BuildRequest) -> None:
        """Build in a separate process, and open the index at the end."""
        self._pause.stop()
        self._estimator.cancel()
        self.target, self._begun = request.out, request
        self.notice.show_text("")
        self._hide_remedies()
        report = self.runner.reporter()
        self.runner.run(lambda cancel: build_in_process(request, report, cancel), self._built, self._failed)

    def pause(self) -> None:
        """Pause the build at a safe point, and keep what it has done."""
        self.job.stage.setText(tr("Pausing at a safe point …"))
        self.runner.end(keep=True)

    def _built(self, manifest: Manifest) -> None:
        assert self.target is not None
        self._begun = None
        self.built.emit(str(self.target), bool(manifest.skipped))

    def _failed(self, error: CorpusError) -> None:
        self._show_error(error)

    def _set_busy(self, busy: bool) -> None:
        self.job.set_busy(busy)
        self._update()
        if not busy:
            self.paused.emit()


def _describe(estimate: BuildEstimate) -> str:
    """The estimate in a sentence or two."""
    documents, tokens = counted("document", estimate.documents), counted("token", estimate.tokens)
    skipped = "".join(f"\n{line}" for line in noticed_lines(estimate.skipped, estimate.noticed))
    sentence = tr(
        "{files}, {documents}, ≈ {tokens} · needs ≈ {disk} of disk space and ≈ {memory} of memory · ≈ "
        "{seconds:,} s{skipped}",
        files=counted("file", estimate.files),
        documents=documents if estimate.exact else tr("≈ {documents}", documents=documents),
        tokens=tokens,
        disk=size_text(estimate.disk),
        memory=size_text(estimate.memory),
        seconds=max(1, round(estimate.seconds)),
        skipped=skipped,
    )
    # No line break between the sign and its number.
    return sentence.replace("≈ ", "≈\N{NO-BREAK SPACE}")
