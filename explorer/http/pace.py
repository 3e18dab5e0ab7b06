"""How fast one host is asked: at once, and per second; one pace per host for the whole program."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LOOK = 0.02
"""Seconds between two looks at the request to stop."""

AT_ONCE = 4
PER_SECOND = 10.0
PARTS_AT_ONCE = 32
"""Parts of files that are read at once from one host: what a search asks for in one round."""


class Pace:
    """The pace of the requests to one host.

    at_once: Most requests under way.
    per_second: Most requests that begin per second, on average; None for as many as come. As many as `at_once` may
        begin together.

    Examples
    --------
    >>> pace = Pace(at_once=2, per_second=None)
    >>> with pace.turn(lambda: None):
    ...     pace.at_once
    2
    """

    def __init__(self, at_once: int = AT_ONCE, per_second: float | None = PER_SECOND) -> None:
        self.at_once, self.per_second = at_once, per_second
        self._slots = threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self.answered: float | None = None
        """When the host answered last, in seconds since 1970; None if it has not yet."""
        # When the next request may begin, on the clock that never goes back.
        self._next = 0.0

    @contextmanager
    def turn(self, check: Callable[[], None]) -> Iterator[None]:
        """Wait for a turn, and hold it.

        check: Called often while it waits; raises to give up.
        """
        while not self._slots.acquire(timeout=_LOOK):
            check()
        try:
            wait_until(self._reserved(), check)
            yield
        finally:
            self._slots.release()

    def hold(self, seconds: float) -> None:
        """Let no request begin for some seconds: the host asked for it."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)

    def _reserved(self) -> float:
        """When this request may begin."""
        with self._lock:
            now = time.monotonic()
            if self.per_second is None:
                return max(now, self._next)
            step = 1 / self.per_second
            # What was not used before is kept for `at_once` requests only.
            earliest = max(self._next, now - (self.at_once - 1) * step)
            self._next = earliest + step
            return earliest


def wait_until(moment: float, check: Callable[[], None]) -> None:
    """Wait, looking around.

    moment: On the clock of `time.monotonic`.
    check: Called often, and once at least; raises to give up.
    """
    check()
    while (rest := moment - time.monotonic()) > 0:
        time.sleep(min(rest, _LOOK))
        check()


_paces: dict[str, Pace] = {}
_lock = threading.Lock()


def pace_of(host: str, is_local: bool) -> Pace:
    """Give the pace of a host, which all that ask it share.

    is_local: Whether it is this machine, which needs no courtesy.
    """
    with _lock:
        return _paces.setdefault(host, Pace(per_second=None if is_local else PER_SECOND))


def part_pace_of(host: str) -> Pace:
    """Give the pace in which parts of files are read from a host.

    Returns: The same for the same host. Another one than for questions: parts are small, and a search needs many at
        once.
    """
    with _lock:
        return _paces.setdefault(f"{host} parts", Pace(PARTS_AT_ONCE, per_second=None))
