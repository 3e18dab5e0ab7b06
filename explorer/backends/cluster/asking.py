"""Asking the workers of a cluster: a message per group of folders, with a deadline, and again if a worker is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any

from explorer.backends.asked.errors import told_error
from explorer.backends.cluster import host
from explorer.backends.cluster.connection import Connection
from explorer.backends.cluster.directory import ClusterError, Directory, Group, directory_of
from explorer.i18n import mark
from explorer.jobs import CancelToken

DEADLINE = 60.0
"""Seconds for one answer of a worker."""
RECOVERY = 5.0
"""Seconds that a worker has to come back, after it was lost: its nanny restarts it in about two."""
_LOOK = 0.02
"""Seconds between two looks at a request to stop."""
_PAUSE = 0.2
"""Seconds between two looks at which workers there are."""


class Cluster:
    """The workers of a cluster.

    Parameters
    ----------
    connection
        To its scheduler.

    Notes
    -----
    From any thread. Dask's own futures and actors are not used: a task that waits for a worker that is gone waits for
    ever, and an actor is lost with its worker. A function that is called on a worker needs neither.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.address = connection.address
        """The address of the scheduler."""
        self._lock = threading.Lock()
        self.directory = self._look()
        self.asked = 0
        """Messages to workers so far."""

    def _look(self) -> Directory:
        """Ask all workers what they have; those that are lost meanwhile are left out."""
        begun = {worker: self._connection.call(host.describe, (), worker) for worker in self._workers()}
        described: dict[str, Mapping[str, Any]] = {}
        for worker, waits in begun.items():
            with suppress(OSError, ValueError, TimeoutError):
                found = self._wait(waits, worker, None)
                if isinstance(found, Mapping):
                    described[worker] = found
        return directory_of(described)

    def _workers(self) -> list[str]:
        try:
            return self._connection.workers()
        except (OSError, RuntimeError) as error:
            raise self._no_scheduler() from error

    def _wait(self, waits: Future[dict[str, Any]], worker: str, cancel: CancelToken | None) -> Any:
        """What the function gives; raises OSError if the worker is lost, or gives nothing in time."""
        begun = looked = time.monotonic()
        try:
            while not wait([waits], _LOOK).done:
                now = time.monotonic()
                if cancel is not None:
                    cancel.check()
                if now > begun + DEADLINE:
                    raise OSError("no answer in time")
                # Dask tries to reach a worker that was killed for half a minute.
                if now > looked + _PAUSE:
                    looked = now
                    if worker not in self._workers():
                        raise OSError("the worker is lost")
            return waits.result().get(worker)
        finally:
            waits.cancel()

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
        end = time.monotonic() + RECOVERY
        workers = self.directory.workers_of(group.fingerprints)
        while True:
            lost, cause = not workers, ""
            for worker in workers:
                found = self._answer(worker, group, name, arguments, cancel)
                if found is not None and "answer" in found:
                    return found["answer"]
                lost, cause = lost or found is None, cause or str((found or {}).get(host.GONE, ""))
            if cancel is not None:
                cancel.check()
            # Workers that are there without the folders do not get them back by waiting.
            if not lost or time.monotonic() > end:
                raise self._missing(group, cause)
            time.sleep(_PAUSE)
            self._renew()
            # A call to a worker that is gone lasts half a minute, so it is not made twice.
            there = self._workers()
            workers = tuple(each for each in self.directory.workers_of(group.fingerprints) if each in there)

    def _answer(
        self, worker: str, group: Group, name: str, arguments: list[Any], cancel: CancelToken | None
    ) -> dict[str, Any] | None:
        """What one worker answers, which has "answer" unless its folders are gone; None if the worker is lost."""
        self.asked += 1
        asked = (group.fingerprints, name, arguments, DEADLINE)
        try:
            found = self._wait(self._connection.call(host.answer, asked, worker), worker, cancel)
        except (OSError, ValueError, TimeoutError):
            # Dask raises ValueError for a worker that it does not know any more.
            return None
        if isinstance(found, Exception) and not isinstance(found, (OSError, TimeoutError)):
            raise ClusterError(
                mark("{worker} failed: {cause}"), reason="worker-failed", worker=worker, cause=str(found)[:200]
            )
        if isinstance(found, dict) and isinstance(found.get("error"), dict):
            raise told_error(found["error"])
        return found if isinstance(found, dict) else None

    def _renew(self) -> None:
        """Look again, for all threads that wait for it."""
        before = self.directory
        with self._lock:
            if self.directory is not before:
                return
            with suppress(ClusterError):
                self.directory = self._look()

    def _missing(self, group: Group, cause: str) -> ClusterError:
        names = ", ".join(group.names[:5]) + (" …" if len(group.names) > 5 else "")
        return ClusterError(
            mark("No worker of {address} that has {names} answers, so there is no whole answer. {cause}"),
            reason="shards-missing",
            address=self.address,
            names=names,
            cause=cause,
        )

    def _no_scheduler(self) -> ClusterError:
        return ClusterError(
            mark("The scheduler at {address} does not answer."), reason="no-scheduler", address=self.address
        )

    def close(self) -> None:
        """End the connection."""
        self._connection.close()
