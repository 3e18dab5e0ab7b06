"""Whether workers and nannies of a cluster are there: they are asked, and each answer counts for a while."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

_TRUST = 5.0
"""Seconds for which a nanny that has answered is taken to be there: it is slow while it starts a worker."""


class Pings:
    """Pings, at most one under way to each address; from any thread.

    ping: Sends one to an address; the answer, or an error, may take half a minute.

    Examples
    --------
    >>> lost = Future()
    >>> pings = Pings(lambda address: lost)
    >>> pings.silence("tcp://node1:4000") < 1
    True
    >>> lost.set_exception(OSError("refused"))
    >>> pings.silence("tcp://node1:4000")
    inf
    """

    def __init__(self, ping: Callable[[str], Future[None]]) -> None:
        self._ping = ping
        self._lock = threading.Lock()
        self._sent: dict[str, tuple[Future[None], float]] = {}
        self._answered: dict[str, float] = {}

    def silence(self, address: str) -> float:
        """Tell how long a worker has owed an answer; it is asked again.

        Returns: Seconds since the ping that is under way was sent; infinite if the last one failed.
        """
        now = time.monotonic()
        with self._lock:
            ping, sent = self._sent.get(address, (None, now))
            if ping is not None and not ping.done():
                return now - sent
            self._sent[address] = self._ping(address), now
            if ping is None:
                return 0.0
            if ping.exception() is not None:
                return float("inf")
            self._answered[address] = now
            return 0.0

    def answered(self, address: str) -> bool:
        """Tell whether a nanny has answered lately; it is asked again.

        Returns: False until its first answer.
        """
        self.silence(address)
        with self._lock:
            return time.monotonic() < self._answered.get(address, float("-inf")) + _TRUST
