"""Requests to one host: in its pace, repeated where this helps, and ended at once when they are not wanted any more.

urllib3 keeps the connections. Each request runs in a thread of its own, and the thread that asks waits for it, looking
at its request to stop: it is free within a look, and the socket is shut. So a name that is looked up, which nothing
can interrupt, never holds the user.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urljoin, urlsplit

import urllib3

from explorer.core.jobs import CancelToken
from explorer.http.errors import RemoteError
from explorer.http.failures import TRIES, of_error, of_status
from explorer.http.pace import Pace, pace_of, wait_until
from explorer.http.sockets import CONNECT_SECONDS, Ended, Try, pool_for, use_try
from explorer.http.wire.address import Address
from explorer.i18n import mark

_LOOK = 0.02
"""Seconds between two looks at the request to stop."""
_PIECE = 1 << 16
MOST_SECONDS = 60.0
"""Most seconds until a request is given up, with all its attempts."""
_REDIRECTED = (301, 302, 303, 307, 308)
_MOST_REDIRECTIONS = 3


@dataclass(frozen=True)
class Request:
    """One request.

    path: What follows the address, with its slash.
    body: What is posted; None to get.
    seconds: Most seconds until an attempt has its whole answer.
    most_bytes: Most bytes of the answer.
    accepted: Statuses that are answers besides those of success.
    is_part: Whether a part of a file is asked for: the whole file, which may be very large, is then refused unread.
    leaves: Whether a redirection to another host is followed, which does not get the key: a hub keeps files elsewhere.
    patience: Seconds until the request is given up, with all its attempts.
    repeated: Statuses that pass by, so that the request is repeated, besides those of `explorer.http.failures`.
    """

    path: str = "/"
    body: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()
    seconds: float = 40.0
    most_bytes: int = 64 << 20
    accepted: tuple[int, ...] = ()
    is_part: bool = False
    leaves: bool = False
    patience: float = MOST_SECONDS
    repeated: tuple[int, ...] = ()

    @classmethod
    def of_json(cls, value: Any, path: str = "/", **options: Any) -> Request:
        """Post a JSON value.

        options: Other fields of `Request`.
        """
        body = json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode()
        return cls(path, body, (("Content-Type", "application/json"),), **options)


@dataclass(frozen=True)
class Reply:
    """A successful answer.

    status: 200 to 299, or one that the request accepts.
    headers: By names in small letters.
    """

    status: int
    headers: Mapping[str, str]
    data: bytes


class Client:
    """Asks one host.

    address: The host; see `explorer.http.consent.remote_address`, which asks the user about other machines.
    key: Sent as a bearer token; None for none. Never over an unencrypted connection to another machine.
    pace: How fast; None for the pace that the whole program has for this host.
    Raises `RemoteError` if the key cannot be sent, or the proxy cannot be used.

    Notes
    -----
    May be used from any thread.
    """

    def __init__(self, address: Address, key: str | None = None, pace: Pace | None = None) -> None:
        self.address = address
        self._key = key
        self.pace = pace or pace_of(address.name, address.is_local)
        self._headers = {"User-Agent": "corpus-explorer", "Accept-Encoding": "gzip"}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {_checked(key, address)}"
        self._pool = pool_for(address, self.pace.at_once)
        # `localhost` is not looked up: a file may send the name elsewhere.
        self._origin = address.origin
        if address.scheme == "http" and address.host == "localhost":
            self._origin = f"http://{address.numbers[0]}:{address.port}"
            self._headers["Host"] = address.short

    def ask(self, request: Request, cancel: CancelToken | None = None) -> Reply:
        """Ask for one answer.

        cancel: Stops it: the caller within 50 ms, and the request as soon as the socket is shut.
        Raises `RemoteError` if there is no answer, or none that is a success.
        """
        return self.ask_many([request], cancel)[0]

    def ask_many(
        self,
        requests: Sequence[Request],
        cancel: CancelToken | None = None,
        took: Callable[[int, Reply], None] | None = None,
    ) -> list[Reply]:
        """Ask for many answers, some at once, as the pace of the host allows.

        took: Called with the number of a request and its answer, in the thread that asks, in the order in which they
            come: also for what came before an error.
        Raises `RemoteError` as from `ask`, for the first that fails; the others are ended.
        """
        if cancel is not None:
            cancel.check()
        work = _Work(len(requests))
        for _ in range(min(self.pace.at_once, len(requests))):
            threading.Thread(target=self._answer_some, args=(requests, work), daemon=True).start()
        try:
            return self._await(work, cancel, took)
        finally:
            # Whatever ended the wait: nothing is asked any more.
            work.stop()

    def _await(self, work: _Work, cancel: CancelToken | None, took: Callable[[int, Reply], None] | None) -> list[Reply]:
        replies: dict[int, Reply] = {}
        while len(replies) < work.total:
            for number, reply in work.wait(_LOOK):
                replies[number] = reply
                if took is not None:
                    took(number, reply)
            if cancel is not None:
                cancel.check()
            if len(replies) < work.total:
                work.check()
        return [replies[number] for number in range(work.total)]

    def _answer_some(self, requests: Sequence[Request], work: _Work) -> None:
        """In a thread of its own: answer requests until there are none."""
        try:
            while (number := work.next()) is not None:
                work.finish(number, self._answer(requests[number], work))
        except Ended:
            pass
        except Exception as error:  # noqa: BLE001 - raised again in the thread that asks
            work.fail(error)

    def _answer(self, request: Request, work: _Work) -> Reply:
        end = time.monotonic() + request.patience
        number = 0
        while True:
            number += 1
            with self.pace.turn(work.check_stopped):
                seconds = min(request.seconds, max(1.0, end - time.monotonic()))
                found = self._attempt(request, Try(seconds), work)
            if isinstance(found, Reply):
                return found
            wait = 2 ** (number - 1) * random.uniform(0.5, 1.5) if found.wait is None else found.wait
            if number >= found.tries or time.monotonic() + wait > end:
                raise found.error
            if found.wait is not None:
                # It asked all of us to wait.
                self.pace.hold(wait)
            wait_until(time.monotonic() + wait, work.check_stopped)

    def _attempt(self, request: Request, attempt: Try, work: _Work) -> Any:
        """The reply, or a `Failure`."""
        work.begin(attempt)
        use_try(attempt)
        try:
            status, headers, data = self._once(request)
        except Ended:
            work.check_stopped()
            return of_error(self.address, TimeoutError(), attempt.seconds, is_late=True)
        except RemoteError:
            raise
        # Whatever a socket that was shut, or a broken answer, makes the libraries raise.
        except Exception as error:  # noqa: BLE001
            work.check_stopped()
            return of_error(self.address, error, attempt.seconds, attempt.is_late)
        finally:
            use_try(None)
            work.end(attempt)
        if 200 <= status < 300 or status in request.accepted:
            self.pace.answered = time.time()
            return Reply(status, headers, data)
        failure = of_status(self.address, status, headers, data, self._key)
        return replace(failure, tries=TRIES) if status in request.repeated else failure

    def _once(self, request: Request) -> tuple[int, Mapping[str, str], bytes]:
        url = self._origin + self.address.path + request.path
        own = self._headers
        for _ in range(_MOST_REDIRECTIONS):
            status, headers, data = self._send(url, request, own)
            target = headers.get("location", "")
            if status not in _REDIRECTED or not target:
                return status, headers, data
            new = self._redirected(url, target, status, request)
            if _origin_of(new) != _origin_of(url):
                # Neither does a host get what is meant for another one, nor again what was once withheld.
                own = {name: value for name, value in own.items() if name not in ("Authorization", "Host")}
            url = new
            # 303 asks to fetch the answer; the others repeat the request.
            request = replace(request, body=None) if status == 303 else request
        raise RemoteError(mark("{host} redirects requests in a circle."), reason="redirected", host=self.address.short)

    def _redirected(self, url: str, target: str, status: int, request: Request) -> str:
        new = urljoin(url, target)
        other = urlsplit(new)
        # A service elsewhere cannot lead requests out of the encryption, and so not to other services of this machine.
        may_leave = request.leaves and (other.scheme == "https" or self.address.is_local)
        if _origin_of(url) != _origin_of(new) and not (may_leave and other.hostname and other.username is None):
            raise RemoteError(
                mark("{host} redirects to {other}, which is not followed."),
                reason="redirected",
                host=self.address.short,
                other=f"{other.scheme}://{other.netloc}",
                status=status,
            )
        return new

    def _send(self, url: str, request: Request, own: dict[str, str]) -> tuple[int, Mapping[str, str], bytes]:
        response = self._pool.urlopen(
            "GET" if request.body is None else "POST",
            url,
            body=request.body,
            headers=own | dict(request.headers),
            redirect=False,
            retries=False,
            preload_content=False,
            timeout=urllib3.Timeout(connect=CONNECT_SECONDS, read=request.seconds),
        )
        try:
            if request.is_part and response.status == 200 and response.headers.get("Content-Length") != "0":
                raise RemoteError(
                    mark("{host} sends whole files only, so an index cannot be read from it in parts."),
                    reason="no-parts",
                    host=self.address.short,
                )
            data = self._read(response, request.most_bytes)
        except BaseException:
            # What is left of this answer must not be read as the next one.
            response.close()
            raise
        response.release_conn()
        return response.status, {name.lower(): value for name, value in response.headers.items()}, data

    def _read(self, response: urllib3.BaseHTTPResponse, most: int) -> bytes:
        found = bytearray()
        # After unpacking, so that a small packed answer cannot fill the memory.
        for piece in response.stream(_PIECE, decode_content=True):
            found += piece
            if len(found) > most:
                raise RemoteError(
                    mark("{host} sent more than {most:,} bytes."),
                    reason="too-large",
                    host=self.address.short,
                    most=most,
                )
        return bytes(found)


def _origin_of(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


class _Work:
    """Some requests that are asked together: what the thread that asks and those that answer share."""

    def __init__(self, total: int) -> None:
        self.total = total
        self._changed = threading.Condition()
        self._next = 0
        self._ready: list[tuple[int, Reply]] = []
        self._error: Exception | None = None
        self._stopped = False
        self._tries: set[Try] = set()

    # In the threads that answer.

    def next(self) -> int | None:
        """The number of the next request; None if there is none."""
        with self._changed:
            if self._stopped or self._next == self.total:
                return None
            self._next += 1
            return self._next - 1

    def begin(self, attempt: Try) -> None:
        """An attempt begins."""
        with self._changed:
            self._tries.add(attempt)
            if self._stopped:
                raise Ended

    def end(self, attempt: Try) -> None:
        """It is over."""
        with self._changed:
            self._tries.discard(attempt)

    def finish(self, number: int, reply: Reply) -> None:
        """A request is answered."""
        with self._changed:
            self._ready.append((number, reply))
            self._changed.notify()

    def fail(self, error: Exception) -> None:
        """A request cannot be answered."""
        with self._changed:
            self._error = self._error or error
            self._changed.notify()

    def check_stopped(self) -> None:
        """Raise `Ended` if nothing is asked any more."""
        if self._stopped:
            raise Ended

    # In the thread that asks.

    def wait(self, seconds: float) -> list[tuple[int, Reply]]:
        """What was answered, after some seconds at most."""
        with self._changed:
            if not self._ready and self._error is None:
                self._changed.wait(seconds)
            found, self._ready = self._ready, []
            tries = [*self._tries]
        for attempt in tries:
            attempt.look()
        return found

    def check(self) -> None:
        """Raise what a request failed with."""
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Ask nothing any more."""
        with self._changed:
            self._stopped = True
            tries = [*self._tries]
        for attempt in tries:
            attempt.end()


def _checked(key: str, address: Address) -> str:
    """A key that can be a line of a request; no error quotes it."""
    if not key or any(not "!" <= char <= "~" for char in key):
        raise RemoteError(
            mark("The key of the service must be of visible ASCII characters, without spaces."), reason="bad-key"
        )
    if address.scheme == "http" and not address.is_local:
        raise RemoteError(
            mark("{host} is another machine, and the connection is not encrypted: the key was not sent."),
            reason="key-not-encrypted",
            host=address.short,
        )
    return key


def read_json(reply: Reply, address: Address) -> Any:
    """Read an answer as JSON."""
    try:
        return json.loads(reply.data)
    except (ValueError, RecursionError) as error:
        raise RemoteError(
            mark("{host} answered, but not in JSON: something else may be at this address."),
            reason="not-json",
            host=address.short,
        ) from error
