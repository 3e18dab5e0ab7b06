"""How far a job is, and a way to stop it; shown only when the job takes long enough to matter."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from explorer.gui.screen import label, named
from explorer.jobs import Progress
from explorer.words import numeral, tr

_DELAY_MS = 300
_STEPS = 1000
_RATE_AFTER = 0.5


class JobBar(QWidget):
    """Stage, bar and cancel button. `cancelled()`: the person wants the job to stop."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stage = label(tr("Working …"), "muted")
        self.bar = named(QProgressBar(minimum=0, maximum=0), tr("Progress"))
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.clicked.connect(self.cancelled)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stage)
        layout.addWidget(self.bar, 1)
        layout.addWidget(self.cancel)
        self._stage, self._since, self._before = "", 0.0, 0
        self._delay = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay.timeout.connect(self.show)
        self.hide()

    def set_busy(self, busy: bool) -> None:
        """A job began or ended."""
        self._stage, self._since = "", 0.0
        if busy:
            self.stage.setText(tr("Working …"))
            self.bar.setRange(0, 0)
            self._delay.start()
        else:
            self._delay.stop()
            self.hide()

    def show_progress(self, progress: Progress) -> None:
        """Take a report."""
        if progress.stage != self._stage:
            self._stage, self._since, self._before = progress.stage, time.monotonic(), progress.done
        self.stage.setText(self._describe(progress))
        if progress.total > 0:
            self.bar.setRange(0, _STEPS)
            self.bar.setValue(int(_STEPS * progress.fraction))
        else:
            self.bar.setRange(0, 0)

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
            tr(", {speed} a second", speed=numeral(done / seconds, form))
            if seconds > _RATE_AFTER and done >= seconds
            else ""
        )
        return f"{tr(progress.stage)}: {amount} {unit}{rate}"
