"""The access log of a server: who asked what kind of question and how it ended, never what was asked."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.errors import CorpusError
from explorer.i18n import mark

_LONGEST_PATH = 200
_OWNER_ONLY = 0o600


@dataclass(frozen=True)
class Access:
    """One request that was answered.

    begun: When it came, in UTC.
    client: The address that asked; "-" if it is not known.
    method, path: What was asked for, without what follows "?": that may have text of a query.
    status: The status of the answer; 0 if there was none, because the client went away or the server ended.
    size: Bytes of the answer's body.
    seconds: From the request to the end of the answer.
    """

    begun: datetime
    client: str
    method: str
    path: str
    status: int
    size: int
    seconds: float

    def line(self) -> str:
        """The line of the log, without its end.

        Returns: Seven fields with a space between them; none contains one.

        Examples
        --------
        >>> moment = datetime(2026, 1, 31, 9, 5, 2, 34000, UTC)
        >>> Access(moment, "127.0.0.1", "POST", "/mcp", 200, 512, 0.0042).line()
        '2026-01-31T09:05:02.034Z 127.0.0.1 POST /mcp 200 512 4.2ms'
        """
        moment = self.begun.strftime("%Y-%m-%dT%H:%M:%S") + f".{self.begun.microsecond // 1000:03}Z"
        # Clients choose both: neither may begin a line or fill the disk.
        method, path = quote(self.method[:_LONGEST_PATH]), quote(self.path[:_LONGEST_PATH])
        return f"{moment} {self.client} {method} {path} {self.status} {self.size} {1000 * self.seconds:.1f}ms"


class AccessLog:
    """Reports of each request how it ended.

    app: The application, with its guard: what that refuses is logged as well.
    tell: Takes one request, on the thread of the event loop.
    """

    def __init__(self, app: ASGIApp, tell: Callable[[Access], None]) -> None:
        self._app, self._tell = app, tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, clock = datetime.now(UTC), time.perf_counter()
        status = size = 0

        async def noted(message: Message) -> None:
            nonlocal status, size
            await send(message)
            status = message.get("status", status)
            size += len(message.get("body", b""))

        try:
            await self._app(scope, receive, noted)
        finally:
            client = (scope.get("client") or ("-",))[0]
            seconds = time.perf_counter() - clock
            self._tell(Access(begun, client, scope["method"], scope["path"], status, size, seconds))


@contextmanager
def log_to(path: Path, complain: Callable[[str], None]) -> Iterator[Callable[[Access], None]]:
    """Append requests to a file that only its owner can read.

    path: The file; lines are added to one that exists.
    complain: Takes a sentence once, if the file cannot be written any more: the server continues without its log.
    Raises `CorpusError` if the file cannot be opened.
    """
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _OWNER_ONLY)
    except OSError as error:
        sentence = mark("The access log {path} cannot be written: {cause}.")
        raise CorpusError(sentence, reason="no-access-log", path=path, cause=error.strerror or str(error)) from error
    complained = False

    def tell(access: Access) -> None:
        nonlocal complained
        try:
            # At once and in one call: nothing is lost with the process, and lines of two servers do not mix.
            os.write(number, f"{access.line()}\n".encode())
        except OSError as error:
            if not complained:
                complain(f"The access log {path} cannot be written any more: {error.strerror}.")
            complained = True

    try:
        yield tell
    finally:
        os.close(number)
