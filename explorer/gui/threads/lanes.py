"""The lanes and the delays of one screen: what its presenter asks through."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from explorer.core.jobs import Kind
from explorer.gui.threads.runner import Runner


class Lanes(QObject):
    """Makes slots and delays, and keeps them as long as the screen lives; see `presenter.Services`.

    The requests of a screen that is hidden wait for those of the screen that is shown.

    Signals: `answered(float)`, seconds of the last answer that somebody waited for; `bug(str)`, the report of an
    unexpected error; `busy_changed(bool)`, a lane began or ended.

    screen: The widget whose requests they are.
    """

    answered = Signal(float)
    bug = Signal(str)
    busy_changed = Signal(bool)

    def __init__(self, screen: QWidget) -> None:
        super().__init__(screen)
        self._screen = screen
        self._runners: list[Runner] = []
        self._waited: list[Runner] = []
        self._delays: list[QTimer] = []
        screen.installEventFilter(self)

    def slot(self, name: str, timed: bool = True, kind: Kind = Kind.ANSWER) -> Runner:
        """Make a lane; it is closed with the screen.

        name: The name of its thread, where it has one of its own.
        timed: Whether the window shows how long its answers take.
        """
        runner = Runner(name, self, kind)
        # A screen may be made while another one is shown, whose requests go first.
        runner.set_hidden(not self._screen.isVisible())
        if timed:
            runner.answered.connect(self.answered)
            if kind is not Kind.QUICK:
                self._waited.append(runner)
        runner.bug.connect(self.bug)
        # The window looks at running jobs only while some lane is busy.
        runner.busy_changed.connect(self.busy_changed)
        self._runners.append(runner)
        return runner

    def delay(self, milliseconds: int, action: Callable[[], None], asks: bool = True) -> QTimer:
        """Make a delay; see `presenter.Services.delay`.

        milliseconds: The time between the last `start` and the action.
        asks: Whether it asks a question, whose answer is then awaited from the `start` on.
        Returns: The delay, not yet started.
        """
        timer = QTimer(self, singleShot=True, interval=milliseconds)
        timer.timeout.connect(action)
        if asks:
            self._delays.append(timer)
        return timer

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited, or a question is about to be asked."""
        # A question that waits for the end of typing counts, too: its answer is awaited as well.
        return any(runner.busy for runner in self._runners) or any(delay.isActive() for delay in self._delays)

    def named(self, name: str) -> Runner:
        """The lane of that name."""
        return next(runner for runner in self._runners if runner.name == name)

    def all(self) -> tuple[Runner, ...]:
        """All lanes, in the order in which they were made."""
        return tuple(self._runners)

    def waited_for(self) -> tuple[Runner, ...]:
        """The lanes so far whose progress is worth showing: timed ones that are not quick."""
        return tuple(self._waited)

    def cancel(self) -> None:
        """Forget all requests; none of them is answered."""
        for runner in self._runners:
            runner.cancel()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the requests of a screen that is shown go first.

        event: Any event of it; only being shown and being hidden count.
        Returns: Whether the event ends here, which it never does.
        """
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            for runner in self._runners:
                runner.set_hidden(event.type() == QEvent.Type.Hide)
        return super().eventFilter(watched, event)
