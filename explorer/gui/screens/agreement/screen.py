"""Agreement: how predictable a text is from the corpus, by effective n."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.agreement.analysis import AgreementAnalysis, KeptTexts, TextAgreement
from explorer.agreement.brush import Brush, Marked, count_marked
from explorer.agreement.neural import NeuralFigure
from explorer.errors import CorpusError
from explorer.gui.figures.button import FigureButton, Make
from explorer.gui.requests import SearchText
from explorer.gui.screen import Notice, Screen, named, offer, tab_group
from explorer.gui.screens.agreement.bin_plot import count_plot, neural_plot
from explorer.gui.screens.agreement.inputs import Inputs
from explorer.gui.screens.agreement.mark_bar import MarkBar
from explorer.gui.screens.agreement.plot import AgreementPlot
from explorer.gui.screens.agreement.shading import context_text
from explorer.gui.screens.agreement.sources_view import SourcesView
from explorer.gui.screens.agreement.text_view import TextView
from explorer.gui.screens.agreement.work import (
    BY_COUNT,
    BY_N,
    BY_PROBABILITY,
    ChartsRequest,
    likeliest,
    make_charts,
    run_analysis,
    run_neural,
)
from explorer.gui.text_positions import cell_text, one_line
from explorer.gui.untrusted import caption
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.scroll_areas import TallArea, WideArea, at_least
from explorer.i18n import tr, trn
from explorer.jobs import Kind

NEURAL = 3
VIEWS = (BY_N, BY_N, BY_COUNT, BY_PROBABILITY)
ALL, OVERLAID, SOURCE = "all", "overlaid", "source:"
_MOSTLY_UNSEEN = 0.3
_LEAST_BELOW = (20, 24)
"""Width and height of what is below the plots at least, in points of the text size."""


class AgreementScreen(Screen):
    """Inputs on the left; plots on the right, with the text itself below them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._analyst = self.make_runner("agreement", kind=Kind.APART)
        self._asker = self.make_runner("alternatives", kind=Kind.QUICK)
        self._neural = self.make_runner("neural", kind=Kind.APART)
        self._counter = self.make_runner("marks", kind=Kind.QUICK)
        self._charter = self.make_runner("charts")
        self._kept = KeptTexts()
        self._analysis: AgreementAnalysis | None = None
        self._neural_figure: NeuralFigure | None = None
        self._brush = Brush()
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._show_nothing()

    def _make_widgets(self) -> None:
        self.inputs = Inputs()
        self.source = named(QComboBox(), tr("Source"))
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.notice = Notice()
        self.figure_button = FigureButton(self._charter, self._prepare_charts, self.notice.show_error)
        self.job = JobBar()
        self.plot = AgreementPlot()
        self.sources_view = SourcesView()
        self.count_plot = count_plot()
        self.neural_plot = neural_plot()
        self.mark_bar = MarkBar()
        self.text_view = TextView()
        self.views = tab_group(self, (tr("Effective n"), tr("Sources"), tr("By count"), tr("Neural model")))
        self.empty = EmptyState("agreement")

    def _lay_out(self) -> None:
        self.right = QWidget()
        column = QVBoxLayout(self.right)
        column.setContentsMargins(4, 16, 16, 12)
        column.setSpacing(10)
        row = QHBoxLayout()
        row.addWidget(flowing(*self.views.buttons(), self.source, gap=0), 1)
        row.addWidget(self.figure_button)
        column.addLayout(row)
        column.addWidget(self.notice)
        column.addWidget(self.job)
        self.stack = QStackedWidget()
        plot, count_plot, neural_plot = (WideArea(plot) for plot in (self.plot, self.count_plot, self.neural_plot))
        self._pages: tuple[QWidget, ...] = (plot, self.sources_view, count_plot, neural_plot)
        for page in (self.empty, *self._pages):
            self.stack.addWidget(page)
        self.below = QWidget()
        under = QVBoxLayout(self.below)
        under.setContentsMargins(0, 0, 0, 0)
        under.addWidget(self.mark_bar)
        under.addWidget(self.text_view, 1)
        at_least(self.below, *_LEAST_BELOW)
        self.halves = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        for part in (self.stack, self.below):
            self.halves.addWidget(part)
        self.halves.setSizes([360, 300])
        column.addWidget(TallArea(self.halves), 1)
        splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        splitter.addWidget(self.inputs)
        splitter.addWidget(self.right)
        splitter.setStretchFactor(1, 3)
        splitter.setSizes([300, 780])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)
        self._stale = Dimmer(self.stack, self.below, parent=self)

    def _connect(self) -> None:
        self.inputs.changed.connect(self.run)
        self.inputs.neural_chosen.connect(lambda name: self.open_neural(Path(name)))
        self.views.idClicked.connect(self._show_view)
        self.source.currentIndexChanged.connect(lambda _: self._show_source())
        self.plot.n_chosen.connect(self.mark_bar.choose_n)
        self.mark_bar.brushed.connect(self.mark)
        self.text_view.brushed.connect(self.mark)
        self.text_view.alternatives_wanted.connect(self._ask_alternatives)
        self.text_view.text.customContextMenuRequested.connect(self._search_context)
        self._analyst.progressed.connect(self.job.show_progress)
        self._analyst.busy_changed.connect(self.job.set_busy)
        # The result stays dimmed, since it belongs to other inputs.
        self.job.cancelled.connect(self._analyst.cancel)

    def sizeHint(self) -> QSize:
        """Room for three panels."""
        return QSize(1000, 600)

    def focus_input(self) -> None:
        """The editor."""
        self.inputs.editor.setFocus()

    def corpus_changed(self) -> None:
        """Analyze the same inputs in the new index."""
        self._kept = KeptTexts()
        offer(self.inputs.without_self, self.why_not("subtraction"))
        self._show_nothing()
        self.run()

    def theme_changed(self) -> None:
        """Shade in the new colors; the plots update themselves."""
        self.text_view.show_current()

    def analyze_text(self, text: str) -> None:
        """Set the text and analyze it."""
        self.inputs.editor.setPlainText(text)
        self.run()

    def session(self) -> dict[str, Any]:
        """Text, files and settings."""
        return self.inputs.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """Analyze the same inputs again."""
        self.inputs.restore_session(values)

    # --- analysis ------------------------------------------------------------------------------

    def run(self) -> None:
        """Analyze the inputs; the sources are shown as they are ready."""
        request = self.inputs.request(self.corpus) if self.corpus is not None else None
        if request is None:
            self._analyst.cancel()
            self._show_nothing()
            return
        self._stale.set_stale(self._analysis is not None, at_once=False)
        report, interim, kept = self._analyst.reporter(), self._analyst.interim(self._show), self._kept
        self._analyst.run(lambda cancel: run_analysis(request, report, cancel, interim, kept), self._show, self._fail)

    def _fail(self, error: CorpusError) -> None:
        # The last answer stays dimmed: it belongs to other inputs, or to a moment when the index still answered.
        self._stale.set_stale(self._analysis is not None, at_once=True)
        self.notice.show_error(error)

    def _show(self, analysis: AgreementAnalysis) -> None:
        chosen = self.source.currentData()
        self._stale.set_stale(False)
        self._analysis = analysis
        self.figure_button.setEnabled(True)
        several = len(analysis.sources) > 1
        with QSignalBlocker(self.source):
            self.source.clear()
            self.source.addItem(tr("All sources together"), ALL)
            if several:
                self.source.addItem(tr("Sources overlaid"), OVERLAID)
            for source in analysis.sources:
                self.source.addItem(cell_text(source.name) or tr("text"), SOURCE + source.name)
            self.source.setCurrentIndex(max(0, self.source.findData(chosen)))
        self.source.setVisible(several)
        self.sources_view.show_sources(analysis.sources)
        self._say_what_to_know(analysis)
        self.below.show()
        self._show_source()
        self._show_view(self.views.checkedId())

    def _say_what_to_know(self, analysis: AgreementAnalysis) -> None:
        """Report texts that are in the corpus (they agree with themselves) or in another script (with nothing)."""
        sentences = []
        if number := analysis.self_matched:
            if analysis.left_out:
                texts = trn("One text is in the corpus", "{n:,} texts are in the corpus", number)
                excluded = trn(
                    "{n:,} document is excluded from all counts.",
                    "{n:,} documents are excluded from all counts.",
                    len(analysis.left_out),
                )
                sentences.append(tr("{texts}; {excluded}", texts=texts, excluded=excluded))
            else:
                agree = trn(
                    "One text is in the corpus, so it agrees with itself.",
                    "{n:,} texts are in the corpus, so they agree with themselves.",
                    number,
                )
                tick = self.inputs.without_self.text()
                sentences.append(tr("{agree} Select “{tick}” to leave their documents out.", agree=agree, tick=tick))
        if analysis.unseen > _MOSTLY_UNSEEN:
            sentences.append(
                tr(
                    "{unseen:.0%} of the tokens never occur in the corpus. If the text is in another language or "
                    "script, agreement means little.",
                    unseen=analysis.unseen,
                )
            )
        self.notice.show_text(" ".join(sentences))

    def _group(self) -> str | None:
        """The chosen source, None for all."""
        data = self.source.currentData()
        return data.removeprefix(SOURCE) if isinstance(data, str) and data.startswith(SOURCE) else None

    def _show_source(self) -> None:
        """Plot and texts of the chosen source."""
        analysis, group = self._analysis, self._group()
        if analysis is None:
            return
        if self.source.currentData() == OVERLAID:
            self.plot.show_sources(analysis.groups)
        else:
            self.plot.show_figure(analysis.figure if group is None else analysis.groups[group])
        self.count_plot.show_bins((analysis.by_count if group is None else analysis.counts[group]).bins)
        self.text_view.show_texts(self._numbered())
        self.mark(self._brush)

    def _numbered(self) -> tuple[tuple[int, TextAgreement], ...]:
        """Texts of the chosen source with their numbers."""
        texts, group = self._analysis.texts if self._analysis else (), self._group()
        return tuple((number, text) for number, text in enumerate(texts) if group in (None, text.group))

    def _show_view(self, number: int) -> None:
        self.views.button(number).setChecked(True)
        if self._analysis is not None or (number == NEURAL and self.neural_plot.bins):
            self.stack.setCurrentWidget(self._pages[number])
            self.figure_button.setEnabled(
                self.neural_plot.bins != () if number == NEURAL else self._analysis is not None
            )

    def _show_nothing(self) -> None:
        self._stale.set_stale(False)
        self._analysis = None
        self._brush = Brush()
        self.figure_button.setEnabled(False)
        self.source.hide()
        self.below.hide()
        self.notice.show_text("")
        if self.corpus is None:
            self.empty.say(
                tr("No index is open"), tr("Open an index folder with Ctrl+O, or build one in the Index screen.")
            )
        else:
            self.empty.say(
                tr("How predictable is a text from this corpus?"),
                tr(
                    "Paste a text or open files. Each token is predicted from the longest context that occurs in the "
                    "corpus. The plot shows how often the prediction agrees with the text. A text that is in the "
                    "corpus agrees with itself."
                ),
            )
        self.stack.setCurrentWidget(self.empty)

    # --- marks and single tokens -----------------------------------------------------------------

    def mark(self, brush: Brush) -> None:
        """Select tokens in plot, strip and text."""
        self._brush = brush
        self.mark_bar.show_brush(brush)
        self.text_view.show_brush(brush)
        if brush.empty or self._analysis is None:
            self._counter.cancel()
            self.plot.show_marked(None)
            return
        numbered = self._numbered()
        tokens = sum(len(found.infgram) for _, found in numbered)

        def done(marked: Marked) -> None:
            self.plot.show_marked(marked)
            self.mark_bar.show_marked(marked, tokens)

        self._counter.run(lambda cancel: count_marked(brush, numbered), done, self.notice.show_error)

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
        menu = QMenu(self.text_view.text)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown = caption(one_line(context)[-40:])
        menu.addAction(
            tr("Search for the context “{shown}”", shown=shown), lambda: self.requested.emit(SearchText(context))
        )
        menu.popup(self.text_view.text.viewport().mapToGlobal(place))

    # --- a neural model ----------------------------------------------------------------------------

    def open_neural(self, path: Path) -> None:
        """Compare the ∞-gram with a neural model's probabilities."""
        corpus = self.corpus
        if corpus is not None:
            report = self._neural.reporter()
            self._neural.run(
                lambda cancel: run_neural(corpus, path, report, cancel), self._show_neural, self.notice.show_error
            )

    def _show_neural(self, figure: NeuralFigure) -> None:
        self._neural_figure = figure
        self.notice.show_text(
            trn(
                "{n:,} of the model's tokens contains no complete token of this index.",
                "{n:,} of the model's tokens contain no complete token of this index.",
                figure.without,
            )
            if figure.without
            else ""
        )
        self.neural_plot.show_bins(figure.bins)
        self._show_view(NEURAL)

    # --- figures -----------------------------------------------------------------------------------

    def _prepare_charts(self) -> Make | None:
        if self.corpus is None:
            return None
        wanted = ChartsRequest(
            self.corpus,
            VIEWS[self.views.checkedId()],
            self._analysis,
            self._neural_figure,
            self._group(),
            self.source.currentData() == OVERLAID,
        )
        return lambda: make_charts(wanted)
