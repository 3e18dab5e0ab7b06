"""The status bar: facts of the open index, what is running, and how long the last answer took."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QStatusBar, QToolButton, QVBoxLayout, QWidget

from explorer.gui.job import Job, Working, at_work, progress_said
from explorer.gui.screen import label, named
from explorer.gui.surfaces import apply_stylesheet, when_restyled
from explorer.gui.theme import chrome, em, qcolor
from explorer.gui.untrusted import caption
from explorer.gui.widgets.job_row import JobRow
from explorer.i18n import tr, trn

_LOOK_MS = 300
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
        self.setText(caption(said))
        self.setAccessibleName(said)
        self.setToolTip(tr("Show, pause or stop what is running"))
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


class JobsPopup(QFrame):
    """The running jobs, each with its progress and buttons. Closes by Esc, with the focus, and when all have ended."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAccessibleName(tr("Running now"))
        apply_stylesheet(self)
        self.rows: list[JobRow] = []
        self._listed: tuple[Job | None, ...] = ()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(em(1.2), em(0.9), em(1.2), em(1.1))
        self._layout.setSpacing(em(0.9))
        self._layout.addWidget(label(tr("Running now"), "heading"))
        QApplication.instance().focusChanged.connect(self._follow_focus)  # type: ignore[union-attr]

    def draw(self, lanes: Sequence[Working]) -> None:
        """Show what runs now."""
        jobs = tuple(lane.job for lane in lanes)
        if jobs != self._listed:
            self._listed = jobs
            for row in self.rows:
                self._layout.removeWidget(row)
                row.deleteLater()
            self.rows = [JobRow(lane) for lane in lanes]
            for row in self.rows:
                self._layout.addWidget(row)
        for row, lane in zip(self.rows, lanes, strict=True):
            row.draw(lane)
        if not lanes:
            self.close()

    def open_over(self, anchor: QWidget) -> None:
        """Show above a widget, with the right edges in line."""
        self.setFixedWidth(em(32))
        self.adjustSize()
        size = self.sizeHint().expandedTo(QSize(self.width(), 0))
        flip = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        across = 0 if flip else anchor.width() - size.width()
        self.move(anchor.mapTo(anchor.window(), QPoint(across, -size.height() - 8)))
        self.resize(size)
        self.show()
        self.raise_()
        if self.rows:
            first = self.rows[0]
            (first.pause if first.job.pause is not None else first.stop).setFocus()

    @Slot(QWidget, QWidget)
    def _follow_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if self.isVisible() and now is not None and not self.isAncestorOf(now):
            self.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close by Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


class StatusBar(QStatusBar):
    """Shows the index at the left; running jobs and the time of the last answer at the right.

    Parameters
    ----------
    index
        The line about the open index.
    lanes
        Lists all lanes of the window.
    """

    def __init__(self, index: QWidget, lanes: Callable[[], Sequence[Working]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lanes = lanes
        self.popup: JobsPopup | None = None
        self.time_label = label("")
        self.jobs = named(JobsButton(), tr("Running jobs"))
        self.jobs.clicked.connect(self.show_jobs)
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

    @Slot(bool)
    def note_busy(self, busy: bool) -> None:
        """A lane began or ended: look at what runs until nothing does."""
        if busy and not self._timer.isActive():
            self._timer.start()

    @Slot()
    def look(self) -> None:
        """Show the jobs that have run for a moment."""
        running = at_work(self._lanes())
        shown = [lane for lane in running if lane.clock.seconds >= _WORTH_SHOWING]
        self.jobs.draw(shown)
        if self.popup is not None:
            self.popup.draw(shown)
        if not running:
            self._timer.stop()

    def show_jobs(self) -> None:
        """List the jobs over the button."""
        if self.popup is not None:
            self.popup.close()
            return
        self.popup = JobsPopup(self.window())
        self.popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.popup.destroyed.connect(self._forget_popup)
        self.popup.draw(at_work(self._lanes()))
        self.popup.open_over(self.jobs)

    def _forget_popup(self) -> None:
        self.popup = None

    @Slot(float)
    def show_time(self, seconds: float) -> None:
        """Show how long the last answer took."""
        self.time_label.setText(
            tr("Answered in {ms:,.0f} ms", ms=max(1, round(1000 * seconds)))
            if seconds < 1
            else tr("Answered in {seconds:,.1f} s", seconds=seconds)
        )
