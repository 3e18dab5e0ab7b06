"""The widgets of the Agreement screen: they draw the presenter's state and hand on what a person does."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.figures.button import FigureButton
from explorer.gui.requests import SearchText
from explorer.gui.screen import Host, Notice, Screen, named, offer, tab_group
from explorer.gui.screens.agreement.bin_plot import count_plot, neural_plot
from explorer.gui.screens.agreement.inputs import InputsView
from explorer.gui.screens.agreement.mark_bar import MarkBar
from explorer.gui.screens.agreement.plot import AgreementPlot
from explorer.gui.screens.agreement.presenter import AgreementPresenter
from explorer.gui.screens.agreement.shading import context_text
from explorer.gui.screens.agreement.sources_view import SourcesView
from explorer.gui.screens.agreement.state import OVERLAID, AgreementState, View
from explorer.gui.screens.agreement.text_view import TextView
from explorer.gui.text_positions import one_line
from explorer.gui.untrusted import caption
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.scroll_areas import TallArea, WideArea, at_least
from explorer.i18n import tr

_LEAST_BELOW = (20, 24)
"""Width and height of what is below the plots at least, in points of the text size."""


class AgreementScreen(Screen):
    """Inputs on the left; plots on the right, with the text itself below them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = AgreementPresenter(self.lanes)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _make_widgets(self) -> None:
        self.inputs = InputsView(self.presenter)
        self.source = named(QComboBox(), tr("Source"))
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.notice = Notice()
        self.remedies = {
            "field": QPushButton(tr("Group by file")),
            "format": QPushButton(tr("Read as text")),
            "on_bad": QPushButton(tr("Skip bad lines")),
        }
        self.figure_button = FigureButton(self.lanes.slot("charts"), self.presenter.charts, self.presenter.fail_figure)
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
        column.addWidget(flowing(*self.remedies.values()))
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
        presenter = self.presenter
        self.views.idClicked.connect(lambda number: presenter.show_view(View(number)))
        for name, button in self.remedies.items():
            button.clicked.connect(lambda _=False, name=name: presenter.remedy(name))
        self.source.currentIndexChanged.connect(lambda _: presenter.choose_source(self.source.currentData()))
        self.plot.n_chosen.connect(self.mark_bar.choose_n)
        self.sources_view.reference_chosen.connect(presenter.compare_with)
        self.mark_bar.brushed.connect(presenter.mark)
        self.text_view.brushed.connect(presenter.mark)
        self.text_view.alternatives_wanted.connect(presenter.ask_alternatives)
        self.text_view.text.customContextMenuRequested.connect(self._search_context)
        analyst = self.lanes.named("agreement")
        analyst.progressed.connect(self.job.show_progress)
        analyst.busy_changed.connect(self.job.set_busy)
        self.job.cancelled.connect(presenter.stop)

    def sizeHint(self) -> QSize:
        """Room for three panels."""
        return QSize(1000, 600)

    def use_host(self, host: Host) -> None:
        """Begin with what the settings have for new windows."""
        self.presenter.enter(n=host.settings.get("agreement_n"))

    def focus_input(self) -> None:
        """The editor."""
        self.inputs.editor.setFocus()

    def corpus_changed(self) -> None:
        """Analyze the same inputs in the new index."""
        self.presenter.use_corpus(self.corpus)

    def theme_changed(self) -> None:
        """Shade in the new colors; the plots update themselves."""
        self.text_view.show_current()

    def analyze_text(self, text: str) -> None:
        """Set the text and analyze it."""
        self.presenter.enter(text=text)
        self.presenter.run()

    def session(self) -> dict[str, Any]:
        """Text, files and settings."""
        return self.presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """Analyze the same inputs again."""
        self.presenter.restore(values)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: AgreementState, before: AgreementState | None) -> None:
        # The text may have millions of characters, which comparing with the editor copies.
        if before is None or state.inputs is not before.inputs:
            self.inputs.draw(state.inputs)
        offer(self.inputs.without_self, state.why_not_subtract)
        self.notice.show_text(state.notice)
        for name, button in self.remedies.items():
            button.setVisible(name in state.remedies)
        # While an answer is awaited, the old one is only dimmed: lists keep their rows, with what is chosen in them.
        arrived = before is None or state.answer.value is not before.answer.value
        if arrived:
            self._draw_sources(state)
        if before is None or arrived or state.reference != before.reference:
            sources = state.answer.value.sources if state.answer.value is not None else ()
            self.sources_view.show_sources(sources, state.reference)
        if before is None or arrived or state.chosen != before.chosen:
            self._draw_plots(state)
        if before is None or state.answer is not before.answer:
            self._stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)
        if before is None or state.neural is not before.neural:
            self.neural_plot.show_bins(() if state.neural.value is None else state.neural.value.bins)
        self._draw_marks(state, before)
        if state.alternatives is not None and (before is None or state.alternatives is not before.alternatives):
            known = state.alternatives
            self.text_view.show_alternatives(known.found, known.token, known.words)
        self._draw_page(state)

    def _draw_sources(self, state: AgreementState) -> None:
        # A combo box chooses its first item when it is filled. Blocked, that is not taken for the user's choice.
        with QSignalBlocker(self.source):
            self.source.clear()
            for key, name in state.choices:
                self.source.addItem(name, key)
        self.source.setVisible(len(state.choices) > 1)

    def _draw_plots(self, state: AgreementState) -> None:
        with QSignalBlocker(self.source):
            self.source.setCurrentIndex(self.source.findData(state.chosen))
        analysis, figure = state.answer.value, state.figure
        if analysis is None or figure is None:
            self.text_view.show_texts(())
            return
        if state.chosen == OVERLAID:
            self.plot.show_sources(analysis.groups)
        else:
            self.plot.show_figure(figure)
        self.count_plot.show_bins((analysis.by_count if state.group is None else analysis.counts[state.group]).bins)
        self.text_view.show_texts(state.numbered)

    def _draw_marks(self, state: AgreementState, before: AgreementState | None) -> None:
        shown = (state.brush, state.marked, state.answer, state.chosen)
        if before is not None and shown == (before.brush, before.marked, before.answer, before.chosen):
            return
        self.mark_bar.show_brush(state.brush)
        self.text_view.show_brush(state.brush)
        # None clears the marks at once: those of another brush would be untrue until the new ones are counted.
        self.plot.show_marked(state.marked)
        if state.marked is not None:
            self.mark_bar.show_marked(state.marked, sum(len(found.infgram) for _, found in state.numbered))

    def _draw_page(self, state: AgreementState) -> None:
        self.views.button(state.view).setChecked(True)
        self.figure_button.setEnabled(state.drawable)
        # Dimmed or not, an answer keeps its place: nothing jumps while a new one is awaited.
        self.below.setVisible(state.answer.value is not None)
        if state.page is None:
            self.empty.say(*state.invitation)
            self.stack.setCurrentWidget(self.empty)
        else:
            self.stack.setCurrentWidget(self._pages[state.page])

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
