"""A few threads for all lanes.

The protocol, which `Pool` and `Lane` keep together:

- One lock guards the pool and every lane in it. It is held for a few assignments at a time, never while work runs or
  an outcome is delivered, so any thread may take it, the interface thread included.
- A lane enters when it has a request and is not being served. So at most one request of a lane runs, and its outcomes
  are delivered in the order of its requests.
- A lane counts towards the limits of its kind until its outcome is delivered.
- Which lane is next is decided when a thread is free, not when the request is made: what became visible meanwhile
  goes first.
- Threads are daemons. A thread that is stuck in a read of a dead drive does not keep the program from ending. It
  does not take a place for good either: when its lane is stopped, the thread no longer counts, and ends with its work.
"""

from __future__ import annotations

import os
import sys
import threading
from enum import IntEnum
from typing import Protocol

WORKERS = 3
"""The threads of a pool. More would only wait for the interpreter's lock and for a machine's few cores."""
_NICENESS = 5
"""Added to the threads' niceness, so that the interface thread goes first; threads that they start inherit it."""


def _step_back() -> None:
    """Give this thread less of a busy machine than the thread that answers the user."""
    # Elsewhere, a priority belongs to the whole process.
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _NICENESS)


class Kind(IntEnum):
    """What the requests of a lane are to the user.

    QUICK: a moment's work for what is in view, such as a page of lines. ANSWER: the answer to a question. LATER: what
    nobody waits for; one at a time. APART: minutes of work, another process or a slow drive; on a thread of its own,
    which ends with it.
    """

    QUICK = 0
    ANSWER = 1
    LATER = 2
    APART = 3


class Served(Protocol):
    """What a pool needs of a lane.

    hidden: the work is for a view that nobody sees. The interface thread sets it without the lock, since a value that
    is old by a moment only changes an order.
    """

    name: str
    kind: Kind
    hidden: bool

    def serve(self) -> None:
        """Run the request that waits, and deliver its outcome. Called without the lock."""

    def leave(self) -> bool:
        """Note that serving has ended; whether another request waits. Called with the lock."""


class Pool:
    """Threads that serve lanes: by kind, and what is visible first.

    workers: The number of threads, at least 2. One of them is always left to quick requests, however many others wait.

    Notes
    -----
    A thread starts when it is needed, and then waits for more work. Lanes of kind `APART` have threads of their own.
    """

    def __init__(self, workers: int = WORKERS) -> None:
        # Reentrant, as the lock of a condition is unless another is given: a lane holds it when it calls the pool.
        self.lock = threading.Condition()
        self._workers = workers
        self._threads = 0
        self._closed = self._held = False
        self._ready: list[Served] = []
        self._serving: list[Served] = []

    def allow(self, workers: int) -> None:
        """Change the number of threads, at least 2; threads that exist already stay."""
        with self.lock:
            self._workers = max(2, workers)

    def enter(self, lane: Served) -> None:
        """Serve a lane when its turn comes.

        lane: A lane with a request, which has not entered and is not being served. The caller holds the lock.
        """
        if self._held:
            self._ready.append(lane)
            return
        if lane.kind is Kind.APART:
            threading.Thread(target=self._work_apart, args=(lane,), name=f"apart-{lane.name}", daemon=True).start()
            return
        self._ready.append(lane)
        self._start_thread()
        self.lock.notify_all()

    def hold(self) -> None:
        """Let every lane that enters from now on wait until `release`."""
        with self.lock:
            self._held = True

    def release(self) -> None:
        """Serve the lanes that waited, in their order; nothing happens if none is held."""
        with self.lock:
            if self._held:
                self._held = False
                waiting, self._ready = self._ready, []
                for lane in waiting:
                    self.enter(lane)

    def withdraw(self, lane: Served) -> bool:
        """Stop waiting for a lane and, if it is being served, for its thread. The caller holds the lock.

        Returns: Whether it waited for a thread. It is not served then.
        """
        waited = lane in self._ready
        if waited:
            self._ready.remove(lane)
        if lane in self._serving:
            # The thread finds itself replaced when the work ends.
            self._serving.remove(lane)
            self._threads -= 1
            self._start_thread()
        return waited

    def close(self) -> None:
        """End the threads that wait for work; others end after their work."""
        with self.lock:
            self._closed = True
            self.lock.notify_all()

    @property
    def threads(self) -> int:
        """The number of threads, without those of lanes of kind `APART` and of lanes that were stopped at work."""
        with self.lock:
            return self._threads

    def _start_thread(self) -> None:
        """Start a thread if a lane may be served now and all threads are at work."""
        if self._threads < self._workers and len(self._serving) + len(self._ready) > self._threads:
            self._threads += 1
            threading.Thread(target=self._work, name=f"worker-{self._threads}", daemon=True).start()

    def _work(self) -> None:
        _step_back()
        while (lane := self._take()) is not None:
            ended = False
            try:
                lane.serve()
                ended = True
            finally:
                stays = self._done(lane, ended)
            if not stays:
                return
            # What it worked on may be large, and the next request far away.
            del lane

    def _work_apart(self, lane: Served) -> None:
        _step_back()
        try:
            lane.serve()
        finally:
            self._leave(lane)

    def _take(self) -> Served | None:
        """The lane that is next; waits for one. None when the pool is closed."""
        with self.lock:
            while (lane := self._next()) is None:
                if self._closed:
                    self._threads -= 1
                    return None
                self.lock.wait()
            self._ready.remove(lane)
            self._serving.append(lane)
            return lane

    def _next(self) -> Served | None:
        """The first of those that may start; among equals the one that has waited longest."""
        return min(filter(self._may_start, self._ready), key=_order, default=None)

    def _may_start(self, lane: Served) -> bool:
        if self._held or lane.kind is Kind.QUICK:
            return not self._held
        # Quick requests are not counted, so that one thread is always left to them.
        slow = [other.kind for other in self._serving if other.kind is not Kind.QUICK]
        return len(slow) < self._workers - 1 and not (lane.kind is Kind.LATER and Kind.LATER in slow)

    def _done(self, lane: Served, ended: bool) -> bool:
        """Note the end of serving; whether the thread continues. ended: without an error in the delivery."""
        with self.lock:
            stays = lane in self._serving
            if stays:
                self._serving.remove(lane)
                if not ended:
                    self._threads -= 1
            self._leave(lane)
            return stays

    def _leave(self, lane: Served) -> None:
        with self.lock:
            if lane.leave():
                self.enter(lane)
            # For others of its kind, and for whoever waits for the lane's end.
            self.lock.notify_all()


def _order(lane: Served) -> tuple[bool, bool, Kind]:
    """Later facts of any view come last; then what is visible decides, then how soon it is done."""
    return lane.kind is Kind.LATER, lane.hidden, lane.kind


SHARED = Pool()
"""The pool of this process, for every lane that is not given another."""
