"""Who may ask: checked before any part of a server sees a request.

A page of any web site can make the browser of this machine ask a server on it, under a name of its own that leads here.
So names (Host) and pages (Origin) are checked on this machine too.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Callable, Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.backends.asked.questions import PATH
from explorer.http.wire.completions import error_body
from explorer.http.wire.errors import RefusedError
from explorer.serve.settings import MOST_BYTES, MOST_BYTES_OF_HITS, Settings

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_OWN_SITES = ("same-origin", "none")


class Guard:
    """Refuses requests of strangers, and bodies that are too large; makes faults of the parts an answer.

    settings: The names of the server, and its token.
    complain: Takes a sentence about a fault.
    """

    def __init__(self, app: ASGIApp, settings: Settings, complain: Callable[[str], None]) -> None:
        self._app, self._complain = app, complain
        self._hosts = own_names(settings)
        self._token = f"Bearer {settings.token}".encode() if settings.token else b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False
        left = most = MOST_BYTES_OF_HITS if scope["path"].startswith(PATH) else MOST_BYTES

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise _too_large(most)
            return message

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            self._check(scope["headers"], most)
            await self._app(scope, counted, noted)
        except RefusedError as refused:
            if not begun:
                await _refuse(scope, send, refused)
        except Exception as error:  # noqa: BLE001 - a fault of one request is not one of the server
            self._complain(f"Unexpected {type(error).__name__}: {error}")
            if not begun:
                await _refuse(scope, send, RefusedError("Internal server error", 500))

    def _check(self, headers: Iterable[tuple[bytes, bytes]], most: int) -> None:
        found: dict[bytes, bytes] = {}
        for name, value in headers:
            found.setdefault(name, value)
        host = found.get(b"host", b"").decode("latin-1").lower()
        if _without_port(host) not in self._hosts:
            raise RefusedError("This host name is not allowed here", 403)
        origin = found.get(b"origin")
        if origin is not None and origin.decode("latin-1").lower().partition("://")[2] != host:
            raise RefusedError("Pages of other sites may not ask here", 403)
        if found.get(b"sec-fetch-site", b"none").decode("latin-1") not in _OWN_SITES:
            raise RefusedError("Pages of other sites may not ask here", 403)
        # All of both are compared, so the time tells nothing of the token.
        if self._token and not hmac.compare_digest(found.get(b"authorization", b""), self._token):
            raise RefusedError("The token is missing or wrong", 401)
        if _length(found.get(b"content-length", b"0")) > most:
            raise _too_large(most)


def own_names(settings: Settings) -> frozenset[str]:
    """The names and addresses under which a server may be asked, without ports."""
    own = settings.host.lower()
    is_any = not own or own == "localhost" or ipaddress.ip_address(own).is_loopback
    names = _LOOPBACK if is_any else () if ipaddress.ip_address(own).is_unspecified else (own,)
    return frozenset((*names, *(_without_port(name.lower()) for name in settings.hosts)))


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    # An IPv6 address without brackets, as an option may have it, has more than one colon.
    return host.partition(":")[0] if host.count(":") == 1 else host


def _length(value: bytes) -> int:
    # The parser of requests has refused what is not a number.
    return int(value) if value.isdigit() else 0


def _too_large(most: int) -> RefusedError:
    return RefusedError(f"The request has more than {most:,} bytes", 413)


async def _refuse(scope: Scope, send: Send, refused: RefusedError) -> None:
    # Imported here: `http` needs more of Starlette than this file.
    from explorer.serve.http import as_json

    # Each interface has a form of its own for errors.
    is_completion = scope["path"].startswith("/v1/")
    body = as_json(error_body(refused.sentence, refused.status) if is_completion else refused.reply)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refused.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
