"""What the parts of a server share, and what each of them adds to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from starlette.routing import BaseRoute

from explorer.serve.indexes import ServedIndex
from explorer.serve.settings import Settings
from explorer.serve.work import Pool
from explorer.wire.errors import RefusedError


@dataclass
class Host:
    """What the parts of a server share.

    Attributes
    ----------
    indexes
        The indexes, by their names.
    settings
        What the server takes on.
    pool
        Does the work of requests: `await host.pool.ask(work)`. Nothing that takes longer than a millisecond runs on
        the server's own thread.
    complain
        Takes a sentence about a failure, for whoever runs the server.
    capabilities
        What `GET /healthz` announces, of all parts.
    stopping
        Whether the server ends; streams look at it.
    """

    indexes: Mapping[str, ServedIndex]
    settings: Settings
    pool: Pool
    complain: Callable[[str], None]
    capabilities: tuple[str, ...] = ()
    stopping: bool = False

    def stop(self) -> None:
        """Tell streams that the server ends."""
        self.stopping = True

    def index(self, name: str) -> ServedIndex:
        """Find an index; raises RefusedError (400) for a name that is not served."""
        found = self.indexes.get(name)
        if found is None:
            raise RefusedError(f"Invalid index: {name[:80]}", 400)
        return found


@dataclass(frozen=True)
class Part:
    """What one file adds to a server.

    Attributes
    ----------
    routes
        Routes of Starlette. Who may ask, and how much, has been checked before them.
    capabilities
        Names for `GET /healthz`.
    lifespan
        Makes what is entered before the first request and left after the last; None for nothing.
    """

    routes: tuple[BaseRoute, ...] = ()
    capabilities: tuple[str, ...] = ()
    lifespan: Callable[[], AbstractAsyncContextManager[object]] | None = field(default=None)
