"""The status line below the lines: the last action and running work. It never moves what is above it."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from explorer.gui.screen import label
from explorer.gui.surfaces import when_restyled
from explorer.gui.widgets.job_bar import JobBar

_SAID_MS = 6000


class Footer(QWidget):
    """As high as its job bar, whether or not the bar is shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = label("", "muted")
        self.job = JobBar()
        self._silence = QTimer(self, singleShot=True, interval=_SAID_MS)
        self._silence.timeout.connect(lambda: self.message.setText(""))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.message, 1)
        layout.addWidget(self.job, 1)
        self._fit()
        when_restyled(self, self._fit)

    def _fit(self) -> None:
        line = QFontMetrics(QApplication.font()).height() + 4
        self.setFixedHeight(max(line, self.job.sizeHint().height()))

    def say(self, text: str) -> None:
        """Show a short message that disappears by itself."""
        self.message.setText(text)
        self._silence.start()
