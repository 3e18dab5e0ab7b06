"""Requests and answers of all parts of a server: JSON in, within limits, and JSON out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from explorer.core.files.json_text import parse_json, write_json
from explorer.http.wire.errors import RefusedError
from explorer.serve.settings import MOST_DEPTH

_JSON = "application/json"
_PATIENCE = 30.0
"""Seconds in which the body of a request must arrive."""
RETRY_AFTER = "1"
"""Seconds after which a client may ask a busy server again."""


async def read_json(request: Request) -> Any:
    """Read the body of a request.

    Raises `RefusedError` if it is not JSON, is nested too deeply or does not arrive. `guard` has refused one that is
        too large.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    # A page of another site can send other types without asking first.
    if kind != _JSON:
        raise RefusedError(f"The Content-Type must be {_JSON}", 415)
    try:
        async with asyncio.timeout(_PATIENCE):
            body = await request.body()
    except (TimeoutError, ClientDisconnect):
        raise RefusedError("The request did not arrive", 408) from None
    try:
        value = parse_json(body)
    except ValueError as error:
        raise RefusedError(f"The request cannot be read: {error}", 400) from error
    if not _is_shallow(value):
        raise RefusedError(f"The request is nested more than {MOST_DEPTH} levels deep", 400)
    return value


def _is_shallow(value: object) -> bool:
    level = [value]
    for _ in range(MOST_DEPTH + 1):
        inner = [part for part in level if isinstance(part, list | dict)]
        if not inner:
            return True
        level = [part for each in inner for part in (each.values() if isinstance(each, dict) else each)]
    return False


def as_json(value: Any) -> bytes:
    """Write a value for an answer; large ones are written on a thread of the pool."""
    return write_json(value).encode("utf-8")


def reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Make an answer of a value, or of JSON that is written already (bytes)."""
    data = value if isinstance(value, bytes) else as_json(value)
    return Response(data, status, headers, _JSON)


def refusal(refused: RefusedError) -> Response:
    """Make the answer to a question that is refused."""
    return reply(refused.reply, refused.status, {"Retry-After": RETRY_AFTER} if refused.status == 503 else None)


Endpoint = Callable[[Request], Awaitable[Response]]


def answers(endpoint: Endpoint) -> Endpoint:
    """Make an endpoint answer what it raises as `RefusedError`."""

    @wraps(endpoint)
    async def asked(request: Request) -> Response:
        try:
            return await endpoint(request)
        except RefusedError as refused:
            return refusal(refused)

    return asked
