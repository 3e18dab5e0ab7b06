"""Indexes on other machines: how their addresses are shown, and which hosts the user agreed to send queries to.

Without Qt. Nothing here sends anything, and no name is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from explorer.http.wire.address import Address, read_address
from explorer.i18n import tr


def address_of(source: str) -> Address | None:
    """Read a source of an index as an address.

    Returns: The address; None for a folder, and for addresses of other kinds than HTTP.

    Examples
    --------
    >>> address_of("/data/pile") is None, address_of("https://api.infini-gram.io/#pile").short
    (True, 'api.infini-gram.io')
    """
    # Without the slashes, it is a path that happens to have a colon, or "host:80" that somebody is still typing.
    return read_address(source, fragment=True) if "://" in source else None


def host_of(source: str) -> str:
    """The host of a source, as people write it, or the bucket with its scheme; "" for a folder."""
    found = address_of(source)
    if found is not None:
        return found.short
    scheme, separator, rest = source.partition("://")
    return f"{scheme.lower()}://{rest.partition('/')[0]}" if separator else ""


def is_here(source: str) -> bool:
    """Whether a source is on this machine: a folder, or an address of it.

    Returns: False for an address that cannot be read.
    """
    found = address_of(source)
    return "://" not in source if found is None else found.is_local


def source_name(source: str) -> str:
    """Name a source whose own name is not known: by the last part of its path.

    Examples
    --------
    >>> source_name("/data/pile"), source_name("http://localhost:8765#news")
    ('pile', 'news')
    """
    found = address_of(source)
    if found is not None:
        return found.fragment or found.path.rpartition("/")[2] or found.short
    if "://" in source:
        return source.rstrip("/").rpartition("/")[2]
    # A root folder has no last part.
    return Path(source).name or source


def with_host(name: str, sources: Iterable[str]) -> str:
    """An index as the window names it: with the host that answers, if it is asked over a network.

    Examples
    --------
    >>> with_host("rpj", ["https://api.infini-gram.io/#rpj"]), with_host("mine", ["/data/mine"])
    ('rpj · api.infini-gram.io', 'mine')
    """
    hosts = dict.fromkeys(filter(None, map(host_of, sources)))
    # A folder on a server may have no name but the host.
    return " · ".join(dict.fromkeys((name, *hosts)))


def last_answer(addresses: Iterable[str]) -> str:
    """When the hosts of an open index answered last, in a sentence.

    Returns: A line per host; "" for none.
    """
    found = [each for each in map(address_of, addresses) if each is not None]
    if not found:
        return ""
    # Whoever has an open address has these modules.
    from explorer.http.pace import pace_of, part_pace_of

    told = []
    for each in found:
        moments = (pace_of(each.name, each.is_local).answered, part_pace_of(each.name).answered)
        if moment := max((known for known in moments if known is not None), default=None):
            time = f"{datetime.fromtimestamp(moment):%H:%M}"
            told.append(tr("{host} last answered at {time}.", host=each.short, time=time))
    return "\n".join(told)


def what_is_sent(host: str, is_folder: bool) -> str:
    """What another machine learns, as the user is asked to agree to it.

    is_folder: Whether it only gives files of an index folder; otherwise it answers queries.
    """
    if is_folder:
        return tr("{host} sees which parts of the index are read, which tells what you search for.", host=host)
    return tr("Queries that you type are sent to {host}, which may keep them.", host=host)


class Hosts:
    """The hosts that queries may be sent to, as the settings keep them; all windows share the list.

    get: Gives a stored value by its key.
    """

    def __init__(self, get: Callable[[str], Any], put: Callable[[str, Any], None]) -> None:
        self._get, self._put = get, put

    def all(self) -> tuple[str, ...]:
        """The hosts, in the order in which the user agreed."""
        return tuple(self._get("remote_hosts"))

    def allow(self, hosts: Iterable[str]) -> None:
        """Note that the user agreed."""
        self._put("remote_hosts", list(dict.fromkeys((*self.all(), *hosts))))

    def forget(self, host: str) -> None:
        """Ask again before anything is sent to a host."""
        self._put("remote_hosts", [known for known in self.all() if known != host])

    def allows(self, sources: Iterable[str]) -> bool:
        """Whether the user agreed to everything that opening these sources would send to other machines."""
        return all(self._allows(source) for source in sources)

    def _allows(self, source: str) -> bool:
        return is_here(source) or host_of(source) in self.all()
