"""A lane of background work: one request runs, one waits, and the newest wins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.jobs.cancel import CancelToken

Work = Callable[[CancelToken], Any]
Deliver = Callable[["Outcome"], None]


@dataclass(frozen=True)
class Outcome:
    """What became of a request.

    Attributes
    ----------
    ticket
        The number of the request.
    result
        What the work returned.
    error
        The error that ended it; None if there was none.
    """

    ticket: int
    result: Any = None
    error: BaseException | None = None


@dataclass(frozen=True)
class _Request:
    ticket: int
    work: Work
    token: CancelToken


class Lane:
    """Runs work on one thread of its own, latest request first.

    A new request replaces the one that waits and asks the running one to stop.

    Parameters
    ----------
    name
        The name of the thread.
    deliver
        Called on the lane's thread with the outcome of every request that was still the newest when it ended; stale
        outcomes are dropped.

    Notes
    -----
    The thread starts with the first request and is a daemon, so that a stuck disk never keeps the program from ending.
    """

    def __init__(self, name: str, deliver: Deliver) -> None:
        self._name = name
        self._deliver = deliver
        self._condition = threading.Condition()
        self._waiting: _Request | None = None
        self._running: _Request | None = None
        self._newest = 0
        self._closed = False
        self._thread: threading.Thread | None = None

    def submit(self, work: Work) -> int:
        """Ask for `work(token)`; returns the ticket that its outcome will carry."""
        with self._condition:
            if self._closed:
                return self._newest
            self._newest += 1
            self._waiting = _Request(self._newest, work, CancelToken())
            if self._running is not None:
                self._running.token.cancel()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=f"lane-{self._name}", daemon=True)
                self._thread.start()
            self._condition.notify()
            return self._newest

    def cancel(self) -> None:
        """Drop what waits and ask what runs to stop; neither is delivered."""
        with self._condition:
            self._newest += 1
            self._waiting = None
            if self._running is not None:
                self._running.token.cancel()

    def end(self, keep: bool) -> None:
        """Ask running or waiting work to stop, and whether to keep what it has done; its outcome is delivered."""
        with self._condition:
            for request in (self._running, self._waiting):
                if request is not None:
                    request.token.pause() if keep else request.token.cancel()

    @property
    def busy(self) -> bool:
        """Whether anything runs or waits."""
        with self._condition:
            return self._running is not None or self._waiting is not None

    def stop(self) -> None:
        """Cancel everything and take nothing more; does not wait for what runs."""
        self.cancel()
        with self._condition:
            self._closed = True
            self._condition.notify()

    def close(self, timeout: float = 1.0) -> None:
        """Stop, and wait for the thread to end, at most `timeout` seconds."""
        self.stop()
        if self._thread is not None:
            self._thread.join(timeout)

    def _next(self) -> _Request | None:
        with self._condition:
            self._running = None
            while self._waiting is None and not self._closed:
                self._condition.wait()
            self._running, self._waiting = self._waiting, None
            return self._running

    def _run(self) -> None:
        while True:
            request = self._next()
            if request is None:
                return
            self._finish(request)
            # What it worked on may be large, and the next request far away.
            del request

    def _finish(self, request: _Request) -> None:
        outcome = _perform(request)
        with self._condition:
            self._running = None
            fresh = request.ticket == self._newest and not self._closed
        if fresh:
            self._deliver(outcome)


def _perform(request: _Request) -> Outcome:
    try:
        return Outcome(request.ticket, result=request.work(request.token))
    except BaseException as error:  # noqa: BLE001 - the receiver decides: a notice or a bug report
        return Outcome(request.ticket, error=error)
