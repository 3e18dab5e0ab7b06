"""The plots and the table of sources, each on a tab, with the switches of the large plot."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.analyses.agreement.analysis import AgreementAnalysis
from explorer.analyses.agreement.chart import count_chart, neural_chart
from explorer.chart import Chart
from explorer.gui.charts.view import ChartView
from explorer.gui.chrome.folders import begin_in
from explorer.gui.help.topics import help_button
from explorer.gui.screens.agreement.plots.legend import PlotLegend
from explorer.gui.screens.agreement.plots.plot import AgreementPlot
from explorer.gui.screens.agreement.plots.plotted import Plotted
from explorer.gui.screens.agreement.plots.tools import PlotTools, PlotTop
from explorer.gui.screens.agreement.plots.zoom import STEP
from explorer.gui.screens.agreement.presenter import AgreementPresenter
from explorer.gui.screens.agreement.sources_view import SourcesView
from explorer.gui.screens.agreement.state import AgreementState, Look, View
from explorer.gui.screens.agreement.texts.state import TokensState
from explorer.gui.screens.screen import named
from explorer.gui.style.direction import in_its_order
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import keep_icon_size
from explorer.gui.style.theme import scaled
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.layouts.later import LaterPage
from explorer.gui.widgets.layouts.page_tabs import PageTabs
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import WideArea
from explorer.gui.widgets.layouts.stack import Stack
from explorer.gui.widgets.notices.empty_state import DropZone
from explorer.i18n import tr


class PlotsPanel(QWidget):
    """Draws what an analysis found."""

    def __init__(self, presenter: AgreementPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        # Of which analysis, and of what in it, the tabs were drawn that are drawn when they come to the front.
        self._drawn: dict[View, tuple[AgreementAnalysis | None, tuple[object, ...]]] = {}
        self.tabs = PageTabs(
            tr("Effective n"), tr("Compare sources"), tr("By context count"), tr("Neural model"), name=tr("Plots")
        )
        # Also emitted when a state chooses the tab; the presenter then finds nothing changed.
        self.tabs.currentChanged.connect(lambda number: presenter.show(view=View(number)))
        self.plot = AgreementPlot()
        self.legend = PlotLegend()
        # Each when its tab is shown first, or ahead of that: all four at once hold the event loop for 50 ms.
        self._sources, self._counts = (
            LaterPage(self._make_sources),
            LaterPage(lambda: ChartView(tr("Agreement by context count"))),
        )
        self._neural = LaterPage(self._make_neural)
        self._make_switches()
        self._make_stack()
        self._lay_out()
        self.plot.n_chosen.connect(presenter.tokens.mark_n)

    @property
    def sources_view(self) -> SourcesView:
        """The table of sources."""
        return self._sources.page

    @property
    def count_plot(self) -> ChartView:
        """Agreement by how often the context occurs."""
        return self._counts.page

    @property
    def neural_plot(self) -> ChartView:
        """Agreement by the probability that a model gave."""
        return self._neural.page

    def _make_sources(self) -> SourcesView:
        view = SourcesView()
        view.reference_chosen.connect(lambda name: self._presenter.show(compared=name))
        view.source_chosen.connect(self._presenter.choose_source)
        return view

    def _make_neural(self) -> ChartView:
        plot = ChartView(tr("Agreement by a model's probability"))
        plot.show_chart(_neural_chart(self._presenter.state))
        return plot

    def _make_switches(self) -> None:
        self.ngram, self.sparse, self.logarithmic = (_switch() for _ in range(3))
        self.sparse.setText(tr("Single continuation"))
        self.sparse.setToolTip(tr("Count only tokens whose context is always followed by the same token"))
        self.logarithmic.setText(tr("Logarithmic"))
        self.logarithmic.setToolTip(tr("Draw the numbers of tokens on a logarithmic axis"))
        for switch in (self.ngram, self.sparse, self.logarithmic):
            # Not `toggled`: a new look changes the switches one by one, and halfway there they would enter a mixed one.
            switch.clicked.connect(self._change_look)
        self.zoom_in = icon_button("zoom-in", tr("Zoom in (+). Drag or turn the wheel to zoom to a part."))
        self.zoom_in.clicked.connect(lambda: self.plot.zoom.by(STEP * STEP))
        self.zoom_out = icon_button("reset", tr("Show all bins (0)"))
        self.zoom_out.clicked.connect(self.plot.zoom.reset)
        self.zoom_out.setEnabled(False)
        self.plot.zoom.changed.connect(self.zoom_out.setEnabled)
        self.help = help_button("agreement#the-plot", tr("The plot"))

    def _make_stack(self) -> None:
        """The pages in the order of `View`, and the invitation to open a model's file after them."""
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8))
        column.addWidget(WideArea(self.plot), 1)
        column.addWidget(self.legend)
        self.no_neural = DropZone(
            tr("How does a language model compare?"),
            tr(
                "Open a file of token probabilities: JSON Lines with “text” and “tokens”. Each token has start, end "
                "(in characters) and probability or logprob."
            ),
            "model",
        )
        self.no_neural.dropped.connect(lambda paths: self._presenter.open_neural(paths[0]))
        self.open_neural = push_button(tr("Open probabilities …"))
        self.open_neural.clicked.connect(self.ask_neural)
        self.other_neural = push_button(tr("Open other probabilities …"), "quiet")
        self.other_neural.clicked.connect(self.ask_neural)
        self.stack = Stack()
        counts = WideArea(self._counts)
        for page in (whole, self._sources, counts, _column(WideArea(self._neural), self.other_neural)):
            self.stack.addWidget(page)
        self.no_neural.row.addWidget(self.open_neural)
        self.stack.addWidget(_framed(self.no_neural))

    def _lay_out(self) -> None:
        self.tools = PlotTools((self.ngram, self.sparse, self.logarithmic), (self.zoom_in, self.zoom_out, self.help))
        panel = Panel()
        panel.body.addWidget(PlotTop(self.tabs, self.tools))
        panel.body.addWidget(self.stack, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(panel)

    def _change_look(self) -> None:
        look = Look(self.ngram.isChecked(), self.sparse.isChecked(), self.logarithmic.isChecked())
        self._presenter.show(look=look)

    def ask_neural(self) -> None:
        """Let the user choose a file of a model's probabilities, and compare with it."""
        name, _ = QFileDialog.getOpenFileName(
            self, tr("A model's probabilities"), begin_in(), tr("JSON Lines (*.jsonl);;All files (*)")
        )
        if name:
            self._presenter.open_neural(Path(name))

    def draw(self, state: AgreementState, before: AgreementState | None) -> None:
        """Show an analysis; what is shown already is left alone.

        before: The one that was drawn before; None for the first.
        """
        self.tabs.setCurrentIndex(state.view)
        self._draw_look(state.look, state.inputs.question.max_n)
        self.tools.setVisible(state.view is View.EFFECTIVE_N)
        empty = state.view is View.NEURAL and state.neural.value is None
        self.stack.setCurrentIndex(len(View) if empty else state.view)
        found = state.answer.value
        if self._neural.made is not None and (before is None or state.neural is not before.neural):
            self._neural.made.show_chart(_neural_chart(state))
        other = before is None or found is not before.answer.value
        if other or before is None or (state.chosen, state.look) != (before.chosen, before.look):
            self._draw_plot(state)
        self._draw_page(state)

    def _draw_page(self, state: AgreementState) -> None:
        """Draw the table or the plot of counts when its tab is in front: making a plot takes 25 ms."""
        found = state.answer.value
        about = {View.SOURCES: (state.reference,), View.COUNT: (state.group,)}.get(state.view)
        drawn = self._drawn.get(state.view)
        if about is None or (drawn is not None and drawn[0] is found and drawn[1] == about):
            return
        self._drawn[state.view] = (found, about)
        if state.view is View.SOURCES:
            self.sources_view.show_sources(found.sources if found is not None else (), state.reference)
        elif found is not None:
            counts = found.by_count if state.group is None else found.counts[state.group]
            self.count_plot.show_chart(count_chart("", counts))

    def _draw_look(self, look: Look, n: int) -> None:
        # Isolated: otherwise a right-to-left window writes the number after the word.
        self.ngram.setText(in_its_order(tr("{n}-gram", n=n)))
        self.ngram.setToolTip(tip(tr("Compare with a model that uses at most {n} tokens of context", n=n - 1)))
        for switch, on in ((self.ngram, look.ngram), (self.sparse, look.sparse), (self.logarithmic, look.logarithmic)):
            switch.setChecked(on)
            switch.setIcon(icon("check") if on else QIcon())

    def _draw_plot(self, state: AgreementState) -> None:
        figure = state.figure
        if figure is None:
            return
        plotted = Plotted(figure, state.place, state.others, state.look)
        self.plot.show_plotted(plotted)
        self.legend.explain(plotted)

    def draw_marks(self, tokens: TokensState) -> None:
        """Show what is marked in the texts. None clears the marks at once, until new ones are counted."""
        self.plot.show_marked(tokens.marked)


def _neural_chart(state: AgreementState) -> Chart | None:
    return None if state.neural.value is None else neural_chart("", state.neural.value)


def _switch() -> QToolButton:
    switch = named(QToolButton(), "")
    switch.setCheckable(True)
    switch.setProperty("role", "switch")
    # The check mark of a switch that is on.
    switch.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    keep_icon_size(switch, 12)
    return switch


def _framed(shown: QWidget) -> QWidget:
    """A widget with room around it."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(scaled(16), scaled(16), scaled(16), scaled(16))
    column.addWidget(shown)
    return holder


def _column(shown: QWidget, button: QWidget) -> QWidget:
    """A widget with a button in the middle below it."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.addWidget(shown, 1)
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(button)
    row.addStretch(1)
    column.addLayout(row)
    return holder
