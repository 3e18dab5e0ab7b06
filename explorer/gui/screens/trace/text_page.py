"""The page of one text: the prompt, the numbers, the text with its marks, and the documents beside it."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from explorer.gui.runner import Runner
from explorer.gui.screen import Notice, label, offer
from explorer.gui.screens.trace.choice import Mark
from explorer.gui.screens.trace.choice_state import ChoiceState, Tab
from explorer.gui.screens.trace.editor import TraceEditor
from explorer.gui.screens.trace.evidence_view import EvidenceView
from explorer.gui.screens.trace.figure_line import FigureLine
from explorer.gui.screens.trace.legend import Legend
from explorer.gui.screens.trace.piece_bar import PieceBar
from explorer.gui.screens.trace.pieces import is_large
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.profile_view import ProfilePage
from explorer.gui.screens.trace.read_bar import ReadBar
from explorer.gui.screens.trace.read_marks import source_marks
from explorer.gui.screens.trace.reading_view import ReadingView
from explorer.gui.screens.trace.row_bar import RowBar
from explorer.gui.screens.trace.side_by_side import SideBySide
from explorer.gui.screens.trace.side_state import SideState
from explorer.gui.screens.trace.state import Part, TraceState
from explorer.gui.screens.trace.text_pane import TextPane
from explorer.gui.screens.trace.traced_text import TracedText
from explorer.gui.text_positions import Utf16Map
from explorer.gui.untrusted import tip
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.splitter import Splitter
from explorer.i18n import tr
from explorer.trace.as_read import as_read


class TextPage(QWidget):
    """Draws a text with its trace; the screen tells it what to draw.

    `stack`: the text with its documents, and pages that can be shown in their place.

    Parameters
    ----------
    presenter
        What it shows, and what is done with it.
    charter
        Makes the charts of figures.
    parent
        Qt's parent.
    """

    def __init__(self, presenter: TracePresenter, charter: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.prompt = QLineEdit(placeholderText=tr("Prompt that the text answers; it helps to rank documents"))
        self.prompt.setAccessibleName(tr("Prompt"))
        self.add_prompt = push_button(tr("Add prompt"), "quiet", "plus")
        self.editor = TraceEditor()
        self.pane = TextPane(self.editor)
        self.reading = ReadingView()
        # Two views of one text, each with a minimap of its own: their characters, and so their heights, differ.
        self.reading_pane = TextPane(self.reading)
        self.read_bar = ReadBar(presenter)
        self.texts = QStackedWidget()
        self.pieces = PieceBar(presenter.pieces)
        self.rows = RowBar(presenter)
        self.notice = Notice()
        self.self_match = Notice()
        self.leave_out = push_button(tr("Exclude these documents"))
        self.put_back = push_button(tr("Include them again"))
        self.figures = FigureLine()
        self.legend = Legend()
        self.profile = ProfilePage(presenter.profile, charter)
        self.evidence = EvidenceView(presenter.choice, charter, presenter.charts, presenter.fail, profile=self.profile)
        self.side = SideBySide(presenter.side)
        # Only here: the tab of conversations has no page for a comparison.
        self.evidence.documents.offer_comparing(presenter.compare)
        self.stack = QStackedWidget()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.splitter = Splitter()
        for pane in (self.pane, self.reading_pane):
            self.texts.addWidget(pane)
        self.splitter.addWidget(self._text_side())
        self.splitter.addWidget(self.evidence)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setSizes([720, 480])
        overview = QWidget()
        column = QVBoxLayout(overview)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self.rows, self._prompt_line(), self.pieces, self.notice, self._own_line(), self._figure_line()):
            column.addWidget(part)
        column.addWidget(self.splitter, 1)
        self.stack.addWidget(overview)
        self.stack.addWidget(self.side)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 12)
        layout.addWidget(self.stack)
        self._stale = Dimmer(self.figures, parent=self)

    def _text_side(self) -> QWidget:
        """The text, below how it is read and what its marks mean; as high as the tabs beside it."""
        side, line = QWidget(), QWidget()
        flow = FlowLayout(line, gap=12)
        flow.addWidget(self.read_bar)
        flow.addWidget(self.legend)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(line)
        column.addWidget(self.texts, 1)
        return side

    def _prompt_line(self) -> QWidget:
        self.prompt_line = QWidget()
        row = QHBoxLayout(self.prompt_line)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label(tr("Prompt"), "muted"))
        row.addWidget(self.prompt, 1)
        return self.prompt_line

    def _own_line(self) -> QWidget:
        self.own = QWidget()
        row = QHBoxLayout(self.own)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.self_match, 1)
        row.addWidget(self.leave_out)
        row.addWidget(self.put_back)
        return self.own

    def _figure_line(self) -> QWidget:
        self.figures.append(self.add_prompt)
        return self.figures

    def _connect(self) -> None:
        presenter, choice = self.presenter, self.presenter.choice
        # Also after `draw` has set the text: `typed` ignores a text that the state has already.
        self.editor.textChanged.connect(lambda: presenter.typed(self.editor.text()))
        self.editor.large_pasted.connect(presenter.paste)
        self.editor.file_dropped.connect(presenter.open)
        self.reading.pasted.connect(self._paste)
        for view in (self.editor, self.reading):
            view.cursorPositionChanged.connect(self._choose_token)
        for text in (self.editor, self.reading):
            # At once; the editor names the selected part only when the selection has rested for a moment.
            text.selectionChanged.connect(choice.unselect)
            text.part_selected.connect(choice.select)
            text.mark_clicked.connect(choice.choose_passage)
            text.escaped.connect(choice.clear)
            text.copy_wanted.connect(lambda pick: copy_text(choice.quoted(pick.passage, pick.text)))
            text.search_wanted.connect(lambda pick: choice.search(pick.text))
            text.hide_wanted.connect(lambda pick: choice.hide(pick.passage))
        self.prompt.textChanged.connect(presenter.typed_prompt)
        self.add_prompt.clicked.connect(self._add_prompt)
        self.leave_out.clicked.connect(lambda: presenter.leave_out(True))
        self.put_back.clicked.connect(lambda: presenter.leave_out(False))
        self.figures.pressed.connect(choice.press)

    @property
    def view(self) -> TracedText:
        """The text as it is shown: the editor, or what is read of it."""
        return self.editor if self.presenter.state.rendered is None else self.reading

    def _choose_token(self) -> None:
        """Show the profile of the token at the cursor, while profiles are shown."""
        rendered, view = self.presenter.state.rendered, self.view
        # A text that was just set has its cursor at the beginning, which nobody chose.
        place = view.textCursor().position()
        if self.presenter.profile.state.shown and view.isVisible() and place:
            character = Utf16Map(view.text()).from_qt(place)
            reading = None if rendered is not None else self.presenter.state.reading
            self.presenter.profile.choose_character(
                character if reading is None else reading.reading_range(character, character + 1)[0]
            )

    def _paste(self, text: str) -> None:
        """Take a text that was pasted on the reading text."""
        if is_large(text):
            self.presenter.paste(text)
        else:
            self.presenter.trace_text(text, self.presenter.state.prompt)

    def _add_prompt(self) -> None:
        self.presenter.show_part(Part.PROMPT, True)
        self.prompt.setFocus()

    def draw_side(self, state: SideState, before: SideState) -> None:
        """Show a document side by side with the text, or all documents again.

        Parameters
        ----------
        state
            The new state of the comparison.
        before
            The state that was drawn before.
        """
        self.side.draw(state, before)
        if state.shown != before.shown:
            self.stack.setCurrentIndex(int(state.shown))
            # The focus would stay on what is hidden.
            (self.side.left if state.shown else self.evidence.documents.cards).setFocus()

    # `before` is None for the first state, of which everything is drawn.

    def draw(self, state: TraceState, before: TraceState | None) -> None:
        """Draw a text and its trace.

        Parameters
        ----------
        state
            The new state.
        before
            The state that was drawn before; None for the first one, of which everything is drawn.
        """
        # Setting an equal text would move the cursor and empty the list of edits that can be undone.
        if (before is None or state.text is not before.text) and self.editor.text() != state.text:
            self.editor.setPlainText(state.text)
        if self.prompt.text() != state.prompt:
            with QSignalBlocker(self.prompt):
                self.prompt.setText(state.prompt)
            # A long prompt is shown from its beginning.
            self.prompt.setCursorPosition(0)
        self.prompt_line.setVisible(state.prompt_shown)
        self.add_prompt.setVisible(not state.prompt_shown)
        if before is None or state.trace is not before.trace:
            self.pane.show_lengths(() if state.trace is None else ((0, state.trace),))
            self.legend.setToolTip(tip(state.legend_hint))
            self.legend.setVisible(state.trace is not None)
        self._draw_reading(state, before)
        self._draw_own(state)
        self._stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _draw_reading(self, state: TraceState, before: TraceState | None) -> None:
        """Show the text as it is read, or the editor."""
        self.read_bar.draw(state)
        rendered, trace = state.rendered, state.trace
        if rendered is not None and trace is not None:
            self.reading.show_reading(rendered)
            if before is None or rendered is not before.rendered:
                self.reading_pane.show_lengths(((0, as_read(trace)),))
        at = self.texts.currentIndex()
        self.texts.setCurrentIndex(int(rendered is not None))
        # Only the view that is shown is certain to have the marks of the present choice, so all are painted again. A
        # choice of another trace is not: the presenter of choices is told about this one next, and draws it.
        choice = self.presenter.choice.state
        if before is not None and at != self.texts.currentIndex() and choice.trace is trace:
            self.draw_choice(choice, None)

    def _draw_own(self, state: TraceState) -> None:
        self.self_match.show_text(state.self_match)
        self.leave_out.setVisible(state.offers_leaving_out)
        self.put_back.setVisible(state.offers_putting_back)
        self.own.setVisible(state.self_match != "" or state.offers_leaving_out or state.offers_putting_back)
        offer(self.leave_out, state.why_not_leave_out)

    def draw_choice(self, state: ChoiceState, before: ChoiceState | None) -> None:
        """Mark what is chosen; after an edit, marks stay where they are until the text is traced again.

        Parameters
        ----------
        state
            The new state.
        before
            The state that was drawn before; None if everything is to be drawn, as after a change of the theme.
        """
        self.figures.show_figures(state.figures)
        # At every drawing: `show` ignores a tab that is shown or hidden already, and counts nothing for a hidden one.
        self.presenter.profile.show(state.tab is Tab.PROFILE)
        self.evidence.draw(state, before)
        if state.trace is None:
            self.editor.show_marks((), "")
        # While the text differs from the traced one, the trace's characters are wrong here, and edits move the old
        # marks.
        elif state.fits and (before is None or _differ(state, before)):
            reading = state.trace.reading
            marks = state.marks if reading is None else source_marks(state.marks, reading)
            shown: list[tuple[TracedText, TextPane, tuple[Mark, ...]]] = [(self.editor, self.pane, marks)]
            # The reading text is written when it is shown.
            if self.presenter.state.rendered is not None:
                shown.append((self.reading, self.reading_pane, state.marks))
            for text, pane, painted in shown:
                text.show_marks(painted, state.trace.text)
                pane.show_chosen()
                if before is not None and state.choice != before.choice:
                    text.reveal_chosen()


def _differ(state: ChoiceState, before: ChoiceState) -> bool:
    """Whether the marks differ."""
    return (state.trace, state.choice, state.filter, state.fits) != (
        before.trace,
        before.choice,
        before.filter,
        before.fits,
    )


def copy_text(text: str) -> None:
    """Put a quotation on the clipboard."""
    QGuiApplication.clipboard().setText(text)
