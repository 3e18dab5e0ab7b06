"""A conversation in its frame: all turns, the marks of its answers, and the minimap."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from explorer.gui.screens.trace.conversation.presenter import ConversationPresenter
from explorer.gui.screens.trace.conversation.state import ConversationState
from explorer.gui.screens.trace.conversation.turns_text import TurnsText
from explorer.gui.screens.trace.documents.choice_state import ChoiceState
from explorer.gui.screens.trace.text.pane import TextPane, copy_text


class TurnsPane(TextPane):
    """Draws the turns of a conversation. `marked()`: other marks were drawn, so other numbers hold.

    presenter: What it shows, and what is done with it.
    """

    marked = Signal()

    def __init__(self, presenter: ConversationPresenter, parent: QWidget | None = None) -> None:
        self.turns = TurnsText()
        super().__init__(self.turns, parent)
        self.presenter = presenter
        # What the marks that are drawn were made of.
        self._drawn: tuple[object, ...] = ()
        text, choice = self.turns, presenter.choice
        # The minimap is of the whole text, which is written part by part.
        text.completed.connect(lambda: self.show_lengths(presenter.state.traces))
        text.mark_clicked.connect(presenter.choose_mark)
        text.copy_wanted.connect(lambda pick: copy_text(presenter.state.quoted(pick.passage, pick.text)))
        text.search_wanted.connect(lambda pick: choice.search(pick.text))
        text.hide_wanted.connect(lambda pick: presenter.hide(pick.passage))

    # `before` is None for the first state, of which everything is drawn.

    def draw(self, state: ConversationState, before: ConversationState | None) -> None:
        """Draw a conversation.

        before: The state that was drawn before; None for the first one, of which everything is drawn.
        """
        if before is None or state.shown is not before.shown:
            self.turns.show_script(state.shown)
        if before is None or state.traced.value is not before.traced.value:
            self.show_lengths(state.traces)
        self.turns.show_current(state.current)
        self._draw_marks()

    def draw_choice(self, state: ChoiceState, before: ChoiceState | None) -> None:
        """Draw what is chosen of the current answer.

        before: The state that was drawn before; None for the first one.
        """
        self._draw_marks()
        if before is not None and state.choice != before.choice:
            self.turns.marks.reveal_chosen()

    def _draw_marks(self) -> None:
        # Marks depend on both presenters: on the answers that have arrived, and on what is chosen of the current one.
        state, chosen = self.presenter.state, self.presenter.choice.state
        drawn = (
            self.turns.writings,
            len(state.shown.turns),
            state.traced.value,
            state.current,
            chosen.answer.value,
            chosen.choice,
            chosen.filter,
        )
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self.turns.show_marks(state.marks(chosen), state.shown.text)
        self.show_chosen()
        self.marked.emit()
