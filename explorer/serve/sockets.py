"""The sockets that a server listens at: on this machine only, unless a token keeps strangers out."""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys
from contextlib import suppress

from explorer.errors import CorpusError
from explorer.i18n import mark
from explorer.serve.settings import Settings

_TRIES = 20
_BACKLOG = 2_048


class ServeError(CorpusError):
    """A server cannot start."""


def check_address(settings: Settings) -> None:
    """Refuse to be reached from other machines without a token.

    Raises `ServeError` if the host is not an address, or is not this machine's own and there is no token.
    """
    if settings.host in ("", "localhost"):
        return
    try:
        address = ipaddress.ip_address(settings.host)
    except ValueError:
        raise ServeError(mark('"{host}" is not an IP address.'), reason="not-an-address", host=settings.host) from None
    if not address.is_loopback and not settings.token:
        raise ServeError(
            mark("Other machines can reach {host}, so requests must carry a token."),
            reason="address-needs-token",
            host=settings.host,
        )


def listen(settings: Settings) -> list[socket.socket]:
    """Listen at an address; at both loopback addresses if none is named.

    Raises `ServeError` if the port is taken, or the address is not one of this machine.
    """
    check_address(settings)
    hosts = ("127.0.0.1", "::1") if settings.host in ("", "localhost") else (settings.host,)
    for _ in range(_TRIES if settings.port == 0 else 1):
        opened: list[socket.socket] = []
        try:
            for host in hosts:
                with suppress(_MissingError):
                    opened.append(_bound(host, opened[0].getsockname()[1] if opened else settings.port))
        except OSError as error:
            for each in opened:
                each.close()
            # A free port of one address may be taken at the other.
            if error.errno != errno.EADDRINUSE or settings.port:
                raise _refusal(error, settings) from error
        else:
            if opened:
                return opened
            raise ServeError(mark("This machine has no address to listen at."), reason="no-address")
    raise ServeError(mark("No free port was found."), reason="no-port")


class _MissingError(Exception):
    """This machine lacks the second address: many have no IPv6."""


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        # With the protocol named, asyncio sends small parts at once; otherwise the second of an answer waits 40 ms.
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise _MissingError from error
    try:
        if sys.platform == "win32":
            # Without it, another program could listen at the same port and get the requests.
            made.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((host, port))
        made.listen(_BACKLOG)
        made.setblocking(False)
    except OSError as error:
        made.close()
        if host == "::1" and error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
            raise _MissingError from error
        raise
    return made


def _refusal(error: OSError, settings: Settings) -> ServeError:
    if error.errno == errno.EADDRINUSE:
        return ServeError(mark("Another program listens at port {port}."), reason="port-taken", port=str(settings.port))
    return ServeError(
        mark("The server cannot listen at {host}, port {port}: {cause}."),
        reason="cannot-listen",
        host=settings.host or "127.0.0.1",
        port=str(settings.port),
        cause=error.strerror or str(error),
    )


def address_of(sockets: list[socket.socket]) -> str:
    """The address of a server, as a browser takes it."""
    host, port = sockets[0].getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
