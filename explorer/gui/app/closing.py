"""Closing the window while work is running: asks the user, then does what they chose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMainWindow

from explorer.core.jobs import CancelToken, Kind
from explorer.gui.app.leave_dialog import LeaveDialog
from explorer.gui.presenting.job import Working, at_work
from explorer.gui.threads.runner import Runner
from explorer.i18n import tr

_WORTH_ASKING = 3.0
_LOOK_MS = 300


class Departure(QObject):
    """Decides whether a window may close. `question`: the dialog that is open, if any.

    `worth_asking`: seconds of work that nobody should lose without being asked.

    window: The window, which is closed when nothing is left to wait for.
    lanes: Lists all lanes of the window.
    """

    def __init__(self, window: QMainWindow, lanes: Callable[[], Sequence[Working]]) -> None:
        super().__init__(window)
        self._window = window
        self._lanes = lanes
        self.question: LeaveDialog | None = None
        self.worth_asking = _WORTH_ASKING
        # On a thread of its own: deleting the files of a large build takes seconds.
        self.discarder = Runner("discard", self, Kind.APART)
        # Once the user has chosen, a close event only waits for what is still being stopped.
        self._decided = False

    @property
    def decided(self) -> bool:
        """Whether the window closes without a question: the user has answered, or the system's session ends."""
        return self._decided

    def may_close(self) -> bool:
        """True if no running work would be lost. Otherwise asks, and closes the window later by itself."""
        if self._decided:
            return not self._busy()
        # Short work is not worth a question: it can be asked again in a moment.
        if not self._builds() and not self._work():
            return True
        self._ask()
        return False

    def pause_and_close(self) -> None:
        """Close without asking, as when the system's session ends: the finished part of a build is kept."""
        self._decided = True
        # Not by the presenters: after this, nobody looks at their states.
        for build in self._builds():
            build.end(keep=True)
        self._close_when_idle()

    def _busy(self) -> bool:
        return self.discarder.busy or bool(self._builds())

    def _builds(self) -> list[Working]:
        return [lane for lane in at_work(self._lanes()) if lane.job is not None and lane.job.folder is not None]

    def _work(self) -> list[Working]:
        """All other work that has taken long enough."""
        return [
            lane
            for lane in at_work(self._lanes())
            if lane.job is not None and lane.job.folder is None and lane.clock.seconds > self.worth_asking
        ]

    def _ask(self) -> None:
        """Ask. The dialog is updated while it is open, and closes when the work has ended."""
        if self.question is not None:
            self.question.raise_()
            return
        box = self.question = LeaveDialog(self._window)
        box.draw(self._builds(), self._work())
        box.paused.connect(self.pause_and_close)
        box.discarded.connect(self._discard_and_close)
        box.finished.connect(self._answered)
        timer = QTimer(box, interval=_LOOK_MS)
        timer.timeout.connect(self._look)
        timer.start()
        box.open()
        box.keep.setFocus()

    def _look(self) -> None:
        builds, work = self._builds(), self._work()
        if self.question is None:
            return
        # The last job may end while the question is open; there is nothing left to ask then.
        if builds or work:
            self.question.draw(builds, work)
        else:
            self.question.reject()

    def _answered(self) -> None:
        self.question = None

    def _discard_and_close(self) -> None:
        self._decided = True
        # Listed now: a build that has ended is no longer in the list.
        builds = self._builds()
        folders = [lane.job.folder for lane in builds if lane.job is not None and lane.job.folder is not None]
        # Files are deleted only after the processes that write them have ended.
        for build in builds:
            build.end(keep=False)
        self._when_idle(lambda: self._discard(folders))

    def _discard(self, folders: list[Path]) -> None:
        def work(_: CancelToken) -> None:
            from explorer.building.paused import discard_build

            for out in folders:
                discard_build(out)

        self.discarder.run(work, lambda _: None, lambda _: None)
        self._close_when_idle()

    def _close_when_idle(self) -> None:
        if self._busy():
            self._window.statusBar().showMessage(tr("Pausing at a safe point …"))
        self._when_idle(self._window.close)

    def _when_idle(self, then: Callable[[], object]) -> None:
        """Call `then` from the event loop once no build is running; a child process ends within seconds."""
        timer = QTimer(self, interval=50)

        def look() -> None:
            if not self._busy():
                timer.stop()
                timer.deleteLater()
                then()

        timer.timeout.connect(look)
        timer.start()
