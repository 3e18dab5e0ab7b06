"""The three panels of the Next token screen: the endings of the prompt, what comes next, and the word tree."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.gui.charts.export.button import ExportButton
from explorer.gui.help.topics import about, help_button
from explorer.gui.screens.next_token.beside import BesideState
from explorer.gui.screens.next_token.lists import ladder_cells, ladder_header, ladder_tips, next_cells, next_header
from explorer.gui.screens.next_token.presenter import NextTokenPresenter
from explorer.gui.screens.next_token.state import NextTokenState
from explorer.gui.screens.next_token.tree_state import Side, TreeState
from explorer.gui.screens.next_token.tree_view import STEP, TreeView
from explorer.gui.screens.next_token.width_legend import WidthLegend
from explorer.gui.screens.screen import offer, text_order
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import keep_icon_size, when_restyled
from explorer.gui.style.theme import em
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr


def muted_line(text: str = "") -> ElidedLabel:
    """A line of facts, shortened where there is no room for it."""
    made = ElidedLabel(text)
    made.setProperty("role", "muted")
    return made


class Facts(ElidedLabel):
    """A line of facts that has a shorter form, for a panel without room for all of it; the tool tip has all."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "muted")
        self._forms = ("", "")

    def show_facts(self, whole: str, short: str) -> None:
        """Show a line.

        short: What is shown where that does not fit.
        """
        self._forms = (whole, short)
        self.setToolTip(tip(whole))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        whole, short = self._forms
        fits = self.fontMetrics().horizontalAdvance(whole) <= self.contentsRect().width()
        self.setText(whole if fits else short)


def subtitle(panel: Panel) -> Facts:
    """Put a line of facts after the title of a panel."""
    made = Facts()
    panel.header_row.setStretch(0, 0)
    panel.header_row.insertWidget(1, made, 1)
    return made


_WORDED = 32
"""Em from which a panel has room for the words of its button beside a sentence."""
_SIDES = (Side.AFTER, Side.BEFORE, Side.BOTH)


class LadderPanel(Panel):
    """The endings of the prompt; the chosen one is the context."""

    def __init__(self, presenter: NextTokenPresenter, parent: QWidget | None = None) -> None:
        self.longest = push_button(tr("Use the longest"), "quiet")
        self.longest.setToolTip(tr("Predict from the longest ending that occurs (∞-gram)"))
        self.lines = push_button("")
        hint = muted_line(tr("↑ ↓ choose how much of it counts"))
        super().__init__(tr("Context"), (hint, help_button("next-token", tr("Next token"))), (), parent=parent)
        self.why = muted_line()
        self.footer_row.addWidget(self.why, 1)
        self.footer_row.addWidget(self.longest)
        self.footer_row.addWidget(self.lines)
        self.model = PlainModel(self)
        self.table = text_order(PlainTable(self.model, tr("Endings of your text"), wide=(1,)))
        self.hold(self.table)
        self._stale = Dimmer(self.table, parent=self)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: presenter.choose_rung(now.row()))
        self.longest.clicked.connect(lambda: presenter.set(n=None))
        self.lines.clicked.connect(lambda _: presenter.show_lines())

    def draw(self, state: NextTokenState, before: NextTokenState | None) -> None:
        """Draw the endings, and which of them is the context.

        before: What is drawn now; None for nothing.
        """
        ladder = state.ladder.value
        # Blocked: filling the table and choosing the row that is in use are not choices of the user.
        with QSignalBlocker(self.table.selectionModel()):
            if before is None or ladder is not before.ladder.value:
                self.model.show(ladder_header(), [] if ladder is None else ladder_cells(ladder.rows), ladder_tips())
            if state.chosen_rung != self.table.currentIndex().row():
                self.table.setCurrentIndex(self.model.index(state.chosen_rung, 0))
                self.table.viewport().update()
        if before is None or state.ladder is not before.ladder:
            self._stale.set_stale(state.ladder.dimmed, at_once=not state.ladder.awaited)
        self.why.setText(state.why_this_ending)
        self.longest.setVisible(state.question.n is not None)
        self.lines.setText(state.lines_caption)
        self.lines.setVisible(bool(state.lines_caption))


class NextPanel(Panel):
    """What comes next, and beside it what comes next in another index."""

    def __init__(self, presenter: NextTokenPresenter, export: ExportButton, parent: QWidget | None = None) -> None:
        self._presenter, self._export = presenter, export
        self.append = push_button(tr("Append to text"))
        self.append.setToolTip(tr("Append the chosen row to your text (or double-click it). Ctrl+Z removes it again."))
        self.lines = push_button(tr("Show lines"), "quiet")
        self.lines.setToolTip(tr("Search for the context with the chosen row after it"))
        self.why = help_button("next-token#estimates", tr("Why ≈?"))
        self.beside_caption = muted_line()
        super().__init__(tr("Next word"), (self.why, export), (), parent=parent)
        self.subtitle = subtitle(self)
        self.footer_row.addWidget(self.beside_caption, 1)
        self.footer_row.addWidget(self.lines)
        self.footer_row.addWidget(self.append)
        self.model, self.beside_model = PlainModel(self), PlainModel(self)
        self.table = text_order(PlainTable(self.model, tr("What comes next"), wide=(2,)))
        self.beside = text_order(PlainTable(self.beside_model, tr("What comes next in the other index"), wide=(2,)))
        self.hold(self.table)
        self.hold(self.beside)
        self._stale, self._old_beside = Dimmer(self.table, parent=self), Dimmer(self.beside, parent=self)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: presenter.choose_row(now.row()))
        # By Enter, and by a double-click: Qt signals this beside `doubleClicked`.
        self.table.activated.connect(lambda index: presenter.append_row(index.row()))
        self.append.clicked.connect(lambda: presenter.append_row(presenter.state.row))
        self.lines.clicked.connect(lambda: presenter.show_lines(presenter.state.row))

    def draw(self, state: NextTokenState, before: NextTokenState | None) -> None:
        """Draw the lists.

        before: What is drawn now; None for nothing.
        """
        self.set_title(state.heading)
        self.subtitle.show_facts(state.subtitle, state.facts)
        self.why.setVisible(bool(state.why_estimated))
        self.why.setToolTip(tip(state.why_estimated))
        answer = state.answer.value
        with QSignalBlocker(self.table.selectionModel()):
            if before is None or answer is not before.answer.value:
                self.model.show(next_header(state.lists_words), [] if answer is None else next_cells(answer))
        for part in (self.append, self.lines):
            part.setEnabled(state.row >= 0)
        if before is None or state.answer is not before.answer:
            self._stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave room for the sentence."""
        super().resizeEvent(event)
        self._export.shorten(self.width() < em(_WORDED))

    def draw_beside(self, state: BesideState, before: BesideState | None) -> None:
        """Draw the list of the other index.

        before: What is drawn now; None for nothing.
        """
        found = state.answer.value
        if before is None or found is not before.answer.value:
            words = self._presenter.state.lists_words if found is None else found.request.question.words
            self.beside_model.show(next_header(words), [] if found is None else next_cells(found))
        self.beside.setVisible(state.corpus is not None)
        self.beside_caption.setText(state.caption)
        if before is None or state.answer is not before.answer:
            self._old_beside.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)


class TreePanel(Panel):
    """The word tree with its tools."""

    def __init__(self, presenter: NextTokenPresenter, export: ExportButton, parent: QWidget | None = None) -> None:
        self._export = export
        self.sides = Segments((tr("After"), tr("Before"), tr("Both")), tr("Side of the context"))
        self.more = push_button(tr("More branches"), "quiet")
        self.closer = icon_button("zoom-in", tr("Zoom in (+)"))
        self.farther = icon_button("zoom-out", tr("Zoom out (−)"))
        self.whole = push_button(tr("Fit"), "quiet")
        self.whole.setToolTip(tr("Show the whole tree (0)"))
        for button in (self.more, self.whole):
            keep_icon_size(button, 16, gap=4)
        self._actions = (self.more, self.sides, self.farther, self.closer, self.whole, export)
        super().__init__(tr("Word tree"), self._actions, parent=parent)
        self.subtitle = subtitle(self)
        self.view = TreeView(presenter.tree)
        self.legend = WidthLegend()
        self.body.addWidget(self.view, 1)
        self.body.addWidget(self.legend)
        about(self, "next-token#word-tree")
        self.sides.chosen.connect(lambda number: presenter.turn(_SIDES[number]))
        self.more.clicked.connect(presenter.tree.show_more)
        self.closer.clicked.connect(lambda: self.view.zoom_by(STEP))
        self.farther.clicked.connect(lambda: self.view.zoom_by(1 / STEP))
        self.whole.clicked.connect(self.view.fit)
        self.view.looked.connect(self._show_look)
        when_restyled(self.view, self.view.replace)
        self._draw(presenter.tree.state, None)
        presenter.tree.watch(self._draw)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show icons in place of words where there is no room for them."""
        super().resizeEvent(event)
        room = self.width() - self.title.sizeHint().width() - em(4)
        self._shorten(False)
        if self._needed() > room:
            self._shorten(True)
        # Its own tab has the title as well.
        self.title.setVisible(self._needed() <= room)

    def _needed(self) -> int:
        """The width of all buttons."""
        shown = [each.sizeHint().width() for each in self._actions if each.isVisibleTo(self)]
        return sum(shown) + self.header_row.spacing() * len(shown)

    def _shorten(self, short: bool) -> None:
        self._export.shorten(short)
        for button, words in ((self.more, tr("More branches")), (self.whole, tr("Fit"))):
            button.setText("" if short else words)
            button.setAccessibleName(words)
        self.more.setIcon(icon("plus") if short else QIcon())
        self.whole.setIcon(icon("reset") if short else QIcon())
        self.subtitle.setVisible(not short)

    def _show_look(self, looked: bool) -> None:
        self.whole.setEnabled(looked)
        self.legend.show_zoom(self.view.zoom)

    def _draw(self, state: TreeState, before: TreeState | None) -> None:
        self.legend.setVisible(state.answer.value is not None)
        self._export.setEnabled(state.answer.current is not None)
        self.sides.choose(_SIDES.index(state.side))
        self.more.setVisible(state.has_more)
        if before is not None:
            self.view.draw(state, before)
        hint = tr("click to open, double-click to continue from a branch")
        with_hint = state.about and not state.why_not
        self.subtitle.show_facts(f"{state.about} · {hint}" if with_hint else state.about, state.about)
        for number in range(len(_SIDES)):
            offer(self.sides.button(number), state.why_not)
