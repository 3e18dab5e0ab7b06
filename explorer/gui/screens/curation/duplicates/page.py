"""The widgets of the tab of duplicates: they draw the presenter's state and hand on what a user does."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.analyses.duplicates.question import DuplicatesQuestion
from explorer.gui.asking.page import AskingPage
from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.found_lines.panel import LinesPanel
from explorer.gui.screens.curation.duplicates.list_panel import RepeatsPanel
from explorer.gui.screens.curation.duplicates.plot import CopiesPlot
from explorer.gui.screens.curation.duplicates.presenter import DuplicatesPresenter
from explorer.gui.screens.curation.duplicates.state import RUNS, CopiesState
from explorer.gui.screens.screen import label
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.layouts.splitter import split
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.i18n import tr
from explorer.recipes import Recipe, Source, duplicates_recipe

_ASKED = ("length", "rule", "across", "gap", "prefer")
"""The settings of the form, in its order."""
_NARROW = 70
"""Width in em below which the passages are above the lines."""


class DuplicatesPage(AskingPage):
    """The rule on top, what goes in a sentence, the curve, and below it the passages and the lines of one."""

    PICTURE = "curation"

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.presenter = DuplicatesPresenter(self.lanes, self.requested.emit, self.requested.emit)
        self._make_widgets()
        self._lay_out()
        self.begin(self._draw)

    def _make_widgets(self) -> None:
        presenter = self.presenter
        self.bar, self.plot = QuestionForm(DuplicatesQuestion, _ASKED, presenter.set), CopiesPlot()
        self.list, self.lines = RepeatsPanel(presenter), LinesPanel(presenter.lines)
        self.facts, self.about = label("", "muted"), label("", "muted")
        for sentence in (self.facts, self.about):
            sentence.setWordWrap(True)
        self.about.setContentsMargins(16, 8, 16, 0)
        self.cut = push_button(tr("Preview and export …"), "primary", "eye")
        self.cut.clicked.connect(self._hand_over)
        self.plot.moved.connect(presenter.move)

    def _hand_over(self) -> None:
        if (cuts := self.presenter.state.cuts) is not None:
            self.requested.emit(cuts)

    def _lay_out(self) -> None:
        told = QWidget()
        row = QHBoxLayout(told)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.facts, 1)
        row.addWidget(self.cut)
        plotted = Panel(tr("Removed share (dashed: all copies)"))
        plotted.body.addWidget(self.about)
        plotted.body.addWidget(self.plot, 1)
        at_least(plotted, 22, 14)
        self.below = split(Qt.Orientation.Horizontal, (600, 400), self.list, self.lines)
        halves = split(Qt.Orientation.Vertical, (400, 600), plotted, self.below)
        self.turning.append((self.below, _NARROW))
        self.frame(self.presenter, "repeats", self.bar, halves, (told,))
        self.stale = Dimmer(self.headline, self.facts, parent=self)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: CopiesState, before: CopiesState | None) -> None:
        self._draw_bar(state)
        self.draw_frame(state, before)
        self.facts.setText(state.told)
        current = state.answer.current
        self.cut.setEnabled(current is not None and bool(len(current.found)))
        self.about.setText(state.about_curve)
        self.about.setVisible(bool(state.about_curve))
        self.plot.show_state(state)
        self.list.draw_rule(state)
        self.stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _draw_bar(self, state: CopiesState) -> None:
        self.bar.draw(state.rule)
        # Where no copy is kept, none is the first, and none is preferred.
        for name in ("across", "prefer"):
            self.bar.row(name).setEnabled(state.rule.rule != "all")
        self.bar.row("prefer").setVisible(bool(state.fields))

    def theme_changed(self) -> None:
        """Draw in the new colors."""
        self.plot.update()

    def recipe(self, source: Source) -> Recipe | None:
        """What is cut, and the passages that are listed."""
        # Only current ones: what is dimmed belongs to other settings than these.
        found = self.presenter.state.answer.current
        state = self.presenter.state
        return (
            None
            if found is None
            else duplicates_recipe(source, state.rule.in_force, state.repeats, state.listed == RUNS)
        )

    def focus_input(self) -> None:
        """The length."""
        self.bar.focus("length")
