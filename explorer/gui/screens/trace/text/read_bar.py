"""What decides how the traced text is read and shown: a switch for Markdown, and reading text or source."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.analyses.trace.settings import MatchIn
from explorer.gui.screens.screen import offer
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.state import Part, TraceState
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.fields.toggle import Toggle
from explorer.i18n import tr

MATCHES: tuple[MatchIn, ...] = ("words", "tokens")
"""What is looked up, in the order of the switch."""


class ReadBar(QWidget):
    """The switch, and while a text is read as Markdown, the choice between both ways to show it."""

    def __init__(self, presenter: TracePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reads = Toggle(tr("Read Markdown"))
        self.reads.setToolTip(
            tr(
                "Trace the words that a person reads: marks of Markdown and LaTeX, such as ** and $, belong to no "
                "passage. A text without such marks is traced as it is."
            )
        )
        self.shown = Segments((tr("Reading"), tr("Source")), tr("Show the text as it is read, or as it is written"))
        self.match = Segments((tr("Words"), tr("Tokens")), tr("What is looked up"))
        self.match.setToolTip(
            tr(
                "Words are found whatever their case, line breaks and punctuation. Tokens are those of the index: "
                "OLMoTrace's rule."
            )
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.match)
        row.addWidget(self.shown)
        row.addWidget(self.reads)
        self.reads.toggled.connect(lambda on: presenter.set_up(read="auto" if on else "plain"))
        self.match.chosen.connect(lambda number: presenter.set_up(match=MATCHES[number]))
        self.shown.chosen.connect(lambda number: presenter.show_part(Part.SOURCE, number == 1))

    def draw(self, state: TraceState) -> None:
        """Draw what is chosen."""
        with QSignalBlocker(self.reads):
            self.reads.setChecked(state.settings.read != "plain")
        self.match.choose(MATCHES.index(state.effective.match if state.words.missing else state.settings.match))
        offer(self.match.button(MATCHES.index("words")), state.words.missing)
        self.shown.setVisible(state.reading is not None)
        self.shown.choose(int(state.source_shown))
