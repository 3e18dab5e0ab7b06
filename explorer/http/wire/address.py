"""Where a server is: on this machine, or not."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit


@dataclass(frozen=True)
class Address:
    """The address of a server.

    Attributes
    ----------
    scheme
        "http" or "https".
    host
        A name, or an IP address without brackets.
    port
        1 to 65,535.
    path
        What comes before the paths of the interface, without a slash at the end; "" for nothing.
    is_local
        Whether the host is this machine: `localhost`, 127.0.0.0/8 or ::1. Other names are not looked up, so a name is
        never this machine because of what a name server answers.
    fragment
        What follows a "#": the name of an index.

    Examples
    --------
    >>> found = read_address("http://localhost:8080/base/#pile", fragment=True)
    >>> found.name, found.path, found.fragment
    ('localhost:8080', '/base', 'pile')
    """

    scheme: str
    host: str
    port: int
    path: str
    is_local: bool
    fragment: str = ""

    @property
    def name(self) -> str:
        """The host and the port, as in an address."""
        return f"{self._host}:{self.port}"

    @property
    def short(self) -> str:
        """The host as people write it: without the usual port."""
        return self._host if self.port == _PORTS[self.scheme] else self.name

    @property
    def origin(self) -> str:
        """The scheme, the host and the port."""
        return f"{self.scheme}://{self.short}"

    @property
    def numbers(self) -> tuple[str, ...]:
        """What to connect to, in this order: `localhost` is not looked up either, since a file may redirect it."""
        return ("127.0.0.1", "::1") if self.is_local and self.host == "localhost" else (self.host,)

    @property
    def _host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


_PORTS = {"http": 80, "https": 443}


def read_address(url: str, *, fragment: bool = False) -> Address | None:
    """Read the address of a server. Nothing is sent, and no name is looked up.

    url: Such as "http://localhost:8080"; "http://" may be left out.
    fragment: Whether it may end with "#" and a name.
    Returns: The address; None if it is not one.
    """
    # Characters that some readers of addresses drop and others do not.
    if any(char <= " " or char in "\\\x7f" for char in url) or not url.isascii():
        return None
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        # Reading the port is what checks it.
        usable = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    if not usable or parts.username is not None or parts.query or (parts.fragment and not fragment):
        return None
    return _address(parts)


def _address(parts: SplitResult) -> Address:
    # A name may end with a dot, which means that it is complete.
    host = (parts.hostname or "").removesuffix(".")
    port = parts.port or _PORTS[parts.scheme]
    return Address(parts.scheme, host, port, parts.path.rstrip("/"), _is_this_machine(host), unquote(parts.fragment))


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        # A name, or a number in a form that only some readers understand.
        return False
