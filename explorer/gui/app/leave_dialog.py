"""The question before a window closes in the middle of work: what runs, how far it is, and what may become of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.gui.chrome.dialog import Dialog
from explorer.gui.presenting.job import Job, Working
from explorer.gui.screens.screen import label
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import scaled
from explorer.gui.style.untrusted import Label
from explorer.gui.widgets.notices.job_row import JobRow
from explorer.i18n import tr, trn


class LeaveDialog(Dialog):
    """Lists running jobs. `paused()`: builds are to be paused and the window closed; `discarded()`: given up.

    Rejecting it keeps everything running; so do Enter and Esc.
    """

    paused = Signal()
    discarded = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tr("Close the window"))
        self.picture = Label()
        self.title = label("", "heading")
        self.lost = label("", "muted")
        self.lost.setWordWrap(True)
        self.rows: list[JobRow] = []
        # By jobs and not by lanes: a lane may take another job while the question is open.
        self._listed: tuple[Job | None, ...] = ()
        self.keep, self.leave, self.discard = QPushButton(), QPushButton(), QPushButton(tr("Discard"))
        self.keep.setProperty("role", "primary")
        self.discard.setProperty("role", "danger")
        # Enter and Esc keep everything: nobody loses a build by a key that was pressed for something else.
        self.keep.setDefault(True)
        self.keep.clicked.connect(self.reject)
        self.leave.clicked.connect(lambda: self._answer(self.paused))
        self.discard.clicked.connect(lambda: self._answer(self.discarded))
        self._lay_out()
        self._draw_picture()
        when_restyled(self, self._draw_picture)

    def _lay_out(self) -> None:
        head, buttons = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.title, 1)
        for button in (self.keep, self.leave):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.discard)
        self._jobs = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(scaled(20), scaled(16), scaled(20), scaled(16))
        layout.setSpacing(scaled(12))
        layout.addLayout(head)
        layout.addLayout(self._jobs)
        layout.addLayout(buttons)
        layout.addWidget(self.lost)
        # What is higher than needed has its room below, and not between the lines.
        layout.addStretch(1)
        self.setMinimumWidth(scaled(440))

    def _draw_picture(self) -> None:
        self.picture.setPixmap(icon("warning", "warn").pixmap(scaled(18), scaled(18)))

    def _answer(self, signal: object) -> None:
        # Closed before the answer is acted on, which closes the window and with it this dialog.
        self.accept()
        signal.emit()  # type: ignore[attr-defined]

    def draw(self, builds: Sequence[Working], work: Sequence[Working]) -> None:
        """Show what runs now.

        builds: Lanes that build, which can be paused or discarded.
        work: Other lanes, whose work is lost.
        """
        # Builds first: the question is about them if there are any.
        lanes = (*builds, *work)
        jobs = tuple(lane.job for lane in lanes)
        if jobs != self._listed:
            self._listed = jobs
            self._list(lanes)
            self._say(len(builds), len(work))
        for row, lane in zip(self.rows, lanes, strict=True):
            row.draw(lane)

    def _list(self, lanes: Sequence[Working]) -> None:
        for row in self.rows:
            row.deleteLater()
        self.rows = [JobRow(lane, stoppable=False) for lane in lanes]
        for row in self.rows:
            self._jobs.addWidget(row)

    def _say(self, builds: int, work: int) -> None:
        if builds:
            self.title.setText(trn("A build is running", "{n:,} builds are running", builds))
            self.keep.setText(tr("Keep building"))
            self.leave.setText(tr("Pause and quit"))
            kept = tr("A paused build is offered again at the next start.")
            lost = tr("All other work stops, and its result is lost.")
            self.lost.setText(f"{kept} {lost}" if work else kept)
        else:
            self.title.setText(tr("Work is running"))
            self.keep.setText(tr("Keep working"))
            self.leave.setText(tr("Quit"))
            self.lost.setText(
                tr("It stops when the window closes, and its result is lost. What you typed is kept, and files are "
                   "written completely or not at all.")
            )  # fmt: skip
        self.discard.setVisible(bool(builds))

    def said(self) -> str:
        """What runs and how far it is, a line for each job."""
        return "\n".join(f"{row.job.title}: {row.said.text()}" for row in self.rows)
