"""The progress of a job and a button to stop it; shown only if the job takes long enough to matter."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from explorer.gui.screen import label, named
from explorer.i18n import numeral, tr
from explorer.jobs import Progress

# A bar that flashes up for a tenth of a second is worse than none.
_DELAY_MS = 300
_STEPS = 1000
_RATE_AFTER = 0.5
# The time left is told after 3 seconds and 2 % of the work: earlier guesses jump by minutes.
_KNOWN_AFTER, _KNOWN_SHARE, _LONG = 3.0, 0.02, 90


class JobBar(QWidget):
    """Stage, bar and a button that stops. `cancelled()`: the user stops the job.

    The bar shows the whole job, over all its stages; `overall` is its value from 0 to 1.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None, stop: str = "") -> None:
        super().__init__(parent)
        self.stage = label(tr("Working …"), "muted")
        self.bar = named(QProgressBar(minimum=0, maximum=0), tr("Progress"))
        self.cancel = QPushButton(stop or tr("Cancel"))
        self.cancel.clicked.connect(self.cancelled)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stage)
        layout.addWidget(self.bar, 1)
        layout.addWidget(self.cancel)
        self._stage, self._since, self._before = "", 0.0, 0
        self._started, self._first = 0.0, -1.0
        self.overall = self._busy_since = 0.0
        self._delay = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay.timeout.connect(self.show)
        self.hide()

    def set_busy(self, busy: bool) -> None:
        """A job began or ended."""
        self._stage, self._since = "", 0.0
        self._first, self.overall = -1.0, 0.0
        self._busy_since = time.monotonic() if busy else 0.0
        if busy:
            self.stage.setText(tr("Working …"))
            self.bar.setRange(0, 0)
            self._delay.start()
        else:
            self._delay.stop()
            self.hide()

    @property
    def busy_for(self) -> float:
        """Seconds that the job has taken so far; 0 if there is none."""
        return time.monotonic() - self._busy_since if self._busy_since else 0.0

    def show_progress(self, progress: Progress) -> None:
        """Show a progress report."""
        if progress.stage != self._stage:
            if progress.share == 1.0:
                # A stage without shares starts again from 0.
                self._first, self.overall = -1.0, 0.0
            self._stage, self._since, self._before = progress.stage, time.monotonic(), progress.done
        # A bar that goes back would look like lost work.
        self.overall = max(self.overall, progress.overall)
        # Time is counted from the first report: a resumed build begins with a share that took no time now.
        if self._first < 0 and progress.total > 0:
            self._started, self._first = time.monotonic(), self.overall
        left = self.time_left()
        self.stage.setText(self._describe(progress) + (f" · {left}" if left else ""))
        if progress.total > 0:
            self.bar.setRange(0, _STEPS)
            self.bar.setValue(int(_STEPS * self.overall))
        else:
            self.bar.setRange(0, 0)

    def time_left(self) -> str:
        """The estimated remaining time of the job; "" while it is unknown."""
        seconds, done = time.monotonic() - self._started, self.overall - self._first
        if self._first < 0 or seconds < _KNOWN_AFTER or done < _KNOWN_SHARE:
            return ""
        left = seconds * (1 - self.overall) / done
        if left < _LONG:
            return tr("≈ {seconds:,} s left", seconds=max(1, round(left)))
        return tr("≈ {minutes:,} min left", minutes=round(left / 60))

    def _describe(self, progress: Progress) -> str:
        """Stage, how much of it is done, and how fast."""
        if not progress.unit:
            return tr(progress.stage)
        is_size = progress.unit == "bytes"
        scale, unit, form = (1e6, tr("MB"), ",.1f") if is_size else (1, tr(progress.unit), ",.0f")
        amount = numeral(progress.done / scale, form)
        if progress.total > 0:
            amount = tr("{done} of {total}", done=amount, total=numeral(progress.total / scale, form))
        seconds, done = time.monotonic() - self._since, (progress.done - self._before) / scale
        rate = (
            tr(", {speed} per second", speed=numeral(done / seconds, form))
            if seconds > _RATE_AFTER and done >= seconds
            else ""
        )
        return f"{tr(progress.stage)}: {amount} {unit}{rate}"
