"""The head of a build on a cluster: gives each worker a job at a time, and gives the jobs of lost workers to others."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from explorer.backends.cluster.connection import Connection
from explorer.backends.cluster.directory import ClusterError
from explorer.building.cluster import worker as host
from explorer.building.cluster.jobs import PIECES, PieceJob, ShardJob
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError, CorpusError
from explorer.i18n import mark
from explorer.version import version_of

Job = PieceJob | ShardJob
Done = Callable[[int, Any], None]
"""Called with the number of a job that is done, and its result."""

_LOOK = 0.05
"""Seconds between two looks at a request to stop."""
_PAUSE = 0.3
"""Seconds between two looks at which workers there are."""
_ALONE = 60.0
"""Seconds to wait for workers where there are none: at the beginning, some may still be starting."""
_ATTEMPTS = 10
"""How many workers may be lost while they are at one job: it may be the job that ends them."""
_STOPS = 20.0
"""Seconds for workers to stop before their files are removed."""


@dataclass
class _Round:
    """Jobs that are to be done, and those that workers are at."""

    waiting: deque[tuple[int, Job]]
    busy: dict[str, tuple[int, Job, Future[dict[str, Any]]]] = field(default_factory=dict)
    lost: Counter[int] = field(default_factory=Counter)


class Crew:
    """The workers of a build.

    partial: The folder of the build, which must be the same folder for all of them.
    Raises `ClusterError` if a worker does not see the folder, cannot write there, or has another version of this
        program.
    Raises `OSError` if the folder cannot be written.
    """

    def __init__(self, connection: Connection, partial: Path) -> None:
        self._connection, self._partial, self._sign = connection, partial, uuid4().hex
        self._joined: set[str] = set()
        self._refused: set[str] = set()
        self.again = 0
        """How many jobs were given to another worker, since theirs was lost."""
        pieces = partial / PIECES
        pieces.mkdir(exist_ok=True)
        (pieces / host.SIGN).write_text(self._sign, encoding="ascii")
        # Those that are there at the beginning must all fit; others may come later.
        for refusal in self._renew().values():
            raise refusal

    @property
    def size(self) -> int:
        """How many workers there are now."""
        return len(self._joined)

    def _renew(self) -> dict[str, ClusterError]:
        """Look at which workers there are, and let new ones join; gives why some cannot."""
        there = self._there()
        new = there - self._joined - self._refused
        self._joined &= there
        begun = {worker: self._connection.call(host.join, (self._partial, self._sign), worker) for worker in new}
        refusals = {}
        for worker, waits in begun.items():
            found = None
            with suppress(OSError, ValueError):
                found = waits.result(10).get(worker)
            if not isinstance(found, dict):
                # It was lost again, or is asked once more.
                continue
            if (refusal := self._refusal(worker, found)) is None:
                self._joined.add(worker)
            else:
                refusals[worker] = refusal
                self._refused.add(worker)
        return refusals

    def _there(self) -> set[str]:
        try:
            return set(self._connection.workers())
        except (OSError, RuntimeError) as error:
            raise ClusterError(
                mark("The scheduler at {address} does not answer."),
                reason="no-scheduler",
                address=self._connection.address,
            ) from error

    def _refusal(self, worker: str, found: dict[str, Any]) -> ClusterError | None:
        own = version_of("corpus-explorer")
        if found["version"] != own:
            return ClusterError(
                mark("{worker} has version {version} of this program, and this is {own}."),
                reason="versions-differ",
                worker=worker,
                version=found["version"],
                own=own,
            )
        if not found["sees"]:
            return ClusterError(
                mark("{worker} does not see {path}, a folder that all workers of a build must share."),
                reason="folder-not-shared",
                worker=worker,
                path=self._partial,
            )
        if found["cannot_write"]:
            return ClusterError(
                mark("{worker} cannot write into {path} ({cause})."),
                reason="worker-cannot-write",
                worker=worker,
                path=self._partial,
                cause=found["cannot_write"],
            )
        return None

    def run(self, jobs: Sequence[Job], done: Done, cancel: CancelToken) -> None:
        """Have jobs done, in any order.

        done: Called for each that is done, on this thread.
        Raises `ClusterError` if no worker is left, or a job is the end of one worker after the other.
        Raises `CorpusError` as a job; the worker is named.
        """
        round = _Round(deque(enumerate(jobs)))
        try:
            looked = alone = time.monotonic()
            while round.waiting or round.busy:
                cancel.check()
                now = time.monotonic()
                if now > looked + _PAUSE:
                    looked = now
                    refusals = self._renew()
                    # One that does not fit is not needed while others do the work.
                    if refusals and not self._joined:
                        raise next(iter(refusals.values()))
                    self._take_back(round)
                alone = now if self._joined else alone
                if now > alone + _ALONE:
                    raise self._nobody()
                self._give(round)
                self._collect(round, done)
        except BaseException:
            self._stop(round)
            raise

    def _give(self, round: _Round) -> None:
        for worker in sorted(self._joined - round.busy.keys()):
            if round.waiting:
                number, job = round.waiting.popleft()
                round.busy[worker] = (number, job, self._connection.call(host.do, (self._sign, job), worker))

    def _collect(self, round: _Round, done: Done) -> None:
        running = [waits for _, _, waits in round.busy.values()]
        if not running:
            time.sleep(_LOOK)
            return
        finished = wait(running, _LOOK, FIRST_COMPLETED).done
        for worker, (number, job, waits) in list(round.busy.items()):
            if waits not in finished:
                continue
            del round.busy[worker]
            found: object = OSError()
            with suppress(OSError, ValueError):
                found = waits.result().get(worker, found)
            if isinstance(found, OSError | ValueError):
                # If it is still there after all, it joins again.
                self._joined.discard(worker)
                self._again(round, number, job)
            elif isinstance(found, Exception):
                raise _of_worker(worker, found)
            else:
                done(number, found)

    def _take_back(self, round: _Round) -> None:
        """Take the jobs of workers that are gone: a call to one of them would wait for half a minute."""
        for worker in round.busy.keys() - self._joined:
            number, job, waits = round.busy.pop(worker)
            waits.cancel()
            self._again(round, number, job)

    def _again(self, round: _Round, number: int, job: Job) -> None:
        self.again += 1
        round.lost[number] += 1
        if round.lost[number] >= _ATTEMPTS:
            raise ClusterError(
                mark("{n} workers were lost at the same job, perhaps for want of memory."),
                reason="workers-lost",
                option="memory",
                n=_ATTEMPTS,
            )
        round.waiting.appendleft((number, job))

    def _stop(self, round: _Round) -> None:
        """Have workers stop, and wait for them: their files may be removed now."""
        with suppress(OSError, RuntimeError, ValueError):
            for worker in round.busy:
                self._connection.call(host.stop, (self._sign,), worker)
            wait([waits for _, _, waits in round.busy.values()], _STOPS)
        for _, _, waits in round.busy.values():
            waits.cancel()

    def _nobody(self) -> ClusterError:
        return ClusterError(
            mark("The cluster at {address} has no workers."), reason="no-workers", address=self._connection.address
        )


def _of_worker(worker: str, error: Exception) -> CorpusError:
    """What stopped a job, with the worker's name where the worker may be to blame."""
    if isinstance(error, CorpusError) and error.reason not in ("worker-cannot-write", "source-not-on-worker"):
        return error
    return BuildError(
        mark("{worker}: {cause}"),
        reason="worker-failed",
        worker=worker,
        cause=str(error)[:500],
    )
