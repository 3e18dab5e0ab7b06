"""One running job: its name, how far it is, a thin bar, and buttons to pause and to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QProgressBar, QWidget

from explorer.gui.presenting.job import Job, Working, progress_said
from explorer.gui.screens.screen import label, named
from explorer.gui.widgets.fields.buttons import icon_button
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import tr

_STEPS = 1000


class JobRow(QWidget):
    """Draws a lane that is at work. `left()`: a button was pressed that ends the job.

    stoppable: Whether there are buttons.
    """

    left = Signal()

    def __init__(self, lane: Working, stoppable: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        assert lane.job is not None
        # Kept: the lane forgets its job when it ends, and the buttons must still be those of this one.
        self.job: Job = lane.job
        # A name of an index may be as long as its folder's: the tool tip has what has no room.
        self.title = ElidedLabel(self.job.title)
        self.said = label("", "muted")
        self.bar = named(QProgressBar(textVisible=False), self.job.title)
        self.bar.setProperty("role", "thin")
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setColumnStretch(0, 1)
        layout.addWidget(self.title, 0, 0)
        layout.addWidget(self.said, 0, 1)
        self.pause = icon_button("pause", tr("Pause: {job}", job=self.job.title))
        self.stop = icon_button("close", tr("Stop: {job}", job=self.job.title))
        if self.job.pause is not None:
            self.pause.clicked.connect(lambda _=False: self._end(self.job.pause))
        self.stop.clicked.connect(lambda _=False: self._end(self.job.stop))
        # A build that is stopped is paused: discarding it is offered on the Index screen, and when the window closes.
        self.pause.setVisible(stoppable and self.job.pause is not None)
        self.stop.setVisible(stoppable and self.job.pause is None)
        # In one place, since only one of them is shown: the rows of a list then end in one column.
        layout.addWidget(self.pause, 0, 2)
        layout.addWidget(self.stop, 0, 2)
        # Without buttons, nothing is in their column: the bar ends where the words do.
        layout.addWidget(self.bar, 1, 0, 1, 3 if stoppable else 2)
        self.draw(lane)

    def _end(self, way: object) -> None:
        assert callable(way)
        # By the presenter's own method, so that its screen shows what became of it.
        way()
        self.left.emit()

    def draw(self, lane: Working) -> None:
        """Show how far the job is."""
        share = lane.clock.share
        self.said.setText(progress_said(lane.clock))
        # Without a share the bar runs to and fro.
        self.bar.setRange(0, 0 if share is None else _STEPS)
        if share is not None:
            self.bar.setValue(int(_STEPS * share))
