"""The application: the parts of a server, and the guard before them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from explorer.http.wire.errors import RefusedError
from explorer.serve import asked, health
from explorer.serve.access import Access, AccessLog
from explorer.serve.completions import routes as completion_routes
from explorer.serve.described import described
from explorer.serve.guard import Guard
from explorer.serve.host import Host, Part
from explorer.serve.http import refusal, reply
from explorer.serve.indexes import ServedIndex
from explorer.serve.infini_gram import attribution, documents, infini_gram
from explorer.serve.settings import Settings
from explorer.serve.tools import assistant_routes
from explorer.serve.work import Pool

PARTS: tuple[Callable[[Host], Part], ...] = (
    infini_gram.part,
    asked.part,
    completion_routes.part,
    assistant_routes.part,
    attribution.part,
    documents.part,
    health.part,
)
"""What a server answers: one row per file. A part whose extra is not installed has no routes."""


def make_host(
    indexes: Mapping[str, ServedIndex],
    settings: Settings,
    complain: Callable[[str], None],
    tell: Callable[[Access], None] | None = None,
) -> tuple[Host, ASGIApp]:
    """Make the application of a server.

    complain: Takes a sentence about a failure; it may name files.
    tell: Takes each request when it was answered; None to log none.
    """
    host = Host(indexes, settings, Pool(settings, complain), complain)
    parts = [make(host) for make in PARTS]
    parts.append(described(parts))
    host.capabilities = tuple(name for part in parts for name in part.capabilities)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for part in parts:
                if part.lifespan is not None:
                    await stack.enter_async_context(part.lifespan())
            yield

    app = Starlette(
        routes=[route for part in parts for route in part.routes],
        exception_handlers={RefusedError: _refused, HTTPException: _not_found, Exception: _failed},
        lifespan=lifespan,
    )
    guard = Guard(app, settings, complain)
    return host, guard if tell is None else AccessLog(guard, tell)


async def _refused(request: Request, error: Exception) -> Response:
    """What an endpoint refuses."""
    assert isinstance(error, RefusedError)
    return refusal(error)


async def _failed(request: Request, error: Exception) -> Response:
    """A fault of an endpoint. It is raised again after this answer, and the guard complains about it."""
    return refusal(RefusedError("Internal server error", 500))


async def _not_found(request: Request, error: Exception) -> Response:
    """Paths that do not exist and methods that they do not take."""
    assert isinstance(error, HTTPException)
    tried = completion_routes.not_served(request, error.status_code)
    if tried is not None:
        return reply(tried, error.status_code, error.headers)
    return reply({"error": error.detail}, error.status_code, error.headers)
