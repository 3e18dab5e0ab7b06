"""What the parts of a server share, and what each of them adds to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from starlette.datastructures import QueryParams
from starlette.routing import BaseRoute

from explorer.http.wire.errors import RefusedError
from explorer.serve.indexes import ServedIndex
from explorer.serve.settings import Settings
from explorer.serve.work import Pool

MOST_VALUES = 100
"""Values of a parameter of an address that may be given several times."""


@dataclass
class Host:
    """What the parts of a server share.

    settings: What the server takes on.
    pool: Does the work of requests: `await host.pool.ask(work)`. Nothing that takes longer than a millisecond runs on
        the server's own thread.
    complain: Takes a sentence about a failure, for whoever runs the server.
    capabilities: What `GET /healthz` announces, of all parts.
    stopping: Whether the server ends; streams look at it.
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
class QueryField:
    """A parameter of an address.

    default: What it is if it is missing; None: it is required.
    least, most: The range of a number.
    is_list: Whether it may be given several times.
    """

    name: str
    meaning: str
    default: int | None = None
    least: int = 0
    most: int = (1 << 63) - 1
    is_text: bool = False
    is_list: bool = False

    def text(self, given: QueryParams) -> str:
        """The text that was sent; raises RefusedError (422) if there is none."""
        if self.name not in given:
            raise RefusedError(f"{self.name} is missing", 422)
        return str(given[self.name])

    def number(self, given: QueryParams) -> int:
        """The number that was sent, or the default."""
        return self.default if self.name not in given and self.default is not None else self._read(self.text(given))

    def numbers(self, given: QueryParams) -> list[int]:
        """All numbers that were sent."""
        found = [self._read(each) for each in given.getlist(self.name)]
        if not 1 <= len(found) <= MOST_VALUES:
            raise RefusedError(f"{self.name} must be given 1 to {MOST_VALUES} times", 422)
        return found

    def _read(self, text: str) -> int:
        value = int(text) if text.isascii() and text.lstrip("-").isdigit() and len(text) < 20 else None
        if value is None or not self.least <= value <= self.most:
            raise RefusedError(f"{self.name} must be a whole number from {self.least} to {self.most}", 422)
        return value


@dataclass(frozen=True)
class Part:
    """What one file adds to a server.

    routes: Routes of Starlette. Who may ask, and how much, has been checked before them.
    capabilities: Names for `GET /healthz`.
    lifespan: Makes what is entered before the first request and left after the last; None for nothing.
    fields: What the addresses of routes take, by their paths.
    """

    routes: tuple[BaseRoute, ...] = ()
    capabilities: tuple[str, ...] = ()
    lifespan: Callable[[], AbstractAsyncContextManager[object]] | None = field(default=None)
    fields: Mapping[str, tuple[QueryField, ...]] = field(default_factory=dict)
