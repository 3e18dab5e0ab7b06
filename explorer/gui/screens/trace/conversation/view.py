"""The page of a conversation: its numbers, all turns with their marks, and the documents of one answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from explorer.gui.screens.screen import Notice, label
from explorer.gui.screens.trace.conversation.presenter import ConversationPresenter
from explorer.gui.screens.trace.conversation.state import ConversationState
from explorer.gui.screens.trace.conversation.turns_pane import TurnsPane
from explorer.gui.screens.trace.documents.choice_state import ChoiceState
from explorer.gui.screens.trace.documents.evidence_view import EvidenceView
from explorer.gui.screens.trace.figure_line import FigureLine
from explorer.gui.screens.trace.folding_panes import FoldingPanes
from explorer.gui.screens.trace.start_page import StartPage, example_conversation
from explorer.gui.screens.trace.text.legend import Legend
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.layouts.stack import Stack
from explorer.i18n import tr


class ConversationView(QWidget):
    """Draws a conversation. `drawn()`: another state was drawn.

    presenter: What it shows, and what is done with it.
    charter: Makes the charts of figures.
    paste: Called when the text of the clipboard is to be read.
    """

    drawn = Signal()

    def __init__(
        self,
        presenter: ConversationPresenter,
        charter: Runner,
        paste: Callable[[], None],
        open_file: Callable[[Path], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.pane = TurnsPane(presenter)
        self.text = self.pane.turns
        self.figures = FigureLine()
        self.legend = Legend()
        self.note = label("", "muted")
        self.back = icon_button("chevron-up", tr("Previous answer (Alt+Page Up)"))
        self.forth = icon_button("chevron-down", tr("Next answer (Alt+Page Down)"))
        self.stop = QPushButton(tr("Stop"))
        self.notice = Notice()
        self.paste = push_button(tr("Paste conversation"), "primary")
        self.open = push_button(tr("Open a file …"), "", "folder")
        self.start = StartPage(
            tr("Drop a conversation here"),
            tr(
                "JSON with roles and contents as chat programs export it, or text with lines that begin with “User:” "
                "and “Assistant:”. Prompts are shown, and answers are traced."
            ),
            example_conversation(),
            (self.paste, self.open),
            open_file,
        )
        self.paste.clicked.connect(paste)
        self.evidence = EvidenceView(presenter.choice, charter, self.presenter.fail)
        self.panes = FoldingPanes(self.pane, self.evidence)
        self.stack = Stack()
        self._lay_out()
        self._connect()
        # Drawn once before it watches: presenters report changes only.
        self._draw(presenter.state, None)
        self._draw_choice(presenter.choice.state, None)
        presenter.watch(self._draw)
        presenter.choice.watch(self._draw_choice)

    def _lay_out(self) -> None:
        for part in (self.note, self.stop, self.back, self.forth, self.legend, self.panes.segments):
            self.figures.append(part)
        self.panes.segments.hide()
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.figures)
        column.addWidget(self.panes, 1)
        self.stack.addWidget(self.start)
        self.stack.addWidget(whole)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 12)
        layout.addWidget(self.notice)
        layout.addWidget(self.stack, 1)

    def _connect(self) -> None:
        presenter, choice = self.presenter, self.presenter.choice
        self.back.clicked.connect(lambda: presenter.step(-1))
        self.forth.clicked.connect(lambda: presenter.step(1))
        self.stop.clicked.connect(presenter.stop)
        self.figures.pressed.connect(presenter.press)
        self.panes.folds.connect(self.figures.fold)
        self.panes.folds.connect(lambda folded: self.legend.setVisible(bool(presenter.state.answers) and not folded))
        self.text.escaped.connect(choice.clear)
        self.pane.marked.connect(self._draw_figures)

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: ConversationState, before: ConversationState | None) -> None:
        self.notice.show_text(state.notice)
        self.stack.setCurrentIndex(1 if state.shown.turns else 0)
        self.pane.draw(state, before)
        self.note.setText(state.note)
        self.stop.setVisible(state.traced.awaited)
        for button in (self.back, self.forth):
            button.setEnabled(len(state.shown.answers) > 1)
        self.drawn.emit()

    def _draw_choice(self, state: ChoiceState, before: ChoiceState | None) -> None:
        self.evidence.draw(state, before)
        self.pane.draw_choice(state, before)

    def _draw_figures(self) -> None:
        state, chosen = self.presenter.state, self.presenter.choice.state
        self.figures.show_figures(state.figures(chosen.filter.show))
        self.legend.setVisible(bool(state.answers) and not self.panes.folded)
