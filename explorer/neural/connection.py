"""Requests to one server: small ones, one after another, each of which can be stopped."""

from __future__ import annotations

import http.client
import io
import json
import os
import selectors
import socket
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Self

from explorer.core.jobs import CancelToken
from explorer.i18n import mark
from explorer.neural.address import Address, ServerError

_LOOK = 0.05
"""Seconds between two looks at the request to stop."""

_MOST_BYTES = 64 << 20
"""Most bytes of an answer: those of 100,000 tokens with 5 candidates each have 40 MB."""

_MOST_QUOTED = 200

_HEADERS = {"Content-Type": "application/json", "Accept-Encoding": "identity"}


class Connection:
    """A connection to one server, which is kept open between requests.

    address: A checked address. No proxy is used, and no redirection is followed.
    timeout: Most seconds until an answer is complete; of an answer that comes in parts, until the next part.
    key: The key that the server asks for; None for no key. It is sent with each request, and never shown or kept.
    failure: The class of the errors of its requests, by which a surface finds what to do about them.
    Raises `ServerError` if the key cannot be sent, or would be sent to another machine without encryption.

    Notes
    -----
    Close it, or use it in a `with` statement.
    """

    def __init__(
        self,
        address: Address,
        timeout: float = 120.0,
        key: str | None = None,
        failure: type[ServerError] = ServerError,
    ) -> None:
        self.address = address
        self._timeout, self._key, self._failure = timeout, key, failure
        self._headers = _HEADERS if key is None else _HEADERS | {"Authorization": f"Bearer {_checked(key, address)}"}
        self._watch = _Watch(timeout)
        self._open: http.client.HTTPConnection | None = None

    def get(self, path: str, cancel: CancelToken | None = None) -> Any:
        """Ask for a JSON value.

        cancel: Stops the request, within a tenth of a second once it is connected.
        Raises `ServerError` if there is no answer, or none that can be used.
        """
        return self._value("GET", path, b"", cancel)

    def post(self, path: str, value: Any, cancel: CancelToken | None = None) -> Any:
        """Send a JSON value, and ask for another."""
        return self._value("POST", path, json.dumps(value, ensure_ascii=True).encode(), cancel)

    def stream(self, path: str, value: Any, cancel: CancelToken | None = None) -> tuple[str, Iterator[bytes]]:
        """Send a JSON value, and receive the answer part by part, as it comes.

        Returns: The media type of the answer, such as "text/event-stream", and its parts. A part may end anywhere, also
            within a character. The time limit holds for each part, not for all of them.
        Raises `ServerError` as from `get`; the parts raise it, too, where the answer breaks off. Those before it are
            valid.
        """
        # A connection of its own: a kept one may turn out to be closed, and a question that makes a model write must
        # not be sent twice.
        self.close()
        self._watch.begin(cancel)
        body = json.dumps(value, ensure_ascii=True).encode()
        self._open = _Watched(self.address, self._watch)
        try:
            self._open.request("POST", self.address.path + path, body, self._headers)
            response = self._open.getresponse()
            data = b"" if response.status == 200 else response.read(_MOST_BYTES)
            self._check_status(response.status, path, data)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise self._failed(error) from error
        except BaseException:
            self.close()
            raise
        return response.headers.get_content_type(), self._parts(response, cancel)

    def _parts(self, response: http.client.HTTPResponse, cancel: CancelToken | None) -> Iterator[bytes]:
        total = 0
        try:
            while part := response.read1(1 << 16):
                # The server lives: its time begins again.
                self._watch.begin(cancel)
                total += len(part)
                if total > _MOST_BYTES:
                    raise self._error(mark("{host} sent more than {most:,} bytes."), "too-large", most=_MOST_BYTES)
                yield part
            if response.length:
                raise http.client.IncompleteRead(b"", response.length)
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(error) from error
        finally:
            # Also where nobody reads on: the server notices, and stops writing.
            self.close()

    def close(self) -> None:
        """Close the connection; a later request opens it again."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _value(self, method: str, path: str, body: bytes, cancel: CancelToken | None) -> Any:
        status, data = self._answer(method, self.address.path + path, body, cancel)
        self._check_status(status, path, data)
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise self._error(mark("{host} answered {asked}, but not in JSON."), "not-json", asked=path) from error

    def _check_status(self, status: int, path: str, data: bytes) -> None:
        if 300 <= status < 400:
            raise self._error(mark("{host} redirects requests, which is not followed."), "redirected", status=status)
        # Any other success has no answer either.
        if status != 200:
            sentence = mark("{host} answered {asked} with status {status}. {text}")
            raise self._error(sentence, "refused", status=status, asked=path, text=quoted(data, self._key))

    def _answer(self, method: str, path: str, body: bytes, cancel: CancelToken | None) -> tuple[int, bytes]:
        self._watch.begin(cancel)
        kept = self._open is not None
        try:
            return self._once(method, path, body)
        except (OSError, http.client.HTTPException) as error:
            # A server may close a connection that waits. A request changes nothing there, so it may be sent twice.
            if not kept or isinstance(error, TimeoutError):
                raise self._failed(error) from error
        try:
            return self._once(method, path, body)
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(error) from error

    def _once(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        if self._open is None:
            self._open = _Watched(self.address, self._watch)
        try:
            self._open.request(method, path, body or None, self._headers)
            with self._open.getresponse() as response:
                data = response.read(_MOST_BYTES + 1)
                if len(data) > _MOST_BYTES:
                    raise self._error(mark("{host} sent more than {most:,} bytes."), "too-large", most=_MOST_BYTES)
                if response.length:
                    raise http.client.IncompleteRead(b"", response.length)
        except BaseException:
            # What is left of this answer must not be read as the next one.
            self.close()
            raise
        return response.status, data

    def _failed(self, error: Exception) -> ServerError:
        if isinstance(error, TimeoutError):
            return self._error(
                mark("{host} did not answer within {seconds:,} seconds."), "no-answer", seconds=round(self._timeout)
            )
        if isinstance(error, ConnectionRefusedError):
            return self._error(mark("No server answers at {host}."), "no-server")
        # Only the kind of a broken answer: its text is whatever was sent.
        cause = (error.strerror or type(error).__name__) if isinstance(error, OSError) else type(error).__name__
        return self._error(mark("The connection to {host} broke: {cause}."), "gone", cause=cause)

    def _error(self, sentence: str, reason: str, **fields: Any) -> ServerError:
        return self._failure(sentence, reason=reason, host=self.address.name, **fields)


def _checked(key: str, address: Address) -> str:
    """A key that can be a line of a request; no error quotes it."""
    if not key or any(not "!" <= char <= "~" for char in key):
        raise ServerError(
            mark("The key of the server must be of visible ASCII characters, without spaces."), reason="bad-key"
        )
    if address.scheme == "http" and not address.is_local:
        raise ServerError(
            mark("{host} is another machine, and the connection is not encrypted: the key was not sent."),
            reason="key-not-encrypted",
            host=address.name,
        )
    return key


def quoted(data: bytes, key: str | None = None) -> str:
    """Quote what a server reports of an error, short and on one line.

    key: The key, which is left out of the quotation; None for none.
    Returns: Printable characters only, at most 200; "" if it reports nothing.

    Examples
    --------
    >>> quoted(b'{"error": {"message": "out of memory"}}')
    'out of memory'
    """
    try:
        value = json.loads(data)
        found = value.get("error", value.get("message", "")) if isinstance(value, dict) else ""
        shown = found.get("message", "") if isinstance(found, dict) else found
    except (ValueError, RecursionError):
        shown = data[: 4 * _MOST_QUOTED].decode("utf-8", "replace")
    # Some servers quote the key that they refuse.
    shown = str(shown).replace(key, "…") if key else shown
    # Foreign text: no control characters, and no more than fits a notice.
    line = " ".join("".join(c if c.isprintable() else " " for c in str(shown)).split())
    return line[:_MOST_QUOTED] + "…" * (len(line) > _MOST_QUOTED)


class _Watch:
    """The request to stop and the end of the time of what is under way."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        # Of the clock that never goes back.
        self._end = 0.0
        self._cancel: CancelToken | None = None

    def begin(self, cancel: CancelToken | None) -> None:
        """A request begins."""
        self._cancel, self._end = cancel, time.monotonic() + self._seconds
        self.look()

    def look(self) -> None:
        """Raise if it is to stop, or is late."""
        if self._cancel is not None:
            self._cancel.check()
        if time.monotonic() > self._end:
            raise TimeoutError

    def until(self, step: Callable[[], int]) -> int:
        """Do a step of a socket, looking around while it waits."""
        while True:
            self.look()
            try:
                return step()
            # Nothing is lost: the socket waited, and neither took nor gave a byte.
            except TimeoutError:
                continue


class _Watched(http.client.HTTPConnection):
    """An HTTP connection whose reads and writes look around while they wait."""

    def __init__(self, address: Address, watch: _Watch) -> None:
        super().__init__(address.host, address.port)
        self._address, self._watch_of = address, watch

    def connect(self) -> None:
        self.sock = _Socket(self._plain_or_safe(), self._watch_of)

    def _plain_or_safe(self) -> socket.socket:
        for number, host in enumerate(self._address.numbers, start=1):
            try:
                made = _connected(host, self._address.port, self._watch_of)
                break
            except ConnectionError:
                if number == len(self._address.numbers):
                    raise
        # Certificates are checked as the system is set up, also of this machine.
        if self._address.scheme == "http":
            return made
        # Only here: it takes 10 ms to import, and no server of this machine needs it.
        import ssl

        return ssl.create_default_context().wrap_socket(made, server_hostname=self._address.host)


def _connected(host: str, port: int, watch: _Watch) -> socket.socket:
    # An IP address is not looked up; the name of a machine that was confirmed is, which cannot be stopped.
    kind, way, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    made = socket.socket(kind, way, protocol)
    try:
        made.setblocking(False)
        made.connect_ex(place)
        _await_connected(made, watch)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.settimeout(_LOOK)
    except BaseException:
        made.close()
        raise
    return made


def _await_connected(made: socket.socket, watch: _Watch) -> None:
    with selectors.DefaultSelector() as waiting:
        waiting.register(made, selectors.EVENT_WRITE)
        watch.look()
        while not waiting.select(_LOOK):
            watch.look()
    if number := made.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        # OSError makes itself a ConnectionRefusedError by the number.
        raise OSError(number, os.strerror(number))


class _Socket:
    """What an HTTP connection needs of a socket."""

    def __init__(self, inner: socket.socket, watch: _Watch) -> None:
        self._inner, self._watch = inner, watch

    def sendall(self, data: bytes) -> None:
        """Send all of it."""
        rest = memoryview(data)
        while rest:
            sent = self._watch.until(partial(self._inner.send, rest))
            rest = rest[sent:]

    def makefile(self, mode: str) -> io.BufferedReader:
        """A file of what is received."""
        return io.BufferedReader(_Received(self._inner, self._watch), 1 << 16)

    def close(self) -> None:
        """Close it."""
        self._inner.close()


class _Received(io.RawIOBase):
    """What a socket receives, as a file that looks around while it waits."""

    def __init__(self, inner: socket.socket, watch: _Watch) -> None:
        super().__init__()
        self._inner, self._watch = inner, watch
        # Never read: an HTTP connection may be closed before its last answer is read, and this keeps the socket open.
        self._keeps = inner.makefile("rb", buffering=0)

    def close(self) -> None:
        """Let the socket be closed."""
        self._keeps.close()
        super().close()

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a part of a buffer with what comes next."""
        return self._watch.until(partial(self._inner.recv_into, buffer))
