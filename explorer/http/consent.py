"""Whom queries may be sent to: nothing leaves this machine before the user agreed."""

from __future__ import annotations

from collections.abc import Callable

from explorer.http.errors import RemoteError
from explorer.http.wire.address import Address, read_address
from explorer.i18n import mark

Confirm = Callable[[str], bool]
"""Asked with the name of a host that is not this machine; whether queries may be sent there."""


def remote_address(url: str, confirm: Confirm | None = None) -> Address:
    """Read the address of an index. Nothing is sent, and no name is looked up.

    confirm: Asked about a host that is not this machine; None to refuse it.
    Raises `RemoteError` if it is not an address, or the host is not this machine and this was not confirmed.

    Examples
    --------
    >>> remote_address("http://localhost:8765#pile").fragment
    'pile'
    """
    found = read_address(url, fragment=True)
    if found is None:
        raise RemoteError(
            mark('"{url}" is not the address of an index, such as http://localhost:8765#NAME.'),
            reason="bad-index-address",
            url=url,
        )
    if not found.is_local and not (confirm is not None and confirm(found.short)):
        raise RemoteError(
            mark(
                "{host} is not this machine: every query would be sent to it, and it may keep them. Nothing was sent."
            ),
            reason="sends-queries",
            option="allow_remote",
            host=found.short,
        )
    return found


def folder_address(url: str, confirm: Confirm | None = None) -> Address:
    """Read the address of an index folder on a web server. Nothing is sent, and no name is looked up.

    Raises `RemoteError` if it is not an address, or the host is not this machine and this was not confirmed.
    """
    found = read_address(url)
    if found is None:
        raise RemoteError(
            mark('"{url}" is not the address of an index folder, such as https://example.org/indexes/news.'),
            reason="bad-index-address",
            url=url,
        )
    if not found.is_local:
        check_reading(found.short, confirm)
    return found


def check_reading(host: str, confirm: Confirm | None = None) -> None:
    """Ask whether an index folder on another machine may be read.

    host: The machine, or the bucket, such as "s3://news".
    Raises `RemoteError` if this was not confirmed.
    """
    if confirm is None or not confirm(host):
        raise RemoteError(
            mark(
                "{host} is not this machine: it would see which parts of the index are read, which tells what is "
                "searched for. Nothing was sent."
            ),
            reason="sends-queries",
            option="allow_remote",
            host=host,
        )
