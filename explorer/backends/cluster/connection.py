"""The connection to the scheduler of a cluster, through Dask's client."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from typing import Any

_CONNECT = 10.0
"""Seconds to connect."""
_LIST = 10.0
"""Seconds for the scheduler to list its workers, which takes a millisecond."""
_STARTS = threading.Lock()


@dataclass(frozen=True)
class Lesson:
    """What a worker is told before it is asked again.

    untold: What is in an answer of a worker that was not told.
    """

    untold: str
    function: Callable[..., Any]
    arguments: Sequence[Any]


class Connection:
    """A client of a scheduler.

    security: Dask's certificates for it; None for those of Dask's own configuration.
    Raises `OSError, RuntimeError, TypeError, ValueError` if there is no connection.

    Notes
    -----
    From any thread. All clients of the process live on one event loop, which never ends: a client that has a loop of
    its own ends it when it is closed, and waits for a lock that is held while another client waits for its loop to
    begin. If the collector closes a client on that other loop, both wait for ever.
    """

    def __init__(self, address: str, security: Any = None) -> None:
        # What it would write beside the program's own sentences.
        logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
        # Its methods have no types.
        self._loop = _loop()
        self._client: Any = self._begin(_connected(address, security)).result()
        self.address = str(self._client.scheduler.address)
        """The address of the scheduler."""

    def workers(self) -> dict[str, str]:
        """List the workers that are there now.

        Returns: By their addresses, those of their nannies, which restart them; "" for a worker without one.
        Raises `OSError, RuntimeError` if the scheduler does not answer.
        """
        # Not `scheduler_info`: if the scheduler is gone, that gives what it gave before.
        if self._client.status != "running":
            raise OSError("the connection is lost")
        found = self._begin(asyncio.wait_for(self._client.scheduler.identity(n_workers=-1), _LIST)).result()
        return {worker: facts.get("nanny") or "" for worker, facts in found["workers"].items()}

    def ping(self, address: str) -> Future[None]:
        """Ask a nanny whether it is there; the answer, or an error, may take half a minute."""
        return self._begin(self._identity(address))

    async def _identity(self, address: str) -> None:
        await self._client.rpc(address).identity()

    def call(
        self, function: Callable[..., Any], arguments: Sequence[Any], worker: str, lesson: Lesson | None = None
    ) -> Future[dict[str, Any]]:
        """Call a function on a worker.

        function, arguments: What to call, which both sides can import.
        lesson: What to tell it if it does not know yet what the question is about.
        Returns: The answer by the worker's address; what the function raises is in its place.
        """

        async def asked() -> dict[str, Any]:
            found = await self._run(function, arguments, worker)
            answer = found.get(worker)
            if lesson is None or not isinstance(answer, dict) or lesson.untold not in answer:
                return found
            await self._run(lesson.function, lesson.arguments, worker)
            return await self._run(function, arguments, worker)

        return self._begin(asked())

    async def _run(self, function: Callable[..., Any], arguments: Sequence[Any], worker: str) -> dict[str, Any]:
        found: dict[str, Any] = await self._client.run(function, *arguments, workers=[worker], on_error="return")
        return found

    def close(self) -> None:
        """End the connection, without a wait for it: the collector may call this on any thread."""
        self._begin(_closed(self._client))

    def _begin(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)


async def _connected(address: str, security: Any) -> Any:
    import distributed

    make: Any = distributed.Client
    # With its own configuration, where the certificates of tls:// are.
    client = make(address, timeout=_CONNECT, set_as_default=False, asynchronous=True, security=security)
    try:
        await client
    except BaseException:
        await _closed(client)
        raise
    return client


async def _closed(client: Any) -> None:
    await client.close(timeout=2)


def _loop() -> asyncio.AbstractEventLoop:
    """The loop of all clients; never asked for by the collector, which may interrupt the holder of the lock."""
    with _STARTS:
        return _started()


@cache
def _started() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    # A thread that does not hold up the end of the program: Dask waits without an end for a worker that is stopped but
    # not gone.
    threading.Thread(target=loop.run_forever, name="cluster", daemon=True).start()
    return loop
