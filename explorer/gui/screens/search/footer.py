"""The status line below the lines: the last action and running work. It never moves what is above it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from explorer.gui.runner import Runner
from explorer.gui.screen import label
from explorer.gui.surfaces import when_restyled
from explorer.gui.widgets.job_bar import JobBar


class Footer(QWidget):
    """As high as its job bar, whether or not the bar is shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = label("", "muted")
        self.job = JobBar()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.message, 1)
        layout.addWidget(self.job, 1)
        self._fit()
        when_restyled(self, self._fit)

    def _fit(self) -> None:
        line = QFontMetrics(QApplication.font()).height() + 4
        self.setFixedHeight(max(line, self.job.sizeHint().height()))

    def follow(self, runners: Sequence[Runner]) -> None:
        """Show the progress of these runners, as long as one of them is busy."""
        for runner in runners:
            runner.progressed.connect(self.job.show_progress)
            runner.busy_changed.connect(lambda _: self.job.set_busy(any(each.busy for each in runners)))
