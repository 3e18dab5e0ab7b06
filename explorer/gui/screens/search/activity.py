"""What the screen is doing, or has just done: it takes the place of the cuts, and moves nothing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from explorer.gui.style.theme import em
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.notices.job_bar import JobBar
from explorer.gui.widgets.texts.elided_label import ElidedLabel

_WIDE_EMS = 30


def short_line(role: str, between: str = "") -> ElidedLabel:
    """A sentence on one line, or facts with something between them, with a role of the style sheet."""
    made = ElidedLabel(between=between)
    made.setProperty("role", role)
    return made


class Activity(QWidget):
    """The progress of running work, or else the last action. `changed()`: it needs another width now."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = short_line("muted")
        self.job = JobBar()
        # The bar decides by its own clock whether work takes long enough to be shown; the width follows.
        self.job.installEventFilter(self)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.message, 1)
        layout.addWidget(self.job, 1)
        self.message.hide()

    @property
    def needed(self) -> int:
        """The width that it needs in pixels; 0 if there is nothing to show."""
        if not self.job.isHidden():
            return em(_WIDE_EMS)
        return min(self.message.sizeHint().width(), em(_WIDE_EMS)) if self.message.text() else 0

    def say(self, message: str) -> None:
        """Show what was done last; "" for nothing."""
        if message != self.message.text():
            self.message.setText(message)
            self._choose()

    def follow(self, runners: Sequence[Runner]) -> None:
        """Show the progress of these runners, as long as one of them is busy."""
        for runner in runners:
            runner.progressed.connect(self.job.show_progress)
            # All are asked: the signal is that of one runner, and others may still be busy.
            runner.busy_changed.connect(lambda _: self.job.set_busy(any(each.busy for each in runners)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make room when the progress appears or disappears."""
        # Not `Show`, which is not sent while the whole screen is hidden.
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._choose()
        return False

    def _choose(self) -> None:
        self.message.setVisible(bool(self.message.text()) and self.job.isHidden())
        self.changed.emit()
