"""Repositories of the Hugging Face hub: what they hold at a commit, and parts of their files.

The place of the hub, the token and the switch that forbids connections are those of the package huggingface_hub, so
that a user has to set them once. The token is sent to the hub only: storages to which it redirects do not get it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any
from urllib.parse import quote, urlsplit

from explorer.core.jobs import CancelToken
from explorer.http.client import Client, Reply, Request, read_json
from explorer.http.errors import RemoteError
from explorer.http.pace import part_pace_of
from explorer.http.wire.address import read_address
from explorer.http.wire.hub import HubAddress, read_hub
from explorer.i18n import mark

ENDPOINT = "https://huggingface.co"
PATIENCE = 330.0
"""Seconds until a request is given up: the hub counts requests in windows of five minutes, and asks to wait for the
next one."""
_MOST_LISTED = 1_000_000
_PAGE_BYTES = 16 << 20
_NEXT = re.compile(r'<([^<>]+)>;\s*rel="?next"?')
_ABSENT = (401, 403, 404)
WHOLE_BYTES = 8 << 20
"""A file of up to this size may be sent as a whole where a part of it was asked for."""


@dataclass(frozen=True)
class HubFile:
    """A file of a repository.

    name: Its path in the repository.
    oid: The checksum that Git has of it.
    sha256: The checksum of a large file; "" for others.
    """

    name: str
    size: int
    oid: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class Repository:
    """A repository at a commit.

    card: The facts at the beginning of its README.md.
    """

    address: HubAddress
    card: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[HubFile, ...] = ()


def hub_address(source: str) -> HubAddress:
    """Read an address of the hub."""
    found = read_hub(source)
    if found is None:
        raise RemoteError(
            mark(
                '"{url}" is not an address of the hub, such as hf://datasets/OWNER/NAME[@REVISION][/CONFIG][:SPLIT] or '
                "hf://OWNER/NAME[@REVISION]."
            ),
            reason="bad-hub-address",
            url=source,
        )
    return found


def endpoint() -> str:
    """Give the address of the hub: HF_ENDPOINT, or else the public one."""
    return (os.environ.get("HF_ENDPOINT") or ENDPOINT).rstrip("/")


def own_token() -> str | None:
    """Give the token of HF_TOKEN or of `hf auth login`; None if there is none, or if it may not be sent unasked."""
    # Imported here: few commands need the hub, and this takes longer than the start of the program.
    from huggingface_hub import constants, get_token

    return None if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else get_token()


def check_online() -> None:
    """Raise RemoteError if HF_HUB_OFFLINE forbids connections."""
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        raise RemoteError(
            mark("The hub is not asked, because {name} is set. Without this variable, it is."),
            reason="hub-offline",
            name="HF_HUB_OFFLINE",
        )


@cache
def _client(url: str, token: str | None) -> Client:
    address = read_address(url)
    if address is None:
        raise RemoteError(
            mark("{name} is not the address of a hub: {url}."), reason="bad-endpoint", name="HF_ENDPOINT", url=url
        )
    return Client(address, token, part_pace_of(address.name))


def _ask(address: HubAddress, request: Request, cancel: CancelToken | None) -> Reply:
    token = own_token()
    request = replace(request, accepted=(*request.accepted, *_ABSENT), patience=PATIENCE, leaves=True, repeated=(500,))
    reply = _client(endpoint(), token).ask(request, cancel)
    if reply.status in _ABSENT:
        raise _refusal(address, reply, token is not None)
    return reply


def _refusal(address: HubAddress, reply: Reply, has_token: bool) -> RemoteError:
    """Why the hub does not give a repository."""
    code = reply.headers.get("x-error-code", "")
    name = str(address.repository)
    if code == "RevisionNotFound":
        return RemoteError(
            mark("{address} has no revision {revision}."),
            reason="hub-no-revision",
            address=name,
            revision=address.revision,
        )
    if code == "GatedRepo":
        return RemoteError(
            mark("{address} is given to those who sign in and accept its terms."),
            reason="hub-gated",
            address=name,
            page=f"{endpoint()}/{'datasets/' if address.is_dataset else ''}{address.name}",
        )
    text = (
        mark("{address} does not exist, or the token of this machine does not give access to it.")
        if has_token
        else mark("{address} does not exist, or is private.")
    )
    return RemoteError(text, reason="hub-refused", address=name, status=reply.status)


def find_repository(address: HubAddress, cancel: CancelToken | None = None) -> Repository:
    """Find out to which commit an address leads now, and what the card states; without the files.

    Raises `RemoteError` if it does not exist, needs a token, or the hub does not answer.
    """
    check_online()
    revision = f"/revision/{quote(address.revision, safe='')}" if address.revision else ""
    request = Request(f"/api/{address.kind}/{address.name}{revision}", most_bytes=_PAGE_BYTES)
    found = _json(address, request, cancel)[0]
    commit = found.get("sha") if isinstance(found, dict) else None
    pinned = replace(address, revision=commit if isinstance(commit, str) else "")
    if not pinned.is_pinned:
        raise _strange(address)
    card = found.get("cardData")
    return Repository(pinned, card if isinstance(card, dict) else {})


def list_repository(address: HubAddress, cancel: CancelToken | None = None) -> Repository:
    """Find a repository, and list its files.

    Raises `RemoteError` as from `find_repository`; also if the name of a file leads out of the repository.
    """
    found = find_repository(address, cancel)
    files: list[HubFile] = []
    path = f"/api/{address.kind}/{address.name}/tree/{found.address.revision}?recursive=true&expand=false"
    while path:
        page, headers = _json(address, Request(path, most_bytes=_PAGE_BYTES), cancel)
        if not isinstance(page, list) or len(files) > _MOST_LISTED:
            raise _strange(address)
        files += [_file(address, each) for each in page if isinstance(each, dict) and each.get("type") == "file"]
        path = _next_page(headers) if page else ""
    return replace(found, files=tuple(sorted(files, key=lambda file: file.name)))


def _json(address: HubAddress, request: Request, cancel: CancelToken | None) -> tuple[Any, Mapping[str, str]]:
    reply = _ask(address, request, cancel)
    hub = read_address(endpoint())
    assert hub is not None
    return read_json(reply, hub), reply.headers


def _next_page(headers: Mapping[str, str]) -> str:
    """The path of the next page of a listing; "" for none. The host is always that of the hub."""
    match = _NEXT.search(headers.get("link", ""))
    if match is None:
        return ""
    parts = urlsplit(match[1])
    before = urlsplit(endpoint()).path
    return f"{parts.path.removeprefix(before)}?{parts.query}"


def _file(address: HubAddress, entry: Mapping[str, Any]) -> HubFile:
    name, size, oid = entry.get("path"), entry.get("size"), entry.get("oid")
    large = entry.get("lfs")
    sha256 = large.get("oid") if isinstance(large, dict) else ""
    if not isinstance(name, str) or not isinstance(size, int) or size < 0 or not is_inside(name):
        raise _strange(address)
    return HubFile(name, size, oid if isinstance(oid, str) else "", sha256 if isinstance(sha256, str) else "")


def is_inside(name: str) -> bool:
    """Whether the name of a file stays within its repository, whatever system reads it.

    Examples
    --------
    >>> is_inside("data/train.parquet"), is_inside("../train.parquet"), is_inside("data\\\\..\\\\x"), is_inside("c:/x")
    (True, False, False, False)
    """
    parts = name.replace("\\", "/").split("/")
    is_plain = all(char.isprintable() for char in name)
    return is_plain and not any(part in ("", ".", "..") for part in parts) and not re.match(r"[A-Za-z]:", name)


def _strange(address: HubAddress) -> RemoteError:
    return RemoteError(
        mark("{host} answers about {address} in a form that is not known, so nothing is read."),
        reason="strange-hub",
        host=urlsplit(endpoint()).netloc,
        address=str(address.repository),
    )


def read_part(address: HubAddress, file: HubFile, first: int, size: int, cancel: CancelToken | None = None) -> bytes:
    """Read a part of a file.

    size: Bytes, at least one, within the file.
    Raises `RemoteError` if it cannot be read, or is not the part of this file.
    """
    check_online()
    folder = "datasets/" if address.is_dataset else ""
    path = f"/{folder}{address.name}/resolve/{address.revision}/{quote(file.name)}"
    headers = (("Range", f"bytes={first}-{first + size - 1}"), ("Accept-Encoding", "identity"))
    is_large = file.size > WHOLE_BYTES
    request = Request(path, None, headers, most_bytes=max(size, WHOLE_BYTES), is_part=is_large)
    reply = _ask(address, request, cancel)
    data = reply.data
    if reply.status == 200 and len(data) == file.size:
        return data[first : first + size]
    span = f"bytes {first}-{first + size - 1}/{file.size}"
    if reply.headers.get("content-range", "") != span or len(data) != size:
        raise RemoteError(
            mark("{host} sent something else than the part of {name} that was asked for."),
            reason="bad-part",
            host=urlsplit(endpoint()).netloc,
            name=file.name,
        )
    return data
