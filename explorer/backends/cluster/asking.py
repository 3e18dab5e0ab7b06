"""Asking the workers of a cluster: a message per group of folders, with a deadline, and again if a worker is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any

from explorer.backends.asked.errors import told_error
from explorer.backends.cluster import host
from explorer.backends.cluster.connection import Connection, Lesson
from explorer.backends.cluster.directory import ClusterError, Group, directory_of, shown_names
from explorer.backends.cluster.racing import DEADLINE, PAUSE, Pace, Race, Ways
from explorer.i18n import mark
from explorer.jobs import CancelToken

PATIENCE = 1.5
"""Seconds that folders may be on no worker before a question about them fails."""
RECOVERY = 15.0
"""The same if the nanny of a lost worker is there: it restarts the worker, which takes seconds on a busy machine."""
_ALWAYS = 1.0
"""Seconds between two looks for folders that have been missing for longer."""
_TRUST = 5.0
"""Seconds for which a nanny that has answered is taken to be there: it is slow while it starts a worker."""
_DESCRIBE = 0.3
"""Seconds to wait for workers that tell what they have; those that are slower are looked at the next time."""
MISSING = "shards-missing"
"""The reason of the error if folders are on no worker."""


class Cluster:
    """The workers of a cluster.

    Parameters
    ----------
    connection
        To its scheduler.
    waits
        Whether to wait longer for a worker that is restarted; otherwise a part of an answer is as welcome.

    Notes
    -----
    From any thread. Dask's own futures and actors are not used: a task that waits for a worker that is gone waits for
    ever, and an actor is lost with its worker. A function that is called on a worker needs neither.
    """

    def __init__(self, connection: Connection, waits: bool = True) -> None:
        self._connection, self._waits = connection, waits
        self.address = connection.address
        """The address of the scheduler."""
        self._lock = threading.Lock()
        self._pace = Pace()
        self._described: dict[str, Mapping[str, Any]] = {}
        self._describing: dict[str, Future[dict[str, Any]]] = {}
        self._nannies: dict[str, str] = {}
        self._pings: dict[str, Future[None]] = {}
        self._answered: dict[str, float] = {}
        self._lost: dict[tuple[str, ...], float] = {}
        self._look(DEADLINE)
        self.directory = directory_of(self._described)
        self._looked = time.monotonic()
        self.asked = 0
        """Messages to workers so far."""

    def _look(self, seconds: float) -> None:
        """Ask all workers what they have; those that are lost meanwhile are left out."""
        there = self._workers()
        self._nannies |= {worker: nanny for worker, nanny in there.items() if nanny}
        for worker in there:
            if worker not in self._describing:
                self._describing[worker] = self._connection.call(host.describe, (), worker)
        end = time.monotonic() + seconds
        while time.monotonic() < end and wait([*self._describing.values()], PAUSE).not_done:
            there = self._workers()
            for gone in self._describing.keys() - there.keys():
                self._describing.pop(gone).cancel()
        for worker in [worker for worker, waits in self._describing.items() if waits.done()]:
            with suppress(OSError, ValueError, TimeoutError):
                found = self._describing.pop(worker).result().get(worker)
                if isinstance(found, Mapping):
                    self._described[worker] = found
        self._described = {worker: has for worker, has in self._described.items() if worker in there}

    def _workers(self) -> dict[str, str]:
        try:
            return self._connection.workers()
        except (OSError, RuntimeError) as error:
            raise self._no_scheduler() from error

    def ask(self, group: Group, name: str, arguments: list[Any], cancel: CancelToken | None) -> Any:
        """Ask a question about a group of folders.

        Parameters
        ----------
        group
            The folders.
        name, arguments
            The question, as JSON values.
        cancel
            Stops the wait.

        Returns
        -------
        Any
            The answer, as JSON.

        Raises
        ------
        ClusterError
            If no worker that has the folders comes back in time; the folders are named.
        CorpusError
            What the question is refused with.
        Cancelled
            If it was cancelled.
        """
        workers = self.directory.workers_of(group.fingerprints)
        looked = hopeless = False
        while True:
            race = self._race(workers, group, name, arguments, cancel)
            begun = time.monotonic()
            found = race.run()
            self.asked += race.asked
            if found is not None:
                self._lost.pop(group.fingerprints, None)
                self._pace.took(name, time.monotonic() - begun)
                return self._read(*found)
            if cancel is not None:
                cancel.check()
            # Workers that are there without the folders do not get them back by waiting.
            hopeless = hopeless or (bool(workers) and not race.lost)
            if (looked or self._is_old(group)) and (hopeless or not self._may_return(group)):
                raise self._missing(group, race.cause)
            if looked:
                time.sleep(PAUSE)
            workers, looked = self._found_again(group), True

    def _race(
        self, workers: Sequence[str], group: Group, name: str, arguments: list[Any], cancel: CancelToken | None
    ) -> Race:
        less = group.left_out
        asked = (group.fingerprints, less.key, name, arguments, DEADLINE)
        lesson = Lesson(host.UNTOLD, host.leave_out, (less.key, less.stored)) if less.key else None
        ways = Ways(
            lambda worker: self._connection.call(host.answer, asked, worker, lesson),
            self._workers,
            self._pace.usual(name),
        )
        return Race(workers, ways, cancel)

    def _read(self, worker: str, found: Any) -> Any:
        if isinstance(found, Exception):
            raise ClusterError(
                mark("{worker} failed: {cause}"), reason="worker-failed", worker=worker, cause=str(found)[:200]
            )
        if isinstance(found.get("error"), dict):
            raise told_error(found["error"])
        return found["answer"]

    # --- lost workers --------------------------------------------------------------------------

    def is_missing(self, group: Group) -> None:
        """Take note that folders were on no worker from the beginning: no question waits for them."""
        self._lost[group.fingerprints] = float("-inf")

    def _may_return(self, group: Group) -> bool:
        """Whether a question about folders that are on no worker waits on."""
        lost = time.monotonic() - self._lost.setdefault(group.fingerprints, time.monotonic())
        # From the beginning, and all of them: each has until the end of the patience to answer.
        restarts = [
            self._is_there(nanny) for nanny in {self._nannies.get(worker, "") for worker in group.workers} - {""}
        ]
        return lost < PATIENCE or (self._waits and lost < RECOVERY and any(restarts))

    def _is_there(self, nanny: str) -> bool:
        """Whether a nanny has answered lately; it is asked again."""
        now = time.monotonic()
        with self._lock:
            ping = self._pings.get(nanny)
            if ping is None or ping.done():
                self._pings[nanny] = self._connection.ping(nanny)
            if ping is not None and ping.done() and ping.exception() is None:
                self._answered[nanny] = now
            return now < self._answered.get(nanny, float("-inf")) + _TRUST

    def _is_old(self, group: Group) -> bool:
        """Whether folders have been missing for so long that not every question looks for them."""
        lost = time.monotonic() - self._lost.get(group.fingerprints, float("inf"))
        return lost > RECOVERY and time.monotonic() < self._looked + _ALWAYS

    def _found_again(self, group: Group) -> tuple[str, ...]:
        """The workers that have some folders now."""
        self._renew()
        # A call to a worker that is gone lasts half a minute, so it is not made twice.
        there = self._workers()
        return tuple(each for each in self.directory.workers_of(group.fingerprints) if each in there)

    def _renew(self) -> None:
        """Look again, for all threads that wait for it."""
        before = self._looked
        with self._lock:
            if self._looked != before:
                return
            with suppress(ClusterError):
                self._look(_DESCRIBE)
                self.directory = directory_of(self._described)
            self._looked = time.monotonic()

    def _missing(self, group: Group, cause: str) -> ClusterError:
        return ClusterError(
            mark("No worker of {address} that has {names} answers, so there is no whole answer. {cause}"),
            reason=MISSING,
            address=self.address,
            names=shown_names(group.names),
            cause=cause,
        )

    def _no_scheduler(self) -> ClusterError:
        return ClusterError(
            mark("The scheduler at {address} does not answer."), reason="no-scheduler", address=self.address
        )

    def close(self) -> None:
        """End the connection."""
        self._connection.close()
