"""The progress of a job and a button to stop it; shown only if the job takes long enough to matter."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from explorer.core.jobs import Progress
from explorer.gui.presenting.job import JobClock, time_left
from explorer.gui.screens.screen import named
from explorer.gui.widgets.focus import leave_focus
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import numeral, tr

# A bar that flashes up for a tenth of a second is worse than none.
_DELAY_MS = 300
_STEPS = 1000
_RATE_AFTER = 0.5


class JobBar(QWidget):
    """Stage, bar and a button that stops. `cancelled()`: the user stops the job.

    The bar shows the whole job, over all its stages.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None, stop: str = "") -> None:
        super().__init__(parent)
        self.stage = ElidedLabel(tr("Working …"))
        self.stage.setProperty("role", "muted")
        self.bar = named(QProgressBar(minimum=0, maximum=0), tr("Progress"))
        self.cancel = QPushButton(stop or tr("Cancel"))
        self.cancel.clicked.connect(self.cancelled)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stage)
        layout.addWidget(self.bar, 1)
        layout.addWidget(self.cancel)
        self._stage, self._since, self._before = "", 0.0, 0
        # A clock of its own: the bar may be shown for several lanes, one after another.
        self._clock = JobClock()
        self._delay = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay.timeout.connect(self.show)
        self.hide()

    def set_busy(self, busy: bool) -> None:
        """A job began or ended."""
        self._stage, self._since = "", 0.0
        self._clock.end()
        if busy:
            self._clock.begin()
            self.stage.setText(tr("Working …"))
            # A range of 0 lets the bar run to and fro until the first report tells a total.
            self.bar.setRange(0, 0)
            self._delay.start()
        else:
            self._delay.stop()
            leave_focus(self)
            self.hide()

    @property
    def busy_for(self) -> float:
        """Seconds that the job has taken so far; 0 if there is none."""
        return self._clock.seconds

    @property
    def overall(self) -> float:
        """The share of the whole job that is done, 0 to 1."""
        return self._clock.overall

    def show_progress(self, progress: Progress) -> None:
        """Show a progress report."""
        if progress.stage != self._stage:
            self._stage, self._since, self._before = progress.stage, time.monotonic(), progress.done
        self._clock.note(progress)
        # Stage, amount and speed for whoever watches; the bar alone tells the share of the whole.
        amount, rate = self._describe(progress)
        left = self.time_left()
        stage = tr(progress.stage)
        said = f"{stage}: {amount}" if amount else stage
        # In a narrow place, the facts at its end are left out as a whole.
        self.stage.show_forms(said + rate + (f" · {left}" if left else ""), said + rate, said, stage)
        if progress.total > 0:
            self.bar.setRange(0, _STEPS)
            self.bar.setValue(int(_STEPS * self.overall))
        else:
            self.bar.setRange(0, 0)

    def time_left(self) -> str:
        """The estimated remaining time of the job; "" while it is unknown."""
        return time_left(self._clock.left)

    def _describe(self, progress: Progress) -> tuple[str, str]:
        """How much of a stage is done, and how fast; "" for what is unknown."""
        if not progress.unit:
            return "", ""
        is_size = progress.unit == "bytes"
        scale, unit, form = (1e6, tr("MB"), ",.1f") if is_size else (1, tr(progress.unit), ",.0f")
        amount = numeral(progress.done / scale, form)
        if progress.total > 0:
            amount = tr("{done} of {total}", done=amount, total=numeral(progress.total / scale, form))
        seconds, done = time.monotonic() - self._since, (progress.done - self._before) / scale
        rate = (
            tr(", {speed} per second", speed=numeral(done / seconds, form))
            # Not in the first half second, nor below one unit per second, which would be written as 0.
            if seconds > _RATE_AFTER and done >= seconds
            else ""
        )
        return f"{amount} {unit}", rate
