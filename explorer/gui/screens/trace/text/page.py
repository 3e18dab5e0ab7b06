"""The page of one text: the prompt, the numbers, the text with its marks, and the documents beside it."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.screens.screen import Notice, label
from explorer.gui.screens.trace.batch.row_bar import RowBar
from explorer.gui.screens.trace.beside.state import SideState
from explorer.gui.screens.trace.beside.view import SideBySide
from explorer.gui.screens.trace.documents.choice_state import ChoiceState, Tab
from explorer.gui.screens.trace.documents.evidence_view import EvidenceView
from explorer.gui.screens.trace.documents.profile_view import ProfilePage
from explorer.gui.screens.trace.figure_line import FigureLine
from explorer.gui.screens.trace.figures import Jump
from explorer.gui.screens.trace.folding_panes import FoldingPanes
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.state import Part, TraceState
from explorer.gui.screens.trace.text.editor import TraceEditor
from explorer.gui.screens.trace.text.lines import OwnLine, PromptLine
from explorer.gui.screens.trace.text.piece_bar import PieceBar
from explorer.gui.screens.trace.text.reading_view import ReadingView
from explorer.gui.screens.trace.text.side import TextSide
from explorer.gui.screens.trace.text.traced_text import TracedText
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.stack import Stack
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.i18n import tr


class TextPage(QWidget):
    """Draws a text with its trace; the screen tells it what to draw.

    `stack`: the text with its documents, and pages that can be shown in their place.

    presenter: What it shows, and what is done with it.
    charter: Makes the charts of figures.
    """

    def __init__(self, presenter: TracePresenter, charter: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        # In the order of the Tab key, from top to bottom.
        self.rows = RowBar(presenter)
        self.prompt_line = PromptLine(presenter)
        self.pieces = PieceBar(presenter.pieces)
        self.notice = Notice()
        self.own = OwnLine(presenter)
        self.verdict = label("")
        self.verdict.setWordWrap(True)
        self.figures = FigureLine()
        self.add_prompt = push_button(tr("Add prompt"), "quiet", "plus")
        self.texts = TextSide(presenter)
        self.profile = ProfilePage(presenter.profile, charter)
        self.evidence = EvidenceView(presenter.choice, charter, presenter.fail, profile=self.profile)
        self.panes = FoldingPanes(self.texts, self.evidence)
        self.side = SideBySide(presenter.side)
        # Only here: the tab of conversations has no page for a comparison.
        self.evidence.documents.offer_comparing(presenter.side.compare)
        self.stack = Stack()
        self._stale = Dimmer(self.verdict, self.figures, parent=self)
        self._lay_out()
        self.add_prompt.clicked.connect(self._add_prompt)
        self.figures.pressed.connect(presenter.choice.press)
        # Numbers that lead to documents and measures show them, also where there is no room for both.
        self.figures.pressed.connect(self._reveal)
        self.panes.folds.connect(self.figures.fold)

    def _lay_out(self) -> None:
        overview = QWidget()
        column = QVBoxLayout(overview)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.figures.append(self.add_prompt)
        self.figures.append(self.panes.segments)
        self.panes.segments.hide()
        for part in (self.rows, self.prompt_line, self.pieces, self.notice, self.own, self.verdict, self.figures):
            column.addWidget(part)
        column.addWidget(self.panes, 1)
        self.stack.addWidget(overview)
        self.stack.addWidget(self.side)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 12)
        layout.addWidget(self.stack)

    @property
    def editor(self) -> TraceEditor:
        """The text as it is written."""
        return self.texts.editor

    @property
    def reading(self) -> ReadingView:
        """The text as it is read."""
        return self.texts.reading

    @property
    def view(self) -> TracedText:
        """The text as it is shown: one of both."""
        return self.texts.view

    def _add_prompt(self) -> None:
        self.presenter.show_part(Part.PROMPT, True)
        self.prompt_line.field.setFocus()

    def _reveal(self, target: object) -> None:
        self.panes.reveal(self.evidence if target in (Jump.NOVELTY, Jump.DOCUMENTS) else self.texts)

    def draw_side(self, state: SideState, before: SideState) -> None:
        """Show a document side by side with the text, or all documents again."""
        self.side.draw(state, before)
        if state.shown != before.shown:
            self.stack.setCurrentIndex(int(state.shown))
            # The focus would stay on what is hidden.
            (self.side.left.text if state.shown else self.evidence.documents.cards).setFocus()

    # `before` is None for the first state, of which everything is drawn.

    def draw(self, state: TraceState, before: TraceState | None) -> None:
        """Draw a text and its trace.

        before: The state that was drawn before; None for the first one, of which everything is drawn.
        """
        self.prompt_line.draw(state)
        self.add_prompt.setVisible(not state.prompt_shown)
        self.texts.draw(state, before)
        self.own.draw(state)
        self.verdict.setText(state.verdict)
        self.verdict.setVisible(state.verdict != "")
        self._stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def draw_choice(self, state: ChoiceState, before: ChoiceState | None) -> None:
        """Mark what is chosen, and list its documents.

        before: The state that was drawn before; None if everything is to be drawn, as after a change of the theme.
        """
        self.figures.show_figures(state.figures)
        # At every drawing: `show` ignores a tab that is shown or hidden already, and counts nothing for a hidden one.
        self.presenter.profile.show(state.tab is Tab.PROFILE)
        self.evidence.draw(state, before)
        self.texts.draw_choice(state, before)
