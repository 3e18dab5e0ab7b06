"""A cluster on this machine: workers are processes, each with a folder of its own."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from explorer.backends.cluster.host import FOLDERS


class Workers:
    """The workers of a cluster by their names."""

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster
        self.address = str(cluster.scheduler_address)

    def kill(self, name: str) -> None:
        """Kill the process of a worker; its nanny starts another."""
        number = self._cluster.workers[name].process.pid
        # None while it is started again.
        if number is not None:
            os.kill(number, signal.SIGKILL)

    def lose(self, name: str) -> None:
        """End a worker and its nanny, as if its machine were off."""
        self._cluster.sync(self._cluster.workers.pop(name).close)

    def wait(self) -> None:
        """Wait until all workers are there."""
        end = time.monotonic() + 60
        while not self._are_there():
            assert time.monotonic() < end
            time.sleep(0.05)

    def _are_there(self) -> bool:
        # A nanny whose worker dies while it starts gives up.
        running = [
            each.process is not None and each.process.status.name == "running"
            for each in self._cluster.workers.values()
        ]
        return all(running) and len(self._cluster.scheduler.workers) == len(running)

    def pause(self, name: str) -> int:
        """Stop the process of a worker, which stays; gives its number, to let it run again."""
        number = int(self._cluster.workers[name].process.pid)
        os.kill(number, signal.SIGSTOP)
        return number


@contextmanager
def started(folders: Mapping[str, Path], security: Any = None) -> Iterator[Workers]:
    """Start a worker per folder, and end them with the block.

    Yields
    ------
    Workers
        The workers.
    """
    import dask
    import distributed
    from distributed import Nanny, Scheduler

    # It has no types.
    make: Any = distributed.SpecCluster

    workers = {
        name: {
            "cls": Nanny,
            "options": {
                "env": {FOLDERS: str(folder)},
                "nthreads": 2,
                "memory_limit": 0,
                "dashboard": False,
                "security": security,
            },
        }
        for name, folder in folders.items()
    }
    scheduler = {
        "cls": Scheduler,
        "options": {"dashboard": False, "dashboard_address": "127.0.0.1:0", "host": "127.0.0.1", "security": security},
    }
    # It would end the nanny of a worker that was killed some seconds ago, which has come back by then.
    patience = {"distributed.deploy.lost-worker-timeout": "1 hour"}
    with dask.config.set(patience), make(workers, scheduler=scheduler, security=security, silence_logs=50) as cluster:
        yield Workers(cluster)
