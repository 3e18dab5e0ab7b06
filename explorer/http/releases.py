"""Whether there is a newer version: one file is asked for, and only its version is looked at.

A program that was made for people without Python has the file `releases.json` beside it, with the address to ask and
the page to read. A copy of the source code has none: nobody knows where it came from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.core.files.json_text import parse_json
from explorer.http.client import Client, Request, read_json
from explorer.http.errors import RemoteError
from explorer.http.wire.address import Address, read_address
from explorer.i18n import mark
from explorer.resources import program_file

if TYPE_CHECKING:
    from explorer.core.jobs import CancelToken

FILE = "releases.json"
_MOST_BYTES = 1 << 20
_SECONDS = 20.0
_VERSION = re.compile(r"v?([0-9]{1,6}(?:\.[0-9]{1,6}){1,3})")
_KEYS = ("version", "tag_name")
"""Where an answer has the version: a file of our own, and GitHub's answer about the latest release."""


@dataclass(frozen=True)
class Releases:
    """Where the releases of this program are.

    address: Who is asked: its answer is JSON with the newest version.
    page: The page on which people find the files, with "https://".
    """

    address: Address
    page: str


def own_releases() -> Releases | None:
    """Where the releases of this program are.

    Returns: None if the program does not know: it has no such file, or one that names no address.
    """
    file = program_file(FILE)
    try:
        found = None if file is None else parse_json(file.read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict):
        return None
    url, page = found.get("address"), found.get("page")
    if not isinstance(url, str) or not isinstance(page, str) or not page.startswith("https://"):
        return None
    address = read_address(url)
    # Nobody between here and there may make up a version.
    return None if address is None or not (address.scheme == "https" or address.is_local) else Releases(address, page)


def newest_version(releases: Releases, cancel: CancelToken | None = None) -> str:
    """Ask for the newest version that is released.

    releases: Who is asked. The request has nothing in it but the address.
    Returns: Numbers and dots, such as "0.3.1": nothing else of the answer is used.
    Raises `RemoteError` if nobody answers, or the answer has no version.
    """
    request = Request("", seconds=_SECONDS, most_bytes=_MOST_BYTES)
    found = _version_in(read_json(Client(releases.address).ask(request, cancel), releases.address))
    if found is None:
        raise RemoteError(
            mark("{host} answered without a version: something else may be at this address."),
            reason="no-version",
            host=releases.address.short,
        )
    return found


def _version_in(answer: Any) -> str | None:
    values = [answer.get(key) for key in _KEYS] if isinstance(answer, dict) else []
    matches = [_VERSION.fullmatch(value) for value in values if isinstance(value, str)]
    return next((match[1] for match in matches if match is not None), None)


def is_newer(version: str, installed: str) -> bool:
    """Whether a released version is newer than the installed one.

    installed: The same; a version before a release, such as "0.3.0.dev1", is older than that release.

    Examples
    --------
    >>> is_newer("0.10", "0.9.2"), is_newer("0.3.0", "0.3"), is_newer("0.3", "0.3rc1")
    (True, False, True)
    """
    numbers, rest = _split(version)
    others, other_rest = _split(installed)
    return numbers > others or (numbers == others and not rest and bool(other_rest))


def _split(version: str) -> tuple[tuple[int, ...], str]:
    """The numbers, without zeros at the end, and what follows them."""
    match = re.match(r"[0-9]+(?:\.[0-9]+)*", version)
    found = match[0] if match else ""
    numbers = [int(part) for part in found.split(".") if part]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    # What was built from the sources of a release is that release: "0.3+local" is not older than 0.3.
    rest = version[len(found) :]
    return tuple(numbers), "" if rest.startswith("+") else rest
