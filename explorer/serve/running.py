"""A server that runs: from the first request to the last, which is answered before the server ends."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn

from explorer.serve.access import Access
from explorer.serve.app import make_host
from explorer.serve.connections import limited, sweep
from explorer.serve.indexes import ServedIndex
from explorer.serve.settings import Settings
from explorer.serve.sockets import address_of, listen

_KEPT = 75
"""Seconds that an idle connection is kept open."""
_TO_THE_END = 5.0
"""Seconds beyond the deadline of a question that running requests have to end."""
_HEADERS = [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]


class Server:
    """A server of some indexes.

    settings: How it is reached, and what it takes on.
    complain: Takes a sentence about a failure; called on any thread.
    tell: Takes each request when it was answered; None to log none.
    Raises `ServeError` if the port is taken, or the address needs a token.

    Notes
    -----
    The port is taken when the server is made; questions wait until `run`. A server runs once.
    """

    def __init__(
        self,
        indexes: Mapping[str, ServedIndex],
        settings: Settings,
        complain: Callable[[str], None] = print,
        tell: Callable[[Access], None] | None = None,
    ) -> None:
        self._sockets = listen(settings)
        self.address = address_of(self._sockets)
        self.host, app = make_host(indexes, settings, complain, tell)
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL + 1)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            headers=_HEADERS,
            ws="none",
            lifespan="on",
            proxy_headers=False,
            timeout_keep_alive=_KEPT,
            timeout_graceful_shutdown=int(settings.deadline + _TO_THE_END),
        )
        config.load()
        config.http_protocol_class = limited(config.http_protocol_class, settings.connections)
        self._server = _Uvicorn(config, self.host.stop)

    def run(self, ready: Callable[[], None] | None = None) -> None:
        """Answer until `stop` is called, or Ctrl-C or SIGTERM comes on the main thread.

        ready: Called when the first question can come.
        """
        self._server.ready = ready
        try:
            asyncio.run(self._server.serve(self._sockets))
        finally:
            self.host.pool.stop()
            for each in self._sockets:
                each.close()

    def stop(self) -> None:
        """End the server, from any thread: no further connection is taken, and running requests are answered."""
        self._server.should_exit = True


class _Uvicorn(uvicorn.Server):
    """Uvicorn's server, which ends by signals without raising them again, and closes connections that hang."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready: Callable[[], None] | None = None
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.ready is not None:
            self.ready()

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:
            sweep(self.server_state.connections)
        ends = await super().on_tick(counter)
        if ends:
            self._ending()
        return ends

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # Uvicorn raises the signal again when it has ended, which would turn a clean end into an interrupted command.
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._handle) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _handle(self, number: int, frame: FrameType | None) -> Any:
        # The second Ctrl-C does not wait for running requests.
        if self.should_exit and number == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True
