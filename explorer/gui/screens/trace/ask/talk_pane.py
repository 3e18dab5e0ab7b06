"""One model: its name and speed, the conversation with it as it grows, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.screens.screen import label
from explorer.gui.screens.trace.ask.presenter import AskPresenter, AskSide
from explorer.gui.screens.trace.ask.state import ADDRESS, ASK_AGAIN, SEND, SideState
from explorer.gui.screens.trace.conversation.state import ConversationState
from explorer.gui.screens.trace.conversation.turns_pane import TurnsPane
from explorer.gui.screens.trace.documents.choice_state import ChoiceState
from explorer.gui.screens.trace.documents.evidence_view import EvidenceView
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.layouts.flow_layout import flowing
from explorer.gui.widgets.layouts.stack import Stack
from explorer.gui.widgets.notices.empty_state import EmptyState
from explorer.gui.widgets.notices.notice import Kind, Notice
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr


class TalkPane(QWidget):
    """Draws one side. `evidence`: what is beside its text, for the page to place.

    Signals: `drawn()`: another state was drawn. `entered()`: the user turned to this side. `address_wanted()`: the
    model is to be chosen. `search_wanted()`: servers are to be looked for. `escaped()`: Esc.

    charter: Makes the charts of figures.
    """

    drawn = Signal()
    entered = Signal()
    address_wanted = Signal()
    search_wanted = Signal()
    escaped = Signal()

    def __init__(self, presenter: AskPresenter, number: int, charter: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter, self._number = presenter, number
        self.side: AskSide = presenter.sides[number]
        talk = self.side.talk
        self.name = ElidedLabel()
        self.name.setProperty("role", "strong")
        self.facts = label("", "muted")
        self.notice = Notice()
        self.empty = EmptyState("language-model")
        self.pane = TurnsPane(talk.conversation)
        self.text = self.pane.turns
        self.evidence = EvidenceView(talk.choice, charter, presenter.fail)
        self.stack = Stack()
        self._lay_out()
        self.text.escaped.connect(self.escaped)
        self.text.installEventFilter(self)
        self.pane.marked.connect(self.drawn)
        # Drawn once before they are watched: presenters report changes only.
        self._draw_side(self.side.state, None)
        self._draw_talk(talk.state, None)
        self._draw_choice(talk.choice.state, None)
        self.side.watch(self._draw_side)
        talk.conversation.watch(self._draw_talk)
        talk.choice.watch(self._draw_choice)

    def _lay_out(self) -> None:
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.pane)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.head = flowing(self.name, self.facts)
        for part in (self.head, self.notice):
            column.addWidget(part)
        column.addWidget(self.stack, 1)
        self.empty.say(
            tr("Ask a model on this computer"),
            tr(
                "Start a server with OpenAI's interface, such as llama-server, Ollama, LM Studio or vLLM, choose its "
                "address above, and ask. The rarest parts of the answer that occur word for word in the corpus are "
                "marked while it is written."
            ),
            (tr("Find on this computer"),),
        )
        self.empty.chosen.connect(lambda _: self.search_wanted.emit())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that the user turns to this side.

        Returns: Whether the event ends here, which it never does.
        """
        if event.type() == QEvent.Type.FocusIn:
            self.entered.emit()
        return super().eventFilter(watched, event)

    # `before` is None for the first state, of which everything is drawn.

    def _draw_side(self, state: SideState, before: SideState | None) -> None:
        self.name.setText(state.model)
        self.facts.setText(state.facts)
        self.show_head()
        self.text.show_writing(state.answering)
        if before is None or state.notice != before.notice:
            self._notify(state)
        self.drawn.emit()

    def show_head(self) -> None:
        """Name the model once it was asked, in bold if its documents are listed."""
        state = self._presenter.state
        self.head.setVisible(state.two or bool(self.side.state.facts))
        role = "strong" if state.active == self._number else "muted"
        if self.name.property("role") != role:
            self.name.setProperty("role", role)
            # The style sheet looks at a property only when it polishes a widget.
            self.name.style().unpolish(self.name)
            self.name.style().polish(self.name)

    def _notify(self, state: SideState) -> None:
        presenter, number = self._presenter, self._number
        known: dict[str, tuple[str, Callable[[], object]]] = {
            SEND: (tr("Send to {host}", host=state.consent), lambda: presenter.allow(number)),
            ASK_AGAIN: (tr("Ask again"), lambda: presenter.again(number)),
            ADDRESS: (tr("Change the model"), self.address_wanted.emit),
        }
        kind: Kind = "warn" if state.kind == "warn" else "error"
        self.notice.show_notice(state.notice, kind=kind, remedies=[known[name] for name in state.remedies])

    def _draw_talk(self, state: ConversationState, before: ConversationState | None) -> None:
        self.stack.setCurrentIndex(1 if state.shown.turns else 0)
        self.pane.draw(state, before)
        if before is None or state.notice != before.notice or not state.shown.turns:
            self._notify(self.side.state)
            if state.notice and not self.side.state.notice:
                self.notice.show_notice(state.notice, kind="error")
        self.drawn.emit()

    def _draw_choice(self, state: ChoiceState, before: ChoiceState | None) -> None:
        self.evidence.draw(state, before)
        self.pane.draw_choice(state, before)
