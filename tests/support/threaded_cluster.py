"""A cluster of threads, in place of Dask's `Connection`: workers are lost when told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


class ThreadedCluster:
    """Workers by name. What a lost one does comes to its end, as on a machine that was cut off; nobody hears of it."""

    address = "tcp://threads:1"

    def __init__(self, *workers: str) -> None:
        self._pools = {name: ThreadPoolExecutor(4) for name in workers}
        self.here = list(workers)
        self.calls: list[tuple[str, str, Any]] = []
        self.before: Callable[[str, str, Sequence[Any]], Any] = lambda worker, name, arguments: None
        """Called on the worker's thread before each function; what it gives, unless None, is the answer."""

    def workers(self) -> list[str]:
        return list(self.here)

    def call(self, function: Callable[..., Any], arguments: Sequence[Any], worker: str) -> Future[dict[str, Any]]:
        self.calls.append((worker, function.__name__, arguments))

        def run() -> dict[str, Any]:
            try:
                found = self.before(worker, function.__name__, arguments)
                found = asyncio.run(function(*arguments)) if found is None else found
            except Exception as error:  # noqa: BLE001 - as Dask gives it
                found = error
            if worker not in self.here:
                raise OSError("lost")
            return {worker: found}

        return self._pools[worker].submit(run)

    def close(self) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait=True)
