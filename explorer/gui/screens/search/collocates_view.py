"""The tab of collocates: how they are counted, the table, and beside it their network or the lines of a row."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QStackedWidget, QVBoxLayout, QWidget

from explorer.export.collocate_charts import DRAWN, network_of
from explorer.gui.figures.table_export import TableExport
from explorer.gui.found_lines.panel import LinesPanel
from explorer.gui.runner import Runner
from explorer.gui.screen import Notice, label, named
from explorer.gui.screens.search.collocates_presenter import LIMITS, CollocatesPresenter
from explorer.gui.screens.search.collocates_state import CollocatesState
from explorer.gui.screens.search.network_plot import NetworkPlot
from explorer.gui.theme import em
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.flow_layout import flowing, side_by_side
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.scroll_areas import at_least
from explorer.gui.widgets.segments import Segments
from explorer.gui.widgets.splitter import Splitter
from explorer.gui.widgets.stack import LowStack
from explorer.i18n import tr
from explorer.statistics.association import ASSOCIATIONS

_LESS_IMPORTANT = (0, 4, 3, 6, 7)
"""Columns to hide in a narrow table, the first one first: the tool tips have their numbers."""
_FORM, _BAR, _FORM_EMS, _BAR_EMS = 1, 5, 12, 8
_NARROW = 68
"""Width in em below which the table is above the network and the lines."""


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
                ("min_count", tr("Least hits near the match")),
            )
        }
        self.boxes["left"].setSuffix(tr(" left"))
        self.boxes["right"].setSuffix(tr(" right"))
        self.unit = Segments((tr("Words"), tr("Tokens")), tr("What is counted"))
        self.measure = named(QComboBox(), tr("Sort by"))
        for name, row in ASSOCIATIONS.items():
            self.measure.addItem(row.label, name)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(
            flowing(
                side_by_side(label(tr("Window"), "muted"), self.boxes["left"], self.boxes["right"]),
                self.unit,
                side_by_side(label(tr("At least"), "muted"), self.boxes["min_count"]),
                side_by_side(label(tr("Sort by"), "muted"), self.measure),
                export,
            )
        )
        self.unit.chosen.connect(lambda place: presenter.set(words=place == 0))
        self.measure.activated.connect(lambda _: presenter.set(measure=self.measure.currentData()))
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
        for name, box in self.boxes.items():
            box.setValue(getattr(state.rule, name))


class CollocateTablePanel(Panel):
    """A row per collocate.

    Parameters
    ----------
    presenter
        Gets the row that a user chooses, and the column that sorts.
    """

    def __init__(self, presenter: CollocatesPresenter) -> None:
        super().__init__()
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Collocates"), wide=(_BAR,), yielding=(_FORM,), sortable=True)
        self.hold(self.table)
        at_least(self, 20, 11)
        self.table.horizontalHeader().sectionClicked.connect(presenter.sort)
        self.table.clicked.connect(lambda at: presenter.choose_shown(at.row()))
        self.table.selectionModel().currentRowChanged.connect(lambda at, _: presenter.choose_shown(at.row()))
        self.table.activated.connect(lambda _: presenter.read())

    def draw(self, state: CollocatesState) -> None:
        """Show the rows in their order.

        Parameters
        ----------
        state
            The state of the tab.
        """
        answer = state.listed
        rows = () if answer is None else tuple(answer.table[row] for row in state.order)
        self.model.show(state.header if rows else (), rows, state.header_tips)
        self._leave_out()

    def draw_row(self, state: CollocatesState) -> None:
        """Choose the chosen row.

        Parameters
        ----------
        state
            The state of the tab.
        """
        chosen = self.table.selectionModel()
        if state.row not in state.order:
            chosen.clearSelection()
            return
        place = state.order.index(state.row)
        if chosen.currentIndex().row() != place or not chosen.isRowSelected(place):
            flags = QItemSelectionModel.SelectionFlag
            chosen.setCurrentIndex(self.model.index(place, 0), flags.ClearAndSelect | flags.Rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide columns that do not fit."""
        super().resizeEvent(event)
        self._leave_out()

    def _leave_out(self) -> None:
        header, columns = self.table.horizontalHeader(), range(self.model.columnCount())
        for column in columns:
            self.table.leave_out(column, False)
        widths = {
            column: max(header.sectionSizeHint(column), self.table.sizeHintForColumn(column) + 1) for column in columns
        }
        # The column of the bars takes what is left, and one long word does not take the room of numbers.
        if widths:
            widths[_FORM] = min(widths[_FORM], em(_FORM_EMS))
            widths[_BAR] = max(em(_BAR_EMS), header.sectionSizeHint(_BAR))
        room = self.table.viewport().width()
        for column in (column for column in _LESS_IMPORTANT if column in widths):
            if sum(widths.values()) <= room:
                return
            self.table.leave_out(column, True)
            del widths[column]


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
        self.lines = push_button("", "")
        how = ElidedLabel(tr("nearer = stronger · larger = more hits"))
        how.setProperty("role", "muted")
        super().__init__(tr("Network"), actions=(how,))
        self.plot = NetworkPlot(presenter.choose)
        self.body.addWidget(self.plot, 1)
        foot = QWidget()
        column = QVBoxLayout(foot)
        column.setContentsMargins(16, 8, 16, 12)
        column.addWidget(self.formula)
        column.addWidget(self.lines, 0, Qt.AlignmentFlag.AlignLeading)
        self.body.addWidget(foot)
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
        self.lines.setText(state.lines_button)
        self.lines.setVisible(bool(state.lines_button))


class CollocatesView(QWidget):
    """The words near the query.

    Parameters
    ----------
    presenter
        Counts them.
    charter
        Makes the figure.
    """

    def __init__(self, presenter: CollocatesPresenter, charter: Runner) -> None:
        super().__init__()
        self._presenter = presenter
        self.export = TableExport(charter, presenter.charts, presenter.fail_beside, presenter.save, "collocates")
        self.rule = CollocateRuleBar(presenter, self.export)
        self.facts, self.notice, self.empty = label("", "muted"), Notice(), EmptyState("list")
        self.facts.setWordWrap(True)
        self.list, self.network, self.lines = (
            CollocateTablePanel(presenter),
            NetworkPanel(presenter),
            LinesPanel(presenter.lines),
        )
        self.table = self.list.table
        self.side = Segments((tr("Network"), tr("Lines")), tr("Beside the table"))
        self._lay_out()
        self._stale = Dimmer(self.facts, self.list, self.network, self.lines, parent=self)
        self.side.chosen.connect(lambda place: presenter.read(place == 1))
        self.empty.chosen.connect(lambda _: presenter.make_words())

    def _lay_out(self) -> None:
        self.pages = QStackedWidget()
        for page in (self.network, self.lines):
            self.pages.addWidget(page)
        beside = QWidget()
        column = QVBoxLayout(beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.side, 0, Qt.AlignmentFlag.AlignLeading)
        column.addWidget(self.pages, 1)
        self.halves = Splitter(Qt.Orientation.Horizontal)
        for half in (self.list, beside):
            self.halves.addWidget(half)
        # Proportions, not pixels.
        self.halves.setSizes([620, 380])
        self.stack = LowStack()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.halves)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for part in (self.rule, self.facts, self.notice):
            layout.addWidget(part)
        layout.addWidget(self.stack, 1)

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
        some = state.listed is not None and bool(state.listed.rows)
        self.export.setEnabled(some)
        self.facts.setText(state.facts)
        self.facts.setVisible(bool(state.facts))
        if before is None or state.notice != before.notice:
            again = [(tr("Try again"), self._presenter.run)] if state.answer.error is not None else []
            self.notice.show_notice(state.notice, kind="error", remedies=again)
        self.empty.say(*state.invitation, (tr("Make the word index"),) if state.missing else ())
        self.stack.setCurrentIndex(1 if some else 0)
        other = before is None or state.listed is not before.listed
        if other or before is None or state.sort != before.sort:
            self.list.draw(state)
            self.list.draw_row(state)
        elif state.row != before.row:
            self.list.draw_row(state)
        self.network.draw(state, before)
        self.side.choose(1 if state.reading else 0)
        self.pages.setCurrentIndex(1 if state.reading else 0)
        self._stale.set_stale(state.dimmed, at_once=not state.answer.awaited)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the table above the rest in a narrow window."""
        super().resizeEvent(event)
        narrow = self.width() < em(_NARROW)
        self.halves.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        self.network.plot.update()
