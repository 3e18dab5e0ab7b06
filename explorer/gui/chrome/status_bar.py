"""The status bar: facts of the open index, what is running, and how long the last answer took."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, Qt, QTimer, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QStatusBar, QToolButton, QWidget

from explorer.gui.help.topics import THE_WINDOW, about
from explorer.gui.presenting.job import Job, Working, at_work, progress_said
from explorer.gui.screens.screen import label, named
from explorer.gui.style.surfaces import when_restyled
from explorer.gui.style.theme import chrome, em, qcolor
from explorer.gui.style.untrusted import caption, tip
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.notices.job_row import JobRow
from explorer.i18n import tr, trn

_LOOK_MS = 300
_JOBS_EMS = 28
_WIDEST_EMS = 20
"""The widest that the name of a running job gets."""
_WORTH_SHOWING = 0.4
"""Seconds: a button that flashes up for a tenth of a second is worse than none."""


class JobsButton(QToolButton):
    """Names the job that runs, or counts several; a thin bar along its foot has their share."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "quiet")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._share: float | None = None
        self.hide()

    def draw(self, lanes: Sequence[Working]) -> None:
        """Show what runs; nothing runs: hidden."""
        self.setVisible(bool(lanes))
        if not lanes:
            return
        # The mean of those that are known: work whose share is unknown would hold the bar back for ever.
        shares = [lane.clock.share for lane in lanes]
        known = [share for share in shares if share is not None]
        self._share = sum(known) / len(known) if known else None
        (first, *others) = lanes
        assert first.job is not None
        said = (
            trn("{n:,} job is running", "{n:,} jobs are running", len(lanes))
            if others
            else tr("{job}: {progress}", job=first.job.title, progress=progress_said(first.clock))
        )
        # In large text, a long name would make the window wider; the end has the progress.
        self.setText(caption(self.fontMetrics().elidedText(said, Qt.TextElideMode.ElideMiddle, em(_WIDEST_EMS))))
        self.setAccessibleName(said)
        self.setToolTip(tip(said + "\n" + tr("Show, pause or stop what is running")))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button, and the bar below the text."""
        super().paintEvent(event)
        if self._share is None:
            return
        painter = QPainter(self)
        track = QRect(em(0.6), self.height() - 3, self.width() - 2 * em(0.6), 2)
        painter.fillRect(track, qcolor("line"))
        done = round(track.width() * self._share)
        flip = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = track.right() + 1 - done if flip else track.left()
        painter.fillRect(left, track.top(), done, track.height(), qcolor("accent"))
        painter.end()


class JobsPopover(Popover):
    """The running jobs, each with its progress and buttons. It closes when all have ended."""

    def __init__(self, anchor: QWidget) -> None:
        super().__init__(anchor, tr("Running now"))
        self.rows: list[JobRow] = []
        self._listed: tuple[Job | None, ...] = ()

    def draw(self, lanes: Sequence[Working]) -> None:
        """Show what runs now."""
        # By the jobs: a lane may have taken another one since the last look, and the buttons must stop that one.
        jobs = tuple(lane.job for lane in lanes)
        if jobs != self._listed:
            self._listed = jobs
            self._list(lanes)
        for row, lane in zip(self.rows, lanes, strict=True):
            row.draw(lane)
        if not lanes:
            self.close()

    def _list(self, lanes: Sequence[Working]) -> None:
        for row in self.rows:
            self.body.removeWidget(row)
            # Hidden at once: it is deleted in a later turn, and would be drawn over the new rows until then.
            row.hide()
            row.deleteLater()
        self.rows = [JobRow(lane) for lane in lanes]
        for row in self.rows:
            row.setMinimumWidth(em(_JOBS_EMS))
            self.body.addWidget(row)
        if self.isVisible() and lanes:
            self.fit()


class StatusBar(QStatusBar):
    """Shows the index at the left; running jobs and the time of the last answer at the right.

    index: The line about the open index.
    lanes: Lists all lanes of the window.
    """

    def __init__(self, index: QWidget, lanes: Callable[[], Sequence[Working]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lanes, self._index = lanes, index
        self.time_label = label("")
        # Seconds of the last answer of each part. Only that of the part in front is shown: the time of another one
        # would be taken for its time.
        self._times: dict[object, float] = {}
        self._front: object = None
        self.jobs = named(JobsButton(), tr("Running jobs"))
        # Made when it is first opened: the start is faster without it.
        self.popup: JobsPopover | None = None
        self.jobs.clicked.connect(self.show_jobs)
        about(self, THE_WINDOW)
        self.setSizeGripEnabled(False)
        self.addWidget(index, 1)
        self.addPermanentWidget(self.jobs)
        self.addPermanentWidget(self.time_label)
        # It runs only while something does: an idle window does nothing.
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._fit_to_text()
        when_restyled(self, self._fit_to_text)

    def _fit_to_text(self) -> None:
        self.setMinimumHeight(chrome(28))
        self.setContentsMargins(em(0.7), 0, em(0.7), 0)

    def texts(self) -> tuple[QWidget, ...]:
        """The texts that are beside each other, which a report may cover for a moment; never what can be pressed."""
        return (self._index, self.time_label) if self.jobs.isHidden() else (self._index,)

    @Slot(bool)
    def note_busy(self, busy: bool) -> None:
        """A lane began or ended: look at what runs until nothing does."""
        # The end needs no look of its own: the timer runs until it has found nothing at work.
        if busy and not self._timer.isActive():
            self._timer.start()

    @Slot()
    def look(self) -> None:
        """Show the jobs that have run for a moment."""
        running = at_work(self._lanes())
        # A list that is open shows also what has just begun.
        shown = [lane for lane in running if lane.clock.seconds >= _WORTH_SHOWING]
        self.jobs.draw(shown)
        if self.popup is not None and self.popup.isVisible():
            self.popup.draw(running)
        if not running:
            self._timer.stop()

    def show_jobs(self) -> None:
        """List the jobs over the button."""
        if self.popup is None:
            self.popup = JobsPopover(self.jobs)
        # Drawn before it is shown, so that it opens in the size of its rows.
        self.popup.draw(at_work(self._lanes()))
        self.popup.toggle()

    def note_time(self, part: object, seconds: float) -> None:
        """Note how long an answer took, and show it if its part of the window is in front."""
        self._times[part] = seconds
        if part is self._front:
            self.show_times_of(part)

    def show_times_of(self, part: object) -> None:
        """Show how long the last answer of a part took; nothing while it has none."""
        self._front = part
        seconds = self._times.get(part)
        if seconds is None:
            self.time_label.setText("")
        else:
            self.time_label.setText(
                tr("Answered in {ms:,.0f} ms", ms=max(1, round(1000 * seconds)))
                if seconds < 1
                else tr("Answered in {seconds:,.1f} s", seconds=seconds)
            )
