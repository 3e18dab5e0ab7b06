"""Agreement: how predictable a text is from the corpus, by effective n."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.agreement.analysis import AgreementAnalysis, AgreementRequest, analyse
from explorer.agreement.figure import Series
from explorer.agreement.sources import read_texts
from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.export.tables import FIGURE_HEADER, figure_rows, save_text, table_text
from explorer.gui.figures.save import save_agreement
from explorer.gui.screen import Notice, Screen, label, named
from explorer.gui.screens.agreement.plot import AgreementPlot
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.job_bar import JobBar
from explorer.jobs import CancelToken, Report

_DEBOUNCE_MS = 400
_FORMATS = ("PNG", "SVG", "PDF", "CSV")


@dataclass(frozen=True)
class AnalysisRequest:
    """Pasted text, or files to read; n of the n-gram model."""

    corpus: Corpus
    text: str
    files: tuple[Path, ...]
    n: int


def run_analysis(request: AnalysisRequest, report: Report, cancel: CancelToken) -> AgreementAnalysis:
    """Read and analyse, off the interface thread."""
    texts, groups = read_texts(request.files) if request.files else ((request.text,), ("pasted text",))
    return analyse(request.corpus.index, AgreementRequest(texts, groups, request.n), report, cancel)


class AgreementScreen(Screen):
    """Text or files at the left, the figure and its summary at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._analyst = self.make_runner("agreement")
        self._exporter = self.make_runner("export")
        self._files: tuple[Path, ...] = ()
        self._analysis: AgreementAnalysis | None = None
        self._debounce = QTimer(self, singleShot=True, interval=_DEBOUNCE_MS)
        self._debounce.timeout.connect(self.run)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._show_nothing()

    def _make_widgets(self) -> None:
        self.editor = QPlainTextEdit(placeholderText="Paste a text that is not in the corpus …", tabChangesFocus=True)
        self.editor.setAccessibleName("Text to analyse")
        self.open_button = QPushButton("Open files …")
        self.open_button.setToolTip("Plain text, source code, or JSONL with one text a line")
        self.sources = label("", "muted")
        self.sources.setWordWrap(True)
        self.drop_files = QPushButton("Use pasted text")
        self.n = named(QSpinBox(minimum=1, maximum=100, value=5, prefix="n = "), "n of the n-gram model")
        self.export = QPushButton("Export figure")
        menu = QMenu(self.export)
        for form in _FORMATS:
            menu.addAction(form, partial(self.ask_export, form))
        self.export.setMenu(menu)
        self.heading = label("Agreement by effective n", "heading")
        self.summary = [label("", "muted") for _ in range(3)]
        self.notice = Notice()
        self.job = JobBar()
        self.plot = AgreementPlot()
        self.empty = EmptyState("agreement")

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(16, 16, 4, 12)
        column.setSpacing(10)
        row = QHBoxLayout()
        row.addWidget(self.open_button)
        row.addWidget(self.drop_files)
        row.addStretch(1)
        row.addWidget(self.n)
        column.addLayout(row)
        column.addWidget(self.sources)
        column.addWidget(self.editor, 1)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(4, 16, 16, 12)
        column.setSpacing(10)
        row = QHBoxLayout()
        row.addWidget(self.heading, 1)
        row.addWidget(self.export)
        column.addLayout(row)
        column.addWidget(self.notice)
        column.addWidget(self.job)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.plot)
        column.addWidget(self.stack, 1)
        for line in self.summary:
            column.addWidget(line)
        splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        splitter.addWidget(left)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 3)
        self.plot.setMinimumWidth(360)
        splitter.setSizes([320, 760])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def _connect(self) -> None:
        self.editor.textChanged.connect(self._debounce.start)
        self.n.valueChanged.connect(lambda _: self._debounce.start())
        self.open_button.clicked.connect(self._ask_files)
        self.drop_files.clicked.connect(lambda: self.use_files(()))
        self._analyst.progressed.connect(self.job.show_progress)
        self._analyst.busy_changed.connect(self.job.set_busy)
        self.job.cancelled.connect(self._analyst.cancel)
        # One export at a time: a second one would take the place of the first in the lane.
        self._exporter.busy_changed.connect(
            lambda busy: self.export.setEnabled(not busy and self._analysis is not None)
        )

    def sizeHint(self) -> QSize:
        """Room for three panels."""
        return QSize(1000, 600)

    def focus_input(self) -> None:
        """The editor."""
        self.editor.setFocus()

    def corpus_changed(self) -> None:
        """Analyse the same in the new index."""
        self._show_nothing()
        self.run()

    def theme_changed(self) -> None:
        """Draw in the new colours."""
        self.plot.restyle()

    def analyse_text(self, text: str) -> None:
        """Put a text in and analyse it."""
        self.editor.setPlainText(text)
        self.run()

    def _ask_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Open texts")
        if names:
            self.use_files(tuple(Path(name) for name in names))

    def use_files(self, files: tuple[Path, ...]) -> None:
        """Analyse files in place of the pasted text; none: the pasted text again."""
        self._files = files
        self.editor.setEnabled(not files)
        self._show_sources()
        self.run()

    def _show_sources(self) -> None:
        self.drop_files.setVisible(bool(self._files))
        self.sources.setVisible(bool(self._files))
        names = ", ".join(path.name for path in self._files[:5]) + (" …" if len(self._files) > 5 else "")
        self.sources.setText(f"Analysing {names} in place of the text below." if self._files else "")

    def run(self) -> None:
        """Analyse what the widgets say."""
        self._debounce.stop()
        text = self.editor.document().toRawText().replace("\u2029", "\n")
        if self.corpus is None or not (self._files or text.strip()):
            self._analyst.cancel()
            self._show_nothing()
            return
        request = AnalysisRequest(self.corpus, text, self._files, self.n.value())
        report = self._analyst.reporter()
        self._analyst.run(lambda cancel: run_analysis(request, report, cancel), self._show, self._fail)

    def _fail(self, error: CorpusError) -> None:
        self._show_nothing()
        self.notice.show_error(error)

    def _show(self, analysis: AgreementAnalysis) -> None:
        self._analysis = analysis
        self.notice.show_text("")
        self.export.setEnabled(True)
        self.plot.show_figure(analysis.figure)
        for line, panel in zip(self.summary, analysis.figure.panels, strict=True):
            line.setText(describe(panel))
        self.stack.setCurrentWidget(self.plot)

    def _show_nothing(self) -> None:
        self._analysis = None
        self._show_sources()
        self.export.setEnabled(False)
        self.notice.show_text("")
        for line in self.summary:
            line.setText("")
        if self.corpus is None:
            self.empty.say("No index is open", "Open an index folder with Ctrl+O, or build one in the Index screen.")
        else:
            self.empty.say(
                "How predictable is a text from this corpus?",
                "Paste a text, or open files. Each token is predicted from the longest context that occurs; "
                "the plot shows how often that agrees. A text that stands in the corpus agrees with itself.",
            )
        self.stack.setCurrentWidget(self.empty)

    # --- export --------------------------------------------------------------------------------

    def ask_export(self, form: str) -> None:
        """Ask where to, then write the figure."""
        name, _ = QFileDialog.getSaveFileName(
            self, f"Export as {form}", f"agreement.{form.lower()}", f"{form} (*.{form.lower()})"
        )
        if name:
            path = Path(name)
            self.export_to(path if path.suffix else path.with_suffix(f".{form.lower()}"))

    def export_to(self, path: Path) -> None:
        """Write the figure, or its data, in the format of the path's ending."""
        analysis, corpus = self._analysis, self.corpus
        if analysis is None or corpus is None or self._exporter.busy:
            return
        title = f"Agreement with {corpus.index.name}"

        def write(cancel: CancelToken) -> Path:
            if path.suffix.lower() == ".csv":
                save_text(path, table_text(FIGURE_HEADER, figure_rows(analysis.groups.items()), "csv"))
            else:
                save_agreement(analysis.figure, path, title)
            return path

        self._exporter.run(write, self._exported, self.notice.show_error)

    def _exported(self, path: Path) -> None:
        self.summary[-1].setText(f"Saved {path}")


def describe(panel: Series) -> str:
    """One panel in figures."""
    if not panel.tokens:
        return f"{panel.name}: no tokens"
    return (
        f"{panel.name}: {panel.tokens:,} tokens, {panel.overall:.1%} agree · "
        f"effective n: mean {panel.mean_n:.2f}, median {panel.median_n:g}"
    )
