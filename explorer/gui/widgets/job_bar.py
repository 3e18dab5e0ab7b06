"""How far a job is, and a way to stop it; shown only when the job takes long enough to matter."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from explorer.gui.screen import label, named
from explorer.jobs import Progress

_DELAY_MS = 300
_STEPS = 1000


class JobBar(QWidget):
    """Stage, bar and cancel button. `cancelled()`: the person wants the job to stop."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stage = label("Working …", "muted")
        self.bar = named(QProgressBar(minimum=0, maximum=0), "Progress")
        self.cancel = QPushButton("Cancel")
        self.cancel.clicked.connect(self.cancelled)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stage)
        layout.addWidget(self.bar, 1)
        layout.addWidget(self.cancel)
        self._delay = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay.timeout.connect(self.show)
        self.hide()

    def set_busy(self, busy: bool) -> None:
        """A job began or ended."""
        if busy:
            self.stage.setText("Working …")
            self.bar.setRange(0, 0)
            self._delay.start()
        else:
            self._delay.stop()
            self.hide()

    def show_progress(self, progress: Progress) -> None:
        """Take a report."""
        self.stage.setText(progress.stage)
        if progress.total > 0:
            self.bar.setRange(0, _STEPS)
            self.bar.setValue(int(_STEPS * progress.fraction))
        else:
            self.bar.setRange(0, 0)
