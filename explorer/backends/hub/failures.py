"""The errors of the package huggingface_hub as sentences of the program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from explorer.errors import CorpusError
from explorer.http.errors import RemoteError
from explorer.http.hub import own_token
from explorer.http.wire.hub import HubAddress
from explorer.i18n import mark

_MOST_QUOTED = 200


@contextmanager
def told(address: HubAddress) -> Iterator[None]:
    """Let what the package raises become a `RemoteError`, which names the repository and never quotes the token."""
    try:
        yield
    except (CorpusError, KeyboardInterrupt):
        raise
    # The package raises classes of its own, of its HTTP library and Python's, which differ between its versions.
    except Exception as error:
        raise _sentence(address, error) from error


def _sentence(address: HubAddress, error: Exception) -> RemoteError:
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status in (401, 403):
        text = mark("The hub refuses this for {address} (status {status}).")
        return RemoteError(text, reason="hub-refused", address=str(address), status=status)
    if status == 429:
        text = mark("The hub gets more requests than it allows (status {status}).")
        return RemoteError(text, reason="too-many-requests", address=str(address), status=status)
    text = mark("The hub stopped in the middle of {address}: {cause}. What was transferred is kept.")
    return RemoteError(text, reason="hub-stopped", address=str(address), cause=_line(error), status=status)


def _line(error: Exception) -> str:
    """The beginning of an error, on one line, without the token."""
    text = str(error)
    if token := own_token():
        text = text.replace(token, "…")
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split()).rstrip(".")
    return line[:_MOST_QUOTED] or type(error).__name__
