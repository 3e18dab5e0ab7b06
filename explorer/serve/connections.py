"""Connections of a server: how many are kept, and how long one may hang.

Uvicorn keeps every connection, and waits forever for a request that does not come. A thousand idle connections would
leave no room for a client with a question.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any

_REQUEST = 30.0
"""Seconds in which a request must arrive, and in which a client must read some of its answer."""


def limited(protocol: Any, most: int) -> Any:
    """Make a protocol of Uvicorn that closes connections beyond a number, and remembers how long one waits.

    protocol: Uvicorn's class, of either parser.
    """

    class Limited(protocol):  # type: ignore[misc]
        """A connection with the time at which it began to wait for the rest of a request; None if it does not."""

        waits_since: float | None = None
        stuck_since: float | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self.waits_since = time.monotonic()
            if len(self.connections) > most:
                transport.abort()

        def data_received(self, data: bytes) -> None:
            # From the first byte of a request on; those that follow do not prolong it.
            if self.waits_since is None and _is_idle(self):
                self.waits_since = time.monotonic()
            super().data_received(data)
            if not _is_idle(self):
                self.waits_since = None

        def on_response_complete(self) -> None:
            # An idle connection is closed by Uvicorn.
            self.waits_since = None
            super().on_response_complete()

    return Limited


def sweep(connections: Iterable[Any]) -> None:
    """Close connections whose client no longer sends or reads; called every second."""
    now = time.monotonic()
    for connection in list(connections):
        # An answer that is not read: Uvicorn has stopped writing.
        if not connection.flow.write_paused:
            connection.stuck_since = None
        elif connection.stuck_since is None:
            connection.stuck_since = now
        since = connection.waits_since if connection.stuck_since is None else connection.stuck_since
        if since is not None and now - since > _REQUEST:
            connection.transport.abort()


def _is_idle(connection: Any) -> bool:
    return connection.cycle is None or connection.cycle.response_complete
