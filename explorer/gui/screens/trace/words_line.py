"""The line above all pages of Trace that offers to make the word index, and its progress."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.screens.screen import Notice
from explorer.gui.screens.trace.presenter import WORDS_SLOT, TracePresenter
from explorer.gui.screens.trace.state import TraceState
from explorer.gui.threads.lanes import Lanes
from explorer.gui.widgets.notices.job_bar import JobBar
from explorer.i18n import tr


class WordsLine(QWidget):
    """A notice with a button, or a bar with the progress; without height where neither is needed.

    presenter: Makes the word index.
    """

    def __init__(self, presenter: TracePresenter, lanes: Lanes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.notice, self.job = Notice(), JobBar()
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notice)
        column.addWidget(self.job)
        lane = lanes.named(WORDS_SLOT)
        lane.progressed.connect(self.job.show_progress)
        lane.busy_changed.connect(self.job.set_busy)
        self.job.cancelled.connect(presenter.words.stop)

    def draw(self, state: TraceState, before: TraceState | None) -> None:
        """Offer what is missing.

        before: The state that was drawn before; None for the first one, of which everything is drawn.
        """
        offered = state.offered_words
        # Room above only while there is something below it.
        self._column.setContentsMargins(0, 8 if offered[0] or state.words.awaited else 0, 0, 0)
        if before is None or offered != before.offered_words:
            title, sentence = offered
            remedies = [(tr("Make the word index"), self._presenter.words.make)] if title else []
            # In one text, which wraps: a title would be cut off in a narrow window.
            self.notice.show_notice(f"{title}. {sentence}" if title else "", kind="info", remedies=remedies)
