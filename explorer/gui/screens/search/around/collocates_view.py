"""The tab of collocates: how they are counted, the table, and beside it their network or the lines of a row."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from explorer.analyses.collocates.chart import DRAWN, network_chart
from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.chart import Chart
from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.asking.table_panel import TableLook
from explorer.gui.charts.export.table_export import TableExport
from explorer.gui.charts.view import ChartView
from explorer.gui.screens.screen import label
from explorer.gui.screens.search.around.collocates_presenter import CollocatesPresenter
from explorer.gui.screens.search.around.collocates_state import CollocatesState
from explorer.gui.screens.search.around.collocates_work import CollocateAnswer
from explorer.gui.screens.search.around.near_view import NearView
from explorer.gui.screens.search.around.place_bars import PlaceBars
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr

_LESS_IMPORTANT = (0, 4, 3, 5, 7, 8)
"""Columns to hide in a narrow table, the first one first: the tool tips have their numbers."""
_FORM, _BAR = 1, 6
_ASKED = ("window", "within", "unit", "min_count", "min_documents", "sort", "stop")
"""The settings of the form, in its order."""


class _Foot(QWidget):
    """What is below the network. Its room is taken from the drawing, and never from its own lines."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the room of all lines."""
        super().resizeEvent(event)
        self.keep_room()

    def keep_room(self) -> None:
        """Ask for the height of all lines at this width: the stack above asks for less, where texts wrap."""
        layout = self.layout()
        assert layout is not None
        self.setMinimumHeight(layout.heightForWidth(self.width()))


class NetworkPanel(Panel):
    """The network, and below it the formula of the chosen row and the way to its lines.

    presenter: Gets the word that a user chooses.
    """

    def __init__(self, presenter: CollocatesPresenter) -> None:
        self.formula = label("", "muted")
        self.formula.setWordWrap(True)
        self.places, self.lines = PlaceBars(), push_button("", "")
        # In one line: in a low window, a second one would take the room of the formula.
        self.by_place = ElidedLabel()
        self.by_place.setProperty("role", "muted")
        how = ElidedLabel(tr("nearer = stronger · larger = more hits"))
        how.setProperty("role", "muted")
        super().__init__(tr("Network"), actions=(how,))
        self.plot = ChartView(tr("Network of the strongest collocates"))
        self.plot.chosen.connect(presenter.choose)
        self.body.addWidget(self.plot, 1)
        self.foot = _Foot()
        column = QVBoxLayout(self.foot)
        column.setContentsMargins(16, 8, 16, 12)
        column.addWidget(self.formula)
        column.addWidget(self.by_place)
        column.addWidget(self.places)
        column.addWidget(self.lines, 0, Qt.AlignmentFlag.AlignLeading)
        self.body.addWidget(self.foot)
        self.lines.clicked.connect(lambda _=False: presenter.read())

    def draw(self, state: CollocatesState, before: CollocatesState | None) -> None:
        """Show the strongest words, and the chosen one.

        before: The one that was drawn before; None for the first.
        """
        answer = state.found
        if before is None or answer is not before.found:
            self.plot.show_chart(_chart(answer, state.query) if answer is not None and answer.rows else None)
        self.plot.show_row(state.row)
        self.formula.setText(state.formula)
        self.places.show_counts(*state.places)
        self.by_place.setText(state.pairs)
        self.by_place.setVisible(bool(state.places[0]))
        self.lines.setText(state.lines_button)
        self.lines.setVisible(bool(state.lines_button))
        self.foot.keep_room()


def _chart(answer: CollocateAnswer, query: str) -> Chart:
    notes = tuple(row[_FORM].tip for row in answer.table[:DRAWN])
    return network_chart("", query, answer.rows, notes)


class CollocatesView(NearView):
    """The words near the query, and beside them their network or the lines of one."""

    def __init__(self, presenter: CollocatesPresenter, charter: Runner) -> None:
        super().__init__(presenter, TableLook(tr("Collocates"), _BAR, _LESS_IMPORTANT))
        self.export = TableExport(charter, presenter.charts, presenter.fail_beside, presenter.save, "collocates")
        self.rule = QuestionForm(CollocatesQuestion, _ASKED, presenter.set, self.export)
        self.network = NetworkPanel(presenter)
        self.side = Segments((tr("Network"), tr("Lines")), tr("Beside the table"))
        self.pages = QStackedWidget()
        for page in (self.network, self.lines):
            self.pages.addWidget(page)
        beside = QWidget()
        column = QVBoxLayout(beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.side, 0, Qt.AlignmentFlag.AlignLeading)
        column.addWidget(self.pages, 1)
        self.frame(self.rule, beside, (620, 380), (self.network, self.lines))
        self.side.chosen.connect(lambda place: presenter.read(place == 1))

    def draw(self, state: CollocatesState, before: CollocatesState | None) -> None:
        """Show the collocates.

        before: The one that was drawn before; None for the first.
        """
        self.rule.draw(state.rule)
        self.export.setEnabled(self.draw_frame(state, before))
        self.network.draw(state, before)
        self.side.choose(1 if state.reading else 0)
        self.pages.setCurrentIndex(1 if state.reading else 0)

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        self.network.places.update()
