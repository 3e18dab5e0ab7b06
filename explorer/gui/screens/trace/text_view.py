"""The widgets of a text and its trace: settings above, numbers and plots below."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from explorer.export.registry import REPORTS
from explorer.gui.figures.button import FigureButton
from explorer.gui.runner import Runner
from explorer.gui.save_dialog import ask_where
from explorer.gui.screen import Notice, label, offer
from explorer.gui.screens.trace.choice_state import ChoiceState
from explorer.gui.screens.trace.editor import TraceEditor
from explorer.gui.screens.trace.legend import Legend
from explorer.gui.screens.trace.novelty_view import MatchRibbon, NoveltyPlot
from explorer.gui.screens.trace.piece_bar import PieceBar
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.settings_bar import SettingsBar
from explorer.gui.screens.trace.state import Part, TraceState
from explorer.gui.untrusted import tip
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.i18n import tr


class TextView(QWidget):
    """Draws a text with its trace; the screen tells it what to draw.

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
        self.prompt = QLineEdit(placeholderText=tr("Prompt for this answer (optional; helps rank documents)"))
        self.prompt.setAccessibleName(tr("Prompt"))
        self.editor = TraceEditor()
        self.pieces = PieceBar(presenter.pieces)
        self.settings = SettingsBar(presenter.set_up)
        self.notice = Notice()
        self.self_match = Notice()
        self.leave_out = QPushButton(tr("Exclude these documents"))
        self.put_back = QPushButton(tr("Include them again"))
        self.ribbon = MatchRibbon()
        self.ribbon_caption = label("", "muted")
        self.plot = NoveltyPlot()
        self.figure_button = FigureButton(charter, presenter.charts, presenter.fail)
        self.novelty_button = QToolButton()
        self.novelty_button.setText(tr("Novelty"))
        self.novelty_button.setCheckable(True)
        self.novelty_button.setToolTip(tr("Share of the text outside matches, by match length"))
        self.report = QPushButton(tr("Report …"))
        self.report.setToolTip(
            tr("Save the text, spans, documents and settings as a web page (HTML) or as data (JSON)")
        )
        self.legend = Legend()
        self.summary = label("", "muted")
        self.summary.setWordWrap(True)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        below = QWidget()
        flow = FlowLayout(below, gap=8)
        buttons = (self.novelty_button, self.figure_button, self.report, self.leave_out, self.put_back)
        for widget in (self.legend, *buttons):
            flow.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 4, 4, 12)
        column.setSpacing(8)
        above = (self.prompt, self.pieces, self.settings, self.notice, self.self_match)
        for part in (*above, self.editor, self.ribbon_caption, self.ribbon, below, self.summary, self.plot):
            column.addWidget(part)
        column.setStretchFactor(self.editor, 1)
        self._stale = Dimmer(self.summary, self.ribbon, self.plot, parent=self)

    def _connect(self) -> None:
        presenter = self.presenter
        self.editor.textChanged.connect(lambda: presenter.typed(self.editor.text()))
        self.editor.large_pasted.connect(presenter.paste)
        # At once; the editor names the selected part only when the selection has rested for a moment.
        self.editor.selectionChanged.connect(presenter.choice.unselect)
        self.editor.part_selected.connect(presenter.choice.select)
        self.editor.mark_clicked.connect(presenter.choice.choose_region)
        self.editor.escaped.connect(presenter.choice.clear)
        self.prompt.textChanged.connect(presenter.typed_prompt)
        self.leave_out.clicked.connect(lambda: presenter.leave_out(True))
        self.put_back.clicked.connect(lambda: presenter.leave_out(False))
        self.novelty_button.toggled.connect(lambda on: presenter.show_part(Part.NOVELTY, on))
        self.report.clicked.connect(self._ask_report)
        self.ribbon.clicked.connect(self._go_to_token)

    def _ask_report(self) -> None:
        path = ask_where(self, tr("Write a report"), "trace", REPORTS)
        if path is not None:
            self.presenter.save_report(path)

    def _go_to_token(self, token: int) -> None:
        character = self.presenter.choice.state.character_of(token)
        if character is not None:
            self.editor.go_to(character)

    # `before` is None for the first state, of which everything is drawn.

    def draw(self, state: TraceState, before: TraceState | None) -> None:
        """Draw a text and its trace."""
        self._draw_input(state, before)
        if before is None or (state.answer, state.parts) != (before.answer, before.parts):
            self._draw_trace(state)
        self.summary.setText(state.summary)
        self.self_match.show_text(state.self_match)
        self.leave_out.setVisible(state.offers_leaving_out)
        self.put_back.setVisible(state.offers_putting_back)
        offer(self.leave_out, state.why_not_leave_out)

    def _draw_input(self, state: TraceState, before: TraceState | None) -> None:
        # Setting an equal text would move the cursor and empty the list of edits that can be undone.
        if (before is None or state.text is not before.text) and self.editor.text() != state.text:
            self.editor.setPlainText(state.text)
        if self.prompt.text() != state.prompt:
            self.prompt.setText(state.prompt)
            self.prompt.setCursorPosition(0)
        if before is None or state.settings is not before.settings:
            self.settings.show_settings(state.settings)
        self.settings.setVisible(Part.SETTINGS in state.parts)

    def _draw_trace(self, state: TraceState) -> None:
        shown = state.trace is not None
        self.ribbon.show_lengths(state.lengths)
        self.ribbon_caption.setText(state.ribbon_caption)
        for part in (self.ribbon, self.ribbon_caption):
            part.setVisible(shown)
        self.novelty_button.setChecked(Part.NOVELTY in state.parts)
        self.plot.setVisible(state.novelty is not None)
        self.plot.show_novelty(state.novelty)
        self.legend.setToolTip(tip(state.legend_hint))
        for button in (self.report, self.figure_button):
            button.setEnabled(shown)
        self._stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def draw_marks(self, state: ChoiceState, before: ChoiceState | None) -> None:
        """Mark what is chosen; after an edit, marks stay where they are until the text is traced again."""
        trace = state.trace
        if trace is None:
            self.editor.clear_marks()
        elif state.fits and (
            before is None or (trace, state.choice, state.fits) != (before.trace, before.choice, before.fits)
        ):
            self.editor.show_marks(state.marks, trace.text)
