"""The widgets of the Statistics screen: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from explorer.gui.figures.button import ExportButton
from explorer.gui.screen import KeyButtons, Notice, Screen, label, named, text_order
from explorer.gui.screens.statistics.plot import RankPlot
from explorer.gui.screens.statistics.presenter import LIMITS, StatisticsPresenter
from explorer.gui.screens.statistics.state import HEADER, HEADER_TIPS, LINES_HEADER, StatisticsState
from explorer.gui.screens.statistics.work import LINES, rank_points
from explorer.gui.theme import em
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.empty_state import EmptyState
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.headline import Headline
from explorer.gui.widgets.job_bar import JobBar
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.panel import Panel
from explorer.gui.widgets.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.scroll_areas import TallArea, at_least
from explorer.gui.widgets.segments import Segments
from explorer.gui.widgets.splitter import Splitter
from explorer.gui.widgets.stack import LowStack
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, wordlist_recipe

_NARROW = 58
"""Width in em below which the table is above the plot and the lines."""


class StatisticsScreen(Screen):
    """What is listed on top, the figures in a sentence, the list, and beside it its plot and the lines of a row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = StatisticsPresenter(self.lanes, self.requested.emit)
        self._make_widgets()
        self._lay_out()
        self._connect()
        # Drawn once by hand: `watch` reports changes only.
        self._draw(self.presenter.state, None)
        self.presenter.watch(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.text = named(QLineEdit(), tr("Only forms with"))
        self.text.setPlaceholderText(tr("Only forms with …"))
        self.where = Segments((tr("Contains"), tr("Begins with")), tr("Where the text is"))
        self.unit = Segments((tr("Words"), tr("Tokens")), tr("What is listed"))
        self.boxes = {
            name: named(NumberBox(minimum=LIMITS[name][0], maximum=LIMITS[name][1]), words)
            for name, words in (
                ("n", tr("Length n")),
                ("min_count", tr("Least hits")),
                ("min_documents", tr("Least documents")),
            )
        }
        self.export = ExportButton(self.lanes.slot("statistics charts"), presenter.charts, presenter.fail_beside)
        self.headline, self.facts, self.notice, self.job = Headline(), ElidedLabel(), Notice(), JobBar()
        self.facts.setProperty("role", "muted")
        self.model, self.lines_model = PlainModel(self), PlainModel(self)
        self.table = PlainTable(self.model, tr("Words and n-grams"), wide=(1,))
        self.lines = text_order(PlainTable(self.lines_model, tr("Lines of the chosen row"), wide=(0, 2)))
        self.plot = RankPlot()
        self.before = push_button(tr("Previous lines"), "quiet")
        self.after = push_button(tr("Next lines"), "quiet")
        self.lines_title = ElidedLabel()
        self.empty = EmptyState("statistics")

    def _lay_out(self) -> None:
        settings = QWidget()
        row = FlowLayout(settings, gap=8)
        tops: tuple[QWidget, ...] = (self.unit, self.text, self.where)
        for part in tops:
            row.addWidget(part)
        for box in self.boxes.values():
            row.addWidget(label(box.accessibleName(), "muted"))
            row.addWidget(box)
        row.addWidget(self.export)
        listed, self.plotted = Panel(), Panel(tr("Rank and frequency"))
        listed.hold(self.table)
        self.plotted.body.addWidget(self.plot)
        self.read = Panel(footer=(self.lines_title, self.before, self.after))
        self.read.footer_row.setStretch(0, 1)
        self.read.hold(self.lines)
        self.beside, self.halves = Splitter(Qt.Orientation.Vertical), Splitter(Qt.Orientation.Horizontal)
        for splitter, parts, sizes in (
            (self.beside, (self.plotted, self.read), [450, 550]),
            (self.halves, (listed, self.beside), [500, 500]),
        ):
            for half in parts:
                splitter.addWidget(half)
            # Proportions, not pixels.
            splitter.setSizes(sizes)
        at_least(listed, 22, 12)
        at_least(self.read, 22, 9)
        self.stack = LowStack()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.halves)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for widget in (settings, self.headline, self.facts, self.notice, self.job):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(TallArea(page))
        self.stale = Dimmer(self.headline, self.facts, listed, self.plotted, self.read, parent=self)

    def _connect(self) -> None:
        presenter = self.presenter
        self.unit.chosen.connect(lambda place: presenter.set(words=place == 0))
        self.where.chosen.connect(lambda place: presenter.set(begins=place == 1))
        self.text.textChanged.connect(lambda text: presenter.set(text=text))
        for name, box in self.boxes.items():
            box.valueChanged.connect(lambda value, name=name: presenter.set(**{name: value}))
        for signal in (self.table.clicked, self.table.activated):
            signal.connect(lambda at: presenter.choose(at.row()))
        self.lines.activated.connect(lambda at: presenter.open_line(at.row()))
        self.before.clicked.connect(lambda: presenter.turn(-1))
        self.after.clicked.connect(lambda: presenter.turn(1))
        self.empty.chosen.connect(lambda _: presenter.make_words())
        lane = self.lanes.named("statistics list")
        lane.progressed.connect(self.job.show_progress)
        lane.busy_changed.connect(self.job.set_busy)
        self.job.cancelled.connect(presenter.stop)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: StatisticsState, before: StatisticsState | None) -> None:
        self.unit.choose(0 if state.rule.words else 1)
        self.where.choose(1 if state.rule.begins else 0)
        for name, box in self.boxes.items():
            box.setValue(getattr(state.rule, name))
        if self.text.text() != state.rule.text:
            self.text.setText(state.rule.text)
        self.export.setEnabled(state.listed is not None)
        self.headline.say(*state.headline)
        self.facts.setText(state.told_rows)
        self.facts.setVisible(bool(state.told_rows))
        if before is None or state.notice != before.notice:
            again = [(tr("Try again"), self.presenter.run)] if state.answer.error is not None else []
            self.notice.show_notice(state.notice, kind="error", remedies=again)
        self.empty.say(*state.invitation, (tr("Make the word index"),) if state.missing else ())
        self.stack.setCurrentIndex(0 if state.listed is None else 1)
        if before is None or state.answer.value is not before.answer.value:
            self.model.show(tuple(map(tr, HEADER)) if state.table else (), state.table, tuple(map(tr, HEADER_TIPS)))
        if before is None or state.answer.value is not before.answer.value or state.row != before.row:
            self._draw_row(state)
        self._draw_lines(state, before)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _draw_row(self, state: StatisticsState) -> None:
        answer = state.listed
        left_out = state.rule.min_documents > 1 if answer is None else answer.rule.min_documents > 1
        points = () if answer is None or answer.found is None else rank_points(answer.found, left_out)
        # Where rows were left out for their documents, they have other ranks than those of the list.
        self.plot.show_points(points, -1 if left_out else state.row)
        if 0 <= state.row < self.model.rowCount():
            flags = QItemSelectionModel.SelectionFlag
            self.table.selectionModel().setCurrentIndex(
                self.model.index(state.row, 0), flags.ClearAndSelect | flags.Rows
            )

    def _draw_lines(self, state: StatisticsState, before: StatisticsState | None) -> None:
        self.lines_title.setText(state.lines_title)
        self.before.setEnabled(state.first > 0)
        self.after.setEnabled(state.first + LINES < state.count)
        if before is None or state.lines.value is not before.lines.value:
            self.lines_model.show(tuple(map(tr, LINES_HEADER)) if state.lines.value else (), state.lines_table)

    def corpus_changed(self) -> None:
        """List the words of the new index."""
        self.presenter.use_corpus(self.corpus)

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        self.plot.update()

    def recipe(self, source: Source) -> Recipe | None:
        """The list that is shown."""
        # Only a current one: a dimmed list belongs to other settings than these.
        found = self.presenter.state.answer.current
        return None if found is None or found.found is None else wordlist_recipe(source, found.rule)

    def pressed_by_keys(self) -> KeyButtons:
        """The figure and the data."""
        return KeyButtons(exports=(self.export,))

    def focus_input(self) -> None:
        """The field of forms."""
        self.text.setFocus()

    def session(self) -> dict[str, Any]:
        """What is listed."""
        return self.presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """List the same again."""
        self.presenter.restore(values)

    def showEvent(self, event: QShowEvent) -> None:
        """List what was not seen before."""
        super().showEvent(event)
        self.presenter.appear(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Ask nothing while nobody looks."""
        super().hideEvent(event)
        self.presenter.appear(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the table above the plot where there is no room beside it."""
        super().resizeEvent(event)
        narrow = self.width() < em(_NARROW)
        self.halves.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
