"""A lane of background work: one request runs, one waits, and the newest wins.

A request has a ticket, a number that only grows. Tickets decide what is stale: an outcome is delivered if its ticket
is still the newest when the work ends. Cancelling therefore only takes a new ticket; nothing has to be taken back from
the thread that is at work, and work that ignores its cancel token cannot deliver an answer to an old question.

The lock is the pool's, and the rules for it are there. `_turn` is the lane's state in its pool: outside (OUT), among
those that wait for a thread (QUEUED), or being served (SERVED). Only the serving thread leaves SERVED.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from explorer.core.jobs.cancel import CancelToken
from explorer.core.jobs.pool import SHARED, Kind, Pool

Work = Callable[[CancelToken], Any]
Deliver = Callable[["Outcome"], None]


@dataclass(frozen=True)
class Outcome:
    """What became of request `ticket`: its result, or the error that ended it."""

    ticket: int
    result: Any = None
    error: BaseException | None = None


@dataclass(frozen=True)
class _Request:
    ticket: int
    work: Work
    token: CancelToken


class _Turn(Enum):
    OUT = "out"
    QUEUED = "queued"
    SERVED = "served"


class Lane:
    """Runs work on the threads of a pool, one request at a time, latest request first.

    A new request replaces the one that waits and asks the running one to stop.

    name: The name of the thread, where the lane has one of its own.
    deliver: Called on the thread that did the work, with the outcome of every request that was still the newest when it
        ended; stale outcomes are dropped.
    kind: What the requests are to the user. It decides when they run, and next to which others.
    """

    def __init__(self, name: str, deliver: Deliver, kind: Kind = Kind.ANSWER, pool: Pool = SHARED) -> None:
        self.name, self.kind, self.hidden = name, kind, False
        self._deliver = deliver
        self._pool = pool
        self._waiting: _Request | None = None
        self._running: _Request | None = None
        self._newest = 0
        self._closed = False
        self._turn = _Turn.OUT

    def submit(self, work: Work) -> int:
        """Ask for work.

        work: Called on a thread of the pool with a token that tells it to stop.
        Returns: The ticket that its outcome will carry. Once the lane is stopped: the last one, and the work is not
            done.
        """
        with self._pool.lock:
            if self._closed:
                return self._newest
            self._newest += 1
            self._waiting = _Request(self._newest, work, CancelToken())
            # It may ignore this; its outcome is stale all the same, since the ticket is not the newest.
            if self._running is not None:
                self._running.token.cancel()
            if self._turn is _Turn.OUT:
                self._turn = _Turn.QUEUED
                self._pool.enter(self)
            return self._newest

    def cancel(self) -> None:
        """Drop what waits and ask what runs to stop; neither is delivered."""
        with self._pool.lock:
            self._newest += 1
            self._waiting = None
            if self._running is not None:
                self._running.token.cancel()

    def end(self, keep: bool) -> None:
        """Ask running or waiting work to stop; its outcome is delivered.

        keep: Whether the work should keep what it has done.
        """
        with self._pool.lock:
            for request in (self._running, self._waiting):
                if request is not None:
                    request.token.pause() if keep else request.token.cancel()

    @property
    def busy(self) -> bool:
        """Whether anything runs or waits."""
        with self._pool.lock:
            return self._running is not None or self._waiting is not None

    def stop(self) -> None:
        """Cancel everything and take nothing more; does not wait for what runs."""
        with self._pool.lock:
            self.cancel()
            self._closed = True
            if self._pool.withdraw(self):
                self._turn = _Turn.OUT

    def close(self, timeout: float = 1.0) -> None:
        """Stop, and wait for what runs to end."""
        self.stop()
        with self._pool.lock:
            self._pool.lock.wait_for(lambda: self._turn is _Turn.OUT, timeout)

    def serve(self) -> None:
        """Run the request that waits, and deliver its outcome; for the pool."""
        with self._pool.lock:
            self._turn = _Turn.SERVED
            # None if it was cancelled after the lane had entered.
            self._running, self._waiting = self._waiting, None
            request = self._running
        if request is None:
            return
        outcome = _perform(request)
        with self._pool.lock:
            self._running = None
            fresh = request.ticket == self._newest and not self._closed
        if fresh:
            self._deliver(outcome)

    def leave(self) -> bool:
        """End being served; whether another request waits; for the pool, which holds the lock."""
        self._turn = _Turn.OUT if self._waiting is None else _Turn.QUEUED
        return self._turn is _Turn.QUEUED


def _perform(request: _Request) -> Outcome:
    try:
        return Outcome(request.ticket, result=request.work(request.token))
    except BaseException as error:  # noqa: BLE001 - the receiver decides: a notice or a bug report
        return Outcome(request.ticket, error=error)
