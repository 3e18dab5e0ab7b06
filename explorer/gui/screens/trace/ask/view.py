"""The page that asks models: which ones, their answers with marks, a question, and the documents of an answer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.help.topics import about
from explorer.gui.presenting.hints import told
from explorer.gui.screens.screen import Notice
from explorer.gui.screens.trace.ask.box import TOPIC, AskBox
from explorer.gui.screens.trace.ask.model_picker import ModelPicker, WhereBadge
from explorer.gui.screens.trace.ask.presenter import AskPresenter
from explorer.gui.screens.trace.ask.state import AskState
from explorer.gui.screens.trace.ask.talk_pane import TalkPane
from explorer.gui.screens.trace.documents.choice import Show
from explorer.gui.screens.trace.figure_line import FigureLine
from explorer.gui.screens.trace.figures import Jump
from explorer.gui.screens.trace.folding_panes import FoldingPanes
from explorer.gui.screens.trace.text.legend import Legend
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.layouts.splitter import Splitter
from explorer.gui.widgets.layouts.stack import Stack


class AskView(QWidget):
    """Draws the tab. `drawn()`: something else was drawn. The second side is made when two models are asked.

    presenter: What it shows, and what is done with it.
    charter: Makes the charts of figures.
    """

    drawn = Signal()

    def __init__(self, presenter: AskPresenter, charter: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter, self._charter = presenter, charter
        self.pickers = tuple(ModelPicker(presenter, number) for number in (0, 1))
        self.badges = tuple(WhereBadge() for _ in (0, 1))
        self.notice = Notice()
        self.figures = FigureLine()
        self.legend = Legend()
        self.columns = Splitter()
        self.box = AskBox(presenter)
        self.evidence = Stack()
        self.talks: list[TalkPane] = []
        # What the parts that are drawn were made of.
        self._drawn: dict[str, tuple[object, ...]] = {}
        about(self, TOPIC)
        self._lay_out()
        self._add_talk()
        self._draw(presenter.state, None)
        presenter.watch(self._draw)
        presenter.finder.watch(lambda *_: self._draw_parts())

    def _lay_out(self) -> None:
        models = QWidget()
        row = FlowLayout(models, gap=8)
        for picker, badge in zip(self.pickers, self.badges, strict=True):
            row.addWidget(picker)
            row.addWidget(badge)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.columns, 1)
        column.addWidget(self.box)
        self.panes = FoldingPanes(left, self.evidence)
        self.figures.append(self.legend)
        self.figures.append(self.panes.segments)
        self.panes.segments.hide()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 8, 16, 12)
        whole.setSpacing(8)
        for part in (models, self.notice, self.figures):
            whole.addWidget(part)
        whole.addWidget(self.panes, 1)
        self.figures.pressed.connect(self._press)
        self.panes.folds.connect(self._fold)

    def _add_talk(self) -> None:
        number = len(self.talks)
        talk = TalkPane(self.presenter, number, self._charter)
        self.talks.append(talk)
        self.columns.addWidget(talk)
        self.evidence.addWidget(talk.evidence)
        talk.drawn.connect(self._draw_parts)
        talk.entered.connect(lambda: self.presenter.activate(number))
        talk.address_wanted.connect(self.pickers[number].open)
        talk.escaped.connect(self._escape)
        talk.search_wanted.connect(self._search)
        talk.text.follow()
        if number == 0:
            self.box.edit.escaped.connect(self._escape)
            self.box.edit.submitted.connect(self._follow)
            self.box.ask.clicked.connect(self._follow)

    @property
    def text(self) -> QWidget:
        """Where a question is typed."""
        return self.box.edit

    def _fold(self, folded: bool) -> None:
        self.figures.fold(folded)
        self._show_legend(folded)

    def _show_legend(self, folded: bool) -> None:
        state = self.presenter.active.talk.state
        # While an answer is written its documents are not looked up, so no relevance is known.
        self.legend.setVisible(bool(state.answers) and not state.growing and not folded)

    def _press(self, target: Show | Jump) -> None:
        self.presenter.active.talk.conversation.press(target)

    def _search(self) -> None:
        self.pickers[0].open()
        self.presenter.finder.find()

    def _follow(self) -> None:
        """Show the question that was just asked, wherever the texts were scrolled to."""
        for talk in self.talks:
            talk.text.follow()

    def _escape(self) -> None:
        """Stop the answers; if nothing is being answered, show all passages."""
        if self.presenter.answering:
            self.presenter.stop()
        else:
            self.presenter.active.talk.choice.clear()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc stops, wherever the focus is on the page."""
        if event.key() == Qt.Key.Key_Escape:
            self._escape()
        else:
            super().keyPressEvent(event)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: AskState, before: AskState | None) -> None:
        self.notice.show_text("" if state.error is None else told(state.error))
        if state.two and len(self.talks) == 1:
            self._add_talk()
            # The first one has taken all of the room.
            self.columns.setSizes([1 << 10] * 2)
        for number, talk in enumerate(self.talks):
            talk.setVisible(number <= state.two)
            talk.show_head()
        self.evidence.setCurrentIndex(state.active)
        self._draw_parts()

    def _draw_parts(self) -> None:
        """What depends on several presenters; each part only if it differs, since this is called for every token."""
        presenter = self.presenter
        state, talk = presenter.state, presenter.active.talk
        seats = tuple(side.state.seat for side in presenter.sides)
        self._once("models", (state.two, seats, presenter.finder.state), self._draw_models)
        show = talk.choice.state.filter.show
        self._once("figures", (talk.state.traced.value, talk.state.settings, show, state.active), self._draw_figures)
        begun = any(side.talk.turns for side in presenter.sides)
        box = (state, presenter.answering, begun)
        self._once("box", box, lambda: self.box.draw(*box))
        self.drawn.emit()

    def _once(self, part: str, drawn: tuple[object, ...], draw: Callable[[], None]) -> None:
        # By identity for states and traces, which hold arrays.
        before = self._drawn.get(part, ())
        same = len(before) == len(drawn) and all(a is b or _equal(a, b) for a, b in zip(before, drawn, strict=True))
        if not same:
            self._drawn[part] = drawn
            draw()

    def _draw_models(self) -> None:
        presenter = self.presenter
        for number, (picker, badge) in enumerate(zip(self.pickers, self.badges, strict=True)):
            side = presenter.sides[number].state
            for part in (picker, badge):
                part.setVisible(number <= presenter.state.two)
            picker.draw(side)
            badge.show_seat(side.seat)

    def _draw_figures(self) -> None:
        talk = self.presenter.active.talk
        self.figures.show_figures(talk.state.figures(talk.choice.state.filter.show))
        self._show_legend(self.panes.folded)


def _equal(one: object, other: object) -> bool:
    return isinstance(one, tuple | bool | int) and one == other
