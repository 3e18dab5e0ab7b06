"""Why an attempt at a request failed: the error for the user, and whether to try again."""

from __future__ import annotations

import email.utils
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from urllib3 import exceptions

from explorer.http.errors import RemoteError, stated
from explorer.http.wire.address import Address
from explorer.i18n import mark

TRIES = 5
"""Attempts at a request that may succeed if it is repeated."""
_TRIES_OF = {403: 2, 429: TRIES, 502: TRIES, 503: TRIES, 504: TRIES}


@dataclass(frozen=True)
class Failure:
    """Why an attempt failed.

    error: The error if there is no further attempt.
    tries: Attempts in all, if each fails like this one.
    wait: Seconds that the service asks to wait; None if it names none.
    """

    error: RemoteError
    tries: int = 1
    wait: float | None = None


def of_status(
    address: Address, status: int, headers: Mapping[str, str], data: bytes, secret: str | None = None
) -> Failure:
    """Judge an answer that is not a success.

    secret: A key that is not quoted.
    """
    sentence = stated(data, secret)
    fields: dict[str, Any] = {"host": address.short, "status": status, "text": sentence}
    if status == 429:
        text = mark("{host} gets more requests than it allows (status {status}). {text}")
        error = RemoteError(text, reason="too-many-requests", **fields)
    elif status in (502, 503, 504):
        text = mark("{host} is overloaded or being repaired (status {status}). {text}")
        error = RemoteError(text, reason="service-busy", **fields)
    elif status in (401, 403):
        text = mark("{host} refuses requests from here (status {status}). {text}")
        error = RemoteError(text, reason="service-refused", **fields)
    elif sentence:
        error = RemoteError(mark("{host} reports: {text}"), reason="service-reports", **fields)
    else:
        error = RemoteError(mark("{host} answered with status {status}."), reason="bad-status", **fields)
    return Failure(error, _TRIES_OF.get(status, 1), _seconds(headers.get("retry-after", "")))


def _seconds(text: str) -> float | None:
    """What the header Retry-After means: seconds, or a date."""
    if text.strip().isdecimal():
        return float(text)
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, moment.timestamp() - time.time())


def of_error(address: Address, error: Exception, seconds: float, is_late: bool) -> Failure:
    """Judge an attempt without a complete answer.

    is_late: Whether it was ended because this time was over.
    """
    host = address.short
    if is_late:
        return _late(host, seconds)
    if isinstance(error, exceptions.NameResolutionError):
        unknown = mark("The name {host} was not found: this machine is not connected, or the name is wrong.")
        return Failure(RemoteError(unknown, reason="name-not-found", host=host), 2)
    if isinstance(error, exceptions.ProxyError):
        return Failure(RemoteError(mark("The proxy to {host} does not answer."), reason="proxy-failed", host=host))
    if isinstance(error, exceptions.SSLError):
        text = mark("The certificate or the encryption of {host} is not trusted: {cause}.")
        return Failure(RemoteError(text, reason="bad-certificate", host=host, cause=_of_encryption(error)))
    if isinstance(error, exceptions.NewConnectionError):
        # Nobody listens on this machine, which waiting does not change.
        refused = mark("No service answers at {host}.")
        return Failure(RemoteError(refused, reason="no-service", host=host), 1 if address.is_local else TRIES)
    # Errors of connecting, above, are of this class, too.
    if isinstance(error, exceptions.TimeoutError):
        return _late(host, seconds)
    # Only the kind: the text of a broken answer is whatever was sent.
    broke = mark("The connection to {host} broke before the answer was complete.")
    return Failure(RemoteError(broke, reason="connection-broke", host=host), TRIES)


def _late(host: str, seconds: float) -> Failure:
    late = mark("{host} did not answer within {seconds:,} seconds.")
    # A second time only: nobody waits for five.
    return Failure(RemoteError(late, reason="timed-out", host=host, seconds=round(seconds)), 2)


def _of_encryption(error: Exception) -> str:
    """OpenSSL's own words, such as "certificate has expired"."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLCertVerificationError):
            return seen.verify_message or "the certificate cannot be checked"
        seen = seen.__cause__ or next((arg for arg in seen.args if isinstance(arg, BaseException)), None)
    return "the connection could not be encrypted"
