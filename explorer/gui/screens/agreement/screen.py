"""Agreement: how predictable a text is from the corpus, by effective n."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.agreement.analysis import AgreementAnalysis, AgreementRequest, TextAgreement, analyse
from explorer.agreement.figure import AgreementFigure, Series
from explorer.agreement.neural import NeuralFigure, neural_figure, read_neural
from explorer.agreement.sources import read_texts
from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.export.tables import FIGURE_HEADER, figure_rows, save_text, table_text
from explorer.gui.figures.save import save_agreements
from explorer.gui.screen import Notice, Screen, label, named, tab_group
from explorer.gui.screens.agreement.plot import AgreementPlot, count_plot, neural_plot
from explorer.gui.screens.agreement.sources_view import SourcesView
from explorer.gui.screens.agreement.text_view import TextView, context_text
from explorer.gui.text_positions import one_line
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.job_bar import JobBar
from explorer.jobs import CancelToken, Report
from explorer.search.counts import next_tokens
from explorer.search.query import show_token

_DEBOUNCE_MS = 400
NEURAL = 4
_FORMATS = ("PNG", "SVG", "PDF", "CSV")


@dataclass(frozen=True)
class AnalysisRequest:
    """Pasted text, or files to read with the field that names each text's source ("": the file); the settings."""

    corpus: Corpus
    text: str
    files: tuple[Path, ...]
    group: str
    settings: AgreementRequest


def run_analysis(request: AnalysisRequest, report: Report, cancel: CancelToken) -> AgreementAnalysis:
    """Read and analyse, off the interface thread."""
    texts: tuple[str, ...] = (request.text,)
    groups: tuple[str, ...] = ("pasted text",)
    if request.files:
        texts, groups = read_texts(request.files, group_field=request.group or None)
    return analyse(request.corpus.index, replace(request.settings, texts=texts, groups=groups), report, cancel)


def likeliest(corpus: Corpus, found: TextAgreement, token: int) -> str:
    """The five likeliest tokens behind a token's context, in words."""
    first = token - (int(found.infgram.effective_n[token]) - 1)
    result = next_tokens(corpus.index, found.encoded.ids[first:token])
    rows = zip(result.tokens[:5].tolist(), result.probabilities[:5].tolist(), strict=True)
    return ", ".join(f"{show_token(corpus.index, token)} {share:.0%}" for token, share in rows) or "nothing"


class AgreementScreen(Screen):
    """Text or files at the left; figure, sources and the text itself at the right.

    `search_requested(str)`: look for this in Search.
    """

    search_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._analyst = self.make_runner("agreement")
        self._exporter = self.make_runner("export")
        self._asker = self.make_runner("alternatives")
        self._neural = self.make_runner("neural")
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
        self.max_texts = named(QSpinBox(minimum=0, maximum=1_000_000, value=0), "Texts of each source")
        self.max_tokens = named(QSpinBox(minimum=0, maximum=10_000_000, value=0), "Tokens of each text")
        for box in (self.max_texts, self.max_tokens):
            box.setSpecialValueText("all")
        self.seed = named(QSpinBox(minimum=0, maximum=999_999, value=0), "Seed")
        self.paper = QPushButton("As the paper")
        self.paper.setToolTip("50 texts of each source, 1,024 tokens of each text")
        self.group = named(QLineEdit(placeholderText="file"), "Field that names the source")
        self.group.setToolTip("In JSON lines files: the field that says which source a text is of, for example model")
        self.without_self = QCheckBox("without the texts' own documents")
        self.without_self.setToolTip("Leave documents that hold most of a text out of every count")
        self.neural_button = QPushButton("A model's probabilities …")
        self.neural_button.setToolTip(
            "JSON lines with “text” and “tokens”, each with start, end (characters) and probability or logprob"
        )
        self.source = named(QComboBox(), "Source")
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.export = QPushButton("Export figure")
        menu = QMenu(self.export)
        for form in _FORMATS:
            menu.addAction(form, partial(self.ask_export, form))
        self.export.setMenu(menu)
        self.summary = [label("", "muted") for _ in range(3)]
        self.notice = Notice()
        self.job = JobBar()
        self.plot = AgreementPlot()
        self.count_plot = count_plot()
        self.neural_plot = neural_plot()
        self.sources_view = SourcesView()
        self.text_view = TextView()
        self.views = tab_group(self, ("Effective n", "Sources", "By count", "Text", "Neural model"))
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
        column.addWidget(self._lay_out_options())
        column.addWidget(self.without_self)
        column.addWidget(self.editor, 1)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(4, 16, 16, 12)
        column.setSpacing(10)
        row = QHBoxLayout()
        for button in self.views.buttons():
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.source)
        row.addWidget(self.export)
        column.addLayout(row)
        column.addWidget(self.notice)
        column.addWidget(self.job)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self._pages: tuple[QWidget, ...] = (
            self.plot,
            self.sources_view,
            self.count_plot,
            self.text_view,
            self.neural_plot,
        )
        for page in self._pages:
            self.stack.addWidget(page)
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

    def _lay_out_options(self) -> QWidget:
        options = QWidget()
        form = QFormLayout(options)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(label("Source by", "muted"), self.group)
        form.addRow(label("Texts a source", "muted"), self.max_texts)
        form.addRow(label("Tokens a text", "muted"), self.max_tokens)
        form.addRow(label("Seed", "muted"), self.seed)
        form.addRow(label("", "muted"), self.paper)
        form.addRow(label("", "muted"), self.neural_button)
        return options

    def _connect(self) -> None:
        self.views.idClicked.connect(self._show_view)
        self.paper.clicked.connect(self._as_the_paper)
        self.neural_button.clicked.connect(self._ask_neural)
        self.without_self.toggled.connect(lambda _: self.run())
        self.group.textEdited.connect(lambda _: self._debounce.start())
        for box in (self.max_texts, self.max_tokens, self.seed):
            box.valueChanged.connect(lambda _: self._debounce.start())
        self.source.currentIndexChanged.connect(lambda _: self._show_figure())
        self.text_view.alternatives_wanted.connect(self._ask_alternatives)
        self.text_view.text.customContextMenuRequested.connect(self._search_context)
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
        self.count_plot.restyle()
        self.neural_plot.restyle()
        self.text_view.show_current()

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
        settings = AgreementRequest(
            (),
            (),
            self.n.value(),
            self.max_tokens.value(),
            self.max_texts.value(),
            self.seed.value(),
            self.without_self.isChecked(),
        )
        request = AnalysisRequest(self.corpus, text, self._files, self.group.text().strip(), settings)
        report = self._analyst.reporter()
        self._analyst.run(lambda cancel: run_analysis(request, report, cancel), self._show, self._fail)

    def _fail(self, error: CorpusError) -> None:
        self._show_nothing()
        self.notice.show_error(error)

    def _show(self, analysis: AgreementAnalysis) -> None:
        self._analysis = analysis
        self.notice.show_text("")
        self.export.setEnabled(True)
        self.source.blockSignals(True)
        self.source.clear()
        self.source.addItem("All sources", None)
        for source in analysis.sources:
            self.source.addItem(one_line(source.name) or "text", source.name)
        self.source.blockSignals(False)
        self.source.setVisible(len(analysis.sources) > 1)
        self.sources_view.show_sources(analysis.sources)
        self.count_plot.show_bins(analysis.by_count.bins)
        self.text_view.show_texts(analysis.texts)
        self._say_self_matches(analysis)
        self._show_figure()
        self._show_view(self.views.checkedId())

    def _say_self_matches(self, analysis: AgreementAnalysis) -> None:
        """Texts that stand in the corpus agree with themselves."""
        number = analysis.self_matched
        if not number:
            return
        texts = "One text stands" if number == 1 else f"{number:,} texts stand"
        if analysis.left_out:
            documents = f"{len(analysis.left_out):,} document{'' if len(analysis.left_out) == 1 else 's'}"
            self.notice.show_text(f"{texts} in the corpus; {documents} are left out of every count.")
        else:
            self.notice.show_text(
                f"{texts} in the corpus and so agrees with itself. Tick “{self.without_self.text()}” to see the rest."
            )

    def _shown_figure(self) -> AgreementFigure | None:
        if self._analysis is None:
            return None
        name = self.source.currentData()
        return self._analysis.figure if name is None else self._analysis.groups[name]

    def _show_figure(self) -> None:
        figure = self._shown_figure()
        if figure is None:
            return
        self.plot.show_figure(figure)
        for line, panel in zip(self.summary, figure.panels, strict=True):
            line.setText(describe(panel))

    def _show_view(self, number: int) -> None:
        self.views.button(number).setChecked(True)
        if self._analysis is not None or (number == NEURAL and self.neural_plot.bins):
            self.stack.setCurrentWidget(self._pages[number])

    def _ask_neural(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "A model's probabilities", "", "JSON lines (*.jsonl);;All (*)")
        if name:
            self.open_neural(Path(name))

    def open_neural(self, path: Path) -> None:
        """Put the ∞-gram beside a neural model's probabilities."""
        if self.corpus is None:
            return
        index, report = self.corpus.index, self._neural.reporter()
        self._neural.run(
            lambda cancel: neural_figure(index, read_neural(path), report, cancel),
            self._show_neural,
            self.notice.show_error,
        )

    def _show_neural(self, figure: NeuralFigure) -> None:
        self.notice.show_text(
            f"{figure.without:,} tokens of the model have no token of this index in them." if figure.without else ""
        )
        self.neural_plot.show_bins(figure.bins)
        self._show_view(NEURAL)

    def _as_the_paper(self) -> None:
        self.max_texts.setValue(50)
        self.max_tokens.setValue(1024)

    def _ask_alternatives(self, found: TextAgreement, token: int) -> None:
        corpus = self.corpus
        if corpus is not None:
            self._asker.run(
                lambda cancel: likeliest(corpus, found, token),
                lambda text: self.text_view.show_alternatives(found, token, text),
                self.notice.show_error,
            )

    def _search_context(self, place: QPoint) -> None:
        """A menu on a token leads to the lines of its context."""
        found = self.text_view.current()
        token = self.text_view.text.token_at(self.text_view.text.cursorForPosition(place).position())
        if found is None or token < 0 or not (context := context_text(found, token)):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown = one_line(context)[-40:].replace("&", "&&")
        menu.addAction(f"Search for its context “{shown}”", lambda: self.search_requested.emit(context))
        menu.popup(self.text_view.text.viewport().mapToGlobal(place))

    def _show_nothing(self) -> None:
        self._analysis = None
        self._show_sources()
        self.export.setEnabled(False)
        self.source.hide()
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
        analysis, corpus, figure = self._analysis, self.corpus, self._shown_figure()
        if analysis is None or corpus is None or figure is None or self._exporter.busy:
            return
        chosen = self.source.currentData()
        title = f"Agreement with {corpus.index.name}"
        rows = [(title if chosen is None else f"{title}: {chosen}", figure)]
        if chosen is None and len(analysis.groups) > 1:
            # The paper's Figure 5: the same for each source, on the same axes.
            rows += list(analysis.groups.items())

        def write(cancel: CancelToken) -> Path:
            if path.suffix.lower() == ".csv":
                save_text(path, table_text(FIGURE_HEADER, figure_rows(analysis.groups.items()), "csv"))
            else:
                save_agreements(rows, path)
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
