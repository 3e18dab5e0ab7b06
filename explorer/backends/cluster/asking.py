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
from explorer.backends.cluster.directory import ClusterError, Group, LostPartError, directory_of, shown_names
from explorer.backends.cluster.holdings import holdings_of
from explorer.backends.cluster.pings import Pings
from explorer.backends.cluster.racing import DEADLINE, PAUSE, Pace, Race, Ways
from explorer.backends.protocol.locations import Holding
from explorer.core.jobs import CancelToken
from explorer.i18n import mark, tr

PATIENCE = 1.5
"""Seconds that folders may be on no worker before a question about them fails."""
RECOVERY = 15.0
"""The same if the nanny of a lost worker is there: it restarts the worker, which takes seconds on a busy machine; and
for a worker that hangs."""
_SILENT = 1.0
"""Seconds that a worker may hang if a part of an answer is as welcome; to look for others takes half a second more."""
_ALWAYS = 1.0
"""Seconds between two looks for folders that have been missing for longer."""
_FIRST = 60.0
"""Seconds in which all workers must tell what they have when a cluster is opened."""
_HANGS = 5.0
"""Seconds after which a worker that is not heard of at all is not waited for then."""
_ANSWERS = 2.0
"""Seconds in which a worker answers that is listed as being there."""
_DESCRIBE = 0.3
"""Seconds to wait for workers that tell what they have; those that are slower are looked at the next time."""
MISSING = "shards-missing"
"""The reason of the error if folders are on no worker."""


class Cluster:
    """The workers of a cluster.

    waits: Whether to wait longer for a worker that is restarted; otherwise a part of an answer is as welcome.

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
        self._pings = Pings(connection.ping)
        self._lost: dict[tuple[str, ...], float] = {}
        self._failed: dict[str, str] = {}
        self._look(_FIRST)
        if not self._described:
            self.check_silent()
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
            if all(
                self._pings.silence(worker) > _HANGS for worker, found in self._describing.items() if not found.done()
            ):
                break
        for worker in [worker for worker, waits in self._describing.items() if waits.done()]:
            self._take(worker, self._describing.pop(worker))
        self._described = {worker: has for worker, has in self._described.items() if worker in there}

    def _take(self, worker: str, described: Future[dict[str, Any]]) -> None:
        """Take note of what a worker has, or why it does not tell."""
        try:
            found = described.result().get(worker)
        except (OSError, ValueError, TimeoutError) as error:
            found = error
        if isinstance(found, Mapping):
            self._described[worker] = found
            self._failed.pop(worker, None)
        else:
            self._failed[worker] = " ".join(str(found).split())[:200]

    def check_silent(self) -> None:
        """Raise ClusterError if a worker that is there did not tell what it has."""
        silent = [worker for worker in self._workers() if worker not in self._described]
        if silent:
            raise ClusterError(
                mark("{worker} is a worker of the cluster and does not tell what it has: {cause}. Nothing was opened."),
                reason="worker-silent",
                worker=silent[0],
                cause=self._failed.get(silent[0]) or tr("it hangs or cannot be reached"),
            )

    def _workers(self) -> dict[str, str]:
        try:
            return self._connection.workers()
        except (OSError, RuntimeError) as error:
            raise self._no_scheduler() from error

    def ask(self, group: Group, name: str, arguments: list[Any], cancel: CancelToken | None) -> Any:
        """Ask a question about a group of folders.

        Raises `ClusterError` if no worker that has the folders comes back in time; the folders are named.
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
            if race.late:
                raise self._late(race.late, name)
            if race.silent:
                self._take_silence(group, race.silent)
            # Workers that are there without the folders do not get them back by waiting.
            hopeless = hopeless or (bool(workers) and not race.lost)
            looked = looked or (race.silent > 0 and time.monotonic() < self._looked + _ALWAYS)
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
            self._pings.silence,
            RECOVERY if self._waits else _SILENT,
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

    def holdings(self, groups: Sequence[Group]) -> tuple[Holding, ...]:
        """Look which workers have some folders, and answer.

        Raises `ClusterError` if the scheduler does not answer.
        """
        with self._lock:
            self._look(_ANSWERS)
            # All may be gone, or one may have come that does not fit: then the rest is as it was known.
            with suppress(ClusterError):
                self.directory = directory_of(self._described)
            there = self._described.keys() - self._describing.keys()
            return holdings_of(groups, self.directory, there)

    # --- lost workers --------------------------------------------------------------------------

    def is_missing(self, group: Group) -> None:
        """Take note that folders were on no worker from the beginning: no question waits for them."""
        self._lost[group.fingerprints] = float("-inf")

    def _may_return(self, group: Group) -> bool:
        """Whether a question about folders that are on no worker waits on."""
        lost = time.monotonic() - self._lost.setdefault(group.fingerprints, time.monotonic())
        # From the beginning, and all of them: each has until the end of the patience to answer.
        restarts = [
            self._pings.answered(nanny) for nanny in {self._nannies.get(worker, "") for worker in group.workers} - {""}
        ]
        return lost < PATIENCE or (self._waits and lost < RECOVERY and any(restarts))

    def _take_silence(self, group: Group, seconds: float) -> None:
        """Take note that the last worker that has some folders has been silent for some time."""
        since = time.monotonic() - seconds
        self._lost[group.fingerprints] = min(since, self._lost.get(group.fingerprints, since))

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

    def _missing(self, group: Group, cause: str) -> LostPartError:
        return LostPartError(
            mark("No worker of {address} that has {names} answers, so there is no whole answer. {cause}"),
            reason=MISSING,
            address=self.address,
            names=shown_names(group.names),
            cause=cause,
        )

    def _late(self, worker: str, name: str) -> LostPartError:
        return LostPartError(
            mark("{worker} has worked on {question} for {seconds:,} s, and nobody waits for it any more."),
            reason="worker-late",
            worker=worker,
            question=name,
            seconds=round(DEADLINE),
        )

    def _no_scheduler(self) -> LostPartError:
        return LostPartError(
            mark("The scheduler at {address} does not answer."), reason="no-scheduler", address=self.address
        )

    def close(self) -> None:
        """End the connection."""
        self._connection.close()
