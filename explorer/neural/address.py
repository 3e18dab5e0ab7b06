"""Where a server is: on this machine, or not."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from explorer.errors import CorpusError
from explorer.i18n import mark

Confirm = Callable[[str], bool]
"""Asked with the name of a host that is not this machine; whether texts may be sent there."""


class ServerError(CorpusError):
    """A server of a language model cannot be reached, or answers what cannot be used."""


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
    """

    scheme: str
    host: str
    port: int
    path: str
    is_local: bool

    @property
    def name(self) -> str:
        """The host and the port, as in an address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def numbers(self) -> tuple[str, ...]:
        """What to connect to, in this order: `localhost` is not looked up either, since a file may redirect it."""
        return ("127.0.0.1", "::1") if self.is_local and self.host == "localhost" else (self.host,)


def address_of(url: str, confirm: Confirm | None = None) -> Address:
    """Read the address of a server. Nothing is sent, and no name is looked up.

    Parameters
    ----------
    url
        Such as "http://localhost:8080"; a "/v1" at the end is left out, and "http://" may be.
    confirm
        Asked about a host that is not this machine; None to refuse it.

    Returns
    -------
    Address
        The address.

    Raises
    ------
    ServerError
        If it is not an address, or the host is not this machine and this was not confirmed.

    Examples
    --------
    >>> address_of("localhost:8080/v1").name
    'localhost:8080'
    >>> address_of("http://127.0.0.1").port
    80
    """
    parts = _parts(url)
    # A name may end with a dot, which means that it is complete.
    host = (parts.hostname or "").removesuffix(".")
    # Often copied from the settings of a client, which has it in the address.
    path = parts.path.rstrip("/").removesuffix("/v1").rstrip("/")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    found = Address(parts.scheme, host, port, path, _is_this_machine(host))
    if not found.is_local and not (confirm is not None and confirm(found.name)):
        raise ServerError(
            mark("{host} is not this machine: every text would be sent to it. Nothing was sent."),
            reason="not-this-machine",
            option="allow_remote",
            host=found.name,
        )
    return found


def _parts(url: str) -> SplitResult:
    wrong = ServerError(
        mark('"{url}" is not the address of a server, such as http://localhost:8080.'), reason="bad-address", url=url
    )
    # Characters that some readers of addresses drop and others do not.
    if any(char <= " " or char in "\\\x7f" for char in url) or not url.isascii():
        raise wrong
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        # Reading the port is what checks it.
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        raise wrong from error
    if not usable or parts.username is not None or parts.query or parts.fragment:
        raise wrong
    return parts


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        # A name, or a number in a form that only some readers understand.
        return False
