"""What is beside a traced text: its documents, its novelty, and where the documents come from."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from explorer.analyses.trace.summary import summary
from explorer.errors import CorpusError
from explorer.gui.charts.export.button import FigureButton
from explorer.gui.screens.screen import label, named
from explorer.gui.screens.trace.documents.choice_presenter import ChoicePresenter
from explorer.gui.screens.trace.documents.choice_state import ChoiceState, Tab
from explorer.gui.screens.trace.documents.novelty_view import NoveltyPlot
from explorer.gui.screens.trace.documents.sources import HEADER, source_cells, source_fields, sources_of
from explorer.gui.screens.trace.documents.view import DocumentsView
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.gui.widgets.layouts.page_tabs import PageTabs
from explorer.gui.widgets.layouts.stack import Stack
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import numeral, tr


class NoveltyPage(QWidget):
    """The share of the text outside matches by their length, and the measures of the text in a sentence."""

    def __init__(self, figure: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot = NoveltyPlot()
        self.caption = label(tr("Share of the text outside matches of L tokens or more"), "muted")
        self.summary = label("")
        self.caption.setWordWrap(True)
        self.summary.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(12)
        column.addWidget(self.caption)
        column.addWidget(self.plot)
        column.addWidget(self.summary)
        row = QHBoxLayout()
        row.addWidget(figure)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)

    def draw(self, state: ChoiceState) -> None:
        """Draw the novelty of a trace."""
        self.plot.show_novelty(None if state.trace is None else state.trace.novelty)
        in_words = state.trace is not None and state.trace.unit == "words"
        self.caption.setText(
            tr("Share of the text outside matches of L words or more")
            if in_words
            else tr("Share of the text outside matches of L tokens or more")
        )
        self.summary.setText("" if state.trace is None else summary(state.trace))


class SourcesPage(QWidget):
    """How many documents each value of a field has."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = named(QComboBox(), tr("Group by"))
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Sources"), wide=(0,))
        self.empty = label(tr("The documents have no metadata to group by."), "muted")
        row = QHBoxLayout()
        row.addWidget(label(tr("Group by"), "muted"))
        row.addWidget(self.field, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.empty)
        column.addWidget(self.table, 1)
        self._state: ChoiceState | None = None
        self.field.currentTextChanged.connect(lambda _: self._fill())

    def draw(self, state: ChoiceState) -> None:
        """Group the documents of a trace."""
        self._state = state
        names = list(source_fields(() if state.trace is None else state.trace.documents))
        # Equal names stay, and so does the chosen one: the next trace is grouped by the same field.
        if names != [self.field.itemText(number) for number in range(self.field.count())]:
            self.field.clear()
            self.field.addItems(names)
        self.empty.setVisible(not names)
        self.table.setVisible(bool(names))
        self._fill()

    def _fill(self) -> None:
        trace = None if self._state is None else self._state.trace
        rows = sources_of(() if trace is None else trace.documents, self.field.currentText())
        most = max((row.documents for row in rows), default=1)
        tips = ("", "", tr("The largest share of the text that one document with this value contains"))
        self.model.show([tr(name) for name in HEADER], [source_cells(row, most) for row in rows], tips)


class EvidenceView(QWidget):
    """Tabs beside a text; the page tells it what to draw.

    charter: Makes the charts of figures.
    fail: Called with the reason why a figure could not be made.
    profile: The page of one token, a tab of its own; None for none.
    """

    def __init__(
        self,
        presenter: ChoicePresenter,
        charter: Runner,
        fail: Callable[[CorpusError], None],
        parent: QWidget | None = None,
        profile: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.presenter = presenter
        names = (tr("Documents"), tr("Novelty"), tr("Sources"), *([] if profile is None else [tr("Profile")]))
        self.tabs = PageTabs(*names, name=tr("Beside the text"))
        self.fold = QCheckBox(tr("Merge duplicates"))
        self.fold.setToolTip(tr("Show documents from the same source on one card"))
        self.documents = DocumentsView(presenter)
        self.figure_button = FigureButton(charter, lambda: presenter.state.charts, fail)
        self.novelty = NoveltyPage(self.figure_button)
        self.sources = SourcesPage()
        self.stack = Stack()
        # In the order of `Tab`, whose values are places in the tabs and in the stack.
        # A low window scrolls the sentence below the plot; lists scroll by themselves.
        novelty = QScrollArea(widgetResizable=True)
        novelty.setFrameShape(QScrollArea.Shape.NoFrame)
        novelty.setWidget(self.novelty)
        for ground in (novelty.viewport(), self.novelty):
            ground.setAutoFillBackground(False)
        for page in (self.documents, novelty, self.sources, *([] if profile is None else [profile])):
            self.stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(flowing(self.tabs, self.fold))
        column.addWidget(self.stack, 1)
        self.tabs.currentChanged.connect(lambda number: presenter.show_tab(Tab(number)))
        self.fold.toggled.connect(presenter.merge)

    def draw(self, state: ChoiceState, before: ChoiceState | None) -> None:
        """Draw what is chosen.

        before: The state that was drawn before; None for the first one, of which everything is drawn.
        """
        self.tabs.setCurrentIndex(state.tab)
        self.stack.setCurrentIndex(state.tab)
        self.fold.setChecked(state.fold)
        self.fold.setVisible(state.tab is Tab.DOCUMENTS)
        # Of the whole trace: a filter must not look as if there were less evidence.
        count = 0 if state.trace is None else len(state.trace.documents)
        self.tabs.set_count(Tab.DOCUMENTS, numeral(count) if state.trace is not None and not state.growing else "")
        self.documents.draw(state, before)
        self.figure_button.setEnabled(state.trace is not None)
        newer = before is None or state.trace is not before.trace
        # Hidden pages are filled when they are shown: sources are counted over all documents.
        if newer or state.tab is not (before.tab if before else None):
            if state.tab is Tab.NOVELTY:
                self.novelty.draw(state)
            elif state.tab is Tab.SOURCES:
                self.sources.draw(state)
