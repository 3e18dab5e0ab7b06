"""The text of the Trace screen: the editor or what is read of it, below how it is read and what its marks mean."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.analyses.trace.as_read import as_read
from explorer.gui.help.topics import help_button
from explorer.gui.screens.trace.documents.choice import Mark
from explorer.gui.screens.trace.documents.choice_state import ChoiceState
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.state import TraceState
from explorer.gui.screens.trace.text.editor import TraceEditor
from explorer.gui.screens.trace.text.legend import Legend
from explorer.gui.screens.trace.text.pane import TextPane, copy_text
from explorer.gui.screens.trace.text.read_bar import ReadBar
from explorer.gui.screens.trace.text.read_marks import source_marks
from explorer.gui.screens.trace.text.reading_view import ReadingView
from explorer.gui.screens.trace.text.traced_text import TracedText
from explorer.gui.style.text_positions import Utf16Map
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.layouts.stack import Stack
from explorer.i18n import tr

_GAP = 12
"""Pixels between the parts of the line above the text."""


class TextSide(QWidget):
    """Draws the text and its marks; the page tells it what to draw.

    presenter: What it shows, and what is done with it.
    """

    def __init__(self, presenter: TracePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.editor = TraceEditor()
        self.pane = TextPane(self.editor)
        self.reading = ReadingView()
        # Two views of one text, each with a minimap of its own: their characters, and so their heights, differ.
        self.reading_pane = TextPane(self.reading)
        self.read_bar = ReadBar(presenter)
        self.legend = Legend()
        self.stack = Stack()
        for pane in (self.pane, self.reading_pane):
            self.stack.addWidget(pane)
        line = QWidget()
        flow = FlowLayout(line, gap=_GAP)
        flow.addWidget(self.read_bar)
        flow.addWidget(self.legend)
        self.help = help_button("trace", tr("Marks and relevance"))
        flow.addWidget(self.help)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(line)
        column.addWidget(self.stack, 1)
        self._connect()

    def _connect(self) -> None:
        presenter, choice = self.presenter, self.presenter.choice
        # Also after `draw` has set the text: `typed` ignores a text that the state has already.
        self.editor.textChanged.connect(lambda: presenter.typed(self.editor.text()))
        self.editor.large_pasted.connect(presenter.paste)
        self.editor.replaced.connect(presenter.pasted_over)
        self.editor.file_dropped.connect(presenter.open)
        self.reading.pasted.connect(self._paste)
        # The reading text is read only: what was pasted over it is an edit of its source.
        self.reading.undo_key.activated.connect(self.editor.undo)
        self.reading.redo_key.activated.connect(self.editor.redo)
        self.editor.undoAvailable.connect(self.reading.undo_key.setEnabled)
        self.editor.redoAvailable.connect(self.reading.redo_key.setEnabled)
        for text in (self.editor, self.reading):
            text.cursorPositionChanged.connect(self._choose_token)
            # At once; the editor names the selected part only when the selection has rested for a moment.
            text.selectionChanged.connect(choice.unselect)
            text.part_selected.connect(partial(self._select, text))
            text.mark_clicked.connect(choice.choose_passage)
            text.escaped.connect(choice.clear)
            text.copy_wanted.connect(lambda pick: copy_text(choice.state.quoted(pick.passage, pick.text)))
            text.search_wanted.connect(lambda pick: choice.search(pick.text))
            text.hide_wanted.connect(lambda pick: choice.hide(pick.passage))

    @property
    def view(self) -> TracedText:
        """The text as it is shown: the editor, or what is read of it."""
        return self.editor if self.presenter.state.rendered is None else self.reading

    def _select(self, text: TracedText, part: str) -> None:
        # The other one may still have a selection, of a text that was replaced meanwhile.
        if text is self.view:
            self.presenter.choice.select(part)

    def _choose_token(self) -> None:
        """Show the profile of the token at the cursor, while profiles are shown."""
        rendered, view = self.presenter.state.rendered, self.view
        # A text that was just set has its cursor at the beginning, which nobody chose.
        place = view.textCursor().position()
        if self.presenter.profile.state.shown and view.isVisible() and place:
            character = Utf16Map(view.written).from_qt(place)
            reading = None if rendered is not None else self.presenter.state.reading
            self.presenter.profile.choose_character(
                character if reading is None else reading.reading_range(character, character + 1)[0]
            )

    def _paste(self, text: str) -> None:
        """Take a text that was pasted on the reading text: the editor shows it, and can undo it."""
        self.editor.paste_over(text)
        self.view.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the line above the text on one line: the title of the legend gives way."""
        super().resizeEvent(event)
        self._fit_legend()

    def _fit_legend(self) -> None:
        others = self.read_bar.sizeHint().width() + self.help.sizeHint().width() + 2 * _GAP
        self.legend.show_title(others + self.legend.width_of(True) <= self.width())
        # A second line would take the room of the text: without room for the samples, the guide and the cards tell.
        shown = self.presenter.state.trace is not None and others + self.legend.width_of(False) <= self.width()
        if self.legend.isHidden() == shown:
            self.legend.setVisible(shown)

    # `before` is None for the first state, of which everything is drawn.

    def draw(self, state: TraceState, before: TraceState | None) -> None:
        """Draw a text and its trace.

        before: The state that was drawn before; None for the first one, of which everything is drawn.
        """
        # Setting an equal text would move the cursor and empty the list of edits that can be undone.
        if (before is None or state.text is not before.text) and self.editor.text() != state.text:
            self.editor.setPlainText(state.text)
        if before is None or state.trace is not before.trace:
            self.pane.show_lengths(() if state.trace is None else ((0, state.trace),))
            self.legend.setToolTip(tip(state.legend_hint))
        self._draw_reading(state, before)

    def _draw_reading(self, state: TraceState, before: TraceState | None) -> None:
        """Show the text as it is read, or the editor."""
        self.read_bar.draw(state)
        # The bar has two more buttons for a text that is read as Markdown.
        self._fit_legend()
        rendered, trace = state.rendered, state.trace
        if rendered is not None and trace is not None:
            self.reading.show_reading(rendered)
            if before is None or rendered is not before.rendered:
                self.reading_pane.show_lengths(((0, as_read(trace)),))
        at = self.stack.currentIndex()
        self.stack.setCurrentIndex(int(rendered is not None))
        # Only the view that is shown is certain to have the marks of the present choice, so all are painted again. A
        # choice of another trace is not: the presenter of choices is told about this one next, and draws it.
        choice = self.presenter.choice.state
        if before is not None and at != self.stack.currentIndex() and choice.trace is trace:
            self.draw_choice(choice, None)

    def draw_choice(self, state: ChoiceState, before: ChoiceState | None) -> None:
        """Mark what is chosen; after an edit, marks stay where they are until the text is traced again.

        before: The state that was drawn before; None if everything is to be drawn, as after a change of the theme.
        """
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
                    text.marks.reveal_chosen()


def _differ(state: ChoiceState, before: ChoiceState) -> bool:
    """Whether the marks differ."""
    # Another trace of the same text has equal marks, but the text was written again without any.
    if state.trace is not before.trace:
        return True
    return (state.choice, state.filter, state.fits) != (before.choice, before.filter, before.fits)
