"""Files of a folder elsewhere, read in parts: what they are, and those of a web server, by HTTP ranges."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from explorer.core.jobs import CancelToken
from explorer.http.client import Client, Reply, Request
from explorer.http.errors import RemoteError
from explorer.i18n import mark

_ABSENT = (404, 410)
_REFUSED = 403
"""Also what a bucket whose names may not be listed answers about a file that is not there."""
_EMPTY = 416
"""No byte of the file is at the first place."""
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
_ERROR_BYTES = 1 << 16


@dataclass(frozen=True)
class FilePart:
    """Some bytes of a file: `size` of them from `first` on."""

    name: str
    first: int
    size: int


@dataclass(frozen=True)
class FileFacts:
    """A file as it was found.

    version: What is another text once the file was replaced; "" if the server gives nothing of this kind.
    """

    size: int
    version: str = ""


class Files(Protocol):
    """The files of one folder elsewhere. May be used from any thread."""

    @property
    def host(self) -> str:
        """Who holds them, for sentences."""

    @property
    def address(self) -> str:
        """Where the folder is, without a slash at the end."""

    def find(self, names: Sequence[str], cancel: CancelToken | None = None) -> dict[str, FileFacts]:
        """Find out which files exist.

        Raises `RemoteError` if this cannot be found out, or none can be read.
        """

    def read(self, parts: Sequence[FilePart], cancel: CancelToken | None = None) -> list[bytes]:
        """Read parts of files that were found, many at once.

        parts: The parts, of one byte or more, within their files.
        Returns: One entry per part, of its size.
        Raises `RemoteError` if one cannot be read, or its file is not as it was found.
        """


def changed(host: str, name: str) -> RemoteError:
    """Make the error for a file that is not as it was found."""
    return RemoteError(
        mark("{name} on {host} has changed since the index was opened."),
        reason="index-changed",
        host=host,
        name=name,
    )


def damaged_part(host: str, name: str) -> RemoteError:
    """Make the error for an answer that is not the part of a file that was asked for."""
    return RemoteError(
        mark("{host} sent something else than the part of {name} that was asked for."),
        reason="bad-part",
        host=host,
        name=name,
    )


class WebFiles:
    """Files of a web server that sends parts of them; the methods are those of `Files`.

    client: Asks the server. Its address is that of the folder.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._found: dict[str, FileFacts] = {}

    @property
    def host(self) -> str:
        """The name of the host."""
        return self._client.address.short

    @property
    def address(self) -> str:
        """Where the folder is."""
        return self._client.address.origin + self._client.address.path

    def find(self, names: Sequence[str], cancel: CancelToken | None = None) -> dict[str, FileFacts]:
        """Which files exist, by one byte of each."""
        accepted = (_REFUSED, _EMPTY, *_ABSENT)
        requests = [_request(FilePart(name, 0, 1), accepted) for name in names]
        replies = dict(zip(names, self._client.ask_many(requests, cancel), strict=True))
        statuses = {reply.status for reply in replies.values()}
        if _REFUSED in statuses and statuses <= {_REFUSED, *_ABSENT}:
            raise RemoteError(
                mark("{host} lets nobody read {address} from here (status {status})."),
                reason="service-refused",
                host=self.host,
                address=self.address,
                status=_REFUSED,
            )
        found = {
            name: self._facts(name, reply) for name, reply in replies.items() if reply.status not in (403, *_ABSENT)
        }
        self._found |= found
        return found

    def _facts(self, name: str, reply: Reply) -> FileFacts:
        # Servers differ in what they answer about an empty file.
        if reply.status == _EMPTY or not reply.data:
            return FileFacts(0, _version(reply))
        match = _RANGE.fullmatch(reply.headers.get("content-range", ""))
        if match is None:
            raise damaged_part(self.host, name)
        return FileFacts(int(match.group(3)), _version(reply))

    def read(self, parts: Sequence[FilePart], cancel: CancelToken | None = None) -> list[bytes]:
        """Parts of files, one request each."""
        found: list[bytes] = [b""] * len(parts)

        def took(number: int, reply: Reply) -> None:
            found[number] = self._checked(parts[number], reply)

        self._client.ask_many([_request(part) for part in parts], cancel, took)
        return found

    def _checked(self, part: FilePart, reply: Reply) -> bytes:
        """The bytes of a part; raises RemoteError if they are not those of the file that was found."""
        match = _RANGE.fullmatch(reply.headers.get("content-range", ""))
        if match is None:
            raise damaged_part(self.host, part.name)
        first, last, size = map(int, match.groups())
        if FileFacts(size, _version(reply)) != self._found[part.name]:
            raise changed(self.host, part.name)
        is_whole = (first, last) == (part.first, part.first + part.size - 1) and len(reply.data) == part.size
        if not is_whole or reply.headers.get("content-encoding", "identity") != "identity":
            raise damaged_part(self.host, part.name)
        return reply.data


def _request(part: FilePart, accepted: tuple[int, ...] = ()) -> Request:
    span = f"bytes={part.first}-{part.first + part.size - 1}"
    # Packed answers have other bytes at the places that are asked for.
    headers = (("Range", span), ("Accept-Encoding", "identity"))
    most = max(part.size, _ERROR_BYTES)
    return Request(f"/{part.name}", None, headers, most_bytes=most, accepted=accepted, is_part=True)


def _version(reply: Reply) -> str:
    # Weak or strong: a server that packs answers changes only this.
    tag = reply.headers.get("etag", "").removeprefix("W/")
    return tag or reply.headers.get("last-modified", "")
