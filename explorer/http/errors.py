"""What goes wrong between this machine and a service, and the sentences in which a service reports it."""

from __future__ import annotations

import json
from typing import Any

from explorer.errors import CorpusError

_MOST_QUOTED = 200


class RemoteError(CorpusError):
    """A service cannot be reached, or answers what cannot be used."""


def stated(data: bytes, secret: str | None = None) -> str:
    """Find the sentence of a service in the body of an error.

    data: The body: JSON with `error`, `message`, `detail` or `title`; pages for browsers have none.
    secret: A key that is never quoted; some services repeat the one that they refuse.

    Examples
    --------
    >>> stated(b'{"message": "Too Many Requests"}')
    'Too Many Requests'
    >>> stated(b"<html>502</html>")
    ''
    """
    try:
        found = _sentence(json.loads(data))
    except (ValueError, RecursionError):
        # Bytes that are not JSON are a gateway's page, in markup which does not fit a notice.
        return ""
    found = found.replace(secret, "…") if secret else found
    # Foreign text: no control characters, and no more than fits a notice.
    line = " ".join("".join(char if char.isprintable() else " " for char in found).split())
    return line[:_MOST_QUOTED] + "…" * (len(line) > _MOST_QUOTED)


def _sentence(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    for name in ("error", "message", "detail", "title"):
        found = value.get(name)
        if isinstance(found, str) and found:
            return found
        if isinstance(found, dict) and (inner := _sentence(found)):
            return inner
    return ""
