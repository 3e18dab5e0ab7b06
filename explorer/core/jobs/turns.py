"""What several threads would make at the same time is made by one of them; the others wait, and can be cancelled."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from explorer.core.jobs.cancel import CancelToken

_POLL = 0.05
"""Seconds after which one who waits looks whether it was cancelled."""
# A lock per file that was ever made: as many as indexes were open.
_locks: dict[Path, threading.Lock] = {}
_guard = threading.Lock()


@contextmanager
def one_at_a_time(path: Path, cancel: CancelToken | None = None) -> Iterator[None]:
    """Keep other threads of this process from making the same file; other processes have names of their own.

    Yields: When no other thread makes it. Look first whether one has.
    Raises `Cancelled` if it was cancelled while it waited.

    Examples
    --------
    >>> with one_at_a_time(Path("lcp")):
    ...     pass
    """
    with _guard:
        lock = _locks.setdefault(path, threading.Lock())
    while not lock.acquire(timeout=_POLL):
        if cancel is not None:
            cancel.check()
    try:
        yield
    finally:
        lock.release()
