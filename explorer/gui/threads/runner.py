"""The one gate between background lanes and the interface thread.

A `Runner` owns a lane. Work runs there; its result, its error and its progress come back as Qt signals on the interface
thread, and only for the newest request.

Threads. Everything here runs on the interface thread, except `work` itself, what `reporter` and `interim` return, and
`_say`. These run on a thread of the pool. They touch no widget and no attribute but `_gate` and `_open`; work gets all
that it needs from the closure that was made on the interface thread.

Signals. `_arrived` and `_interim` are emitted on a thread of the pool and received on the interface thread: Qt queues
them, since this object lives there. So an answer may be in the queue of events when a newer request is made, or when
this one is cancelled. `_finish` therefore compares tickets once more, and a cancelled runner has the ticket -1, which
no outcome carries. Answers that arrive together are drawn in a turn of the event loop each (`turns`), and the tickets
are compared when the turn comes.

The end. A queued signal to an object that was deleted is dropped by Qt; emitting one on an object that was deleted
crashes. `stop` closes the gate, a lock that `_say` holds while it emits, so after `stop` no thread touches this object.
"""

from __future__ import annotations

import logging
import math
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, Signal, Slot

from explorer.core.jobs import CancelToken, Kind, Lane, Progress, Report
from explorer.core.jobs.lane import Outcome
from explorer.errors import Cancelled, CorpusError
from explorer.gui.presenting.job import Job, JobClock
from explorer.gui.threads.turns import in_turn

_LOG = logging.getLogger("explorer.gui")
_PROGRESS_INTERVAL = 0.05
_INTERIM_INTERVAL = 0.5

Done = Callable[[Any], None]
Failed = Callable[[CorpusError], None]


def _nothing(result: Any) -> None:
    """Nobody waits for an answer."""


def close_all(runners: Sequence[Runner], seconds: float = 0.5) -> None:
    """Stop several runners, and wait for their work; what still runs after that is left alone.

    runners: The runners to close. All are asked to stop before the first is waited for.
    seconds: The time to wait, for all of them together.
    """
    for runner in runners:
        runner.stop()
    until = time.monotonic() + seconds
    for runner in runners:
        runner.close(max(0.0, until - time.monotonic()))


class Runner(QObject):
    """Runs a view's requests one at a time; the newest replaces the one that waits.

    `job` is what the running request is to the user, if it is worth naming, and `clock` how far it is.

    Signals: `busy_changed(bool)`; `answered(float)`, seconds of the last finished request;
    `progressed(Progress)`, at most 20 times a second; `bug(str)`, a report of an unexpected error.

    name: The name of the thread, where the work has one of its own.
    kind: What the requests are to the user; see `Kind`.
    """

    busy_changed = Signal(bool)
    answered = Signal(float)
    progressed = Signal(object)
    bug = Signal(str)
    _arrived = Signal(object)
    _interim = Signal(object, object, object)

    def __init__(self, name: str, parent: QObject | None = None, kind: Kind = Kind.ANSWER) -> None:
        super().__init__(parent)
        self.name = name
        self._gate = threading.Lock()
        self._open = True
        self._lane = Lane(name, lambda outcome: self._say(self._arrived, outcome), kind)
        self._arrived.connect(self._receive)
        self._interim.connect(self._receive_interim)
        self._ticket = 0
        self._asked = 0
        self._busy = False
        self._done: Done = _nothing
        self._failed: Failed | None = None
        self.job: Job | None = None
        self.clock = JobClock()
        # On the interface thread, although it is emitted on another.
        self.progressed.connect(self._note_progress)

    def run(
        self, work: Callable[[CancelToken], Any], done: Done, failed: Failed | None = None, job: Job | None = None
    ) -> None:
        """Run work in the background; a request that is still waiting is replaced.

        work: Called on a thread of the pool with a token that tells it to stop.
        done: Called on the interface thread with the result, unless a newer request has been made.
        failed: Called there with a `CorpusError` of the work, under the same condition. None: the error is not shown.
        job: What the window lists while the request runs; None if it is not worth naming.

        Notes
        -----
        Any other exception is reported as a bug.
        """
        self._done, self._failed, self.job = done, failed, job
        # Also if the lane is busy: the request that waited is replaced, and its time with it.
        self.clock.begin()
        # Tickets also grow when something is cancelled; this counts requests, for what `interim` made before them.
        self._asked += 1

        def timed(token: CancelToken) -> tuple[Any, float]:
            # Of the work alone: a request may wait before a thread takes it.
            started = time.perf_counter()
            return work(token), time.perf_counter() - started

        self._ticket = self._lane.submit(timed)
        self._set_busy(True)

    def set_hidden(self, hidden: bool) -> None:
        """Whether nobody sees the view that asks: requests of visible views go first."""
        self._lane.hidden = hidden

    def cancel(self) -> None:
        """Forget the request that runs and the one that waits."""
        # No request has the ticket -1, so what still arrives is dropped.
        self._lane.cancel()
        self._ticket = -1
        self._done, self._failed = _nothing, None
        self._set_busy(False)

    def end(self, keep: bool) -> None:
        """Ask the running request to stop, and whether to keep what it has done; `busy` until it has stopped."""
        self._lane.end(keep)

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._busy

    def reporter(self, take: Callable[[Progress], None] | None = None) -> Report:
        """A report function that the next request's work may call from its thread; see `presenter.Slot.reporter`."""
        # Of the request that `run` is about to make.
        number, last = self._asked + 1, [0.0]

        def report(progress: Progress) -> None:
            now = time.monotonic()
            if now - last[0] >= _PROGRESS_INTERVAL:
                last[0] = now
                self._say(self.progressed, progress)
                if take is not None:
                    self._say(self._interim, number, take, progress)

        return report

    def interim(self, take: Done, seconds: float = _INTERIM_INTERVAL) -> Callable[[Callable[[], Any]], None]:
        """A function by which the next request's work may hand over what it has so far; `take` gets it here.

        It is given what makes the result, and asks for it every `seconds` at most; what comes after the request's
        end, or after a newer request, is dropped.
        """
        # Of the request that `run` is about to make.
        number, last = self._asked + 1, [-math.inf]

        def send(make: Callable[[], Any]) -> None:
            now = time.monotonic()
            if now - last[0] >= seconds:
                last[0] = now
                self._say(self._interim, number, take, make())

        return send

    def stop(self) -> None:
        """Cancel; from now on no thread sends anything here, so that this object may be deleted."""
        self._ticket = -1
        with self._gate:
            self._open = False
        self._lane.stop()

    def close(self, timeout: float) -> None:
        """Stop, and wait for the work to end, at most `timeout` seconds."""
        self.stop()
        self._lane.close(timeout)

    def _say(self, signal: Any, *values: Any) -> None:
        """From a thread of the pool: a signal, unless this was stopped."""
        with self._gate:
            if self._open:
                signal.emit(*values)

    @Slot(object, object, object)
    def _receive_interim(self, number: int, take: Done, part: Any) -> None:
        in_turn(lambda: self._hand_over(number, take, part))

    def _hand_over(self, number: int, take: Done, part: Any) -> None:
        # Its turn may come when the window was closed, and what would draw it was deleted.
        if self._open and shiboken6.isValid(self) and number == self._asked and self._busy:
            take(part)

    @Slot(object)
    def _receive(self, outcome: Outcome) -> None:
        in_turn(lambda: self._finish(outcome))

    def _finish(self, outcome: Outcome) -> None:
        # Its turn may come when this was deleted, or when the request was replaced.
        if outcome.ticket != self._ticket or not shiboken6.isValid(self):
            return
        done, failed = self._done, self._failed
        # They may hold what was asked about, a whole index that is closed meanwhile.
        self._done, self._failed = _nothing, None
        self._set_busy(False)
        if outcome.error is None:
            result, seconds = outcome.result
            self.answered.emit(seconds)
            done(result)
        # Stopped on request: neither an answer nor an error is awaited.
        elif isinstance(outcome.error, Cancelled):
            return
        elif isinstance(outcome.error, CorpusError):
            if failed is not None:
                failed(outcome.error)
        else:
            report = "".join(traceback.format_exception(outcome.error))
            _LOG.error("a background job failed\n%s", report)
            self.bug.emit(report)

    @Slot(object)
    def _note_progress(self, progress: Progress) -> None:
        # A report that was queued when the request ended must not start the clock of the next one.
        if self._busy:
            self.clock.note(progress)

    def _set_busy(self, busy: bool) -> None:
        if not busy:
            self.job = None
            self.clock.end()
        if busy != self._busy:
            self._busy = busy
            self.busy_changed.emit(busy)
