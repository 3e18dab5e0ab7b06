"""Closing the window while work is running: asks the user, then does what they chose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMainWindow, QMessageBox, QPushButton

from explorer.building.paused import discard_build
from explorer.gui.dialog import message_box
from explorer.gui.runner import Runner
from explorer.gui.untrusted import plain
from explorer.gui.widgets.job_bar import JobBar
from explorer.i18n import numeral, tr
from explorer.jobs import CancelToken, Kind

_WORTH_ASKING = 3.0
_LOOK_MS = 300


@dataclass(frozen=True)
class RunningBuild:
    """A build under way: its runner, the folder of the index, its name, and the bar that shows its progress."""

    runner: Runner
    folder: Path
    name: str
    bar: JobBar


class Departure(QObject):
    """Decides whether a window may close. `question`: the dialog that is open, if any.

    `worth_asking`: seconds of work that nobody should lose without being asked.

    Parameters
    ----------
    window
        The window, which is closed when nothing is left to wait for.
    builds
        Lists the builds under way.
    """

    def __init__(self, window: QMainWindow, builds: Callable[[], Sequence[RunningBuild]]) -> None:
        super().__init__(window)
        self._window = window
        self._builds = builds
        self.question: QMessageBox | None = None
        self.worth_asking = _WORTH_ASKING
        # On a thread of its own: deleting the files of a large build takes seconds.
        self.discarder = Runner("discard", self, Kind.APART)
        # Once the user has chosen, a close event only waits for what is still being stopped.
        self._decided = False

    def may_close(self) -> bool:
        """True if no running work would be lost. Otherwise asks, and closes the window later by itself."""
        if self._decided:
            return not self._busy()
        if self._builds():
            self._ask_about_build()
        elif self._long_work():
            self._ask_about_work()
        else:
            return True
        return False

    def pause_and_close(self) -> None:
        """Close without asking, as when the system's session ends: the finished part of a build is kept."""
        self._decided = True
        for build in self._builds():
            build.runner.end(keep=True)
        self._close_when_idle()

    def _busy(self) -> bool:
        return self.discarder.busy or any(build.runner.busy for build in self._builds())

    def _long_work(self) -> list[JobBar]:
        return [bar for bar in self._window.findChildren(JobBar) if bar.busy_for > self.worth_asking]

    def _ask_about_build(self) -> None:
        if self.question is not None:
            self.question.raise_()
            return
        box = message_box(self._window, tr("A build is running"), self._said_of_builds())
        box.setInformativeText(tr("A paused build is offered at the next start and continues where it stopped."))
        keep = box.addButton(tr("Keep building"), QMessageBox.ButtonRole.RejectRole)
        pause = box.addButton(tr("Pause and quit"), QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton(tr("Discard"), QMessageBox.ButtonRole.DestructiveRole)
        pause.clicked.connect(self.pause_and_close)
        discard.clicked.connect(self._discard_and_close)
        self._open(box, keep, self._said_of_builds)

    def _ask_about_work(self) -> None:
        if self.question is not None:
            self.question.raise_()
            return
        box = message_box(self._window, tr("Work is running"), self._said_of_work())
        box.setInformativeText(
            tr("It stops when the window closes. What you typed is kept; files are written completely or not at all.")
        )
        keep = box.addButton(tr("Keep working"), QMessageBox.ButtonRole.RejectRole)
        leave = box.addButton(tr("Quit"), QMessageBox.ButtonRole.AcceptRole)
        leave.clicked.connect(self.pause_and_close)
        self._open(box, keep, self._said_of_work)

    def _said_of_builds(self) -> str:
        return "\n".join(_describe(build) for build in self._builds())

    def _said_of_work(self) -> str:
        return "\n".join(bar.stage.text() for bar in self._long_work())

    def _open(self, box: QMessageBox, keep: QPushButton, say: Callable[[], str]) -> None:
        """Ask. The dialog is updated while it is open, and closes when the work has ended."""

        def look() -> None:
            # The last build may end while the question is open; there is nothing left to ask then.
            if sentence := say():
                box.setText(plain(sentence))
            else:
                box.reject()

        timer = QTimer(box, interval=_LOOK_MS)
        timer.timeout.connect(look)
        timer.start()
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        self.question = box
        box.finished.connect(self._answered)
        box.open()
        keep.setFocus()

    def _answered(self) -> None:
        self.question = None

    def _discard_and_close(self) -> None:
        self._decided = True
        # Listed now: a build that has ended is no longer in the list.
        folders = [build.folder for build in self._builds()]
        for build in self._builds():
            build.runner.end(keep=False)
        self._when_idle(lambda: self._discard(folders))

    def _discard(self, folders: list[Path]) -> None:
        def work(_: CancelToken) -> None:
            for out in folders:
                discard_build(out)

        self.discarder.run(work, lambda _: None, lambda _: None)
        self._close_when_idle()

    def _close_when_idle(self) -> None:
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


def _describe(build: RunningBuild) -> str:
    left, share = build.bar.time_left(), numeral(100 * build.bar.overall, ".0f")
    done = tr("The build of {name} is running: {share} % done", name=build.name, share=share)
    return f"{done}, {left}." if left else f"{done}."
