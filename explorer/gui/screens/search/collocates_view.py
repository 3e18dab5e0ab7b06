"""The tab of collocates: how they are counted, the table, and beside it their network or the lines of a row."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QStackedWidget, QVBoxLayout, QWidget

from explorer.export.collocate_charts import DRAWN, network_of
from explorer.gui.figures.table_export import TableExport
from explorer.gui.runner import Runner
from explorer.gui.screen import label, named
from explorer.gui.screens.search.collocates_presenter import LIMITS, CollocatesPresenter
from explorer.gui.screens.search.collocates_state import CollocatesState
from explorer.gui.screens.search.near_view import NearView, TableLook
from explorer.gui.screens.search.network_plot import NetworkPlot
from explorer.gui.screens.search.place_bars import PlaceBars
from explorer.gui.stop_list import StopList
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.flow_layout import flowing, side_by_side
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.segments import Segments
from explorer.i18n import tr
from explorer.statistics.association import ASSOCIATIONS

_LESS_IMPORTANT = (0, 4, 3, 5, 7, 8)
"""Columns to hide in a narrow table, the first one first: the tool tips have their numbers."""
_FORM, _BAR = 1, 6


class CollocateRuleBar(QWidget):
    """How collocates are counted, in rows that wrap.

    Parameters
    ----------
    presenter
        How they are counted.
    export
        The button after the settings.
    """

    def __init__(self, presenter: CollocatesPresenter, export: QWidget) -> None:
        super().__init__()
        self.boxes = {
            name: named(NumberBox(minimum=LIMITS[name][0], maximum=LIMITS[name][1]), words)
            for name, words in (
                ("left", tr("Words on the left")),
                ("right", tr("Words on the right")),
                ("min_count", tr("Minimum hits near the match")),
                ("min_documents", tr("Minimum documents")),
            )
        }
        self.boxes["left"].setSuffix(tr(" left"))
        self.boxes["right"].setSuffix(tr(" right"))
        self.within = named(QComboBox(), tr("Windows end with"))
        for text, name in ((tr("Document"), "document"), (tr("Sentence"), "sentence"), (tr("Line"), "line")):
            self.within.addItem(text, name)
        self.unit = Segments((tr("Words"), tr("Tokens")), tr("What is counted"))
        self.measure = named(QComboBox(), tr("Sort by"))
        for name, row in ASSOCIATIONS.items():
            self.measure.addItem(row.label, name)
        self.stop = StopList()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(
            flowing(
                side_by_side(label(tr("Window"), "muted"), self.boxes["left"], self.boxes["right"]),
                side_by_side(label(tr("Within"), "muted"), self.within),
                self.unit,
                side_by_side(label(tr("Min. hits"), "muted"), self.boxes["min_count"]),
                side_by_side(label(tr("Min. documents"), "muted"), self.boxes["min_documents"]),
                side_by_side(label(tr("Sort by"), "muted"), self.measure),
                self.stop,
                export,
            )
        )
        self.unit.chosen.connect(lambda place: presenter.set(words=place == 0))
        self.measure.activated.connect(lambda _: presenter.set(measure=self.measure.currentData()))
        self.stop.chosen.connect(lambda path: presenter.set(stop=path))
        self.within.activated.connect(lambda _: presenter.set(within=self.within.currentData()))
        for name, box in self.boxes.items():
            box.valueChanged.connect(lambda value, name=name: presenter.set(**{name: value}))

    def draw(self, state: CollocatesState) -> None:
        """Show how is counted.

        Parameters
        ----------
        state
            The state of the tab.
        """
        self.unit.choose(0 if state.rule.words else 1)
        self.measure.setCurrentIndex(self.measure.findData(state.rule.measure))
        self.stop.show_path(state.rule.stop)
        self.within.setCurrentIndex(self.within.findData(state.rule.within))
        for name, box in self.boxes.items():
            box.setValue(getattr(state.rule, name))


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

    Parameters
    ----------
    presenter
        Gets the word that a user chooses.
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
        self.plot = NetworkPlot(presenter.choose)
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

        Parameters
        ----------
        state
            The new state.
        before
            The one that was drawn before; None for the first.
        """
        answer = state.listed
        rows = () if answer is None else answer.rows[:DRAWN]
        if before is None or answer is not before.listed:
            tips = () if answer is None else tuple(row[_FORM].tip for row in answer.table[:DRAWN])
            self.plot.show_network(network_of(state.query, rows), tips)
        self.plot.show_chosen(state.row)
        self.formula.setText(state.formula)
        self.places.show_counts(*state.places)
        self.by_place.setText(state.pairs)
        self.by_place.setVisible(bool(state.places[0]))
        self.lines.setText(state.lines_button)
        self.lines.setVisible(bool(state.lines_button))
        self.foot.keep_room()


class CollocatesView(NearView):
    """The words near the query, and beside them their network or the lines of one.

    Parameters
    ----------
    presenter
        Counts them.
    charter
        Makes the figure.
    """

    def __init__(self, presenter: CollocatesPresenter, charter: Runner) -> None:
        super().__init__(presenter, TableLook(tr("Collocates"), _BAR, _LESS_IMPORTANT))
        self.export = TableExport(charter, presenter.charts, presenter.fail_beside, presenter.save, "collocates")
        self.rule = CollocateRuleBar(presenter, self.export)
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

        Parameters
        ----------
        state
            The new state.
        before
            The one that was drawn before; None for the first.
        """
        self.rule.draw(state)
        self.export.setEnabled(self.draw_frame(state, before))
        self.network.draw(state, before)
        self.side.choose(1 if state.reading else 0)
        self.pages.setCurrentIndex(1 if state.reading else 0)

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        self.network.plot.update()
        self.network.places.update()
