"""Where a server is: on this machine, or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from explorer.errors import CorpusError
from explorer.http.wire.address import Address, read_address
from explorer.i18n import mark

__all__ = ["Address", "Confirm", "ServerError", "address_of"]

Confirm = Callable[[str], bool]
"""Asked with the name of a host that is not this machine; whether texts may be sent there."""


class ServerError(CorpusError):
    """A server of a language model cannot be reached, or answers what cannot be used."""


def address_of(url: str, confirm: Confirm | None = None) -> Address:
    """Read the address of a server. Nothing is sent, and no name is looked up.

    url: Such as "http://localhost:8080"; a "/v1" at the end is left out, and "http://" may be.
    confirm: Asked about a host that is not this machine; None to refuse it.
    Raises `ServerError` if it is not an address, or the host is not this machine and this was not confirmed.

    Examples
    --------
    >>> address_of("localhost:8080/v1").name
    'localhost:8080'
    >>> address_of("http://127.0.0.1").port
    80
    """
    read = read_address(url)
    if read is None:
        raise ServerError(
            mark('"{url}" is not the address of a server, such as http://localhost:8080.'),
            reason="bad-address",
            url=url,
        )
    # Often copied from the settings of a client, which has it in the address.
    found = replace(read, path=read.path.removesuffix("/v1").rstrip("/"))
    if not found.is_local and not (confirm is not None and confirm(found.name)):
        raise ServerError(
            mark("{host} is not this machine: every text would be sent to it. Nothing was sent."),
            reason="not-this-machine",
            option="allow_remote",
            host=found.name,
        )
    return found
