"""The sheet with the settings of all traces."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from explorer.analyses.trace.settings import TraceSettings
from explorer.gui.asking.question_form import QuestionColumn
from explorer.gui.help.topics import help_button
from explorer.gui.screens.screen import label
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.state import OLMOTRACE, Part, TraceState, View
from explorer.gui.widgets.layouts.side_sheet import SideSheet
from explorer.i18n import tr

_SHOWN = (
    "match",
    "density",
    "min_length",
    "max_count",
    "word_boundaries",
    "delimiters",
    "abbreviations",
    "relevance",
    "documents_per_span",
    "seed",
)
"""Settings with a control here. How a text is read has a switch of its own."""


class SettingsSheet(SideSheet):
    """Closed at first. A note names what the settings hold for on the tab that is shown.

    presenter: Whose settings they are.
    """

    def __init__(self, presenter: TracePresenter, page: QWidget) -> None:
        super().__init__(page, tr("Trace settings"))
        self.preset = QPushButton(tr("Reset to OLMoTrace’s settings"))
        self.preset.setToolTip(tr("Use OLMoTrace's settings for spans, documents and relevance"))
        self.preset.clicked.connect(lambda: presenter.set_up(**OLMOTRACE))
        self.form = QuestionColumn(TraceSettings, _SHOWN, presenter.set_up, self.preset)
        self.note = label("", "muted")
        self.note.setWordWrap(True)
        # Beside the note: a row of its own would push the settings down.
        about = QHBoxLayout()
        about.addWidget(self.note, 1)
        about.addWidget(help_button("trace", tr("Traces")))
        self.body.addLayout(about)
        self.body.addWidget(self.form)
        # Also closed by its own cross or by Esc: the state must follow, or the button would not open it again.
        self.shown.connect(lambda on: presenter.show_part(Part.SETTINGS, on))

    def draw(self, state: TraceState, before: TraceState | None) -> None:
        """Show the settings, if they are to be shown.

        before: The state that was drawn before; None for the first one, of which everything is drawn.
        """
        if before is None or state.settings is not before.settings or state.words is not before.words:
            # Without words, those that are in force; while they are made, those that were chosen.
            settings = state.effective if state.words.missing else state.settings
            self.form.draw(settings)
            only_tokens = tr("Words are whole, and end at no sign.") if settings.match == "words" else ""
            for name in ("word_boundaries", "delimiters", "abbreviations"):
                self.form.offer(name, only_tokens)
            self.form.offer("match", state.words.missing)
        notes = {
            View.TEXT: tr("Every change traces the text again."),
            View.CONVERSATION: tr("Every change traces all answers of the conversation again."),
            View.ASK: tr("Every change traces all answers again."),
            View.FILE: tr("A change holds for the next “Trace all”."),
        }
        self.note.setText(notes[state.view])
        wanted = Part.SETTINGS in state.parts
        # `open` moves the focus into the sheet, which must happen once and not at every drawing.
        if wanted and self.isHidden():
            self.open()
        elif not wanted:
            self.shut()
