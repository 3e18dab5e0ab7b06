"""Pooled connections whose requests can be ended from another thread."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
import urllib.request
from typing import Any

import truststore
import urllib3
from urllib3 import connection, connectionpool

from explorer.http.errors import RemoteError
from explorer.http.wire.address import Address
from explorer.i18n import mark

CONNECT_SECONDS = 10.0
"""Most seconds until a connection is there."""


class Ended(Exception):  # noqa: N818 - a request, not a fault
    """A request was ended from another thread."""


class Try:
    """One attempt at a request: the thread that makes it, or another, may end it.

    seconds: Most seconds until the answer is complete.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds
        self._connection: connection.HTTPConnection | None = None
        self.is_late = False
        self._is_ended = False

    def check(self) -> None:
        """Raise `Ended` if it was ended."""
        if self._is_ended:
            raise Ended

    def uses(self, used: connection.HTTPConnection) -> None:
        """A connection begins to serve it."""
        self._connection = used
        self.check()

    def look(self) -> None:
        """End it if its time is over."""
        if not self._is_ended and time.monotonic() > self._end:
            self.is_late = True
            self.end()

    def end(self) -> None:
        """End it now. A name that is being looked up, and a connection that is being made, end on their own; nothing
        is sent after that."""
        self._is_ended = True
        sock = getattr(self._connection, "sock", None)
        if sock is not None:
            # Not `close`: it would not wake the thread that reads. The method of the plain socket, since the one of an
            # encrypted socket takes away what that thread is using.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)


_current = threading.local()


def use_try(current: Try | None) -> None:
    """Let the requests of this thread belong to an attempt."""
    _current.attempt = current


def _claim(used: connection.HTTPConnection) -> None:
    attempt: Try | None = getattr(_current, "attempt", None)
    if attempt is not None:
        attempt.uses(used)


class _Plain(connection.HTTPConnection):
    def connect(self) -> None:
        _claim(self)
        super().connect()
        # Once more: it may have been ended while there was no socket to end.
        _claim(self)

    def request(self, *args: Any, **named: Any) -> None:
        _claim(self)
        super().request(*args, **named)


class _Safe(connection.HTTPSConnection):
    def connect(self) -> None:
        _claim(self)
        super().connect()
        _claim(self)

    def request(self, *args: Any, **named: Any) -> None:
        _claim(self)
        super().request(*args, **named)


class _PlainPool(connectionpool.HTTPConnectionPool):
    ConnectionCls = _Plain


class _SafePool(connectionpool.HTTPSConnectionPool):
    ConnectionCls = _Safe


def pool_for(address: Address, size: int) -> urllib3.PoolManager:
    """Make a pool of connections to one host.

    Returns: The pool. Other machines are reached by the proxies of the environment; certificates are those of the
        system.
    Raises `RemoteError` if the proxy is of a kind that is not known.
    """
    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if address.scheme == "https" else None
    # No words for `retries`: the client repeats requests itself, so that waiting can be stopped.
    common: dict[str, Any] = {"maxsize": size, "ssl_context": context, "retries": False}
    proxy = _proxy(address)
    made = _proxied(proxy, address, common) if proxy else urllib3.PoolManager(**common)
    made.pool_classes_by_scheme = {"http": _PlainPool, "https": _SafePool}
    return made


def _proxied(proxy: str, address: Address, common: dict[str, Any]) -> urllib3.ProxyManager:
    parts = urllib3.util.parse_url(proxy if "://" in proxy else f"http://{proxy}")
    if parts.scheme not in ("http", "https"):
        raise RemoteError(
            mark("The proxy {proxy} is of a kind that is not known: only http and https are."),
            reason="unknown-proxy",
            proxy=f"{parts.scheme}://{parts.host}",
            host=address.short,
        )
    headers = urllib3.make_headers(proxy_basic_auth=parts.auth) if parts.auth else None
    return urllib3.ProxyManager(parts._replace(auth=None).url, proxy_headers=headers, **common)


def _proxy(address: Address) -> str:
    """The proxy that the environment or the system names for a host; "" for none."""
    # A proxy is another machine: what is asked of this one does not leave it.
    if address.is_local or urllib.request.proxy_bypass(address.host):
        return ""
    proxies = urllib.request.getproxies()
    return proxies.get(address.scheme) or proxies.get("all") or ""
