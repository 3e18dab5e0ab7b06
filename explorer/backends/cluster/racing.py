"""One question to the workers that have the same folders: to one, and to another if that one is slow or lost."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any

from explorer.backends.cluster import host
from explorer.core.jobs import CancelToken
from explorer.i18n import tr

DEADLINE = 600.0
"""Seconds for one answer of a worker that is there: a text pattern may take minutes."""
HEDGE = 1.0
"""Seconds after which another worker is asked, too, as long as it is not known how long answers take."""
PAUSE = 0.2
"""Seconds between two looks at which workers there are."""
_LEAST_HEDGE = 0.05
"""Seconds that any answer may take before another worker is asked."""
_LOOK = 0.02
"""Seconds between two looks at a request to stop."""
_KNOWN = 20
"""Answers to a question after which it is known how long they take."""
_KEPT = 200


class Pace:
    """How long answers to each question took; from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seconds: dict[str, deque[float]] = {}

    def took(self, name: str, seconds: float) -> None:
        """Take an answer into account."""
        with self._lock:
            self._seconds.setdefault(name, deque(maxlen=_KEPT)).append(seconds)

    def usual(self, name: str) -> float:
        """Seconds in which 95 % of the last answers to a question came.

        Returns: The seconds; one until there were twenty answers.

        Examples
        --------
        >>> pace = Pace()
        >>> for seconds in range(1, 101):
        ...     pace.took("count", seconds)
        >>> pace.usual("count"), pace.usual("find")
        (96, 1.0)
        """
        with self._lock:
            known = sorted(self._seconds.get(name, ()))
        return HEDGE if len(known) < _KNOWN else max(_LEAST_HEDGE, known[len(known) * 95 // 100])


@dataclass(frozen=True)
class Ways:
    """How workers are asked.

    call: Sends the question to a worker; the answer is by its address.
    there: The workers that there are now.
    hedge: Seconds without an answer after which another worker is asked, too.
    silence: For how many seconds a worker has not answered whether it is there.
    patience: How long it may do that before nobody waits for its answer any more.
    """

    call: Callable[[str], Future[dict[str, Any]]]
    there: Callable[[], Collection[str]]
    hedge: float
    silence: Callable[[str], float]
    patience: float


class Race:
    """Asks one worker after the other until one answers.

    workers: Those that have the folders, in the order in which they are asked.
    ways: How they are asked.
    """

    def __init__(self, workers: Sequence[str], ways: Ways, cancel: CancelToken | None) -> None:
        self._rest, self._ways, self._cancel = deque(workers), ways, cancel
        self._waiting: dict[Future[dict[str, Any]], tuple[str, float]] = {}
        self._looked = time.monotonic()
        self.asked = 0
        """Messages that were sent."""
        self.lost = False
        """Whether a worker was lost; others may have answered that the folders are gone."""
        self.cause = ""
        """Why a worker that is there did not answer."""
        self.silent = 0.0
        """For how many seconds a worker has been silent that hangs."""
        self.late = ""
        """A worker that is there and took longer than any answer may."""

    def run(self) -> tuple[str, Any] | None:
        """Ask until there is an answer.

        Returns: A worker and what it gave: an answer, an error of the question, or an exception. None if no worker has
            the folders.
        Raises `ClusterError` if the scheduler does not answer.
        """
        try:
            while self._rest or self._waiting:
                self._begin()
                for done in wait(self._waiting, _LOOK, FIRST_COMPLETED).done:
                    if (found := self._settled(done)) is not None:
                        return found
                self._check()
            return None
        finally:
            for waits in self._waiting:
                waits.cancel()

    def _begin(self) -> None:
        """Ask the next worker, if those that were asked are gone or slow."""
        late = all(time.monotonic() > begun + self._ways.hedge for _, begun in self._waiting.values())
        if self._rest and late:
            worker = self._rest.popleft()
            self.asked += 1
            self._waiting[self._ways.call(worker)] = worker, time.monotonic()

    def _settled(self, done: Future[dict[str, Any]]) -> tuple[str, Any] | None:
        """What a worker gave, unless it is lost or its folders are gone."""
        worker, _ = self._waiting.pop(done)
        try:
            found = done.result().get(worker)
        except (OSError, ValueError, TimeoutError):
            # Dask raises ValueError for a worker that it does not know any more.
            found = None
        if found is None or isinstance(found, (OSError, TimeoutError)):
            self.lost = True
            return None
        if isinstance(found, dict) and host.GONE in found:
            self.cause = self.cause or str(found[host.GONE])
            return None
        return worker, found

    def _check(self) -> None:
        if self._cancel is not None:
            self._cancel.check()
        now = time.monotonic()
        if not self._waiting or now < self._looked + PAUSE:
            return
        self._looked = now
        # Dask tries to reach a worker that was killed for half a minute.
        there = self._ways.there()
        for waits, (worker, begun) in [*self._waiting.items()]:
            if self._is_given_up(worker, worker in there, now - begun):
                del self._waiting[waits]
                waits.cancel()

    def _is_given_up(self, worker: str, there: bool, seconds: float) -> bool:
        """Whether nobody waits for a worker any more, which has been asked for some seconds."""
        if not there:
            self.lost = True
            return True
        # Only workers that take longer than a look are asked whether they are there.
        silent = self._ways.silence(worker)
        if silent > self._ways.patience:
            self.lost = True
            # One that refuses the connection was killed, and may be restarted.
            if silent < float("inf"):
                self.silent = max(self.silent, silent)
                self.cause = self.cause or tr("{worker} hangs or cannot be reached.", worker=worker)
            return True
        if seconds > DEADLINE:
            self.late = worker
        return seconds > DEADLINE
