"""Building an index from the window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from explorer.corpus.build import BuildRequest, build_index
from explorer.corpus.manifest import Manifest
from explorer.errors import CorpusError
from explorer.gui.runner import Runner
from explorer.gui.screen import Notice, label, named
from explorer.gui.widgets.job_bar import JobBar
from explorer.jobs import CancelToken, Report

_TRAIN, _BYTES, _FILE = range(3)


def run_build(request: BuildRequest, report: Report, cancel: CancelToken) -> Manifest:
    """Build off the interface thread."""
    return build_index(
        request.sources,
        request.out,
        tokenizer=request.tokenizer,
        text_field=request.text_field,
        shards=request.shards,
        skip_bad=request.skip_bad,
        report=report,
        cancel=cancel,
    )


class BuildForm(QWidget):
    """Sources, target, tokenizer, and the build itself. `built(str)`: the new index's folder."""

    built = Signal(str)

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._out = ""
        self._make_widgets()
        self._lay_out()
        runner.progressed.connect(self.job.show_progress)
        runner.busy_changed.connect(self._set_busy)
        self.job.cancelled.connect(runner.cancel)
        self._update()

    def _make_widgets(self) -> None:
        self.sources = named(QListWidget(), "Sources")
        self.sources.setMinimumHeight(72)
        self.add_files = QPushButton("Add files …")
        self.add_folder = QPushButton("Add folder …")
        self.remove = QPushButton("Remove")
        self.out = QLineEdit(placeholderText="Folder of the new index")
        self.choose_out = QPushButton("Choose …")
        self.tokenizer = QComboBox()
        self.tokenizer.addItems(
            ["Train a byte-level BPE on these texts", "Bytes (no tokenizer)", "A tokenizer.json file …"]
        )
        self.vocabulary = QSpinBox(minimum=512, maximum=65_535, value=16_384, singleStep=1024, suffix=" entries")
        self.vocabulary.setAccessibleName("Vocabulary")
        self.tokenizer_file = QLineEdit(placeholderText="tokenizer.json")
        self.text_field = QLineEdit("text")
        self.text_field.setToolTip("Field of JSONL lines, or column of Parquet files, that holds the text")
        self.shards = QSpinBox(minimum=1, maximum=1024, value=1)
        self.skip_bad = QCheckBox("Leave bad lines out and count them")
        self.build = QPushButton("Build index")
        self.build.setProperty("role", "primary")
        self.notice = Notice()
        self.job = JobBar()
        self.add_files.clicked.connect(self._ask_files)
        self.add_folder.clicked.connect(self._ask_folder)
        self.remove.clicked.connect(self._remove)
        self.choose_out.clicked.connect(self._ask_out)
        self.tokenizer.currentIndexChanged.connect(lambda _: self._update())
        self.out.textChanged.connect(lambda _: self._update())
        self.tokenizer_file.textChanged.connect(lambda _: self._update())
        self.build.clicked.connect(self.start)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.add_files, self.add_folder, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        target = QHBoxLayout()
        target.addWidget(self.out, 1)
        target.addWidget(self.choose_out)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(8)
        form.addRow("Into", target)
        form.addRow("Tokenizer", self.tokenizer)
        form.addRow("Vocabulary", self.vocabulary)
        form.addRow("Tokenizer file", self.tokenizer_file)
        form.addRow("Text field", self.text_field)
        form.addRow("Shards", self.shards)
        form.addRow("", self.skip_bad)
        self._form = form
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 16, 16, 12)
        layout.setSpacing(10)
        layout.addWidget(label("Build an index", "heading"))
        hint = label(
            "Plain text, Markdown, source code, JSONL (.gz, .zst), Parquet, or folders of them. Drop them here.",
            "muted",
        )
        hint.setWordWrap(True)
        layout.addWidget(hint)
        layout.addWidget(self.sources, 1)
        layout.addLayout(buttons)
        layout.addLayout(form)
        layout.addWidget(self.notice)
        layout.addWidget(self.job)
        bottom = QHBoxLayout()
        bottom.addStretch(1)
        bottom.addWidget(self.build)
        layout.addLayout(bottom)

    def add_sources(self, paths: Sequence[str]) -> None:
        """Put files or folders on the list, each once; proposes where to build."""
        known = {self.sources.item(i).text() for i in range(self.sources.count())}
        for path in dict.fromkeys(paths):
            if path and path not in known:
                self.sources.addItem(path)
        if not self.out.text() and self.sources.count():
            first = Path(self.sources.item(0).text())
            self.out.setText(str(first.with_name(f"{first.name.split('.')[0]}-index")))
        self._update()

    def _ask_files(self) -> None:
        self.add_sources(QFileDialog.getOpenFileNames(self, "Sources of the index")[0])

    def _ask_folder(self) -> None:
        self.add_sources([QFileDialog.getExistingDirectory(self, "Folder with sources")])

    def _ask_out(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Folder of the new index", self.out.text() or "my-index")
        if name:
            self.out.setText(name)

    def _remove(self) -> None:
        self.sources.takeItem(self.sources.currentRow())
        self._update()

    def _update(self) -> None:
        """Show what the choices need, and whether a build can start."""
        choice = self.tokenizer.currentIndex()
        self._form.setRowVisible(self.vocabulary, choice == _TRAIN)
        self._form.setRowVisible(self.tokenizer_file, choice == _FILE)
        complete = bool(self.sources.count() and self.out.text().strip())
        complete = complete and (choice != _FILE or bool(self.tokenizer_file.text().strip()))
        self.build.setEnabled(complete and not self._runner.busy)

    def request(self) -> BuildRequest:
        """What the widgets say."""
        names = {
            _TRAIN: f"train:{self.vocabulary.value()}",
            _BYTES: "bytes",
            _FILE: self.tokenizer_file.text().strip(),
        }
        return BuildRequest(
            sources=tuple(Path(self.sources.item(i).text()) for i in range(self.sources.count())),
            out=Path(self.out.text().strip()),
            tokenizer=names[self.tokenizer.currentIndex()],
            text_field=self.text_field.text().strip() or "text",
            shards=self.shards.value(),
            skip_bad=self.skip_bad.isChecked(),
        )

    def start(self) -> None:
        """Build, and open at the end."""
        request = self.request()
        self._out = str(request.out)
        self.notice.show_text("")
        report = self._runner.reporter()
        self._runner.run(lambda cancel: run_build(request, report, cancel), self._built, self._failed)

    def _built(self, manifest: Manifest) -> None:
        self.built.emit(self._out)

    def _failed(self, error: CorpusError) -> None:
        self.notice.show_error(error)

    def _set_busy(self, busy: bool) -> None:
        self.job.set_busy(busy)
        self._update()
