"""The page of a build that runs: what is done, how much is left, and buttons to pause and to cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from explorer.gui.presenting.job import JobClock, time_left
from explorer.gui.screens.screen import label, named
from explorer.gui.screens.index.parts import framed
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.buttons import push_button
from explorer.i18n import numeral, tr

if TYPE_CHECKING:
    from explorer.core.jobs import Progress

_STEPS = 1000
_LOOK_MS = 500


class ProgressView(QWidget):
    """A title, a sentence about what is being done, one bar that runs from 0 to 100 once, and the time left.

    The buttons `pause` and `cancel` are connected by the screen.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = label("", "title")
        self.hint = label("", "muted")
        self.share = label("", "figure")
        self.stage = label("")
        self.left = label("", "muted")
        self.bar = named(QProgressBar(minimum=0, maximum=0, textVisible=False), tr("Progress"))
        self.pause = push_button(tr("Pause"), icon_name="pause")
        self.pause.setToolTip(tr("Stop at a safe point; the build can be resumed later, also after a restart"))
        self.cancel = push_button(tr("Cancel"), icon_name="close")
        self.cancel.setToolTip(tr("Stop, and remove what has been done"))
        self._clock: JobClock | None = None
        self._stopping = ""
        # Reports may be seconds apart; the time left follows the clock, and changes between them as well.
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._draw_clock)
        self._lay_out()

    def _lay_out(self) -> None:
        frame, content = framed("")
        for text in (self.title, self.hint, self.stage):
            text.setWordWrap(True)
        facts = QHBoxLayout()
        facts.setSpacing(12)
        facts.addWidget(self.share, 0, Qt.AlignmentFlag.AlignBottom)
        facts.addWidget(self.stage, 1, Qt.AlignmentFlag.AlignBottom)
        facts.addWidget(self.left, 0, Qt.AlignmentFlag.AlignBottom)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.pause)
        buttons.addWidget(self.cancel)
        buttons.addStretch(1)
        content.addWidget(self.title)
        content.addWidget(self.hint)
        content.addSpacing(8)
        content.addLayout(facts)
        content.addWidget(self.bar)
        content.addSpacing(8)
        content.addLayout(buttons)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(frame, 8)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.addStretch(1)
        column.addLayout(row)
        column.addStretch(2)

        def widen() -> None:
            frame.setMaximumWidth(em(60))

        widen()
        when_restyled(frame, widen)

    def show_build(self, title: str, hint: str, stopping: str, clock: JobClock | None) -> None:
        """Show which build it is.

        stopping: What happens after it was asked to stop; "" while it is not.
        clock: Knows how far it is; None while nothing runs.
        """
        self.title.setText(title)
        self.hint.setText(hint)
        self._clock = clock
        for button in (self.pause, self.cancel):
            button.setEnabled(not stopping)
        if clock is not None and not self._timer.isActive():
            self.stage.setText(tr("Starting …"))
            self._timer.start()
        elif clock is None:
            self._timer.stop()
        self._stopping = stopping
        if stopping:
            self.stage.setText(stopping)
        self._draw_clock()

    def show_progress(self, progress: Progress) -> None:
        """Show a report: the stage, and how much of it is done."""
        # A build reports on its way to the safe point; that it is to stop matters more.
        if not self._stopping:
            self.stage.setText(_described(progress))
        self._draw_clock()

    def _draw_clock(self) -> None:
        share = self._clock.share if self._clock is not None else None
        # Before the first report, the bar runs to and fro.
        self.bar.setRange(0, 0 if share is None else _STEPS)
        self.share.setVisible(share is not None)
        self.share.setText("" if share is None else tr("{share}%", share=numeral(100 * share, ".0f")))
        if share is not None:
            self.bar.setValue(int(_STEPS * share))
        self.left.setText(time_left(self._clock.left) if self._clock is not None else "")


def _described(progress: Progress) -> str:
    stage = tr(progress.stage)
    if not progress.unit or progress.total <= 0:
        return stage
    scale, unit, form = (1e6, tr("MB"), ",.1f") if progress.unit == "bytes" else (1, tr(progress.unit), ",.0f")
    done, total = numeral(progress.done / scale, form), numeral(progress.total / scale, form)
    return f"{stage}: {tr('{done} of {total}', done=done, total=total)} {unit}"
